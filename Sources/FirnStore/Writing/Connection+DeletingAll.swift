import LMDB

extension Connection {
    /// Removes every object of a table, as `delete` does each, but takes leaves, index and backlinks out in one pass
    /// over each. Work grows with the objects and with the links that lead to them from other tables.
    package func deleteAll(_ table: TableID) throws(StoreError) {
        try change { write in
            let writer = try tableWriter(table)
            guard writer.state.count > 0 else { return }
            try applyBacklinks()
            try nullifyLinks(toAllOf: table)
            try forEachRecord(in: table) { key, record in
                try releaseAll(record, key, writer, write)
                writer.changes.noteDeletion(key)
                return true
            }
            for index in writer.indexes {
                index.changes.removeAll()
                try entries(of: index.index, index.column, write.cursor(store.databases.index)).removeAll()
            }
            writer.tail = nil
            // Of links within the table both ends go.
            try remove(from: store.databases.backlinks, table, write)
            try remove(from: store.databases.objects, table, write)
            writer.state.count = 0
            writer.isStateDirty = true
        }
    }

    /// Makes null every link from another table to an object of this one.
    private func nullifyLinks(toAllOf table: TableID) throws {
        var links: [(origin: ObjectKey, table: TableID, slot: Int)] = []
        let cursor = try transaction.makeCursor(store.databases.backlinks)
        var isThere = try cursor.seekRange(ByteKey(table.rawValue))
        while isThere, Backlink.table(ofKey: cursor.key) == table {
            if let origin = schema.column(Backlink.column(ofKey: cursor.key)), origin.table.id != table {
                links.append((Backlink.origin(of: cursor.value), origin.table.id, origin.column.slot))
            }
            isThere = try cursor.next()
        }
        for link in links { try set(link.table, link.origin, slot: link.slot, .null) }
        try applyBacklinks()
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
