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
                try insertRecord(writer, key, record)
                try addEntries(of: record, key, writer, write)
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
        try change { write in
            let writer = try tableWriter(table)
            guard let record = record(table, key) else { throw StoreError.noSuchObject(table, key) }
            guard let entry = writer.column(slot: slot) else {
                preconditionFailure("slot \(slot) belongs to a column of \(writer.table.name)")
            }
            if entry.isPrimaryKey { throw StoreError.primaryKeyChanged(writer.table, entry.column) }
            if !value.isNull { write.grows = true }
            let oldBlob = record.tag(slot) == .blob ? record.blob(slot).id : nil
            let isLink = entry.column.target != nil
            if let index = entry.index { try note(record, key, index, isInsert: false) }
            if isLink { noteLink(record, key, entry.column, delta: -1, isNewOrigin: false, write) }
            try replaceValue(writer, key, slot, makeStorable(value, write))
            if entry.index != nil || isLink, let record = self.record(table, key) {
                if let index = entry.index { try note(record, key, index, isInsert: true) }
                if isLink { noteLink(record, key, entry.column, delta: 1, isNewOrigin: false, write) }
            }
            if let oldBlob { try Blob.delete(oldBlob, with: write.cursor(store.databases.blobs)) }
            writer.changes.noteModification(key, of: entry.column.id)
        }
    }

    /// Removes an object: its index entries, its blobs, and every link that leads to it (which become null).
    package func delete(_ table: TableID, _ key: ObjectKey) throws(StoreError) {
        try change { write in
            let writer = try tableWriter(table)
            guard record(table, key) != nil else { throw StoreError.noSuchObject(table, key) }
            try nullifyLinks(to: key, writer, write)
            guard let record = record(table, key) else { throw StoreError.noSuchObject(table, key) }
            for index in writer.indexes { try note(record, key, index, isInsert: false) }
            for link in writer.links {
                noteLink(record, key, link.column, delta: -1, isNewOrigin: false, write)
            }
            let blobs = record.blobIDs
            try removeRecord(writer, key)
            for blob in blobs { try Blob.delete(blob, with: write.cursor(store.databases.blobs)) }
            writer.state.count -= 1
            writer.isStateDirty = true
            writer.changes.noteDeletion(key)
        }
    }

    /// The objects of `column`'s table whose `column` links to the object, in the order of their keys.
    package func origins(linkingTo table: TableID, _ key: ObjectKey, column: ColumnID) throws(StoreError) -> [ObjectKey]
    {
        do {
            if let write, !write.isLost, write.backlinks.touches(table) { try applyBacklinks() }
            return try backlinks(table, key).filter { $0.column == column }.map(\.origin)
        } catch {
            throw StoreError(wrapping: error)
        }
    }

    /// The writer of a table, made at its first change in a write.
    func tableWriter(_ id: TableID) throws -> TableWriter {
        guard let write else { preconditionFailure("a change stands in a write") }
        if let writer = write.existingTable(id) { return writer }
        guard let table = schema[id] else { preconditionFailure("table \(id.rawValue) is part of the schema") }
        let writer = TableWriter(table: table, state: tableState(id), changes: write.recorder.changes(of: id))
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
            try makeIndexKey(record, index)
            if try find(index: index, in: writer, equalTo: record) != nil {
                throw duplicate(record, index.column, writer)
            }
        }
        let key = writer.state.nextKey
        writer.state.nextKey += 1
        writer.isStateDirty = true
        return key
    }

    private func duplicate(_ record: RecordView, _ column: StoredColumn, _ writer: TableWriter) -> StoreError {
        let value = value(record, column)
        return StoreError(
            .duplicateKey,
            "an object of \(writer.table.name) with primary key \(column.name) = \(value.text) exists already; "
                + "use `update: .modified` to change it")
    }

    // MARK: Entries outside the record

    private func addEntries(
        of record: RecordView, _ key: ObjectKey, _ writer: TableWriter, _ write: WriteState
    ) throws {
        for index in writer.indexes { try note(record, key, index, isInsert: true) }
        for link in writer.links {
            noteLink(record, key, link.column, delta: 1, isNewOrigin: true, write)
        }
        write.uncheckedChanges += 1
        if write.uncheckedChanges >= 4096 {
            write.uncheckedChanges = 0
            if write.pendingByteCount > Connection.pendingByteLimit { try applyPending() }
        }
    }

    private func note(
        _ record: RecordView, _ key: ObjectKey, _ index: TableWriter.Index, isInsert: Bool
    ) throws {
        try makeIndexKey(record, index)
        index.changes.append(keyScratch.bytes, key: key, isInsert: isInsert)
    }

    func noteLink(
        _ record: RecordView, _ key: ObjectKey, _ column: StoredColumn, delta: Int32, isNewOrigin: Bool,
        _ write: WriteState
    ) {
        guard let target = column.target, record.tag(column.slot) == .link else { return }
        write.backlinks.append(
            BacklinkChanges.Entry(
                table: target, column: column.id, target: record.link(column.slot), origin: key, delta: delta,
                isNewOrigin: isNewOrigin))
    }

    /// Makes null every link that leads to the object.
    private func nullifyLinks(to key: ObjectKey, _ writer: TableWriter, _ write: WriteState) throws {
        let table = writer.table.id
        if write.backlinks.touches(table) { try applyBacklinks() }
        for backlink in try backlinks(table, key) {
            guard let origin = schema.column(backlink.column) else { continue }
            try set(origin.table.id, backlink.origin, slot: origin.column.slot, .null)
        }
    }

    private func backlinks(
        _ table: TableID, _ key: ObjectKey
    ) throws -> [(column: ColumnID, origin: ObjectKey)] {
        let cursor = try transaction.makeCursor(store.databases.backlinks)
        var found: [(column: ColumnID, origin: ObjectKey)] = []
        var isThere = try cursor.seekRange(Backlink.key(table: table, target: key, column: ColumnID(rawValue: 0)))
        while isThere, Backlink.table(ofKey: cursor.key) == table, Backlink.target(ofKey: cursor.key) == key {
            found.append((Backlink.column(ofKey: cursor.key), Backlink.origin(of: cursor.value)))
            isThere = try cursor.next()
        }
        return found
    }

    // MARK: Values

    private func isEqual(_ record: RecordView, _ slot: Int, _ value: StoredValue) -> Bool {
        guard record.tag(slot) == .blob else { return record.isEqual(slot, to: value) }
        guard Int(record.blob(slot).byteCount) == value.variableByteCount else { return false }
        return self.value(record, slot) == value
    }

    /// The value as a record may hold it: what is large goes to a blob.
    private func makeStorable(_ value: StoredValue, _ write: WriteState) throws -> StoredValue {
        guard value.variableByteCount > Blob.inlineByteLimit else { return value }
        switch value {
        case .string(var string):
            return try string.withUTF8 { try write.makeBlob(.string, UnsafeRawBufferPointer($0)) }
        case .data(let data):
            return try data.withUnsafeBytes { try write.makeBlob(.data, $0) }
        case .coded(let data):
            return try data.withUnsafeBytes { try write.makeBlob(.coded, $0) }
        default:
            return value
        }
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

extension RecordView {
    /// The ids of the blobs that the record owns.
    var blobIDs: [UInt64] {
        (0..<slotCount).compactMap { tag($0) == .blob ? blob($0).id : nil }
    }
}
