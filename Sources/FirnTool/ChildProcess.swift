import CFirnSystem
import Foundation
import Glibc

/// A process that this one starts, and whose output it may read.
///
/// For one thread. It is neither killed nor waited for when it goes: call `wait()`.
package final class ChildProcess {
    /// How a process ended.
    package enum Ending: Equatable, Sendable {
        case exited(Int32)
        case signalled(Int32)
    }

    /// What becomes of what a process writes.
    package enum Stream: Sendable {
        /// It goes where this process's goes.
        case inherited
        /// `read(until:)` gives it.
        case captured
        case discarded
    }

    /// What a process reads from standard input.
    package enum Input: Sendable {
        case nothing
        /// Nothing either, but its end comes only with `endInput()`, when this object goes, or when this process dies.
        case held
    }

    /// A piece of what a process wrote.
    package enum Piece: Equatable, Sendable {
        case output([UInt8])
        case errors([UInt8])
        /// Nothing came before the deadline.
        case nothing
    }

    /// The executable that runs now, even where its file was replaced since.
    package static let ownExecutable = "/proc/self/exe"

    package let processID: pid_t
    private var output: Int32
    private var errors: Int32
    private var input: Int32
    private var ending: Ending?

    /// Starts `executable` (a path, not searched for) with `arguments`. `environment` is added to this process's own.
    package init(
        _ arguments: [String], of executable: String = ChildProcess.ownExecutable,
        environment: [String: String] = [:], input inputKind: Input = .nothing,
        output outputStream: Stream = .captured, errors errorStream: Stream = .captured
    ) throws(ToolFailure) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var ends = Ends()
        defer { ends.closeThoseOfTheChild() }
        do {
            switch inputKind {
            case .nothing: posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
            case .held: ends.input = try ChildProcess.connect(STDIN_FILENO, &actions)
            }
            ends.output = try ChildProcess.connect(outputStream, STDOUT_FILENO, &actions)
            ends.errors = try ChildProcess.connect(errorStream, STDERR_FILENO, &actions)
        } catch {
            ends.closeOwn()
            throw error
        }
        let variables = ChildProcess.environment(adding: environment)
        var processID: pid_t = 0
        let result = ChildProcess.withCStrings([executable] + arguments) { arguments in
            ChildProcess.withCStrings(variables) { variables in
                posix_spawn(&processID, executable, &actions, nil, arguments, variables)
            }
        }
        guard result == 0 else {
            ends.closeOwn()
            throw ToolFailure("cannot start \(executable): \(String(cString: strerror(result)))")
        }
        self.processID = processID
        input = ends.input.write
        output = ends.output.read
        errors = ends.errors.read
    }

    deinit {
        for descriptor in [input, output, errors] where descriptor >= 0 { Glibc.close(descriptor) }
    }

    // MARK: Its output

    /// The next piece of what it writes; nil when it has closed everything that is captured.
    package func read(until deadline: ContinuousClock.Instant? = nil) -> Piece? {
        while output >= 0 || errors >= 0 {
            // A negative descriptor is passed over.
            var waits = [
                pollfd(fd: output, events: Int16(POLLIN), revents: 0),
                pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&waits, 2, ChildProcess.milliseconds(until: deadline))
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return .nothing }
            if waits[0].revents != 0, let bytes = ChildProcess.readSome(&output) { return .output(bytes) }
            if waits[1].revents != 0, let bytes = ChildProcess.readSome(&errors) { return .errors(bytes) }
        }
        return nil
    }

    /// Everything that it still writes, and how it ends.
    package func finish() -> (ending: Ending, output: String, errors: String) {
        var output: [UInt8] = []
        var errors: [UInt8] = []
        while let piece = read() {
            switch piece {
            case .output(let bytes): output += bytes
            case .errors(let bytes): errors += bytes
            case .nothing: break
            }
        }
        return (wait(), String(decoding: output, as: UTF8.self), String(decoding: errors, as: UTF8.self))
    }

    /// What is there, or nil at the end, which closes the descriptor.
    private static func readSome(_ descriptor: inout Int32) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: 65536) { buffer, count in
            count = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
        }
        guard bytes.isEmpty else { return bytes }
        Glibc.close(descriptor)
        descriptor = -1
        return nil
    }

    private static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
        guard let deadline else { return -1 }
        let left = (deadline - .now).components
        guard left.seconds >= 0, left.attoseconds >= 0 else { return 0 }
        return Int32(
            min(left.seconds, 1_000_000) * 1000 + (left.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }

    // MARK: Its end

    /// Ends what it reads from standard input.
    package func endInput() {
        if input >= 0 { Glibc.close(input) }
        input = -1
    }

    /// Sends a signal, unless the process has been waited for.
    package func kill(_ signal: Int32 = SIGKILL) {
        guard ending == nil else { return }
        Glibc.kill(processID, signal)
    }

    /// Waits until it has ended.
    @discardableResult
    package func wait() -> Ending {
        if let ending { return ending }
        var status: Int32 = 0
        while waitpid(processID, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        let ending: Ending = signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
        self.ending = ending
        return ending
    }

    // MARK: Starting

    /// The two ends of a pipe, negative where there is none.
    private struct Pipe {
        var read: Int32 = -1
        var write: Int32 = -1
    }

    private struct Ends {
        var input = Pipe()
        var output = Pipe()
        var errors = Pipe()

        func closeThoseOfTheChild() {
            for descriptor in [input.read, output.write, errors.write] where descriptor >= 0 { Glibc.close(descriptor) }
        }

        func closeOwn() {
            for descriptor in [input.write, output.read, errors.read] where descriptor >= 0 { Glibc.close(descriptor) }
        }
    }

    private static func connect(
        _ stream: Stream, _ target: Int32, _ actions: inout posix_spawn_file_actions_t
    ) throws(ToolFailure) -> Pipe {
        switch stream {
        case .inherited: return Pipe()
        case .discarded:
            posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_WRONLY, 0)
            return Pipe()
        case .captured: return try connect(target, &actions)
        }
    }

    private static func connect(
        _ target: Int32, _ actions: inout posix_spawn_file_actions_t
    ) throws(ToolFailure) -> Pipe {
        var ends: (Int32, Int32) = (-1, -1)
        let result = withUnsafeMutablePointer(to: &ends) { ends in
            // SAFETY: a tuple of two equal types is laid out as an array of two.
            ends.withMemoryRebound(to: Int32.self, capacity: 2) { firn_make_pipe($0) }
        }
        guard result == 0 else { throw ToolFailure("cannot make a pipe: \(String(cString: strerror(result)))") }
        posix_spawn_file_actions_adddup2(&actions, target == STDIN_FILENO ? ends.0 : ends.1, target)
        return Pipe(read: ends.0, write: ends.1)
    }

    private static func environment(adding added: [String: String]) -> [String] {
        ProcessInfo.processInfo.environment.merging(added) { $1 }.map { "\($0.key)=\($0.value)" }
    }

    private static func withCStrings<R>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R
    ) -> R {
        let pointers = strings.map { strdup($0) }
        defer {
            for pointer in pointers { free(pointer) }
        }
        return body(pointers + [nil])
    }
}
