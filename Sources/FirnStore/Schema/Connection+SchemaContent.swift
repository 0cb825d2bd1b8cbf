/// What a changed schema asks of the objects that are there.
extension Connection {
    /// Throws where a class is to become embedded that has objects without an owner, or with more than one link to them.
    func checkOwners(_ definitions: [TableDefinition], _ write: WriteState) throws {
        for definition in definitions where definition.isEmbedded {
            guard let table = schema[definition.name], !table.isEmbedded else { continue }
            var ownerless = 0
            var shared = 0
            for key in keys(in: table.id) {
                let links = try incomingLinks(RowID(table: table.id, key: key), write)
                let owning = links.filter { column($0.column)?.column.canOwn == true }
                if owning.isEmpty { ownerless += 1 } else if links.map(\.count) != [1] { shared += 1 }
            }
            guard ownerless > 0 || shared > 0 else { continue }
            throw StoreError(
                .schemaMismatch,
                "class '\(table.name)' cannot become embedded: of its objects \(ownerless) have no owner and \(shared) have "
                    + "more than one link to them; give each to one object, or delete it, before the class changes")
        }
    }

    /// Takes the values of columns that go out of every record, with their index entries, backlinks, blobs, collections
    /// and embedded objects. No rule keeps what goes with them: it is the schema that takes it away.
    func clearRetiredColumns(_ definitions: [TableDefinition], _ write: WriteState) throws {
        write.isChangingSchema = true
        defer { write.isChangingSchema = false }
        for difference in schema.differences(to: definitions) {
            guard difference.kind == .columnRemoved || difference.kind == .columnReplaced,
                let table = schema[difference.table],
                let column = difference.column.flatMap({ table[$0] }), column.id != table.primaryKeyID
            else { continue }
            // What the column owned may have been of the same class.
            for key in keys(in: table.id) where contains(table.id, key) {
                try set(table.id, key, slot: column.slot, .null)
            }
        }
    }

    /// Has the rules of the new schema decide what goes along with what its change takes away. Columns that go have none.
    func adoptDeleteRules(of definitions: [TableDefinition], _ write: WriteState) {
        for definition in definitions {
            guard let position = schema.tables.firstIndex(where: { $0.name == definition.name }) else { continue }
            let replaced = schema.differences(to: [definition]).filter { $0.kind == .columnReplaced }.map(\.column)
            let staying = definition.columns.filter { !replaced.contains($0.name) }
            for (index, column) in schema.tables[position].columns.enumerated() {
                let new = staying.first { $0.name == column.name }
                schema.tables[position].columns[index].deleteRule = new?.deleteRule ?? .nullify
            }
        }
        // Whoever writes the tables knows the old rules; a rollback must find these again.
        write.forgetTables()
        write.changedSchema = true
    }

    /// Writes the zeros that columns about to become optional only read as: null would read as nil from then on.
    func keepZeros(_ definitions: [TableDefinition]) throws {
        for difference in schema.differences(to: definitions) where difference.kind == .columnMadeOptional {
            guard let table = schema[difference.table], let column = difference.column.flatMap({ table[$0] }),
                column.id != table.primaryKeyID, !column.zero.isNull
            else { continue }
            for key in keys(in: table.id) where record(table.id, key)?.isNull(column.slot) == true {
                try set(table.id, key, slot: column.slot, column.zero)
            }
        }
    }
}
