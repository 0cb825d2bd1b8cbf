import Foundation

/// Functions of the C library that Swift hides.
package enum SystemCall {
    /// unshare(2).
    package static func unshare(_ flags: Int32) -> Int32 {
        unsafeBitCast(function("unshare"), to: (@convention(c) (Int32) -> Int32).self)(flags)
    }

    /// Runs `body` in a fork of this process and returns the status that it ends with, or 128 plus its signal.
    package static func inFork(_ body: () -> Int32) -> Int32 {
        let fork = unsafeBitCast(function("fork"), to: (@convention(c) () -> pid_t).self)
        let child = fork()
        if child == 0 {
            // A thread of Dispatch blocks signals, and so would `alarm` in its fork.
            var none = sigset_t()
            sigemptyset(&none)
            pthread_sigmask(SIG_SETMASK, &none, nil)
            _exit(body())
        }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }

    // SAFETY: the signatures above are those of the manual pages.
    private static func function(_ name: String) -> UnsafeMutableRawPointer {
        guard let function = dlsym(nil, name) else { fatalError("the C library has no \(name)") }
        return function
    }
}
