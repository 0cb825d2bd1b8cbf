/// Gathers what a write changes, in the order in which it does, and tells at its end what came of it.
struct ChangeRecorder {
    private var tables: [TableID: TableChanges] = [:]

    var isEmpty: Bool { tables.values.allSatisfy(\.isEmpty) }

    /// Where the changes of a table are noted.
    mutating func changes(of table: TableID) -> TableChanges {
        if let changes = tables[table] { return changes }
        let changes = TableChanges()
        tables[table] = changes
        return changes
    }

    /// The objects that were deleted, those that are back included.
    var deletedRows: DeletedRows { DeletedRows(tables: tables) }

    /// The net of all that was noted.
    func changeSet() -> ChangeSet {
        var result = ChangeSet()
        for (id, table) in tables {
            let net = table.net()
            if !net.isEmpty { result.tables[id] = net }
        }
        return result
    }
}

/// The objects that a write has deleted, whatever became of them later. Can be asked once the write has ended, too.
package struct DeletedRows {
    let tables: [TableID: TableChanges]

    /// Whether there are none.
    package var isEmpty: Bool { tables.values.allSatisfy { !$0.hasDeletions } }

    /// Whether an object is among them. O(1), but for the first question about its table.
    package func contains(_ row: RowID) -> Bool {
        tables[row.table]?.hasDeleted(row.key) ?? false
    }

    /// The objects, found in O(objects).
    package var rows: Set<RowID> {
        var rows: Set<RowID> = []
        for (id, table) in tables {
            table.forEachDeletion { rows.insert(RowID(table: id, key: $0)) }
        }
        return rows
    }
}

/// The changes of one table as they happen.
final class TableChanges {
    @exclusivity(unchecked) private var inserted: [ClosedRange<ObjectKey>] = []
    /// By column; few, so that a search in a row is the quickest.
    @exclusivity(unchecked) private var modified: [(column: ColumnID, keys: [ClosedRange<ObjectKey>])] = []
    /// Deletions, and insertions after the first of them, in order of time: only that tells whether a key was there
    /// before.
    @exclusivity(unchecked) private var events: [(key: ObjectKey, isInsert: Bool)] = []

    /// The keys of deletions, once somebody has asked.
    @exclusivity(unchecked) private var deletedKeys: Set<ObjectKey>?

    var isEmpty: Bool { inserted.isEmpty && modified.isEmpty && events.isEmpty }

    func noteInsertion(_ key: ObjectKey) {
        if events.isEmpty { inserted.note(key) } else { events.append((key, true)) }
    }

    func noteDeletion(_ key: ObjectKey) {
        events.append((key, false))
        deletedKeys?.insert(key)
    }

    /// Each event follows a deletion.
    var hasDeletions: Bool { !events.isEmpty }

    func hasDeleted(_ key: ObjectKey) -> Bool {
        guard hasDeletions else { return false }
        let keys = deletedKeys ?? Set(events.lazy.filter { !$0.isInsert }.map(\.key))
        deletedKeys = keys
        return keys.contains(key)
    }

    func forEachDeletion(_ body: (ObjectKey) -> Void) {
        for event in events where !event.isInsert { body(event.key) }
    }

    func noteModification(_ key: ObjectKey, of column: ColumnID) {
        for index in modified.indices where modified[index].column == column {
            return modified[index].keys.noteOnce(key)
        }
        modified.append((column, [key...key]))
    }

    /// What is different between before and after.
    func net() -> ChangeSet.Table {
        var result = ChangeSet.Table()
        var inserted = inserted.normalized()
        // Sorted: what came and went within the write.
        var cancelled: [ObjectKey] = []
        if !events.isEmpty {
            var deleted: [ClosedRange<ObjectKey>] = []
            var reinserted: [ClosedRange<ObjectKey>] = []
            // By key, then by time: the sort is stable because the position breaks ties.
            let order = events.indices.sorted { (events[$0].key, $0) < (events[$1].key, $1) }
            var position = 0
            while position < order.count {
                let first = events[order[position]]
                var last = first
                while position < order.count, events[order[position]].key == first.key {
                    last = events[order[position]]
                    position += 1
                }
                let wasInserted = inserted.containsKey(first.key)
                let existedBefore = !wasInserted && !first.isInsert
                if existedBefore {
                    deleted.note(first.key)
                } else if !last.isInsert {
                    cancelled.append(first.key)
                }
                if last.isInsert, !wasInserted { reinserted.note(first.key) }
            }
            inserted = (inserted.removing(cancelled) + reinserted).normalized()
            result.deleted = deleted.normalized()
        }
        result.inserted = inserted
        var strangers = result.inserted + result.deleted
        for key in cancelled { strangers.note(key) }
        strangers = strangers.normalized()
        for (column, keys) in modified {
            var left: [ClosedRange<ObjectKey>] = []
            for range in keys.normalized() {
                for key in range where !strangers.containsKey(key) { left.note(key) }
            }
            if !left.isEmpty { result.modified[column] = left }
        }
        return result
    }
}
