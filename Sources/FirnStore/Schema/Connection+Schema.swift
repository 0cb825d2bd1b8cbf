import LMDB

/// What to do when the classes do not fit the file.
package enum SchemaPolicy: Sendable {
    /// Properties may come and go when the schema version rises.
    case migrate
    /// The file's content is dropped and its schema made anew.
    case deleteIfNeeded
}

extension Connection {
    /// Makes the stored schema fit the program's tables, in one transaction, and remembers them.
    ///
    /// New tables and indexes need no version. Properties that came, went or changed need a higher `schemaVersion`:
    /// new ones read as their zero, also once they are optional, those that went lose their values, as do those whose
    /// type changed. A primary key of another type needs a table without objects. Builds new
    /// indexes and clears retired columns in O(objects of their tables), as `indexing` says. Throws
    /// `.schemaMismatch` with every difference, `.schemaVersionTooLow`, or `.duplicateValue` where a new index is unique
    /// and the objects' values are not, and has changed nothing then.
    package func prepare(
        _ definitions: [TableDefinition], schemaVersion: UInt64, policy: SchemaPolicy,
        indexing: IndexBuilding = IndexBuilding()
    ) throws(StoreError) {
        self.definitions = []
        if try needsPreparation(definitions, schemaVersion, policy) {
            guard !store.environment.isReadOnly else {
                let differences = schema.differences(to: definitions).filter(\.breaksBinding)
                guard differences.isEmpty else { throw StoreError.schemaMismatch(differences, isReadOnly: true) }
                self.definitions = definitions
                return
            }
            try beginWrite(WriteRequest(holder: WriterDescription(text: "preparing the schema")))
            do {
                // Again under the lock: another process may have done it meanwhile.
                if try needsPreparation(definitions, schemaVersion, policy) {
                    try change { write in try apply(definitions, schemaVersion, policy, write, indexing) }
                }
            } catch {
                rollback()
                throw error
            }
            try commit()
            // Does nothing where the commit has moved to the new schema.
            _ = try refresh()
        }
        self.definitions = definitions
        preparedCounter = schema.counter
    }

    private func needsPreparation(
        _ definitions: [TableDefinition], _ schemaVersion: UInt64, _ policy: SchemaPolicy
    ) throws(StoreError) -> Bool {
        let differences = schema.differences(to: definitions)
        guard !schema.tables.isEmpty, policy != .deleteIfNeeded else {
            return !differences.isEmpty || schemaVersion != schema.schemaVersion
        }
        guard schemaVersion >= schema.schemaVersion else {
            throw StoreError(
                .schemaVersionTooLow,
                "the file has schema version \(schema.schemaVersion), and the configuration asks for the lower "
                    + "\(schemaVersion); raise `schemaVersion` to at least \(schema.schemaVersion)")
        }
        if schemaVersion == schema.schemaVersion, differences.contains(where: \.needsVersion) {
            throw StoreError.schemaMismatch(differences.filter(\.needsVersion), isReadOnly: false)
        }
        return !differences.isEmpty || schemaVersion != schema.schemaVersion
    }

    private func apply(
        _ definitions: [TableDefinition], _ schemaVersion: UInt64, _ policy: SchemaPolicy, _ write: WriteState,
        _ indexing: IndexBuilding
    ) throws {
        let differences = schema.differences(to: definitions)
        let isIncompatible = differences.contains(where: \.needsVersion) || schemaVersion != schema.schemaVersion
        if policy == .deleteIfNeeded, isIncompatible, !schema.tables.isEmpty { try removeEverything(write) }
        for difference in schema.differences(to: definitions) where difference.kind == .primaryKeyChanged {
            guard let table = schema[difference.table], count(table.id) > 0 else { continue }
            throw StoreError(
                .schemaMismatch,
                difference.description + "; the primary key of a class that has objects cannot change: "
                    + "copy the objects to a class of another name")
        }
        adoptDeleteRules(of: definitions, write)
        try clearRetiredColumns(definitions, write)
        try checkOwners(definitions, write)
        try keepZeros(definitions)
        try applyPending()
        try flushTails()
        try storeTableStates(write)

        var changed = schema
        changed.schemaVersion = schemaVersion
        changed.counter += 1
        var newIndexes: [(table: TableID, index: StoredIndex)] = []
        var oldIndexes: [IndexID] = []
        try changed.apply(definitions, newIndexes: &newIndexes, oldIndexes: &oldIndexes)
        for id in oldIndexes {
            try IndexEntries(cursor: write.cursor(store.databases.index), id: id, layout: .grouped).removeAll()
        }
        noteVanishing()
        schema = changed
        write.forgetTables()
        write.changedSchema = true
        write.state.schemaCounter = changed.counter
        try changed.store(write)
        for new in newIndexes { try buildIndex(new.index, of: new.table, write, indexing) }
    }

    /// Empties every database but `meta`; ids go on, since none is ever reused.
    private func removeEverything(_ write: WriteState) throws {
        let databases = store.databases
        for database in [
            databases.objects, databases.index, databases.backlinks, databases.lists, databases.entries,
            databases.blobs,
        ] {
            try write.transaction.clear(database)
        }
        let meta = try write.cursor(databases.meta)
        for table in schema.tables where try meta.seek(MetaKey.table(table.id)) { try meta.delete() }
        schema.tables = []
        schema.schemaVersion = 0
        write.forgetTables()
        noteVanishing()
    }
}

extension StoredSchema {
    /// The schema that a new file with these tables has.
    /// - Throws: `StoreError` for a link to a table that is not among them, and for a table with too many columns.
    package init(_ definitions: [TableDefinition]) throws {
        self = .empty
        var newIndexes: [(table: TableID, index: StoredIndex)] = []
        var oldIndexes: [IndexID] = []
        try apply(definitions, newIndexes: &newIndexes, oldIndexes: &oldIndexes)
    }

    /// Makes the tables of `definitions`, new ones too, have their columns and indexes.
    fileprivate mutating func apply(
        _ definitions: [TableDefinition], newIndexes: inout [(table: TableID, index: StoredIndex)],
        oldIndexes: inout [IndexID]
    ) throws {
        for definition in definitions where self[definition.name] == nil {
            tables.append(
                StoredTable(
                    id: makeTableID(), name: definition.name, isEmbedded: definition.isEmbedded, primaryKeyID: nil,
                    columns: [], slotCount: 0))
        }
        for definition in definitions {
            try apply(definition, newIndexes: &newIndexes, oldIndexes: &oldIndexes)
        }
    }

    /// Makes the table of `definition` have its columns and indexes.
    private mutating func apply(
        _ definition: TableDefinition, newIndexes: inout [(table: TableID, index: StoredIndex)],
        oldIndexes: inout [IndexID]
    ) throws {
        guard let position = tables.firstIndex(where: { $0.name == definition.name }) else { return }
        let previous = self
        let differences = previous.differences(to: [definition])
        let gone = Set(
            differences.filter { $0.kind == .columnRemoved || $0.kind == .columnReplaced }.compactMap(\.column))
        let wanted = definition.allIndexes
        tables[position].isEmbedded = definition.isEmbedded
        let table = tables[position]
        let (old, kept) = table.indexes.parted { index in
            let definition = table.definition(of: index)
            return !wanted.contains(definition) || !gone.isDisjoint(with: definition.columns)
        }
        oldIndexes += old.map(\.id)
        tables[position].indexes = kept
        tables[position].columns.removeAll { gone.contains($0.name) }
        for column in definition.columns {
            if let index = tables[position].columns.firstIndex(where: { $0.name == column.name }) {
                tables[position].columns[index].isOptional = column.isOptional
                tables[position].columns[index].deleteRule = column.deleteRule
                continue
            }
            let target = column.target.flatMap { self[$0]?.id }
            guard column.target == nil || target != nil else {
                throw StoreError(
                    .schemaMismatch,
                    "property '\(definition.name).\(column.name)' links to class '\(column.target ?? "")', which is not "
                        + "in the schema; add it to `objectTypes`")
            }
            let id = makeColumnID()
            tables[position].columns.append(
                StoredColumn(
                    id: id, name: column.name, slot: tables[position].slotCount, type: column.type,
                    isOptional: column.isOptional, collection: column.collection, target: target,
                    deleteRule: column.deleteRule))
            tables[position].slotCount += 1
        }
        tables[position].primaryKeyID = definition.primaryKey.flatMap { tables[position][$0]?.id }
        guard tables[position].slotCount <= StoredSchema.slotLimit else {
            throw StoreError(
                .recordTooLarge,
                "class '\(definition.name)' has had \(tables[position].slotCount) properties, and a record takes "
                    + "\(StoredSchema.slotLimit); split the class")
        }
        let known = tables[position].indexes.map(tables[position].definition)
        for definition in wanted where !known.contains(definition) {
            let columns = definition.columns.compactMap { tables[position][$0] }
            guard columns.count == definition.columns.count, !columns.isEmpty,
                columns.allSatisfy({ $0.collection == nil && $0.type != .coded })
            else {
                throw StoreError(
                    .schemaMismatch,
                    "class '\(tables[position].name)' cannot have an index over \(definition.columns.joined(separator: ", ")): "
                        + "an index is over single values of the class's own properties, which are no Codable values")
            }
            let index = StoredIndex(id: makeIndexID(), over: columns, isUnique: definition.isUnique)
            tables[position].indexes.append(index)
            newIndexes.append((tables[position].id, index))
        }
    }

    /// So many slots fit into a record with the largest payload that cannot move to a blob in each: 16 bytes and a
    /// wide entry of 4.
    static var slotLimit: Int { (Leaf.maximumRecordByteCount - 8) / 20 }
}

extension Array {
    /// The elements of which something is true, and the others.
    fileprivate func parted(by isFirst: (Element) -> Bool) -> (first: [Element], second: [Element]) {
        (filter(isFirst), filter { !isFirst($0) })
    }
}

extension StoreError {
    static func schemaMismatch(_ differences: [SchemaDifference], isReadOnly: Bool) -> StoreError {
        let loss =
            differences.contains(where: \.losesValues)
            ? ", which drops the values of properties that were removed, made required or have another type" : ""
        let remedy =
            isReadOnly
            ? "open the file for writing once"
            : "raise `schemaVersion`\(loss), or set `deleteRealmIfMigrationNeeded` to start anew"
        return StoreError(
            .schemaMismatch,
            "the classes do not fit the file; \(remedy):\n"
                + differences.map { "- " + $0.description }.joined(separator: "\n"))
    }
}
