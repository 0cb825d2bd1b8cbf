import CLMDB

/// What read and write transactions share: look-ups and cursors over one consistent state of the environment.
@usableFromInline
package class Transaction {
    /// Kept alive by the transaction, so an environment never closes under one.
    package final let environment: Environment
    /// LMDB's handle; nil once the transaction has ended.
    @exclusivity(unchecked) @usableFromInline package final var raw: OpaquePointer?
    /// The highest page that a value of its own page was given in this transaction; see `didReserve`.
    @exclusivity(unchecked) @usableFromInline package final var highestReservedPage: UInt64 = 0

    init(_ environment: Environment, _ raw: OpaquePointer) {
        self.environment = environment
        self.raw = raw
    }

    /// Whether the transaction has not ended.
    package final var isOpen: Bool { raw != nil }

    /// LMDB's number for the version being read or written. Starts over after a compaction: nothing lasting may be
    /// built on it.
    package final var id: UInt64 {
        guard let raw else { return 0 }
        return UInt64(Calls.transactionID(raw))
    }

    @inlinable
    @inline(__always)
    package final func open() throws -> OpaquePointer {
        guard let raw else { throw Transaction.ended() }
        return raw
    }

    @inline(never)
    @usableFromInline
    package static func ended() -> LMDBError {
        LMDBError(.closed, "the transaction has ended; begin a new one")
    }

    /// The value of `key` (the first one where values are sorted), or nil. It lies in the map: good until the next
    /// write of the transaction or its end, and not aligned.
    @inlinable
    package final func get(_ database: Database, _ key: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer? {
        var keyBytes = MDB_val(borrowing: key)
        var valueBytes = MDB_val()
        let result = Calls.get(try open(), database.rawValue, &keyBytes, &valueBytes)
        if _fastPath(result == MDB_SUCCESS) { return valueBytes.bytes }
        if result == MDB_NOTFOUND { return nil }
        throw LMDBError.make(result, "looking a key up")
    }

    /// The value of `key` (the first one where values are sorted), or nil. It lies in the map: good until the next
    /// write of the transaction or its end, and not aligned.
    @inlinable
    package final func get(_ database: Database, _ key: ByteKey) throws -> UnsafeRawBufferPointer? {
        try key.withBytes { try get(database, $0) }
    }

    /// A cursor with no position yet.
    package final func makeCursor(_ database: Database) throws -> Cursor {
        try Cursor(self, database)
    }

    /// How many pairs, pages and levels `database` has in this transaction. O(1).
    package final func statistics(_ database: Database) throws -> DatabaseStatistics {
        var statistics = MDB_stat()
        let result = Calls.databaseStatistics(try open(), database.rawValue, &statistics)
        guard result == MDB_SUCCESS else { throw LMDBError.make(result, "reading a database's statistics") }
        return DatabaseStatistics(statistics)
    }

    /// The error for a failed write, after which the transaction can only be aborted.
    @usableFromInline
    package func failure(_ returnCode: Int32, _ action: StaticString) -> LMDBError {
        LMDBError.make(returnCode, action)
    }

    func didOpen(_ cursor: Cursor) {}

    func willClose(_ cursor: Cursor) {}

    /// Notes how far the file reaches, for the limit that keeps room for deletions.
    @inlinable
    @inline(__always)
    package final func didReserve(_ room: UnsafeMutableRawPointer, _ byteCount: Int) {
        guard byteCount >= 2048 else { return }
        // SAFETY: a value of half a page or more has pages of its own, whose header of 16 bytes stands before it and
        // begins with the page's number.
        let page = (room - 16).loadUnaligned(as: UInt64.self)
        if page > highestReservedPage { highestReservedPage = page }
    }
}

/// The size of one database in one transaction.
package struct DatabaseStatistics: Hashable, Sendable {
    /// How many pairs there are.
    package var entryCount: Int
    /// How many pages it takes, of all kinds.
    package var pageCount: Int
    /// How many levels its tree has.
    package var depth: Int

    init(_ statistics: MDB_stat) {
        entryCount = statistics.ms_entries
        pageCount = statistics.ms_branch_pages + statistics.ms_leaf_pages + statistics.ms_overflow_pages
        depth = Int(statistics.ms_depth)
    }
}
