import CFirnSystem

/// The environments of this process, one a file.
///
/// A second LMDB environment on one file is ruin: closing either drops the process's locks, whereupon other processes
/// take its snapshots for dead and reuse their pages. So a file's place is taken from before it is opened until after
/// it is closed, and who comes in between waits.
///
/// SAFETY of `@unchecked Sendable`: `entries` and `pathsInUse` are only touched inside `condition.withLock`.
final class EnvironmentRegistry: @unchecked Sendable {
    /// A fork's child has its own: none of its parent's environments is open in it, and another thread may have had the parent's
    /// registry locked.
    static var shared: EnvironmentRegistry {
        firn_lock_across_forks()
        defer { firn_unlock_across_forks() }
        if current.forkGeneration != firn_fork_generation() {
            // The parent's may not be whole, so nothing in it may be freed.
            _ = Unmanaged.passRetained(current)
            current = EnvironmentRegistry()
        }
        return current
    }

    // SAFETY: only touched in the lock that nobody holds while the process is forked.
    nonisolated(unsafe) private static var current: EnvironmentRegistry = {
        // An opening that this fails for throws.
        _ = firn_watch_forks()
        return EnvironmentRegistry()
    }()

    private struct Entry {
        weak var environment: Environment?
        var lockFile: FileIdentity?
    }

    private let forkGeneration = firn_fork_generation()

    private let condition = Condition()
    private var entries: [FileIdentity: Entry] = [:]
    /// The paths that a thread of this process opens or deletes.
    private var pathsInUse: Set<String> = []

    /// Lends the place that a path names, while no other thread has it. Whoever looks at a lock file needs that: closing it
    /// would drop the locks of an environment that another thread has just opened. Not to be nested.
    func alone<Value>(at path: String, _ body: (FilePlace) throws -> Value) throws -> Value {
        while true {
            let resolved = try FilePlace(path).path
            condition.withLock {
                while !pathsInUse.insert(resolved).inserted { condition.wait() }
            }
            defer {
                condition.withLock {
                    pathsInUse.remove(resolved)
                    condition.signalAll()
                }
            }
            // Another thread may have made or deleted the file meanwhile, and a link may lead elsewhere now.
            let place = try FilePlace(path)
            if place.path == resolved { return try body(place) }
        }
    }

    /// The open environment of a file, or the one that `make` opens.
    func environment(_ identity: FileIdentity, orMake make: () throws -> Environment) throws -> Environment {
        if let environment = reserve(identity) { return environment }
        do {
            let environment = try make()
            condition.withLock {
                entries[identity] = Entry(environment: environment, lockFile: environment.lockFile?.identity)
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
        condition.withLock { entries[identity]?.environment }
    }

    /// Whether an environment of this process has this lock file.
    func usesLockFile(_ identity: FileIdentity) -> Bool {
        condition.withLock { entries.values.contains { $0.lockFile == identity } }
    }

    /// To be called when the environment that was made for `identity` is closed.
    func remove(_ identity: FileIdentity) {
        condition.withLock {
            entries[identity] = nil
            condition.signalAll()
        }
    }

    // The environment is handed out of the lock before anyone may release it: its `deinit` takes the lock.
    private func reserve(_ identity: FileIdentity) -> Environment? {
        condition.withLock {
            while let entry = entries[identity] {
                if let environment = entry.environment { return environment }
                // It is being opened or closed on another thread.
                condition.wait()
            }
            entries[identity] = Entry(environment: nil)
            return nil
        }
    }
}
