import CFirnSystem
import Glibc

/// The thread that hears other processes' commits: one for all files, from the first listener until the last has gone.
///
/// It sleeps in `poll` until inotify tells of a gate file whose times were set (`GateFile.ring()`). Files for which the kernel
/// has no watch to give it looks at once a second.
///
/// SAFETY of `@unchecked Sendable`: `state` is only touched inside `withLock`.
final class CommitWatch: @unchecked Sendable {
    static let shared = CommitWatch()

    private struct File {
        weak var environment: Environment?
        /// Inotify's number, or -1 where it has none.
        var watch: Int32
        /// The newest version at the last look.
        var version: UInt64?
    }

    private struct State {
        var files: [ObjectIdentifier: File] = [:]
        /// Whether the thread runs. The descriptors are its own: it closes them at its end.
        var isRunning = false
        var inotify: Int32 = -1
        /// A byte written here has the thread look at the state.
        var bell: (reading: Int32, writing: Int32) = (-1, -1)
        var forkGeneration = firn_fork_generation()
        var nextLook = ContinuousClock.now
    }

    private var state = State()

    private static let timeBetweenLooks = Duration.seconds(1)

    /// There is one watch a process, and a fork's child needs it too: nobody may hold the lock while the process is forked.
    private func withLock<Value>(_ body: (inout State) throws -> Value) rethrows -> Value {
        firn_lock_across_forks()
        defer { firn_unlock_across_forks() }
        return try body(&state)
    }

    /// Listens for a file's commits, and marks the file.
    ///
    /// Where the process can have no more threads it hears of other processes' commits only once another listener comes.
    func add(_ environment: Environment, _ file: GateFile?) {
        withLock { state in
            start(&state)
            var watch: Int32 = -1
            if let file, state.inotify >= 0 {
                watch = inotify_add_watch(state.inotify, file.path, UInt32(IN_ATTRIB))
                if watch >= 0, !file.mark() {
                    inotify_rm_watch(state.inotify, watch)
                    watch = -1
                }
            }
            let version = watch < 0 ? Self.newestVersion(environment) : nil
            state.files[ObjectIdentifier(environment)] = File(
                environment: environment, watch: watch, version: version)
            if watch < 0 { wake(state) }
        }
    }

    /// Ends that.
    func remove(_ environment: Environment, _ file: GateFile?) {
        withLock { state in
            guard state.forkGeneration == firn_fork_generation(),
                let known = state.files.removeValue(forKey: ObjectIdentifier(environment))
            else { return }
            if known.watch >= 0 {
                file?.unmark()
                inotify_rm_watch(state.inotify, known.watch)
            }
            if state.files.isEmpty { wake(state) }
        }
    }

    private func start(_ state: inout State) {
        // A fork's child has neither the thread nor, by `firn_close_in_fork_children`, the descriptors.
        if state.forkGeneration != firn_fork_generation() { state = State() }
        guard !state.isRunning else { return }
        var ends: [Int32] = [-1, -1]
        guard firn_make_pipe(&ends) == 0 else { return }
        state.bell = (ends[0], ends[1])
        state.inotify = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        for descriptor in descriptors(state) { _ = firn_close_in_fork_children(descriptor) }
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { _ in
                CommitWatch.shared.serve()
                return nil
            }, nil)
        guard result == 0 else { return Self.close(takeDescriptors(&state)) }
        pthread_detach(thread)
        state.isRunning = true
    }

    private func descriptors(_ state: State) -> [Int32] {
        [state.inotify, state.bell.reading, state.bell.writing].filter { $0 >= 0 }
    }

    /// Leaves the state without a thread, for the descriptors to be closed.
    private func takeDescriptors(_ state: inout State) -> [Int32] {
        defer {
            state.inotify = -1
            state.bell = (-1, -1)
            state.isRunning = false
        }
        return descriptors(state)
    }

    private static func close(_ descriptors: [Int32]) {
        for descriptor in descriptors {
            firn_forget_descriptor(descriptor)
            Glibc.close(descriptor)
        }
    }

    private func wake(_ state: State) {
        guard state.isRunning else { return }
        var byte: UInt8 = 0
        _ = write(state.bell.writing, &byte, 1)
    }

    // MARK: On the thread

    private func serve() {
        firn_name_thread("firn-watch")
        while let environments = waitForNews() {
            for environment in environments {
                guard let version = try? environment.newestTransactionID() else { continue }
                environment.doorbell.didHear(newest: version)
            }
        }
    }

    /// Sleeps until files may have new versions, and returns their environments; nil when nobody listens any more.
    private func waitForNews() -> [Environment]? {
        let (inotify, bell, timeout) = withLock { ($0.inotify, $0.bell.reading, pollTimeout($0)) }
        var waited = [
            pollfd(fd: bell, events: Int16(POLLIN), revents: 0), pollfd(fd: inotify, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&waited, 2, timeout)
        if waited[0].revents != 0 {
            var bytes = [UInt8](repeating: 0, count: 64)
            _ = read(bell, &bytes, bytes.count)
        }
        let watches = waited[1].revents != 0 ? readEvents(inotify) : []
        // Not closed in the lock: the kernel takes its time over the end of an inotify instance.
        var left: [Int32] = []
        defer { Self.close(left) }
        return withLock { state in
            guard !state.files.isEmpty else {
                left = takeDescriptors(&state)
                return nil
            }
            var found: [Environment] = []
            for file in state.files.values where file.watch >= 0 && (watches?.contains(file.watch) ?? true) {
                if let environment = file.environment { found.append(environment) }
            }
            return found + look(&state)
        }
    }

    /// In milliseconds; -1 is for ever.
    private func pollTimeout(_ state: State) -> Int32 {
        guard state.files.values.contains(where: { $0.watch < 0 }) else { return -1 }
        let rest = ContinuousClock.now.duration(to: state.nextLook) / .milliseconds(1)
        return Int32(max(0, min(rest.rounded(.up), 1000)))
    }

    /// The numbers of the watches that have something to tell; nil means all, because there was too much.
    private func readEvents(_ inotify: Int32) -> Set<Int32>? {
        let headerByteCount = 16
        var watches: Set<Int32> = []
        var isAll = false
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            let count = read(inotify, buffer.baseAddress, buffer.count)
            var offset = 0
            while offset + headerByteCount <= count {
                // The kernel's `inotify_event`: watch, mask, cookie, length of the name that follows.
                watches.insert(buffer.load(fromByteOffset: offset, as: Int32.self))
                if buffer.load(fromByteOffset: offset + 4, as: UInt32.self) & UInt32(IN_Q_OVERFLOW) != 0 {
                    isAll = true
                }
                offset += headerByteCount + Int(buffer.load(fromByteOffset: offset + 12, as: UInt32.self))
            }
        }
        return isAll ? nil : watches
    }

    /// The files without a watch that have a new version, once a second.
    private func look(_ state: inout State) -> [Environment] {
        guard ContinuousClock.now >= state.nextLook else { return [] }
        state.nextLook = ContinuousClock.now + Self.timeBetweenLooks
        var found: [Environment] = []
        for (id, file) in state.files where file.watch < 0 {
            guard let environment = file.environment, let version = Self.newestVersion(environment),
                version != file.version
            else { continue }
            state.files[id]?.version = version
            found.append(environment)
        }
        return found
    }

    /// The version that a reader would get: a moment before that one can be had, LMDB tells its number to those who ask for
    /// numbers only.
    private static func newestVersion(_ environment: Environment) -> UInt64? {
        try? environment.beginRead().id
    }
}
