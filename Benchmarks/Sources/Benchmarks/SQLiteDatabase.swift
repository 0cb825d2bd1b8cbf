import CSQLite3

/// An SQLite database, open, for one thread.
final class SQLiteDatabase {
    /// "SQLite 3.40.1".
    static var version: String { "SQLite \(String(cString: sqlite3_libversion()))" }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let handle: OpaquePointer

    init(path: String) throws {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &opened, flags, nil) == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw Failure(description: "SQLite: cannot open \(path)")
        }
        handle = opened
    }

    deinit {
        // Waits for the statements that are still there.
        sqlite3_close_v2(handle)
    }

    func execute(_ text: String) throws {
        try check(sqlite3_exec(handle, text, nil, nil, nil))
    }

    /// A statement; `isKept` says that it is to be used often.
    func prepare(_ text: String, isKept: Bool = true) throws -> SQLiteStatement {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v3(handle, text, -1, isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0, &statement, nil))
        guard let statement else { throw Failure(description: "SQLite: no statement in '\(text)'") }
        return SQLiteStatement(statement, of: self)
    }

    func check(_ code: Int32) throws {
        guard code == SQLITE_OK else {
            throw Failure(description: "SQLite: \(String(cString: sqlite3_errmsg(handle)))")
        }
    }
}

/// A prepared statement. Places of parameters count from 1, columns from 0, as SQLite has it.
final class SQLiteStatement {
    private let handle: OpaquePointer
    private let database: SQLiteDatabase

    fileprivate init(_ handle: OpaquePointer, of database: SQLiteDatabase) {
        self.handle = handle
        self.database = database
    }

    deinit {
        sqlite3_finalize(handle)
    }

    func bind(_ value: Int, at place: Int32) throws {
        try database.check(sqlite3_bind_int64(handle, place, Int64(value)))
    }

    func bind(_ value: Double, at place: Int32) throws { try database.check(sqlite3_bind_double(handle, place, value)) }

    /// Binds text or a blob, which the caller keeps in place until the statement is reset.
    func bind(_ bytes: UnsafeRawBufferPointer, asText: Bool, at place: Int32) throws {
        let count = Int32(bytes.count)
        if asText {
            let text = bytes.assumingMemoryBound(to: CChar.self).baseAddress
            try database.check(sqlite3_bind_text(handle, place, text, count, nil))
        } else {
            try database.check(sqlite3_bind_blob(handle, place, bytes.baseAddress, count, nil))
        }
    }

    /// Moves to the next row; false, and ready to run again, where there is none.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        default:
            try database.check(sqlite3_reset(handle))
            return false
        }
    }

    /// Gets ready to run again.
    func reset() throws { try database.check(sqlite3_reset(handle)) }

    func int(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }

    func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }
}
