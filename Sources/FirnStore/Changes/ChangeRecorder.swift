/// Gathers what a write changes, in the order in which it does, and tells at its end what came of it.
struct ChangeRecorder {
    /// The changes of one table as they happen.
    fileprivate struct Table {
        var inserted: [ClosedRange<ObjectKey>] = []
        var deleted: [ClosedRange<ObjectKey>] = []
        var modified: [ColumnID: [ClosedRange<ObjectKey>]] = [:]
        /// Keys that were inserted or deleted when the table already had the other, in order of time: only their
        /// order tells whether a key was there before.
        var events: [(key: ObjectKey, isInsert: Bool)] = []
        /// Whether events must be kept because the table saw deletions.
        var sawDeletion = false
    }

    private var tables: [TableID: Table] = [:]
    private var emptied: Set<TableID> = []

    var isEmpty: Bool { tables.isEmpty && emptied.isEmpty }

    mutating func insert(_ key: ObjectKey, in table: TableID) {
        tables[table, default: Table()].noteInsertion(key)
    }

    mutating func delete(_ key: ObjectKey, in table: TableID) {
        tables[table, default: Table()].noteDeletion(key)
    }

    mutating func modify(_ key: ObjectKey, column: ColumnID, in table: TableID) {
        tables[table, default: Table()].modified[column, default: []].noteOnce(key)
    }

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

extension ChangeRecorder.Table {
    mutating func noteInsertion(_ key: ObjectKey) {
        if sawDeletion { events.append((key, true)) } else { inserted.note(key) }
    }

    mutating func noteDeletion(_ key: ObjectKey) {
        sawDeletion = true
        events.append((key, false))
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
