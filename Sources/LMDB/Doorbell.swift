import Synchronization

/// Who in this process listens for new versions of a file, and how they are told.
final class Doorbell: Sendable {
    /// What to call for one listener.
    final class Call: Sendable {
        let body: @Sendable () -> Void
        let isStopped = Atomic(false)

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    private struct Listeners {
        var calls: [ObjectIdentifier: Call] = [:]
        /// What is marked while there are any.
        var file: GateFile?
    }

    private let path: String
    /// The gate's file; nil for a database that is only read.
    private let gateFile: GateFile?
    private let listeners = Locked(Listeners())
    private let listenerCount = Atomic(0)
    /// The newest version that this process made. It was told of when it was made.
    private let newestOwnVersion = Atomic<UInt64>(0)

    init(path: String, file: GateFile?) {
        self.path = path
        gateFile = file
    }

    func add(_ call: Call, of environment: Environment) {
        listeners.withLock { listeners in
            listeners.calls[ObjectIdentifier(call)] = call
            listenerCount.store(listeners.calls.count, ordering: .sequentiallyConsistent)
            guard listeners.calls.count == 1 else { return }
            listeners.file = gateFile ?? GateFile(listeningAt: GateFile.path(of: path))
            guard listeners.file?.isUnlinked != true else { return }
            // The watch stands before the mark: whoever sees the mark is heard.
            CommitWatch.shared.add(environment, listeners.file)
        }
    }

    func remove(_ call: Call, of environment: Environment) {
        guard !environment.isInherited else { return }
        listeners.withLock { listeners in
            listeners.calls[ObjectIdentifier(call)] = nil
            listenerCount.store(listeners.calls.count, ordering: .sequentiallyConsistent)
            guard listeners.calls.isEmpty else { return }
            CommitWatch.shared.remove(environment, listeners.file)
            listeners.file = nil
        }
    }

    /// To be called once a version that this process has made can be read.
    func didCommit(_ version: UInt64) {
        newestOwnVersion.store(version, ordering: .sequentiallyConsistent)
        gateFile?.ring()
        ring()
    }

    /// To be called when another process may have committed; `newest` is the newest version.
    func didHear(newest: UInt64) {
        // This process hears its own ringing too.
        if newest != newestOwnVersion.load(ordering: .sequentiallyConsistent) { ring() }
    }

    /// Calls all who listen.
    private func ring() {
        guard listenerCount.load(ordering: .sequentiallyConsistent) > 0 else { return }
        // Not in the lock: they may take their time, and ask others to stop.
        for call in listeners.withLock({ Array($0.calls.values) })
        where !call.isStopped.load(ordering: .acquiring) {
            call.body()
        }
    }
}
