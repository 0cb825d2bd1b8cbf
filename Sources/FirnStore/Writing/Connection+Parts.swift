import LMDB

/// Parts of a write, of which each is kept or dropped by itself: many writers so share one commit, and a failure is that of one.
///
/// A part is a child transaction with a `WriteState` of its own. It begins with the counters of the write, and gives the file all that
/// it keeps in memory before it ends, so that the next one finds nothing waiting.
extension Connection {
    /// Whether a part of the open write is open.
    package var isInPart: Bool { write?.whole != nil }

    /// Begins a part of the open write, in which nothing was changed outside of parts.
    package func beginPart() throws(StoreError) {
        guard let whole = write else { preconditionFailure("a part stands in a write") }
        precondition(whole.whole == nil, "a write has one part at a time")
        precondition(whole.recorder.isEmpty && !whole.changedSchema, "a write that has parts changes nothing itself")
        if let lost = whole.lost { throw lost }
        do {
            write = WriteState(partOf: whole, transaction: try whole.transaction.makeChild())
        } catch {
            throw StoreError(wrapping: error)
        }
        dropPointers()
    }

    /// Makes what the open part did a part of the write. Where it throws, nothing of the part is kept.
    package func keepPart() throws(StoreError) {
        guard let part = write, let whole = part.whole else { preconditionFailure("what is kept is a part of a write") }
        do {
            if let lost = part.lost { throw lost }
            try settleAndJudge(part)
            part.transaction.isShrinking = !part.grows
            try part.transaction.commit()
        } catch {
            let failure = StoreError(wrapping: error)
            if failure.environment != nil { part.lost = failure }
            dropPart()
            throw failure
        }
        whole.keep(part)
        write = whole
        dropPointers()
    }

    /// Drops the open part. After an error of the environment the write is lost too, unless only the room had run out.
    package func dropPart() {
        guard let part = write, let whole = part.whole else {
            preconditionFailure("what is dropped is a part of a write")
        }
        // Does nothing where it has ended.
        part.transaction.abort()
        write = whole
        noteVanishing()
        if let lost = part.lost, lost.environment?.code != .storeFull {
            whole.transaction.abort()
            whole.lost = lost
        }
    }
}
