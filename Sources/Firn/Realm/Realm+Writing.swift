extension Realm {
    /// Runs a block in a write transaction and commits it.
    ///
    /// The realm moves to the newest version first, waiting for other writers. Where the block throws, nothing of the
    /// transaction is kept, and the error goes on. The call also throws where the block did not: the first error that a
    /// setter, `add` or `create` in it could not throw, or what kept the commit from being written.
    ///
    /// In another `write` of the same realm it joins that one: the outermost commits, and if the inner block throws,
    /// nothing of the whole is kept. The block may end the transaction itself with `commitWrite` or `cancelWrite`.
    ///
    /// Observers learn of the commit where they belong: see `RealmCollection.observe(keyPaths:on:_:)`. Those whose `tokens` are given
    /// do not learn of it, unless they have yet to be told of an earlier one. Traps for tokens of another realm.
    @discardableResult
    public func write<Result>(
        withoutNotifying tokens: [NotificationToken] = [], _ block: () throws -> Result
    ) throws -> Result {
        try context.write(quiet: tokens, block)
    }

    /// Begins a write transaction that `commitWrite` or `cancelWrite` ends. Waits for other writers.
    ///
    /// Where the transaction cannot begin, changes do nothing, and `commitWrite` throws the reason.
    public func beginWrite() {
        guard !context.isWriting else {
            misuse(
                "beginWrite was called in a write transaction; end that one first, or use realm.write { … }, which joins it"
            )
        }
        do {
            try context.beginWrite(onWriterThread: true)
        } catch {
            context.beginBrokenWrite(error)
        }
    }

    /// Commits the write transaction.
    ///
    /// Throws the first error that a setter, `add` or `create` could not throw, or what kept the commit from being
    /// written; the transaction has ended then, with nothing of it kept. Observers whose `tokens` are given learn nothing of it: see
    /// `write(withoutNotifying:_:)`.
    public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
        let context = context
        context.checkIsWriting("A commit was asked for")
        context.checkEnds("commitWrite")
        context.keepQuiet(tokens)
        try context.commit()
    }

    /// Ends the write transaction with nothing of it kept. Objects that were added in it are invalid.
    public func cancelWrite() {
        context.checkIsWriting("A cancellation was asked for")
        context.checkEnds("cancelWrite")
        context.rollback()
    }

    /// Throws the error that the open write transaction is going to end with, so that a long loop can stop early.
    public func checkWrite() throws {
        try context.checkPoison()
    }

    /// Whether a write transaction is open.
    public var isInWriteTransaction: Bool {
        return context.isWriting
    }
}
