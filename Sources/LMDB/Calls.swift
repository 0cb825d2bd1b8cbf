import CFirnSystem
import CLMDB

/// Every LMDB call that this library makes, once, and the seam where a test makes one fail (`Faults`).
///
/// A call that ends something (commit) ends it as well when it is made to fail. Calls that cannot fail have no seam.
@usableFromInline
package enum Calls {
    /// The armed fault, if this call is the one to fail. One predictable branch in every program that is not a test.
    @inlinable
    @inline(__always)
    package static func fault(isChange: Bool = false) -> Int32? {
        guard _slowPath(firn_faults_are_armed()) else { return nil }
        return Faults.next(isChange: isChange)
    }

    // MARK: Library

    package static func version() -> (major: Int32, minor: Int32, patch: Int32) {
        var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
        _ = mdb_version(&major, &minor, &patch)
        return (major, minor, patch)
    }

    static func errorText(_ returnCode: Int32) -> UnsafePointer<CChar> {
        UnsafePointer(mdb_strerror(returnCode))
    }

    // MARK: Environments

    static func environmentCreate(_ environment: inout OpaquePointer?) -> Int32 {
        if let fault = fault() { return fault }
        return mdb_env_create(&environment)
    }

    static func environmentSetMapSize(_ environment: OpaquePointer, _ byteCount: Int) -> Int32 {
        if let fault = fault() { return fault }
        return mdb_env_set_mapsize(environment, byteCount)
    }

    static func environmentSetMaximumReaders(_ environment: OpaquePointer, _ count: UInt32) -> Int32 {
        if let fault = fault() { return fault }
        return mdb_env_set_maxreaders(environment, count)
    }

    static func environmentSetMaximumDatabases(_ environment: OpaquePointer, _ count: UInt32) -> Int32 {
        if let fault = fault() { return fault }
        return mdb_env_set_maxdbs(environment, count)
    }

    static func environmentSetAssertionHandler(
        _ environment: OpaquePointer,
        _ handler: @escaping @convention(c) (OpaquePointer?, UnsafePointer<CChar>?) -> Void
    ) -> Int32 {
        if let fault = fault() { return fault }
        return mdb_env_set_assert(environment, handler)
    }

    static func environmentOpen(_ environment: OpaquePointer, _ path: String, _ flags: UInt32, _ mode: mode_t) -> Int32
    {
        if let fault = fault() { return fault }
        return mdb_env_open(environment, path, flags, mode)
    }

    static func environmentClose(_ environment: OpaquePointer) {
        mdb_env_close(environment)
    }

    static func environmentPath(_ environment: OpaquePointer) -> String? {
        var path: UnsafePointer<CChar>?
        guard mdb_env_get_path(environment, &path) == MDB_SUCCESS, let path else { return nil }
        return String(cString: path)
    }

    static func environmentDescriptor(_ environment: OpaquePointer) -> Int32 {
        var descriptor: Int32 = -1
        // It fails only for a null pointer.
        _ = mdb_env_get_fd(environment, &descriptor)
        return descriptor
    }

    static func environmentInformation(_ environment: OpaquePointer) -> MDB_envinfo {
        var information = MDB_envinfo()
        // It fails only for a null pointer.
        _ = mdb_env_info(environment, &information)
        return information
    }

    static func environmentCopyCompacted(_ environment: OpaquePointer, to descriptor: Int32) -> Int32 {
        if let fault = fault() { return fault }
        return mdb_env_copyfd2(environment, descriptor, UInt32(MDB_CP_COMPACT))
    }

    static func readerCheck(_ environment: OpaquePointer, _ deadCount: inout Int32) -> Int32 {
        if let fault = fault() { return fault }
        return mdb_reader_check(environment, &deadCount)
    }

    static func readerList(
        _ environment: OpaquePointer,
        _ visitor: @escaping @convention(c) (UnsafePointer<CChar>?, UnsafeMutableRawPointer?) -> Int32,
        _ context: UnsafeMutableRawPointer
    ) -> Int32 {
        if let fault = fault() { return fault }
        return mdb_reader_list(environment, visitor, context)
    }

    // MARK: Transactions

    static func transactionBegin(
        _ environment: OpaquePointer, parent: OpaquePointer?, _ flags: UInt32, _ transaction: inout OpaquePointer?
    ) -> Int32 {
        if let fault = fault() { return fault }
        return mdb_txn_begin(environment, parent, flags, &transaction)
    }

    /// The transaction has ended whatever is returned.
    static func transactionCommit(_ transaction: OpaquePointer) -> Int32 {
        if let fault = fault(isChange: true) {
            mdb_txn_abort(transaction)
            return fault
        }
        return mdb_txn_commit(transaction)
    }

    static func transactionAbort(_ transaction: OpaquePointer) {
        mdb_txn_abort(transaction)
    }

    static func transactionReset(_ transaction: OpaquePointer) {
        mdb_txn_reset(transaction)
    }

    static func transactionRenew(_ transaction: OpaquePointer) -> Int32 {
        if let fault = fault() { return fault }
        return mdb_txn_renew(transaction)
    }

    static func transactionID(_ transaction: OpaquePointer) -> Int {
        mdb_txn_id(transaction)
    }

    // MARK: Databases

    static func databaseOpen(
        _ transaction: OpaquePointer, _ name: String, _ flags: UInt32, _ database: inout UInt32
    ) -> Int32 {
        if let fault = fault() { return fault }
        return mdb_dbi_open(transaction, name, flags, &database)
    }

    static func databaseFlags(_ transaction: OpaquePointer, _ database: UInt32, _ flags: inout UInt32) -> Int32 {
        if let fault = fault() { return fault }
        return mdb_dbi_flags(transaction, database, &flags)
    }

    static func databaseStatistics(
        _ transaction: OpaquePointer, _ database: UInt32, _ statistics: inout MDB_stat
    ) -> Int32 {
        if let fault = fault() { return fault }
        return mdb_stat(transaction, database, &statistics)
    }

    static func databaseClear(_ transaction: OpaquePointer, _ database: UInt32) -> Int32 {
        if let fault = fault(isChange: true) { return fault }
        return mdb_drop(transaction, database, 0)
    }

    @inlinable
    package static func get(
        _ transaction: OpaquePointer, _ database: UInt32, _ key: inout MDB_val, _ value: inout MDB_val
    ) -> Int32 {
        if let fault = fault() { return fault }
        return mdb_get(transaction, database, &key, &value)
    }

    @inlinable
    package static func put(
        _ transaction: OpaquePointer, _ database: UInt32, _ key: inout MDB_val, _ value: inout MDB_val, _ flags: UInt32
    ) -> Int32 {
        if let fault = fault(isChange: true) { return fault }
        return mdb_put(transaction, database, &key, &value, flags)
    }

    @inlinable
    package static func delete(
        _ transaction: OpaquePointer, _ database: UInt32, _ key: inout MDB_val, _ value: UnsafeMutablePointer<MDB_val>?
    ) -> Int32 {
        if let fault = fault(isChange: true) { return fault }
        return mdb_del(transaction, database, &key, value)
    }

    // MARK: Cursors

    static func cursorOpen(_ transaction: OpaquePointer, _ database: UInt32, _ cursor: inout OpaquePointer?) -> Int32 {
        if let fault = fault() { return fault }
        return mdb_cursor_open(transaction, database, &cursor)
    }

    static func cursorClose(_ cursor: OpaquePointer) {
        mdb_cursor_close(cursor)
    }

    static func cursorRenew(_ transaction: OpaquePointer, _ cursor: OpaquePointer) -> Int32 {
        if let fault = fault() { return fault }
        return mdb_cursor_renew(transaction, cursor)
    }

    @inlinable
    package static func cursorGet(
        _ cursor: OpaquePointer, _ key: inout MDB_val, _ value: inout MDB_val, _ operation: MDB_cursor_op
    ) -> Int32 {
        if let fault = fault() { return fault }
        return mdb_cursor_get(cursor, &key, &value, operation)
    }

    /// The key at the position, without its values.
    static func cursorGetKey(_ cursor: OpaquePointer, _ key: inout MDB_val) -> Int32 {
        if let fault = fault() { return fault }
        return mdb_cursor_get(cursor, &key, nil, MDB_GET_CURRENT)
    }

    @inlinable
    package static func cursorPut(
        _ cursor: OpaquePointer, _ key: inout MDB_val, _ value: inout MDB_val, _ flags: UInt32
    ) -> Int32 {
        if let fault = fault(isChange: true) { return fault }
        return mdb_cursor_put(cursor, &key, &value, flags)
    }

    @inlinable
    package static func cursorDelete(_ cursor: OpaquePointer, _ flags: UInt32) -> Int32 {
        if let fault = fault(isChange: true) { return fault }
        return mdb_cursor_del(cursor, flags)
    }

    @inlinable
    package static func cursorCount(_ cursor: OpaquePointer, _ count: inout Int) -> Int32 {
        if let fault = fault() { return fault }
        return mdb_cursor_count(cursor, &count)
    }
}
