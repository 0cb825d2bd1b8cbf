import Synchronization

/// Somebody who wants to know of each new version of a file, whichever process makes it: see `Environment.listen(_:)`.
///
/// Listens until `stop()` is called or its last reference goes, on whatever thread. It keeps the environment open.
package final class CommitListener: Sendable {
    private let environment: Environment
    private let call: Doorbell.Call

    fileprivate init(_ environment: Environment, _ body: @escaping @Sendable () -> Void) {
        self.environment = environment
        call = Doorbell.Call(body)
        environment.doorbell.add(call, of: environment)
    }

    deinit {
        stop()
    }

    /// Ends it: from now on its block is not called any more, but for a call that is under way. Does nothing the second time.
    package func stop() {
        guard !call.isStopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
        environment.doorbell.remove(call, of: environment)
    }
}

extension Environment {
    /// Has a block called after each commit that made a new version, once that can be read.
    ///
    /// It is called on the thread that committed or, for commits of other processes, on one that watches all files: at once
    /// with others, and also for nothing. It must be quick, since it holds the writer up. A version that was made before this
    /// returns may go untold; look for one afterwards.
    ///
    /// Costs a commit of this process a lock and the call, and one of another process two calls of the system. Where the kernel
    /// has no more watches to give, the watching thread looks for new versions once a second.
    package func listen(_ body: @escaping @Sendable () -> Void) -> CommitListener {
        CommitListener(self, body)
    }
}
