import LMDB

extension Connection {
    /// Begins a write and moves to the newest version. Waits for other writers in turn.
    ///
    /// With `onWriterThread` the transaction belongs to the environment's writer thread, so that it may be ended on
    /// another thread than this one. Throws when the store was opened for reading, when the deadline passes, or when
    /// another process changed the schema so that `definitions` no longer fit.
    package func beginWrite(_ request: WriteRequest) throws(StoreError) {
        precondition(write == nil, "a connection has one write at a time")
        precondition(!isFrozen, "a frozen connection cannot write")
        do {
            let transaction = try store.environment.beginWrite(request)
            do {
                try move(to: store.newestSnapshot())
                try checkSchema()
                write = WriteState(transaction: transaction, databases: store.databases, state: snapshot.state)
                stamp &+= 1
            } catch {
                transaction.abort()
                throw error
            }
        } catch {
            throw StoreError(wrapping: error)
        }
    }

    /// Makes the write durable and moves to its version. When it throws, nothing of the write is kept and the
    /// connection reads the version from before it. A write that changed nothing makes no version.
    ///
    /// Where the new version cannot be read although it is there, the connection reads the one from before until it moves again.
    @discardableResult
    package func commit() throws(StoreError) -> ChangeSet {
        guard let write else { preconditionFailure("a commit ends a write") }
        if let lost = write.lost {
            self.write = nil
            noteVanishing()
            throw lost
        }
        precondition(write.whole == nil, "a write is committed once its part has ended")
        guard write.hasChanges || write.changedSchema else {
            rollback()
            return ChangeSet()
        }
        do {
            try settleAndJudge(write)
            let changes = write.changes
            try ChangeLog.append(changes, write: write)
            try write.state.withBytes { _ = try write.cursor(store.databases.meta).put(MetaKey.state, $0, []) }
            write.transaction.isShrinking = !write.grows && !write.changedSchema
            // After the commit it is too late to find that all places for readers are taken.
            let reader = try store.environment.beginRead()
            try write.transaction.commit()
            self.write = nil
            moveToOwnVersion(write, with: reader)
            return changes
        } catch {
            write.transaction.abort()
            self.write = nil
            noteVanishing()
            if write.changedSchema {
                schema = try StoredSchema.load(from: snapshot.transaction, databases: store.databases)
            }
            throw StoreError(wrapping: error)
        }
    }

    /// To be called once `write` is committed: no error may say that it is not.
    private func moveToOwnVersion(_ write: WriteState, with reader: ReadTransaction) {
        do {
            try move(to: store.newestSnapshot(renewing: reader), own: write.state.version)
        } catch {
            noteVanishing()
            if write.changedSchema { reloadSchema() }
        }
    }

    /// Takes the schema of the version that is read.
    private func reloadSchema() {
        do {
            schema = try StoredSchema.load(from: snapshot.transaction, databases: store.databases)
        } catch {
            unreadable(error)
        }
    }

    /// Does what the end of a write has to do before its counters are stored.
    func settleAndJudge(_ write: WriteState) throws {
        try dropUnowned(write)
        try settleEverything(write)
        try judgeUniqueValues(write)
        try storeTableStates(write)
    }

    /// Drops the write; the connection reads the version from before it.
    package func rollback() {
        if isInPart { dropPart() }
        guard let write else { return }
        if !write.isLost { write.transaction.abort() }
        self.write = nil
        noteVanishing()
        if write.changedSchema { reloadSchema() }
    }

    /// The error that cost the open write its transaction.
    package var lostWriteError: StoreError? { write?.lost }

    /// Runs a change, which may move what pointers lead to.
    func change<R>(_ body: (WriteState) throws -> R) throws(StoreError) -> R {
        try attempt { write in
            defer { dropPointers() }
            let result = try body(write)
            try settleReleases(write)
            try limitPending(write)
            return result
        }
    }

    /// Runs a part of a write that may fail. An error of the environment costs the whole transaction: LMDB would refuse even
    /// reads in it.
    func attempt<R>(_ body: (WriteState) throws -> R) throws(StoreError) -> R {
        guard let write else { preconditionFailure("a change stands in a write") }
        if let lost = write.lost { throw lost }
        do {
            return try body(write)
        } catch {
            noteVanishing()
            let failure = StoreError(wrapping: error)
            write.released = Releases()
            if failure.environment != nil {
                write.transaction.abort()
                write.lost = failure
            }
            throw failure
        }
    }

    func limitPending(_ write: WriteState) throws {
        guard !write.hasRoom else { return }
        write.uncheckedChanges = 0
        // What comes in order gains nothing by waiting, and is still in the processor's cache.
        if write.backlinks.isSorted { try applyBacklinks() }
        if write.pendingByteCount > write.pendingByteLimit { try applyPending() }
    }

    /// Gives the file all that the write keeps in memory, but for the counters.
    func settleEverything(_ write: WriteState) throws {
        try settleLinks(write)
        try applyPending()
        try flushTails()
    }

    /// Puts all index and backlink changes, lists, and entries with their counts into their databases, in key order.
    func applyPending() throws {
        guard let write else { return }
        for table in write.tables {
            for index in table.indexes { try apply(index) }
        }
        try applyBacklinks()
        try write.lists.flush()
        dropPointers()
        try storeEntries(write)
    }

    func apply(_ index: TableWriter.Index) throws {
        guard let write, !index.changes.isEmpty else { return }
        try index.changes.apply(
            to: entries(of: index.shape.index, write.cursor(store.databases.index)), scratch: &keyScratch)
        dropPointers()
    }

    func applyBacklinks() throws {
        guard let write, !write.backlinks.isEmpty else { return }
        try write.backlinks.apply(with: write.cursor(store.databases.backlinks))
        dropPointers()
    }

    func storeTableStates(_ write: WriteState) throws {
        for table in write.tables where table.isStateDirty {
            try table.state.withBytes {
                try write.cursor(store.databases.meta).put(MetaKey.table(table.table.id), $0, [])
            }
        }
    }

    /// Whether the stored schema at this version, which others may have changed, has all that `definitions` need.
    package var fitsSchema: Bool {
        schema.counter == preparedCounter || !schema.differences(to: definitions).contains(where: \.breaksBinding)
    }

    private func checkSchema() throws {
        guard schema.counter != preparedCounter else { return }
        let differences = schema.differences(to: definitions).filter(\.breaksWriting)
        guard differences.isEmpty else {
            throw StoreError(
                .schemaChanged,
                "another process changed the schema of \(store.environment.path); open the file again. "
                    + differences.map(\.description).joined(separator: "; "))
        }
        preparedCounter = schema.counter
    }
}
