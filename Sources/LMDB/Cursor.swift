import CLMDB
import Glibc

/// A position in one database of one transaction.
///
/// A move that returns true leaves the pair it found in `key` and `value`. Those bytes lie in the map: they are good
/// until the next write of the transaction or its end, and have no alignment. One thread at a time may use a cursor.
///
/// A cursor keeps its transaction alive, but not open: once that has ended a cursor may only be closed or released.
/// Cursors of a write transaction are closed with it.
@usableFromInline
package final class Cursor {
    @usableFromInline package let transaction: Transaction
    /// The database that it moves in.
    @usableFromInline package let database: Database
    @exclusivity(unchecked) @usableFromInline package private(set) var raw: OpaquePointer?
    @exclusivity(unchecked) @usableFromInline package var keyBytes = MDB_val()
    @exclusivity(unchecked) @usableFromInline package var valueBytes = MDB_val()
    /// What the last call deleted, in a database of sorted duplicates.
    @exclusivity(unchecked) @usableFromInline package var deleted = Deleted.nothing
    // The list of a write transaction's open cursors, which it closes before it ends: LMDB frees them then.
    // SAFETY: only cursors that are alive are in the list; `deinit` takes a cursor out.
    unowned(unsafe) var nextOpen: Cursor?
    unowned(unsafe) var previousOpen: Cursor?

    init(_ transaction: Transaction, _ database: Database) throws {
        self.transaction = transaction
        self.database = database
        var raw: OpaquePointer?
        let result = Calls.cursorOpen(try transaction.open(), database.rawValue, &raw)
        guard result == MDB_SUCCESS, let raw else { throw LMDBError.make(result, "opening a cursor") }
        self.raw = raw
        transaction.didOpen(self)
    }

    deinit {
        close()
    }

    /// Ends the use of the cursor. Does nothing the second time.
    package func close() {
        guard let raw else { return }
        self.raw = nil
        transaction.willClose(self)
        Calls.cursorClose(raw)
    }

    /// The key of the pair that the last move found.
    @inlinable
    package var key: UnsafeRawBufferPointer { keyBytes.bytes }

    /// The value of the pair that the last move found.
    @inlinable
    package var value: UnsafeRawBufferPointer { valueBytes.bytes }

    @inlinable
    @inline(__always)
    package func open() -> OpaquePointer {
        guard let raw else { Cursor.trapClosed() }
        return raw
    }

    @inline(never)
    @usableFromInline
    package static func trapClosed() -> Never {
        fatalError("a cursor was used after it was closed, or after its write transaction ended; make a new one")
    }

    @inlinable
    @inline(__always)
    package func move(_ operation: MDB_cursor_op) throws -> Bool {
        deleted = .nothing
        let result = Calls.cursorGet(open(), &keyBytes, &valueBytes, operation)
        if _fastPath(result == MDB_SUCCESS) { return true }
        if result == MDB_NOTFOUND { return false }
        throw LMDBError.make(result, "moving a cursor")
    }

    // MARK: Moving

    /// To exactly `key`, its first value.
    @inlinable
    package func seek(_ key: UnsafeRawBufferPointer) throws -> Bool {
        keyBytes = MDB_val(borrowing: key)
        return try move(MDB_SET_KEY)
    }

    /// To exactly `key`, its first value.
    @inlinable
    package func seek(_ key: ByteKey) throws -> Bool {
        try key.withBytes { try seek($0) }
    }

    /// To the first key that is `key` or sorts after it.
    @inlinable
    package func seekRange(_ key: UnsafeRawBufferPointer) throws -> Bool {
        keyBytes = MDB_val(borrowing: key)
        return try move(MDB_SET_RANGE)
    }

    /// To the first key that is `key` or sorts after it.
    @inlinable
    package func seekRange(_ key: ByteKey) throws -> Bool {
        try key.withBytes { try seekRange($0) }
    }

    /// To exactly the pair of `key` and `value`. Needs sorted duplicates.
    @inlinable
    package func seek(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Bool {
        try seekPair(key, value, MDB_GET_BOTH)
    }

    /// To exactly the pair of `key` and `value`. Needs sorted duplicates.
    @inlinable
    package func seek(_ key: UnsafeRawBufferPointer, _ value: ByteKey) throws -> Bool {
        try value.withBytes { try seek(key, $0) }
    }

    /// To exactly the pair of `key` and `value`. Needs sorted duplicates.
    @inlinable
    package func seek(_ key: ByteKey, _ value: ByteKey) throws -> Bool {
        try key.withBytes { key in try value.withBytes { try seek(key, $0) } }
    }

    /// To the first value of exactly `key` that is `value` or sorts after it. Needs sorted duplicates.
    @inlinable
    package func seekRange(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Bool {
        try seekPair(key, value, MDB_GET_BOTH_RANGE)
    }

    /// To the first value of exactly `key` that is `value` or sorts after it. Needs sorted duplicates.
    @inlinable
    package func seekRange(_ key: UnsafeRawBufferPointer, _ value: ByteKey) throws -> Bool {
        try value.withBytes { try seekRange(key, $0) }
    }

    /// To the first value of exactly `key` that is `value` or sorts after it. Needs sorted duplicates.
    @inlinable
    package func seekRange(_ key: ByteKey, _ value: ByteKey) throws -> Bool {
        try key.withBytes { key in try value.withBytes { try seekRange(key, $0) } }
    }

    /// To the first value of exactly `key` that is `value` or sorts after it; leaves only that in `value`, and in `key`
    /// what the caller gave. One call less than `seekRange`. Needs sorted duplicates.
    @inlinable
    package func seekValue(
        _ key: UnsafeRawBufferPointer, notBelow value: UnsafeRawBufferPointer
    ) throws -> Bool {
        keyBytes = MDB_val(borrowing: key)
        valueBytes = MDB_val(borrowing: value)
        return try move(MDB_GET_BOTH_RANGE)
    }

    @inlinable
    package func seekPair(
        _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ operation: MDB_cursor_op
    ) throws -> Bool {
        keyBytes = MDB_val(borrowing: key)
        valueBytes = MDB_val(borrowing: value)
        guard try move(operation) else { return false }
        // LMDB answers these two with the value only; the key is the caller's buffer until it is asked for again.
        return try move(MDB_GET_CURRENT)
    }

    /// To the first pair of the database.
    @inlinable
    package func first() throws -> Bool { try move(MDB_FIRST) }

    /// To the last pair of the database.
    @inlinable
    package func last() throws -> Bool { try move(MDB_LAST) }

    /// To the next pair; on a cursor that was never moved, to the first.
    @inlinable
    package func next() throws -> Bool {
        if _slowPath(deleted == .key) { return try settle() }
        return try move(MDB_NEXT)
    }

    /// To the pair before; on a cursor that was never moved, to the last. Traps right after `delete` in a database of
    /// sorted duplicates, where LMDB 0.9.24 crashes (ITS#9376).
    @inlinable
    package func previous() throws -> Bool {
        precondition(deleted == .nothing, "sorted values cannot be deleted walking backwards; collect them first")
        return try move(MDB_PREV)
    }

    /// To the next value of the same key.
    @inlinable
    package func nextDuplicate() throws -> Bool {
        if _slowPath(deleted == .key) { return false }
        return try move(MDB_NEXT_DUP)
    }

    /// To the first value of the next key.
    @inlinable
    package func nextDistinct() throws -> Bool {
        if _slowPath(deleted == .key) { return try settle() }
        return try move(MDB_NEXT_NODUP)
    }

    /// To the last value of the key before.
    @inlinable
    package func previousDistinct() throws -> Bool {
        precondition(deleted == .nothing, "sorted values cannot be deleted walking backwards; collect them first")
        return try move(MDB_PREV_NODUP)
    }

    /// To the first value of the current key.
    @inlinable
    package func firstDuplicate() throws -> Bool {
        if _slowPath(deleted != .nothing) { guard try settle() else { return false } }
        guard try move(MDB_FIRST_DUP) else { return false }
        // LMDB answers with the value only.
        return try move(MDB_GET_CURRENT)
    }

    /// To the last value of the current key.
    @inlinable
    package func lastDuplicate() throws -> Bool {
        if _slowPath(deleted != .nothing) { guard try settle() else { return false } }
        guard try move(MDB_LAST_DUP) else { return false }
        // LMDB answers with the value only.
        return try move(MDB_GET_CURRENT)
    }

    /// Reads the pair at the position again; after `delete` that is the next one. False without a position, which a
    /// cursor also has none of when it deleted the last pair.
    @inlinable
    package func current() throws -> Bool {
        if _slowPath(deleted != .nothing) { return try settle() }
        let result = Calls.cursorGet(open(), &keyBytes, &valueBytes, MDB_GET_CURRENT)
        if _fastPath(result == MDB_SUCCESS) { return true }
        // EINVAL is LMDB's answer for a cursor that has no position.
        if result == MDB_NOTFOUND || result == EINVAL { return false }
        throw LMDBError.make(result, "reading at a cursor")
    }

    /// Leaves in `value` the page of the current key's values that the position is on, one after another from the
    /// page's first, which after a seek by key alone is the key's first.
    @inlinable
    package func multiple() throws -> Bool {
        if _slowPath(deleted != .nothing) { guard try settle() else { return false } }
        return try move(MDB_GET_MULTIPLE)
    }

    /// Leaves in `value` the page of values after those of `multiple`.
    @inlinable
    package func nextMultiple() throws -> Bool { try move(MDB_NEXT_MULTIPLE) }

    /// How many values the current key has. Does not walk them.
    @inlinable
    package func duplicateCount() throws -> Int {
        if _slowPath(deleted != .nothing) { guard try settle() else { return 0 } }
        var count = 0
        let result = Calls.cursorCount(open(), &count)
        guard result == MDB_SUCCESS else { throw LMDBError.make(result, "counting duplicates") }
        return count
    }

    /// What a delete removed.
    @usableFromInline
    package enum Deleted {
        case nothing
        /// One of several values of a key.
        case value
        /// The key's last value, and the key with it.
        case key
    }

    /// Goes to the pair that followed what was deleted.
    ///
    /// Within a key LMDB's own step does that. Where the key went as well, 0.9.24 keeps the position inside the old
    /// key for the one it has come to: reading fails, and a step repeats or skips values there.
    @inline(never)
    @usableFromInline
    package func settle() throws -> Bool {
        guard deleted == .key else { return try move(MDB_NEXT) }
        deleted = .nothing
        switch Calls.cursorGetKey(open(), &keyBytes) {
        case MDB_SUCCESS: return try move(MDB_SET_KEY)
        case MDB_NOTFOUND, EINVAL: return false
        case let result: throw LMDBError.make(result, "reading at a cursor")
        }
    }

    // MARK: Writing

    /// Stores a pair and moves to it. `key` and `value` must not point into the map: copy them first.
    @inlinable
    package func put(
        _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ flags: PutFlags = []
    ) throws {
        var keyBytes = MDB_val(borrowing: key)
        var valueBytes = MDB_val(borrowing: value)
        deleted = .nothing
        let result = Calls.cursorPut(open(), &keyBytes, &valueBytes, flags.rawValue)
        guard result == MDB_SUCCESS else { throw transaction.failure(result, "storing a value") }
    }

    /// Stores a pair and moves to it. `value` must not point into the map: copy it first.
    @inlinable
    package func put(_ key: ByteKey, _ value: UnsafeRawBufferPointer, _ flags: PutFlags = []) throws {
        try key.withBytes { try put($0, value, flags) }
    }

    /// Stores a pair and moves to it. `key` must not point into the map: copy it first.
    @inlinable
    package func put(_ key: UnsafeRawBufferPointer, _ value: ByteKey, _ flags: PutFlags = []) throws {
        try value.withBytes { try put(key, $0, flags) }
    }

    /// Stores a pair and moves to it.
    @inlinable
    package func put(_ key: ByteKey, _ value: ByteKey, _ flags: PutFlags = []) throws {
        try key.withBytes { key in try value.withBytes { try put(key, $0, flags) } }
    }

    /// Stores a value behind all others of `key` and leaves its page full; false, and nothing stored, when it does not
    /// sort there. Needs sorted duplicates. Neither may point into the map.
    @inlinable
    package func append(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Bool {
        var keyBytes = MDB_val(borrowing: key)
        var valueBytes = MDB_val(borrowing: value)
        deleted = .nothing
        let result = Calls.cursorPut(open(), &keyBytes, &valueBytes, UInt32(MDB_APPENDDUP))
        if _fastPath(result == MDB_SUCCESS) { return true }
        if result == MDB_KEYEXIST { return false }
        throw transaction.failure(result, "storing a value")
    }

    /// As `append` with both as keys.
    @inlinable
    package func append(_ key: ByteKey, _ value: ByteKey) throws -> Bool {
        try key.withBytes { key in try value.withBytes { try append(key, $0) } }
    }

    /// Makes room for a value of `byteCount` bytes under `key`, moves to it and returns where the value is to be
    /// written, whole, before any other call of the transaction. Traps in a database of sorted duplicates.
    ///
    /// With `replacingCurrent` the cursor must stand on `key`, whose value is replaced without another search. Where
    /// that value already lies on a dirty page of its own and has the same size, what is returned still holds it.
    @inlinable
    package func reserve(
        _ key: UnsafeRawBufferPointer, byteCount: Int, replacingCurrent: Bool = false, _ flags: PutFlags = []
    ) throws -> UnsafeMutableRawPointer {
        // LMDB crashes on MDB_RESERVE, and mixes up rows on MDB_CURRENT (ITS#8447), where values are sorted.
        precondition(!database.hasSortedDuplicates, "no room can be reserved in a database of sorted duplicates")
        var keyBytes = MDB_val(borrowing: key)
        var valueBytes = MDB_val(mv_size: byteCount, mv_data: nil)
        let kind = UInt32(MDB_RESERVE) | (replacingCurrent ? UInt32(MDB_CURRENT) : 0)
        let result = Calls.cursorPut(open(), &keyBytes, &valueBytes, flags.rawValue | kind)
        guard result == MDB_SUCCESS, let room = valueBytes.mv_data else {
            throw transaction.failure(result, "reserving room for a value")
        }
        transaction.didReserve(room, byteCount)
        return room
    }

    /// As `reserve` with the key as bytes.
    @inlinable
    package func reserve(
        _ key: ByteKey, byteCount: Int, replacingCurrent: Bool = false, _ flags: PutFlags = []
    ) throws -> UnsafeMutableRawPointer {
        try key.withBytes {
            try reserve($0, byteCount: byteCount, replacingCurrent: replacingCurrent, flags)
        }
    }

    /// Deletes the current pair. The position is then the next one: `current` reads it, and `next` does not skip it.
    @inlinable
    package func delete() throws {
        var count = 0
        if database.hasSortedDuplicates {
            count = try duplicateCount()
            guard count > 0 else { throw Cursor.nothingToDelete() }
        }
        let result = Calls.cursorDelete(open(), 0)
        guard result == MDB_SUCCESS else { throw transaction.failure(result, "deleting a value") }
        deleted = count == 0 ? .nothing : count == 1 ? .key : .value
    }

    /// Deletes the current key with all its values. The position is then the next key's first pair.
    @inlinable
    package func deleteAllDuplicates() throws {
        if _slowPath(deleted != .nothing) { guard try settle() else { throw Cursor.nothingToDelete() } }
        let result = Calls.cursorDelete(open(), UInt32(MDB_NODUPDATA))
        guard result == MDB_SUCCESS else { throw transaction.failure(result, "deleting a key") }
        deleted = database.hasSortedDuplicates ? .key : .nothing
    }

    @inline(never)
    @usableFromInline
    package static func nothingToDelete() -> LMDBError {
        LMDBError(.notFound, "nothing is left at the cursor that could be deleted")
    }

    /// Moves a cursor of an ended or renewed read transaction to `transaction`, which must be `self.transaction`
    /// renewed. Cheaper than a new cursor. It has no position then.
    package func renew() throws {
        let result = Calls.cursorRenew(try transaction.open(), open())
        guard result == MDB_SUCCESS else { throw LMDBError.make(result, "renewing a cursor") }
    }
}
