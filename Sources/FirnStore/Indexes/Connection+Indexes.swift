import LMDB

/// Look-ups by value. Keys are cut as a whole at 480 bytes: whoever matches a cut one checks the record.
extension Connection {
    /// The object with a primary key, in one look-up; also one that the open write added.
    package func find(_ table: TableID, primaryKey value: StoredValue) -> ObjectKey? {
        guard let primaryKey = primaryKeys[Int(table.rawValue)] else { return nil }
        guard let index = primaryKey.index else {
            guard case .int(let integer) = value else { return nil }
            let key = objectKey(ofInteger: integer)
            return record(table, key) == nil ? nil : key
        }
        do {
            makeIndexKey(value, primaryKey.column, index.id)
            if let write, !write.isLost, let pending = write.existingTable(table)?.primaryKeyIndex {
                if keyScratch.isCut {
                    try apply(pending)
                    makeIndexKey(value, primaryKey.column, index.id)
                } else if let found = pending.changes.lookUp(keyScratch.bytes) {
                    if case .key(let key) = found { return key }
                    return nil
                }
            }
            let entries = entries(of: index, try cursor(store.databases.index))
            guard keyScratch.isCut else { return try entries.first(keyScratch.bytes) }
            return try entries.keys(keyScratch.bytes).first { key in
                record(table, key).map { self.value($0, primaryKey.column) == value } ?? false
            }
        } catch {
            unreadable(error)
        }
    }

    /// The objects whose `column` has a value, in the order of their keys, through the column's index.
    package func keys(_ table: TableID, column: StoredColumn, equals value: StoredValue) -> [ObjectKey] {
        do {
            guard let entries = try settledEntries(table, column, value) else {
                return find(table, primaryKey: value).map { [$0] } ?? []
            }
            let keys = try entries.keys(keyScratch.bytes)
            guard keyScratch.isCut else { return keys }
            return keys.filter { key in record(table, key).map { self.value($0, column) == value } ?? false }
        } catch {
            unreadable(error)
        }
    }

    /// How many objects have a value in `column`, through the column's index and, where many can, without listing them.
    package func count(_ table: TableID, column: StoredColumn, equals value: StoredValue) -> Int {
        do {
            guard let entries = try settledEntries(table, column, value) else {
                return find(table, primaryKey: value) == nil ? 0 : 1
            }
            if keyScratch.isCut { return keys(table, column: column, equals: value).count }
            return try entries.count(keyScratch.bytes)
        } catch {
            unreadable(error)
        }
    }

    /// The column's entries, with nothing waiting, and `value`'s key in `keyScratch`; nil for an integer primary key,
    /// which needs no index. Traps where there is none.
    private func settledEntries(
        _ table: TableID, _ column: StoredColumn, _ value: StoredValue
    ) throws -> IndexEntries? {
        guard let index = column.index else {
            guard primaryKeys[Int(table.rawValue)]?.column.id == column.id else {
                preconditionFailure("a look-up by value needs an index; scan the table instead")
            }
            return nil
        }
        if let write, !write.isLost, let pending = write.existingTable(table)?.index(index.id) { try apply(pending) }
        makeIndexKey(value, column, index.id)
        return entries(of: index, try cursor(store.databases.index))
    }

    func entries(of index: StoredIndex, _ cursor: Cursor) -> IndexEntries {
        IndexEntries(cursor: cursor, id: index.id, layout: index.layout)
    }

    // MARK: Keys

    /// Puts the key of a column's value in an index over that column alone into `keyScratch`.
    private func makeIndexKey(_ value: StoredValue, _ column: StoredColumn, _ id: IndexID) {
        keyScratch.removeAll()
        IndexKey.append(id, to: &keyScratch)
        OrderedValue.append(value, column.type, to: &keyScratch)
    }
}
