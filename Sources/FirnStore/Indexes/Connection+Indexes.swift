import LMDB

/// Look-ups by value. An index's key is its id and the ordered value (`IndexKey`), cut as a whole at 480 bytes; its values are
/// the keys of the objects that have it. Whoever matches a cut key checks the record.
extension Connection {
    /// The object with a primary key, in one look-up; also one that the open write added.
    package func find(_ table: TableID, primaryKey value: StoredValue) -> ObjectKey? {
        guard let stored = schema[table], let column = stored.primaryKey else { return nil }
        if stored.usesIntegerKey {
            guard case .int(let integer) = value else { return nil }
            let key = objectKey(ofInteger: integer)
            return record(table, key) == nil ? nil : key
        }
        guard let index = column.index else { return nil }
        do {
            makeIndexKey(value, index.id)
            if let pending = write?.existingTable(table)?.primaryKeyIndex, !(write?.isLost ?? true) {
                if keyScratch.isCut {
                    try apply(pending)
                    makeIndexKey(value, index.id)
                } else if let found = pending.changes.lookUp(keyScratch.bytes) {
                    if case .key(let key) = found { return key }
                    return nil
                }
            }
            return try firstStored(table, column) { $0 == value }
        } catch {
            unreadable(error)
        }
    }

    /// The objects whose `column` has a value, in the order of their keys, through the column's index.
    package func keys(_ table: TableID, column: StoredColumn, equals value: StoredValue) -> [ObjectKey] {
        guard let index = column.index else {
            preconditionFailure("a look-up by value needs an index; scan the table instead")
        }
        if schema[table]?.usesIntegerKey == true, schema[table]?.primaryKeyID == column.id {
            return find(table, primaryKey: value).map { [$0] } ?? []
        }
        do {
            try applyPending(of: column, table)
            makeIndexKey(value, index.id)
            var keys: [ObjectKey] = []
            let isCut = keyScratch.isCut
            let cursor = try transaction.makeCursor(store.databases.index)
            guard try cursor.seek(keyScratch.bytes) else { return [] }
            // A key with one value has it in place; further ones come a page at a time.
            var isThere = try cursor.multiple()
            while isThere {
                let page = cursor.value
                for offset in stride(from: 0, to: page.count, by: 8) {
                    keys.append(UInt64(bigEndian: page.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
                }
                isThere = try cursor.nextMultiple()
            }
            guard isCut else { return keys }
            return keys.filter { key in record(table, key).map { self.value($0, column) == value } ?? false }
        } catch {
            unreadable(error)
        }
    }

    /// How many objects have a value in `column`, through the column's index and without listing them.
    package func count(_ table: TableID, column: StoredColumn, equals value: StoredValue) -> Int {
        guard let index = column.index else {
            preconditionFailure("a look-up by value needs an index; scan the table instead")
        }
        do {
            try applyPending(of: column, table)
            makeIndexKey(value, index.id)
            if keyScratch.isCut { return keys(table, column: column, equals: value).count }
            let cursor = try transaction.makeCursor(store.databases.index)
            return try cursor.seek(keyScratch.bytes) ? cursor.duplicateCount() : 0
        } catch {
            unreadable(error)
        }
    }

    private func applyPending(of column: StoredColumn, _ table: TableID) throws {
        if let write, !write.isLost, let pending = write.existingTable(table)?.index(of: column) { try apply(pending) }
    }

    /// The object that has the same value as `record` in a unique index, where there is one.
    func find(index: TableWriter.Index, in writer: TableWriter, equalTo record: RecordView) throws -> ObjectKey? {
        if keyScratch.isCut {
            try apply(index)
            try makeIndexKey(record, index)
        } else if let found = index.changes.lookUp(keyScratch.bytes) {
            if case .key(let key) = found { return key }
            return nil
        }
        let value = keyScratch.isCut ? self.value(record, index.column) : .null
        return try firstStored(writer.table.id, index.column) { $0 == value }
    }

    /// The first object under the key in `keyScratch`; under a cut one, the first whose value `matches`.
    private func firstStored(
        _ table: TableID, _ column: StoredColumn, where matches: (StoredValue) -> Bool
    ) throws -> ObjectKey? {
        let cursor = try indexCursor()
        guard try cursor.seek(keyScratch.bytes) else { return nil }
        guard keyScratch.isCut else { return UInt64(bigEndian: cursor.value.loadUnaligned(as: UInt64.self)) }
        repeat {
            let key = UInt64(bigEndian: cursor.value.loadUnaligned(as: UInt64.self))
            if let record = record(table, key), matches(value(record, column)) { return key }
        } while try cursor.nextDuplicate()
        return nil
    }

    /// A cursor over `index` of the transaction that is read.
    private func indexCursor() throws -> Cursor {
        if let write, !write.isLost { return try write.cursor(store.databases.index) }
        if let snapshotIndex { return snapshotIndex }
        let cursor = try snapshot.transaction.makeCursor(store.databases.index)
        snapshotIndex = cursor
        return cursor
    }

    // MARK: Keys

    /// Puts the index key of `record`'s value into `keyScratch`.
    func makeIndexKey(_ record: RecordView, _ index: TableWriter.Index) throws {
        let slot = index.column.slot
        keyScratch.removeAll()
        IndexKey.append(index.index.id, to: &keyScratch)
        guard record.tag(slot) == .blob else {
            if record.isNull(slot) {
                OrderedValue.append(index.column.zero, to: &keyScratch)
            } else {
                OrderedValue.append(record, slot, to: &keyScratch)
            }
            return
        }
        // The key is cut long before the blob's first chunk ends; the whole value keeps the cut where it is.
        OrderedValue.append(value(record, slot), to: &keyScratch)
    }

    func makeIndexKey(_ value: StoredValue, _ id: IndexID) {
        keyScratch.removeAll()
        IndexKey.append(id, to: &keyScratch)
        OrderedValue.append(value, to: &keyScratch)
    }
}
