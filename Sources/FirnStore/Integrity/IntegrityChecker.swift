import LMDB

/// Walks one version of a store and checks the numbered invariants.
///
/// Streams: memory does not grow with the file, but for the ids of its blobs and collections, and for the links of the
/// collection that is walked. O((objects × indexes + elements) × log objects).
package final class IntegrityChecker {
    let connection: Connection
    private let problemLimit: Int
    private(set) var problems: [IntegrityProblem] = []
    /// Blobs that a record owns, with the bytes they must have.
    var ownedBlobs: [UInt64: UInt32] = [:]
    /// Collections that a record or another collection holds.
    var ownedCollections: [UInt64: CollectionKind] = [:]
    /// How many entries each index and each link column must have.
    var expectedEntries: [IndexID: Int] = [:]
    var expectedBacklinks: [ColumnID: Int] = [:]
    private(set) var objectCount = 0
    private let watcher: ((IntegrityProgress) -> Void)?

    /// Checks the version that `connection` reads, the open write's included; stops after `problemLimit` problems.
    package static func check(_ connection: Connection, problemLimit: Int = 100) -> [IntegrityProblem] {
        report(on: connection, problemLimit: problemLimit).problems
    }

    /// As `check`, and tells `watcher` of each part of the file before it reads that, since reading a damaged page can
    /// end the process.
    package static func report(
        on connection: Connection, problemLimit: Int = 100, watcher: ((IntegrityProgress) -> Void)? = nil
    ) -> IntegrityReport {
        let checker = IntegrityChecker(connection, problemLimit: problemLimit, watcher)
        do {
            try checker.run()
        } catch {
            checker.report(.recordLayout, "the file cannot be read further: \(StoreError(wrapping: error).message)")
        }
        return IntegrityReport(problems: checker.problems, objectCount: checker.objectCount)
    }

    private init(_ connection: Connection, problemLimit: Int, _ watcher: ((IntegrityProgress) -> Void)?) {
        self.connection = connection
        self.problemLimit = problemLimit
        self.watcher = watcher
    }

    func willRead(_ place: IntegrityProgress.Place, recordCount: Int = 0) {
        watcher?(IntegrityProgress(place: place, objectCount: objectCount + recordCount))
    }

    var isFull: Bool { problems.count >= problemLimit }
    var databases: Databases { connection.store.databases }
    var schema: StoredSchema { connection.schema }

    func report(_ invariant: IntegrityProblem.Invariant, _ message: @autoclosure () -> String) {
        guard !isFull else { return }
        problems.append(IntegrityProblem(invariant: invariant, message: message()))
    }

    private func run() throws {
        if connection.isWriting { _ = try connection.change { try connection.settleEverything($0) } }
        willRead(.schema)
        checkSchema()
        try checkLeaves()
        try checkLooseCollections()
        try checkIndexEntries()
        try checkBacklinks()
        try checkCollectionsAreOwned()
        try checkBlobs()
        try checkLog()
    }

    // MARK: Schema

    private func checkSchema() {
        var indexes: Set<IndexID> = []
        var columns: Set<ColumnID> = []
        if Set(schema.tables.map(\.id)).count != schema.tables.count { report(.schema, "two tables have one id") }
        for table in schema.tables {
            if table.id.rawValue >= schema.nextTableID { report(.schema, "table \(table.name) has a future id") }
            if Set(table.columns.map(\.slot)).count != table.columns.count {
                report(.schema, "two columns of \(table.name) share a slot")
            }
            for column in table.columns {
                if !columns.insert(column.id).inserted || column.id.rawValue >= schema.nextColumnID {
                    report(.schema, "column \(table.name).\(column.name) has an id that is not its own")
                }
                if let target = column.target, schema[target] == nil {
                    report(.schema, "column \(table.name).\(column.name) links to a table that is not there")
                }
            }
            for index in table.indexes
            where !indexes.insert(index.id).inserted || index.id.rawValue >= schema.nextIndexID {
                report(.schema, "the index of \(names(of: index, table)) has an id that is not its own")
            }
            if table.primaryKeyID != nil, table.primaryKey == nil {
                report(.schema, "the primary key of \(table.name) is not one of its columns")
            }
        }
    }

    // MARK: Leaves and records

    private func checkLeaves() throws {
        willRead(.firstLeaf)
        let cursor = try connection.transaction.makeCursor(databases.objects)
        var isThere = try cursor.first()
        var table: StoredTable?
        var id: TableID?
        var lowest: ObjectKey = 0
        var lastBound: ObjectKey?
        var count = 0
        func finishTable() {
            guard let table else { return }
            if lastBound != .max { report(.lastLeaf, "the last leaf of \(table.name) has the bound \(lastBound ?? 0)") }
            checkCounters(table, count: count)
        }
        var seen: Set<TableID> = []
        while isThere, !isFull {
            guard cursor.key.count == 12 else {
                report(.leafBounds, "a leaf's key has \(cursor.key.count) bytes")
                return
            }
            let leafTable = LeafKey.table(of: cursor.key)
            let bound = LeafKey.bound(of: cursor.key)
            if leafTable != id {
                finishTable()
                id = leafTable
                table = schema[leafTable]
                if table == nil {
                    report(.leafBounds, "there are objects of table \(leafTable.rawValue), which is not in the schema")
                }
                seen.insert(leafTable)
                lowest = 0
                count = 0
            }
            lastBound = bound
            willRead(.leaf(table: table?.name ?? "table \(leafTable.rawValue)", bound: bound), recordCount: count)
            count += try checkLeaf(cursor.value, table: table, lowest: lowest, bound: bound)
            lowest = bound == .max ? .max : bound + 1
            isThere = try cursor.next()
        }
        finishTable()
        for table in schema.tables where !seen.contains(table.id) { checkCounters(table, count: 0) }
    }

    private func checkCounters(_ table: StoredTable, count: Int) {
        objectCount += count
        if connection.count(table.id) != count {
            report(.tableCounters, "\(table.name) counts \(connection.count(table.id)) objects and has \(count)")
        }
    }

    /// Checks a leaf and gives the number of its records.
    private func checkLeaf(
        _ bytes: UnsafeRawBufferPointer, table: StoredTable?, lowest: ObjectKey, bound: ObjectKey
    ) throws -> Int {
        let name = table?.name ?? "?"
        guard bytes.count == Leaf.byteCount, let base = bytes.baseAddress else {
            report(.leafLayout, "a leaf of \(name) has \(bytes.count) bytes")
            return 0
        }
        do {
            try LeafView.validate(bytes)
        } catch {
            report(.leafLayout, "a leaf of \(name) with bound \(bound): \(error)")
            return 0
        }
        let leaf = LeafView(base)
        guard leaf.count > 0 else {
            report(.leafLayout, "a leaf of \(name) with bound \(bound) is empty")
            return 0
        }
        if leaf.firstKey < lowest || leaf.lastKey > bound {
            report(
                .leafBounds, "a leaf of \(name) for \(lowest)…\(bound) has keys \(leaf.firstKey)…\(leaf.lastKey)")
        }
        if leaf.version > connection.versionInSight {
            report(.counters, "a leaf of \(name) was written by version \(leaf.version), which is still to come")
        }
        guard let table else { return leaf.count }
        for index in 0..<leaf.count where !isFull {
            try checkRecord(leaf.record(at: index), key: leaf.key(at: index), table)
        }
        return leaf.count
    }

    private func checkRecord(_ record: RecordView, key: ObjectKey, _ table: StoredTable) throws {
        if record.slotCount > table.slotCount {
            report(.recordLayout, "object \(key) of \(table.name) has \(record.slotCount) slots of \(table.slotCount)")
        }
        let row = RowID(table: table.id, key: key)
        for column in table.columns {
            let place = ElementPlace(table: table, column: column, row: row, isElement: false)
            try checkValue(record, column.slot, place)
        }
        for slot in 0..<record.slotCount { own(record, slot) }
        if table.isEmbedded { try checkOwner(row, table) }
        if table.usesIntegerKey, let column = table.primaryKey {
            if objectKey(ofInteger: record.int64(column.slot)) != key {
                report(.integerKeys, "object \(key) of \(table.name) has the key \(record.int64(column.slot))")
            }
        } else if key >= connection.nextKey(table.id) {
            report(.tableCounters, "object \(key) of \(table.name) is beyond the next key")
        }
        try checkEntries(of: record, key: key, table)
    }

    /// Checks that the index entries that the record calls for are there.
    private func checkEntries(of record: RecordView, key: ObjectKey, _ table: StoredTable) throws {
        for index in table.indexes {
            let shape = shape(of: index, table)
            expectedEntries[index.id, default: 0] += 1
            let entries = connection.entries(of: index, try cursor(databases.index))
            connection.makeIndexKey(record, shape)
            if try !entries.contains(connection.keyScratch.bytes, key) {
                report(.indexEntries, "object \(key) is missing from the index of \(names(of: index, table))")
            } else if mustBeUnique(record, shape, table), !connection.keyScratch.isCut {
                let count = try entries.count(connection.keyScratch.bytes)
                if count != 1 {
                    let values = shape.columns.map { connection.value(record, $0).text }.joined(separator: ", ")
                    report(.uniqueValues, "\(count) objects have \(names(of: index, table)) = \(values)")
                }
            }
        }
    }

    /// Whether no other object may have a record's values. But for a primary key that is judged when a write ends.
    private func mustBeUnique(_ record: RecordView, _ shape: IndexShape, _ table: StoredTable) -> Bool {
        guard shape.index.isUnique else { return false }
        if shape.columns.map(\.id) == [table.primaryKeyID] { return true }
        return !connection.isWriting && !shape.hasNull(record)
    }

    private func shape(of index: StoredIndex, _ table: StoredTable) -> IndexShape {
        if let shape = shapes[index.id] { return shape }
        let shape = IndexShape(index, in: table)
        shapes[index.id] = shape
        return shape
    }

    private func names(of index: StoredIndex, _ table: StoredTable) -> String {
        table.columns(of: index).map { "\(table.name).\($0.name)" }.joined(separator: ", ")
    }

    /// Notes the blob that a slot owns.
    func own(_ record: RecordView, _ slot: Int) {
        guard record.tag(slot) == .blob else { return }
        let blob = record.blob(slot)
        if ownedBlobs.updateValue(blob.byteCount, forKey: blob.id) != nil {
            report(.blobs, "blob \(blob.id) has two owners")
        }
    }

    private var cursors = CursorTable()
    private var shapes: [IndexID: IndexShape] = [:]

    func cursor(_ database: Database) throws -> Cursor {
        try cursors.cursor(database, of: connection.transaction)
    }
}

extension Connection {
    /// The state that reads see: the open write's, or the snapshot's.
    var stateInSight: StoreState {
        if let write, !write.isLost { write.state } else { snapshot.state }
    }

    var versionInSight: UInt64 { stateInSight.version }

    var nextID: UInt64 { stateInSight.nextID }

    func nextKey(_ table: TableID) -> ObjectKey {
        if let write, !write.isLost, let writer = write.existingTable(table) { return writer.state.nextKey }
        return tableState(table).nextKey
    }
}
