import Foundation

extension Connection {
    /// What is different from another, older version of the same file, found by comparing both: for those who come too late for the
    /// change log.
    ///
    /// Leaves that no commit between has written lie at the same place for both, and are not read. O(leaves) comparisons of addresses,
    /// and all records of the other leaves. A collection changes without its object's record, so that of tables with some all records
    /// are read, and all collections. Neither connection may be writing.
    package func difference(from old: Connection) -> ChangeSet {
        var changes = ChangeSet()
        for table in schema.tables {
            var difference = ChangeSet.Table()
            compare(table, with: old, into: &difference)
            if !difference.isEmpty { changes.tables[table.id] = difference }
        }
        for table in old.schema.tables where schema[table.id] == nil {
            var gone = ChangeSet.Table()
            for key in old.keys(in: table.id) { gone.deleted.note(key) }
            if !gone.isEmpty { changes.tables[table.id] = gone }
        }
        return changes
    }

    private func compare(_ table: StoredTable, with old: Connection, into changes: inout ChangeSet.Table) {
        let oldTable = old.schema[table.id]
        let hasCollections = table.columns.contains { $0.collection != nil || $0.type == .any }
        let newLeaves = leafViews(of: table.id)
        let oldLeaves = old.leafViews(of: table.id)
        let newRecords = Self.records(newLeaves, without: hasCollections ? [] : oldLeaves)
        let oldRecords = Self.records(oldLeaves, without: hasCollections ? [] : newLeaves)
        // What was added since has no value in the old version.
        let columns = table.columns.filter { column in oldTable?.columns.contains { $0.id == column.id } ?? false }
        var position = 0
        for (key, record) in newRecords {
            while position < oldRecords.count, oldRecords[position].key < key {
                changes.deleted.note(oldRecords[position].key)
                position += 1
            }
            guard position < oldRecords.count, oldRecords[position].key == key else {
                changes.inserted.note(key)
                continue
            }
            let oldRecord = oldRecords[position].record
            position += 1
            for column in columns where !hasSameValue(record, oldRecord, column, in: old) {
                changes.modified[column.id, default: []].note(key)
            }
        }
        for (key, _) in oldRecords[position...] { changes.deleted.note(key) }
    }

    private func leafViews(of table: TableID) -> [LeafView] {
        guard let leaves = leaves(of: table) else { preconditionFailure("versions are compared outside of writes") }
        return (0..<leaves.count).map { leaves[$0] }
    }

    private static func records(
        _ leaves: [LeafView], without others: [LeafView]
    ) -> [(key: ObjectKey, record: RecordView)] {
        let known = Set(others.map(\.base))
        var records: [(key: ObjectKey, record: RecordView)] = []
        for leaf in leaves where !known.contains(leaf.base) {
            for index in 0..<leaf.count { records.append((leaf.key(at: index), leaf.record(at: index))) }
        }
        return records
    }

    private func hasSameValue(
        _ record: RecordView, _ oldRecord: RecordView, _ column: StoredColumn, in old: Connection
    ) -> Bool {
        let value = record.value(column.slot)
        guard value == oldRecord.value(column.slot) else { return false }
        guard case .collection(let kind, let id) = value else { return true }
        return contents(kind, id) == old.contents(kind, id)
    }

    /// All that a collection holds, in order; for a map with the keys.
    private func contents(_ kind: UInt8, _ id: UInt64) -> [StoredValue] {
        var contents: [StoredValue] = []
        func append(_ value: StoredValue) {
            contents.append(value)
            if case .collection(let kind, let id) = value { contents += self.contents(kind, id) }
        }
        do {
            if kind == CollectionKind.list.rawValue {
                _ = try forEachListElement(id) { record, slot in
                    append(record.value(slot))
                    return true
                }
            } else {
                forEachEntry(id) { key, record in
                    contents.append(.data(Data(key)))
                    append(record.value(EntryKey.valueSlot))
                    return true
                }
            }
        } catch {
            unreadable(error)
        }
        return contents
    }
}
