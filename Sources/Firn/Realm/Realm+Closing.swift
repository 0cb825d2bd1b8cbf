import FirnStore
import Foundation
import LMDB

extension Realm {
    /// Closes the file of a configuration in this process, and returns once it is closed.
    ///
    ///     try await Realm.close(for: configuration)
    ///     try Realm.deleteFiles(for: configuration)
    ///
    /// The live realms of the calling thread, and wherever they are those of queues, of actors and of the main thread, are closed where
    /// they are at home: what is written in an open transaction is dropped, asynchronous writes that wait fail, observers hear nothing
    /// more, and all objects and collections are invalidated (`isInvalidated`); any other use of them traps. Frozen things, realms of
    /// other threads and what still runs cannot be taken away from those who use them; they are waited for until `timeout` is over.
    ///
    /// Then throws `.alreadyOpen` with a message that says who keeps the file open; what was closed stays closed. The file can be opened
    /// again at any time. Of a store in memory the realms are closed, and its data stays. Cost: a look every 2 ms.
    public static func close(
        for configuration: Configuration = .defaultConfiguration, timeout: Duration = .seconds(5),
        _isolation actor: isolated (any Actor)? = #isolation
    ) async throws {
        let place = try RealmRegistry.normalized(configuration.place)
        let deadline = ContinuousClock.now + timeout
        while true {
            for context in RealmRegistry.liveContexts(at: place) { try context.closeAtHome() }
            if try !isOpen(place) { return }
            if ContinuousClock.now >= deadline { break }
            try await Task.sleep(for: .milliseconds(2))
        }
        let holders = try diagnostics(for: configuration).pinnedVersions.flatMap(\.holders)
        if try !isOpen(place) { return }
        throw Error(
            .alreadyOpen,
            "The file is still open: \(holders.isEmpty ? "something of it is kept" : holders.joined(separator: ", ")); "
                + "let go of these with all that came from them, and close it again", fileURL: configuration.fileURL)
    }

    private static func isOpen(_ place: Configuration.Place) throws -> Bool {
        if try RealmRegistry.isOpen(place) { return true }
        if case .file(let url) = place { return Environment.isOpen(url.path) }
        return false
    }
}

extension RealmContext {
    /// Closes the realm, here if this is its home, else there soon. Does nothing to one of another thread.
    fileprivate func closeAtHome() throws {
        if confinement.isCurrent { return try close() }
        if case .thread = confinement { return }
        Scheduler(confinement)?.schedule { [reference] in
            // What cannot be closed is still open, and told as such.
            try? reference.get()?.close()
        }
    }

    /// Why a write fails that waits when the file is closed.
    var closedBeforeTurn: Realm.Error {
        Realm.Error(.fail, "The file was closed before the write had its turn", fileURL: fileURL)
    }

    private func close() throws {
        guard !isClosed, !isDelivering, !asyncWrites.isRunning else { return }
        let empty = try MemoryStores.empty.get()
        for observation in observations.compactMap(\.observation) {
            observation.end()
            observation.letGo()
        }
        observations = []
        rollback()
        let dropped = takeAsyncWrites()
        commitListener = nil
        waker = nil
        isAutorefreshing = false
        knownChanges = nil
        invalidate()
        try connection.leave(for: empty)
        RealmRegistry.remove(self)
        noteClosing()
        // Whoever asks again then is told that the realm is closed.
        for request in dropped { request.onComplete?(closedBeforeTurn) }
    }
}
