import CFirnSystem

/// The environments of this process, one a file.
///
/// A second LMDB environment on one file is ruin: closing either drops the process's locks, whereupon other processes
/// take its snapshots for dead and reuse their pages. So a file's place is taken from before it is opened until after
/// it is closed, and who comes in between waits.
///
/// SAFETY of `@unchecked Sendable`: `entries` and `pathsInUse` are only touched inside `condition.withLock`.
final class EnvironmentRegistry: @unchecked Sendable {
    static let shared = EnvironmentRegistry()

    private struct Entry {
        weak var environment: Environment?
        var lockFile: FileIdentity?
        /// An entry of a fork's parent does not count: that environment is not this process's.
        let forkGeneration = firn_fork_generation()
    }

    private let condition = Condition()
    private var entries: [FileIdentity: Entry] = [:]
    /// The paths that a thread of this process opens or deletes, each with the fork generation of that thread.
    private var pathsInUse: [String: UInt64] = [:]

    /// Lends the place that a path names, while no other thread has it. Whoever looks at a lock file needs that: closing it
    /// would drop the locks of an environment that another thread has just opened. Not to be nested.
    func alone<Value>(at path: String, _ body: (FilePlace) throws -> Value) throws -> Value {
        let resolved = try FilePlace(path).path
        condition.withLock {
            while pathsInUse[resolved] == firn_fork_generation() { condition.wait() }
            pathsInUse[resolved] = firn_fork_generation()
        }
        defer {
            condition.withLock {
                pathsInUse[resolved] = nil
                condition.signalAll()
            }
        }
        // Another thread may have made or deleted the file meanwhile.
        return try body(FilePlace(path))
    }

    /// The open environment of a file, or the one that `make` opens.
    func environment(_ identity: FileIdentity, orMake make: () throws -> Environment) throws -> Environment {
        if let environment = reserve(identity) { return environment }
        do {
            let environment = try make()
            condition.withLock {
                entries[identity] = Entry(environment: environment, lockFile: environment.lockFile)
                condition.signalAll()
            }
            return environment
        } catch {
            remove(identity)
            throw error
        }
    }

    /// Runs `body` while nobody can open the file. Returns nil, without running it, where the file is open.
    func whileClosed<Value>(_ identity: FileIdentity, _ body: () throws -> Value) rethrows -> Value? {
        guard reserve(identity) == nil else { return nil }
        defer { remove(identity) }
        return try body()
    }

    /// The environment that this process has for the file.
    func openEnvironment(_ identity: FileIdentity) -> Environment? {
        condition.withLock { liveEntry(identity)?.environment }
    }

    /// Whether an environment of this process has this lock file.
    func usesLockFile(_ identity: FileIdentity) -> Bool {
        condition.withLock {
            entries.values.contains {
                $0.lockFile == identity && $0.forkGeneration == firn_fork_generation()
            }
        }
    }

    /// To be called when the environment that was made for `identity` is closed.
    func remove(_ identity: FileIdentity) {
        condition.withLock {
            entries[identity] = nil
            condition.signalAll()
        }
    }

    private func liveEntry(_ identity: FileIdentity) -> Entry? {
        guard let entry = entries[identity], entry.forkGeneration == firn_fork_generation() else { return nil }
        return entry
    }

    // The environment is handed out of the lock before anyone may release it: its `deinit` takes the lock.
    private func reserve(_ identity: FileIdentity) -> Environment? {
        condition.withLock {
            while let entry = liveEntry(identity) {
                if let environment = entry.environment { return environment }
                // It is being opened or closed on another thread.
                condition.wait()
            }
            entries[identity] = Entry(environment: nil)
            return nil
        }
    }
}
