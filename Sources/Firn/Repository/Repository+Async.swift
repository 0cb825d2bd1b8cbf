import FirnStore
import LMDB

extension Repository {
    /// Opens the realm of a configuration for an actor: the repository and what it finds may be used wherever the code runs on that
    /// actor. See `Realm.init(configuration:actor:downloadBeforeOpen:)`.
    public convenience init<A: Actor>(
        configuration: Realm.Configuration = .defaultConfiguration, actor: A
    ) async throws {
        self.init(realm: try await Realm(configuration: configuration, actor: actor))
    }

    /// Runs a block in a transaction on the actor to which the repository belongs, which goes on with other work while the transaction
    /// waits for other writers: see `Realm.asyncWrite(_isolation:_:)`.
    @discardableResult
    public func asyncTransaction<Result>(
        _isolation actor: isolated (any Actor)? = #isolation, _ transactionBlock: () throws -> Result
    ) async throws -> Result {
        try await realm.asyncWrite(_isolation: actor, transactionBlock)
    }

    /// Has a block run in a transaction in the background, and returns what the block does once that is committed.
    ///
    ///     let people = try Repository<Person>()
    ///     let id = try await people.performWrite { people in
    ///         let jude = Person(value: ["name": "jude"])
    ///         try people.add(jude)
    ///         return jude.id
    ///     }
    ///
    /// May be called from every task and thread, wherever the repository belongs. The block is given a repository of its own, which is
    /// good until the block returns, as is all that it finds; `realm` of that is the whole realm. What the caller needs of an object
    /// the block returns as values, or as a `ThreadSafeReference`.
    ///
    /// Once the call has returned, realms that are opened or refreshed see the commit, and so does this repository where it belongs to
    /// the caller's actor. Of writes that wait at the same time many share one commit, which is what costs time with
    /// `Durability.full`; each still is kept or dropped by itself. The more urgent ones come first (`priority`, by default the task's):
    /// one that is more urgent than those under way waits for the block that runs and the commit, not for those that wait, and less
    /// urgent ones wait as long as more urgent ones come.
    ///
    /// Throws what the block throws and what `Realm.write(_:)` does; nothing of the write is kept then. Throws `CancellationError` where
    /// the task is cancelled before the block begins, and `Realm.Error.timedOut` where it has not begun within `timeout`. A failure of the
    /// disk fails all writes that share the commit. Traps for a repository of a realm that is frozen or closed.
    @discardableResult
    public func performWrite<Result: Sendable>(
        priority: TaskPriority? = nil, timeout: Duration? = nil, _isolation actor: isolated (any Actor)? = #isolation,
        _ body: @escaping @Sendable (Repository<Model>) throws -> Result
    ) async throws -> Result {
        if realm.isFrozen {
            misuse("performWrite was called for a frozen realm, which never changes; use what thaw() gives")
        }
        if realm.opened.isClosed { realm.opened.trapClosed("A repository") }
        let result = try await BackgroundWriter.perform(
            like: realm.opened, priority: priority ?? Task.currentPriority, timeout: timeout
        ) { context in
            try body(Repository(lentIn: context))
        }
        // The file may have been closed meanwhile.
        if realm.opened.confinement.isCurrent, !realm.opened.isClosed { realm.refresh() }
        return result
    }

    /// Has a block run in the background for each element of a sequence, in transactions of `batchSize` elements: for imports.
    ///
    ///     try await people.performWrite(forEach: rows) { people, row in
    ///         try people.add(Person(value: ["name": row.name]))
    ///     }
    ///
    /// Between two batches others have their turns, those of a higher `priority` at once. The next batch is taken from the sequence when
    /// the one before is committed, so the memory is that of one batch. All else is as `performWrite(priority:timeout:_:)` says; what the
    /// batches before an error did is kept.
    public func performWrite<Elements: Sequence>(
        forEach elements: Elements, batchSize: Int = 1_000, priority: TaskPriority? = .utility,
        _isolation actor: isolated (any Actor)? = #isolation,
        _ body: @escaping @Sendable (Repository<Model>, Elements.Element) throws -> Void
    ) async throws where Elements.Element: Sendable {
        guard batchSize > 0 else {
            misuse("performWrite was called with a batchSize of \(batchSize); give it a positive one")
        }
        var iterator = elements.makeIterator()
        while true {
            var batch: [Elements.Element] = []
            while batch.count < batchSize, let element = iterator.next() { batch.append(element) }
            if batch.isEmpty { return }
            try await performWrite(priority: priority, _isolation: actor) { [batch] repository in
                for element in batch { try body(repository, element) }
            }
            if batch.count < batchSize { return }
        }
    }
}
