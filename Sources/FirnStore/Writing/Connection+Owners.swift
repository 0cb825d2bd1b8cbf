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

    /// Has no cascade take an object along until the `body` of `withKeptObjects` ends.
    package func keep(_ row: RowID) {
        guard let write else { return }
        let hasCascades =
            write.hasCascades
            ?? schema.tables.contains { table in
                table.columns.contains { $0.deleteRule == .cascade }
            }
        write.hasCascades = hasCascades
        if hasCascades { write.kept.insert(row) }
    }

    /// Runs `body`, in which objects can be kept: those that a call adds or updates, so that nothing that it replaces takes
    /// them along.
    package func withKeptObjects<R>(_ body: () throws -> R) rethrows -> R {
        let outer = write?.kept ?? []
        defer { write?.kept = outer }
        return try body()
    }

    /// Deletes those objects, with all that goes with them, to which no column links any more that cascades, and which are
    /// not kept.
    @discardableResult
    package func deleteOrphans(_ rows: [RowID]) throws(StoreError) -> Set<TableID> {
        try change { write in
            try takeAwayAllWaitingLinks(write)
            let orphans = try rows.filter { row in
                try !write.kept.contains(row)
                    && !incomingLinks(row, write).contains { column($0.column)?.column.deleteRule == .cascade }
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
    package func owner(of row: RowID) -> (column: ColumnID, owner: RowID)? {
        var owner: IncomingLink?
        forEachLink(to: row) { link in
            owner = link
            return false
        }
        guard let owner, let table = column(owner.column)?.table.id else { return nil }
        return (owner.column, RowID(table: table, key: owner.origin))
    }

    /// The objects whose `column` links to an object, in the order of their keys, each with its number of links.
    package func backlinks(to row: RowID, column: ColumnID) -> [(origin: ObjectKey, count: Int)] {
        var links: [(origin: ObjectKey, count: Int)] = []
        forEachLink(to: row, from: column) { link in
            guard link.column == column else { return false }
            links.append((link.origin, link.count))
            return true
        }
        return links
    }

    /// How many objects' `column` links to an object, or the limit where there are at least so many.
    package func backlinkCount(to row: RowID, column: ColumnID, atMost limit: Int) -> Int {
        var count = 0
        forEachLink(to: row, from: column) { link in
            guard link.column == column, count < limit else { return false }
            count += 1
            return true
        }
        return count
    }

    /// The number of all links to an object.
    package func linkCount(to row: RowID) -> Int {
        var count = 0
        forEachLink(to: row) { link in
            count += link.count
            return true
        }
        return count
    }

    /// Calls `body` with the links to an object, in the order of columns and of origins, from the first of a column's on, until
    /// it answers false. It must not read links.
    private func forEachLink(
        to row: RowID, from column: ColumnID = ColumnID(rawValue: 0), _ body: (IncomingLink) -> Bool
    ) {
        do {
            try settleLinks(to: row)
            try forEachStoredLink(row, from: column, body)
        } catch {
            unreadable(error)
        }
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

    /// Takes away the links to objects that are gone, and puts those to an object where they are looked for.
    private func settleLinks(to row: RowID) throws {
        guard let write, !write.isLost else { return }
        if !write.waitingLinks.isEmpty { _ = try change { try takeAwayAllWaitingLinks($0) } }
        if write.backlinks.touches(row.table) { try applyBacklinks() }
    }

    /// The links to an object, those that wait to be taken away included.
    func incomingLinks(_ row: RowID, _ write: WriteState) throws -> [IncomingLink] {
        if write.backlinks.touches(row.table) { try applyBacklinks() }
        var links: [IncomingLink] = []
        try forEachStoredLink(row) { link in
            links.append(link)
            return true
        }
        return links
    }

    private func forEachStoredLink(
        _ row: RowID, from column: ColumnID = ColumnID(rawValue: 0), _ body: (IncomingLink) -> Bool
    ) throws {
        let cursor = try cursor(store.databases.backlinks)
        var isThere = try cursor.seekRange(Backlink.key(table: row.table, target: row.key, column: column))
        while isThere, Backlink.table(ofKey: cursor.key) == row.table, Backlink.target(ofKey: cursor.key) == row.key {
            let link = IncomingLink(
                column: Backlink.column(ofKey: cursor.key), origin: Backlink.origin(of: cursor.value),
                count: Int(Backlink.count(of: cursor.value)))
            guard body(link) else { return }
            isThere = try cursor.next()
        }
    }
}
