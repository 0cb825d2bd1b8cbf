import Foundation

extension Connection {
    /// What is different from another, older version of the same file, found by comparing both: for those who come too late for the
    /// change log.
    ///
    /// Leaves that no commit between has written lie at the same place for both, and are not read. O(leaves) comparisons of addresses,
    /// and all records of the other leaves; each collection whose object lies in one of these is read twice, as are all collections of
    /// tables whose objects have some. Neither connection may be writing.
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
        let newRecords = records(of: table.id, notIn: hasCollections ? [] : Set(old.leafBases(of: table.id)))
        let oldRecords = old.records(of: table.id, notIn: hasCollections ? [] : Set(leafBases(of: table.id)))
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

    private func leafBases(of table: TableID) -> [UnsafeRawPointer] {
        var bases: [UnsafeRawPointer] = []
        var iterator = RecordIterator(self, table: table)
        while let (leaf, _) = iterator.nextRun() { bases.append(leaf.base) }
        return bases
    }

    private func records(
        of table: TableID, notIn known: Set<UnsafeRawPointer>
    ) -> [(key: ObjectKey, record: RecordView)] {
        var records: [(key: ObjectKey, record: RecordView)] = []
        var iterator = RecordIterator(self, table: table)
        while let (leaf, run) = iterator.nextRun() {
            if known.contains(leaf.base) { continue }
            for index in run { records.append((leaf.key(at: index), leaf.record(at: index))) }
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
