extension Realm {
    /// Asks for a write: a block that is run in a transaction of its own, which is then committed, when the turn has come.
    ///
    /// Returns at once. Block and commit run where the realm is at home: in a block of its queue, in a task on its actor, in its thread's
    /// run loop. Writes of a realm have their turns in the order in which they were asked for, but a `write` overtakes those that wait.
    /// The realm is kept until then, and so is its actor.
    ///
    /// `onComplete` is called there after the commit, with nil or with what kept the write from being made: see `write(_:)`; where there
    /// is none the `Logger` is told of an error. The block may end the transaction itself with `commitWrite` or `cancelWrite`. Traps for a
    /// realm of a thread without a run loop, and for a frozen one.
    @discardableResult
    public func writeAsync(
        _ block: @escaping () -> Void, onComplete: ((Swift.Error?) -> Void)? = nil
    ) -> AsyncTransactionId {
        context.enqueueWrite("writeAsync", commits: true, block, onComplete: onComplete)
    }

    /// Asks for a write whose block commits it: with `commitAsyncWrite` or `commitWrite`. Where it returns without, nothing is kept.
    ///
    /// All else is as `writeAsync(_:onComplete:)` says. Where the transaction cannot begin, the block is not run, and the `Logger` is
    /// told.
    @discardableResult
    public func beginAsyncWrite(_ asyncWriteBlock: @escaping () -> Void) -> AsyncTransactionId {
        context.enqueueWrite("beginAsyncWrite", commits: false, asyncWriteBlock, onComplete: nil)
    }

    /// Commits the open write, and has a block called with the outcome later, where the realm is at home.
    ///
    /// The commit itself is made before this returns: no reader of the realm meets a time in which its own changes cannot be seen.
    /// `allowGrouping` makes no difference. Traps outside of a write transaction, and where `writeAsync` does.
    @discardableResult
    public func commitAsyncWrite(
        allowGrouping: Bool = false, _ onComplete: ((Swift.Error?) -> Void)? = nil
    ) -> AsyncTransactionId {
        context.commitAsyncWrite(onComplete)
    }

    /// Takes back a write that was asked for: its blocks are not called. Of one that was committed the completion block is not called.
    /// Does nothing for a number that is no longer, or never was, that of either.
    public func cancelAsyncWrite(_ asyncTransactionId: AsyncTransactionId) throws {
        context.cancelAsyncWrite(asyncTransactionId)
    }

    /// Whether writes that were asked for wait or run, or completion blocks of commits have yet to be called.
    public var isPerformingAsynchronousWriteOperations: Bool {
        !context.asyncWrites.isIdle
    }
}
