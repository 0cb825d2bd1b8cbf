import LMDB

extension Connection {
    /// Deletes all objects of tables, with all that goes with them; answers the tables that lost objects. Of links between
    /// the tables both ends go, so that none is looked at.
    func deleteTables(_ tables: [TableID], _ write: WriteState) throws -> Set<TableID> {
        let whole = try Set(tables.filter { try tableWriter($0).state.count > 0 })
        guard !whole.isEmpty else { return [] }
        var deletion = Deletion(tables: whole)
        try complete(&deletion, write)
        try judge(deletion, write)
        try applyBacklinks()
        var lost = try takeAway(deletion, write)
        for table in whole { try takeAwayLinks(toAllOf: table, deletion, write) }
        try applyBacklinks()
        write.beginVanishing(of: whole)
        for table in whole { try removeAllObjects(tableWriter(table), write) }
        try settleReleases(write)
        write.endVanishing()
        lost.formUnion(whole)
        return lost
    }

    /// Takes away every link to an object of a table from one that stays.
    private func takeAwayLinks(toAllOf table: TableID, _ deletion: Deletion, _ write: WriteState) throws {
        var links: [(origin: RowID, column: StoredColumn, target: RowID)] = []
        let cursor = try write.cursor(store.databases.backlinks)
        var isThere = try cursor.seekRange(ByteKey(table.rawValue))
        var known: (id: ColumnID, origin: (table: StoredTable, column: StoredColumn)?)?
        while isThere, Backlink.table(ofKey: cursor.key) == table {
            let id = Backlink.column(ofKey: cursor.key)
            if known?.id != id { known = (id, column(id)) }
            if let origin = known?.origin {
                let row = RowID(table: origin.table.id, key: Backlink.origin(of: cursor.value))
                if !deletion.contains(row) {
                    links.append((row, origin.column, RowID(table: table, key: Backlink.target(ofKey: cursor.key))))
                }
                isThere = deletion.tables.contains(origin.table.id) ? try cursor.nextDistinct() : try cursor.next()
            } else {
                isThere = try cursor.nextDistinct()
            }
        }
        for link in links { try takeAwayLink(from: link.origin, link.column, to: link.target, write) }
    }

    /// Takes every record of a table out of the file, with its index entries and all that the records own.
    private func removeAllObjects(_ writer: TableWriter, _ write: WriteState) throws {
        let table = writer.table.id
        try forEachRecord(in: table) { key, record in
            try releaseAll(record, key, writer, write)
            writer.changes.noteDeletion(key)
            return true
        }
        for index in writer.indexes {
            index.changes.removeAll()
            try entries(of: index.shape.index, write.cursor(store.databases.index)).removeAll()
        }
        writer.tail = nil
        try remove(from: store.databases.backlinks, table, write)
        try remove(from: store.databases.objects, table, write)
        noteVanishing()
        write.unowned = write.unowned.filter { $0.table != table }
        writer.state.count = 0
        writer.isStateDirty = true
    }

    /// Removes every pair whose key begins with the table's id.
    private func remove(from database: Database, _ table: TableID, _ write: WriteState) throws {
        let cursor = database == store.databases.objects ? try write.objectsCursor() : try write.cursor(database)
        // Each step seeks anew: where a cursor stands after a deletion differs between versions of LMDB.
        while try cursor.seekRange(ByteKey(table.rawValue)), LeafKey.table(of: cursor.key) == table {
            if database.hasSortedDuplicates { try cursor.deleteAllDuplicates() } else { try cursor.delete() }
        }
        dropPointers()
    }
}
