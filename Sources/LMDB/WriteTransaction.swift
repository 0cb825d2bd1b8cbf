import CLMDB
import CThreadIdentity

/// The environment's one writer, or a child of it.
///
/// One thread at a time may use it. It ends on the thread that it began on: begun on the environment's writer thread,
/// `commit` and `abort` go there by themselves; begun on the caller's, they trap elsewhere. After any error of a write
/// the transaction can only be aborted; `commit` then aborts and throws that error.
@usableFromInline
package final class WriteTransaction: Transaction {
    private let turn: Gate.Turn?
    private let parent: WriteTransaction?
    private let isOnWriterThread: Bool
    private let beginningThread: UInt64
    /// The last page of the file when the transaction began.
    private let lastPageBefore: UInt64
    private var hasChild = false
    private var firstFailure: LMDBError?
    private unowned(unsafe) var firstOpenCursor: Cursor?

    /// Whether this transaction only makes the store smaller, in which case it may use the room that is kept back
    /// for deletions when the store is full.
    package var isShrinking = false

    init(_ environment: Environment, _ raw: OpaquePointer, turn: Gate.Turn?, isOnWriterThread: Bool) {
        self.turn = turn
        self.parent = nil
        self.isOnWriterThread = isOnWriterThread
        self.beginningThread = firn_thread_token()
        self.lastPageBefore = UInt64(Calls.environmentInformation(environment.raw).me_last_pgno)
        super.init(environment, raw)
    }

    private init(childOf parent: WriteTransaction, _ raw: OpaquePointer) {
        self.turn = nil
        self.parent = parent
        self.isOnWriterThread = parent.isOnWriterThread
        self.beginningThread = parent.beginningThread
        self.lastPageBefore = parent.lastPageBefore
        super.init(parent.environment, raw)
        highestReservedPage = parent.highestReservedPage
        isShrinking = parent.isShrinking
    }

    deinit {
        abort()
    }

    // MARK: Ending

    /// Makes what was written the newest version, or part of the parent's changes. The transaction has ended whether
    /// or not it throws; when it throws nothing of it is kept.
    package func commit() throws {
        precondition(!hasChild, "a write transaction was committed before its child had ended")
        let raw = try open()
        do {
            try environment.checkUsable()
        } catch {
            abort()
            throw error
        }
        if let firstFailure {
            abort()
            throw firstFailure
        }
        do {
            if let refusal = try refusalByLimit() { throw refusal }
        } catch {
            abort()
            throw error
        }
        closeCursors()
        let id = id
        self.raw = nil
        let result = onItsThread { Calls.transactionCommit(raw) }
        if let parent {
            parent.hasChild = false
            if result == MDB_SUCCESS {
                parent.highestReservedPage = max(parent.highestReservedPage, highestReservedPage)
            } else {
                parent.firstFailure = environment.writeFailure(result, "committing a child transaction")
            }
        }
        // The error is made before the next writer changes what it reports.
        let failure = result == MDB_SUCCESS ? nil : environment.writeFailure(result, "committing")
        // LMDB makes no version of nothing, and the next writer would make one of the same number.
        let isNewest = parent == nil && UInt64(Calls.environmentInformation(environment.raw).me_last_txnid) == id
        turn?.end()
        if let failure { throw failure }
        if parent == nil { environment.didCommit(isNewest ? id : nil) }
    }

    /// Drops what was written. Does nothing once the transaction has ended, nor in a fork's child.
    package func abort() {
        guard let raw else { return }
        precondition(!hasChild, "a write transaction was aborted before its child had ended")
        guard !environment.isInherited else {
            self.raw = nil
            return
        }
        closeCursors()
        self.raw = nil
        _ = onItsThread {
            Calls.transactionAbort(raw)
            return MDB_SUCCESS
        }
        parent?.hasChild = false
        turn?.end()
    }

    /// A transaction inside this one, which can be aborted alone. Until it ends this one must not be used at all.
    package func makeChild() throws -> WriteTransaction {
        precondition(!hasChild, "a write transaction has one child at a time")
        if let firstFailure { throw firstFailure }
        var child: OpaquePointer?
        let result = Calls.transactionBegin(environment.raw, parent: try open(), 0, &child)
        guard result == MDB_SUCCESS, let child else { throw failure(result, "beginning a child transaction") }
        hasChild = true
        return WriteTransaction(childOf: self, child)
    }

    private func onItsThread(_ body: @escaping () -> Int32) -> Int32 {
        // A child takes no mutex, so any thread may end it.
        if parent != nil { return body() }
        if isOnWriterThread { return environment.writerThread.run(body) }
        precondition(
            firn_thread_token() == beginningThread,
            "a write transaction ended on another thread than it began on; begin it on the writer thread instead")
        return body()
    }

    /// The error for a write that would leave no room to delete in. It may not let the file grow into the room that
    /// is kept back; free pages there it may use as long as as many stay free.
    ///
    /// Pages of small values are not seen: those that a transaction takes after its last value of half a page or more
    /// count in the next one. That keeps the check out of the puts.
    private func refusalByLimit() throws -> LMDBError? {
        let limit = environment.softLimitInPages
        guard !isShrinking, max(highestReservedPage, lastPageBefore) >= limit else { return nil }
        if highestReservedPage > max(lastPageBefore, limit - 1) { return environment.storeFull() }
        return try environment.usedPageCount(in: open()) < limit ? nil : environment.storeFull()
    }

    // MARK: Errors

    @usableFromInline
    override package func failure(_ returnCode: Int32, _ action: StaticString) -> LMDBError {
        let error = environment.writeFailure(returnCode, action)
        switch returnCode {
        case MDB_KEYEXIST, MDB_NOTFOUND, MDB_BAD_VALSIZE: break
        default: if firstFailure == nil { firstFailure = error }
        }
        return error
    }

    // MARK: Cursors

    override func didOpen(_ cursor: Cursor) {
        cursor.nextOpen = firstOpenCursor
        firstOpenCursor?.previousOpen = cursor
        firstOpenCursor = cursor
    }

    override func willClose(_ cursor: Cursor) {
        if let previous = cursor.previousOpen {
            previous.nextOpen = cursor.nextOpen
        } else {
            firstOpenCursor = cursor.nextOpen
        }
        cursor.nextOpen?.previousOpen = cursor.previousOpen
        cursor.nextOpen = nil
        cursor.previousOpen = nil
    }

    /// Before the end: LMDB frees a write transaction's cursors with it, and a later close would free them again.
    private func closeCursors() {
        while let cursor = firstOpenCursor { cursor.close() }
    }

    // MARK: Writing

    /// Stores a pair. `key` and `value` must not point into the map: copy them first.
    @inlinable
    package func put(
        _ database: Database, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ flags: PutFlags = []
    ) throws {
        var keyBytes = MDB_val(borrowing: key)
        var valueBytes = MDB_val(borrowing: value)
        let result = Calls.put(try open(), database.rawValue, &keyBytes, &valueBytes, flags.rawValue)
        guard result == MDB_SUCCESS else { throw failure(result, "storing a value") }
    }

    /// Stores a pair. `value` must not point into the map: copy it first.
    @inlinable
    package func put(
        _ database: Database, _ key: ByteKey, _ value: UnsafeRawBufferPointer, _ flags: PutFlags = []
    ) throws {
        try key.withBytes { try put(database, $0, value, flags) }
    }

    /// Stores a pair. `key` must not point into the map: copy it first.
    @inlinable
    package func put(
        _ database: Database, _ key: UnsafeRawBufferPointer, _ value: ByteKey, _ flags: PutFlags = []
    ) throws {
        try value.withBytes { try put(database, key, $0, flags) }
    }

    /// Stores a pair.
    @inlinable
    package func put(_ database: Database, _ key: ByteKey, _ value: ByteKey, _ flags: PutFlags = []) throws {
        try key.withBytes { key in try value.withBytes { try put(database, key, $0, flags) } }
    }

    /// Makes room for a value of `byteCount` bytes and returns where it is to be written, whole, before any other call
    /// of the transaction. Traps in a database of sorted duplicates.
    ///
    /// Where the value already lies on a dirty page of its own and has the same size, what is returned still holds it.
    @inlinable
    package func reserve(
        _ database: Database, _ key: UnsafeRawBufferPointer, byteCount: Int, _ flags: PutFlags = []
    ) throws -> UnsafeMutableRawPointer {
        precondition(!database.hasSortedDuplicates, "no room can be reserved in a database of sorted duplicates")
        var keyBytes = MDB_val(borrowing: key)
        var valueBytes = MDB_val(mv_size: byteCount, mv_data: nil)
        let result = Calls.put(
            try open(), database.rawValue, &keyBytes, &valueBytes, flags.rawValue | UInt32(MDB_RESERVE))
        guard result == MDB_SUCCESS, let room = valueBytes.mv_data else {
            throw failure(result, "reserving room for a value")
        }
        didReserve(room, byteCount)
        return room
    }

    /// As `reserve` with the key as bytes.
    @inlinable
    package func reserve(
        _ database: Database, _ key: ByteKey, byteCount: Int, _ flags: PutFlags = []
    ) throws -> UnsafeMutableRawPointer {
        try key.withBytes { try reserve(database, $0, byteCount: byteCount, flags) }
    }

    /// Deletes a key with all its values. Returns whether it was there.
    @inlinable
    package func delete(_ database: Database, _ key: UnsafeRawBufferPointer) throws -> Bool {
        var keyBytes = MDB_val(borrowing: key)
        return try deleted(Calls.delete(try open(), database.rawValue, &keyBytes, nil))
    }

    /// Deletes a key with all its values. Returns whether it was there.
    @inlinable
    package func delete(_ database: Database, _ key: ByteKey) throws -> Bool {
        try key.withBytes { try delete(database, $0) }
    }

    /// Deletes one pair of a database of sorted duplicates. Returns whether it was there.
    @inlinable
    package func delete(
        _ database: Database, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) throws -> Bool {
        var keyBytes = MDB_val(borrowing: key)
        var valueBytes = MDB_val(borrowing: value)
        return try deleted(Calls.delete(try open(), database.rawValue, &keyBytes, &valueBytes))
    }

    /// Deletes one pair of a database of sorted duplicates. Returns whether it was there.
    @inlinable
    package func delete(_ database: Database, _ key: UnsafeRawBufferPointer, _ value: ByteKey) throws -> Bool {
        try value.withBytes { try delete(database, key, $0) }
    }

    /// Deletes one pair of a database of sorted duplicates. Returns whether it was there.
    @inlinable
    package func delete(_ database: Database, _ key: ByteKey, _ value: ByteKey) throws -> Bool {
        try key.withBytes { key in try value.withBytes { try delete(database, key, $0) } }
    }

    @inlinable
    package func deleted(_ result: Int32) throws -> Bool {
        if result == MDB_SUCCESS { return true }
        if result == MDB_NOTFOUND { return false }
        throw failure(result, "deleting a value")
    }

    /// Deletes everything in `database`. O(pages).
    package func clear(_ database: Database) throws {
        let result = Calls.databaseClear(try open(), database.rawValue)
        guard result == MDB_SUCCESS else { throw failure(result, "emptying a database") }
    }
}
