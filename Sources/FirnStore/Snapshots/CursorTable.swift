import LMDB

/// One cursor of a transaction for each database that has been asked for.
struct CursorTable {
    /// By LMDB's handle, which is a small number.
    private var cursors: [Cursor?] = []

    /// The cursor over a database; made at the first need.
    mutating func cursor(_ database: Database, of transaction: Transaction) throws -> Cursor {
        let index = Int(database.rawValue)
        if index < cursors.count, let cursor = cursors[index] { return cursor }
        while cursors.count <= index { cursors.append(nil) }
        let cursor = try transaction.makeCursor(database)
        cursors[index] = cursor
        return cursor
    }
}
