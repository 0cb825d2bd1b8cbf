import LMDB

extension Connection {
    /// Deletes objects with all that goes with them: embedded objects, and what their columns cascade to. Links that lead to
    /// any of them are taken away: single links, map values and links within an `any` become null, elements of lists and
    /// sets go.
    ///
    /// Answers the tables that lost objects. Throws `.deletionDenied`, with nothing deleted, where a column with that rule
    /// still links to an object that would stay. Objects that are gone already are no error. Work grows with the objects
    /// and the links from and to them; a list, map or `any` that must be searched for a link is searched once, when it is
    /// next looked at or at commit, however many calls took objects out of it.
    @discardableResult
    package func delete(_ rows: [RowID]) throws(StoreError) -> Set<TableID> {
        try change { write in try deleteRows(rows, write) }
    }

    /// Deletes all objects of tables: as `delete(_:)` for all of them at once, but takes leaves, indexes and backlinks out
    /// in one pass over each.
    @discardableResult
    package func deleteAll(_ tables: [TableID]) throws(StoreError) -> Set<TableID> {
        try change { write in try deleteTables(tables, write) }
    }

    /// Deletes those objects, with all that goes with them, to which no column links any more that cascades.
    @discardableResult
    package func deleteOrphans(_ rows: [RowID]) throws(StoreError) -> Set<TableID> {
        try change { write in
            try takeAwayAllWaitingLinks(write)
            let orphans = try rows.filter { row in
                try !incomingLinks(row, write).contains { column($0.column)?.column.deleteRule == .cascade }
            }
            return try deleteRows(orphans, write)
        }
    }

    /// Removes an object, as `delete(_:)` does; throws `.noSuchObject` where it is gone already.
    package func delete(_ table: TableID, _ key: ObjectKey) throws(StoreError) {
        guard contains(table, key) else { throw StoreError.noSuchObject(table, key) }
        try delete([RowID(table: table, key: key)])
    }

    /// Removes every object of a table, as `deleteAll(_:)` does.
    package func deleteAll(_ table: TableID) throws(StoreError) {
        try deleteAll([table])
    }

    /// All objects that a column of an object links to, through collections too; an object linked twice stands twice.
    package func linkedRows(_ row: RowID, slot: Int) -> [RowID] {
        _ = collectionID(CollectionPlace(row: row, slot: slot))
        settleEntries()
        guard let column = schema[row.table]?.columns.first(where: { $0.slot == slot }),
            let record = record(row.table, row.key)
        else { return [] }
        var rows: [RowID] = []
        do {
            try forEachLinkedRow(record, column) { rows.append($0) }
        } catch {
            unreadable(error)
        }
        return rows
    }

    /// The column and the object that own an embedded object; nil for one that nobody owns.
    package func owner(of row: RowID) throws(StoreError) -> (column: ColumnID, owner: RowID)? {
        do {
            guard let link = try settledLinks(row).first, let table = column(link.column)?.table.id else {
                return nil
            }
            return (link.column, RowID(table: table, key: link.origin))
        } catch {
            throw StoreError(wrapping: error)
        }
    }

    /// The objects whose `column` links to an object, in the order of their keys, each with its number of links.
    package func backlinks(to row: RowID, column: ColumnID) throws(StoreError) -> [(origin: ObjectKey, count: Int)] {
        do {
            return try settledLinks(row).filter { $0.column == column }.map { ($0.origin, $0.count) }
        } catch {
            throw StoreError(wrapping: error)
        }
    }

    /// The objects of `column`'s table whose `column` links to the object, in the order of their keys.
    package func origins(linkingTo table: TableID, _ key: ObjectKey, column: ColumnID) throws(StoreError) -> [ObjectKey]
    {
        try backlinks(to: RowID(table: table, key: key), column: column).map(\.origin)
    }

    /// The objects that the open write has deleted, by whatever call; empty outside a write.
    package var deletedRows: DeletedRows {
        write?.recorder.deletedRows ?? DeletedRows(tables: [:])
    }

    // MARK: Incoming links

    /// The links of one column of one object to another.
    struct IncomingLink {
        let column: ColumnID
        let origin: ObjectKey
        let count: Int
    }

    /// The links to an object, once no link to an object that is gone waits to be taken away.
    func settledLinks(_ row: RowID) throws -> [IncomingLink] {
        guard let write, !write.isLost else { return try storedLinks(row) }
        if !write.waitingLinks.isEmpty { _ = try change { try takeAwayAllWaitingLinks($0) } }
        return try incomingLinks(row, write)
    }

    /// The links to an object, those that wait to be taken away included.
    func incomingLinks(_ row: RowID, _ write: WriteState) throws -> [IncomingLink] {
        if write.backlinks.touches(row.table) { try applyBacklinks() }
        return try storedLinks(row)
    }

    private func storedLinks(_ row: RowID) throws -> [IncomingLink] {
        let cursor = try backlinksCursor()
        var found: [IncomingLink] = []
        var isThere = try cursor.seekRange(
            Backlink.key(table: row.table, target: row.key, column: ColumnID(rawValue: 0)))
        while isThere, Backlink.table(ofKey: cursor.key) == row.table, Backlink.target(ofKey: cursor.key) == row.key {
            found.append(
                IncomingLink(
                    column: Backlink.column(ofKey: cursor.key), origin: Backlink.origin(of: cursor.value),
                    count: Int(Backlink.count(of: cursor.value))))
            isThere = try cursor.next()
        }
        return found
    }

    private func backlinksCursor() throws -> Cursor {
        if let write, !write.isLost { return try write.cursor(store.databases.backlinks) }
        return try snapshot.transaction.makeCursor(store.databases.backlinks)
    }
}
