import Foundation
import LMDB

extension Connection {
    /// Adds an object whose values `fill` gives in the order of their slots; answers its key.
    ///
    /// Throws `.duplicateKey` when its primary key is taken, `.valueTooLarge` for a value over 16 MiB, and nothing has
    /// changed then.
    @discardableResult
    package func insert(_ table: TableID, _ fill: (RecordWriter) throws -> Void) throws(StoreError) -> ObjectKey {
        try change { write in
            let writer = try tableWriter(table)
            write.grows = true
            recordWriter.begin(write)
            do {
                try fill(recordWriter)
                let record = try recordWriter.finish()
                let key = try makeKey(for: record, writer)
                if !writer.references.isEmpty { try acquire(record, key, writer, write) }
                try insertRecord(writer, key, record)
                for index in writer.indexes { note(record, key, index, isInsert: true) }
                write.uncheckedChanges += 1
                if writer.table.isEmbedded { write.unowned.insert(RowID(table: table, key: key)) }
                writer.state.count += 1
                writer.isStateDirty = true
                writer.changes.noteInsertion(key)
                return key
            } catch let error where StoreError(wrapping: error).environment == nil && !write.isLost {
                for blob in recordWriter.blobs { try Blob.delete(blob, with: write.cursor(store.databases.blobs)) }
                throw error
            }
        }
    }

    /// Gives `slot` of an object another value. An equal one is no change.
    package func set(
        _ table: TableID, _ key: ObjectKey, slot: Int, _ value: StoredValue
    ) throws(StoreError) {
        if let record = record(table, key), isEqual(record, slot, value) { return }
        // Before the index hears of the change: a refused value leaves everything as it is.
        let byteCount = value.variableByteCount
        guard byteCount <= valueByteLimit else { throw StoreError.valueTooLarge(byteCount) }
        try change { write in try replace(table, key, slot: slot, with: value, write) }
    }

    /// Gives `slot` of an object another value, with what that entails for its index, its links and what it owns.
    func replace(
        _ table: TableID, _ key: ObjectKey, slot: Int, with value: StoredValue, _ write: WriteState
    ) throws {
        let writer = try tableWriter(table)
        guard contains(table, key) else { throw StoreError.noSuchObject(table, key) }
        guard let entry = writer.column(slot: slot) else {
            preconditionFailure("slot \(slot) belongs to a column of \(writer.table.name)")
        }
        if entry.isPrimaryKey { throw StoreError.primaryKeyChanged(writer.table, entry.column) }
        var stored = value
        if entry.mayOwn {
            let owner = ElementOwner(row: RowID(table: table, key: key), column: entry.column)
            stored = try acquire(value, owner, write)
            if let old = record(table, key) { try release(old, slot, owner, write) }
        } else if !value.isNull {
            write.grows = true
        }
        if !entry.indexes.isEmpty, let old = record(table, key) {
            for index in entry.indexes { note(old, key, index, isInsert: false) }
        }
        try replaceValue(writer, key, slot, stored)
        if !entry.indexes.isEmpty, let new = record(table, key) {
            for index in entry.indexes { note(new, key, index, isInsert: true) }
        }
        writer.changes.noteModification(key, of: entry.column.id)
    }

    /// The writer of a table, made at its first change in a write.
    func tableWriter(_ id: TableID) throws -> TableWriter {
        guard let write else { preconditionFailure("a change stands in a write") }
        if let writer = write.existingTable(id) { return writer }
        guard let table = schema[id] else { preconditionFailure("table \(id.rawValue) is part of the schema") }
        let writer = TableWriter(
            table: table, state: tableState(id), changes: write.recorder.changes(of: id), embedded: embeddedTables)
        write.addTable(writer)
        return writer
    }

    // MARK: Keys

    /// The key for a new object; throws when its primary key is taken.
    private func makeKey(for record: RecordView, _ writer: TableWriter) throws -> ObjectKey {
        if let column = writer.integerKey {
            let key = objectKey(ofInteger: record.int64(column.slot))
            // Behind the newest key of all there is nothing to collide with, and no need to look.
            guard let tail = writer.tail, LeafView(tail.base).isBehindLast(key) else {
                if self.record(writer.table.id, key) != nil { throw duplicate(record, column, writer) }
                return key
            }
            return key
        }
        if let index = writer.primaryKeyIndex {
            if try find(index, in: writer, equalTo: record) != nil {
                throw duplicate(record, index.shape.columns[0], writer)
            }
        }
        let key = writer.state.nextKey
        writer.state.nextKey += 1
        writer.isStateDirty = true
        return key
    }

    /// The object that has a record's primary key, where there is one.
    private func find(
        _ index: TableWriter.Index, in writer: TableWriter, equalTo record: RecordView
    ) throws -> ObjectKey? {
        makeIndexKey(record, index.shape)
        let isCut = keyScratch.isCut
        if isCut {
            try apply(index)
            makeIndexKey(record, index.shape)
        } else if let found = index.changes.lookUp(keyScratch.bytes) {
            if case .key(let key) = found { return key }
            return nil
        }
        let entries = entries(of: index.shape.index, try cursor(store.databases.index))
        guard isCut else { return try entries.first(keyScratch.bytes) }
        let sought = wholeIndexKey(record, index.shape)
        return try entries.keys(keyScratch.bytes).first { key in
            self.record(writer.table.id, key).map { wholeIndexKey($0, index.shape) == sought } ?? false
        }
    }

    private func duplicate(_ record: RecordView, _ column: StoredColumn, _ writer: TableWriter) -> StoreError {
        let value = value(record, column)
        return StoreError(
            .duplicateKey,
            "an object of \(writer.table.name) with primary key \(column.name) = \(value.text) exists already; "
                + "use `update: .modified` to change it")
    }

    // MARK: Entries outside the record

    func note(
        _ record: RecordView, _ key: ObjectKey, _ index: TableWriter.Index, isInsert: Bool
    ) {
        makeIndexKey(record, index.shape)
        let isJudged = index.isJudged && isInsert && !index.shape.hasNull(record)
        index.changes.append(keyScratch.bytes, key: key, isInsert: isInsert, isJudged: isJudged)
    }

    // MARK: Values

    /// Whether the value in a record's slot, wherever it is stored, is that one.
    func isEqual(_ record: RecordView, _ slot: Int, _ value: StoredValue) -> Bool {
        guard record.tag(slot) == .blob else { return record.isEqual(slot, to: value) }
        guard Int(record.blob(slot).byteCount) == value.variableByteCount else { return false }
        return self.value(record, slot) == value
    }
}

extension StoreError {
    static func primaryKeyChanged(_ table: StoredTable, _ column: StoredColumn) -> StoreError {
        StoreError(
            .primaryKeyChanged,
            "the primary key \(table.name).\(column.name) cannot change after an object was added; delete the object and "
                + "add another")
    }

    static func noSuchObject(_ table: TableID, _ key: ObjectKey) -> StoreError {
        StoreError(.noSuchObject, "object \(key) of table \(table.rawValue) is not there")
    }
}
