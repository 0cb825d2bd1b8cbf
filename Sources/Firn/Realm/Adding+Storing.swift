import FirnStore

extension Adding {
    /// Inserts or updates the object's row, and makes the object its live view.
    mutating func store(_ object: ObjectBase, _ binding: TableBinding, linkedKey: ObjectKey?) {
        // A link may have led here twice, or the write may have broken down on the way.
        if object.isManaged || context.isBroken { return }
        if let defect = object.attachment as? Defect { return context.poison(defect.error) }
        // All values first: making a default runs the user's code, which may use the realm.
        var values = context.scratch
        context.scratch = []
        defer {
            values.removeAll(keepingCapacity: true)
            context.scratch = values
        }
        for property in binding.info.properties {
            values.append(property.shape.collection == nil ? property.storedValue(in: object) : .null)
        }
        let existing = existingKey(object, binding, linkedKey)
        if let error = storingError(object, binding, values, isUpdate: existing != nil) { return context.poison(error) }
        if existing != nil, let value = values.first(where: { $0.variableByteCount > valueByteLimit }) {
            // Before any other value is set: what is refused changes nothing.
            return context.fail(
                .valueTooLarge(value.variableByteCount), "An object of class '\(binding.info.name)' was not updated")
        }
        guard let key = existing ?? insert(binding, values) else { return }
        keep(binding, key)
        if existing != nil { update(object, binding, key, values) }
        context.bind(object, binding, key: key)
        object.isAddedInWrite = true
        context.openWrite?.hasAdded = true
        if binding.info.fillings.isEmpty {
            if binding.info.isPlain { context.adoptPlain(object) }
        } else {
            fillings.append(Filling(object: object, properties: propertiesToFill(object, binding, existing != nil)))
        }
        // A chain of objects that own each other would be freed recursively.
        for index in binding.info.links {
            let property = binding.info.properties[index]
            if !property.needsFilling { property.field.discard(at: property.address(in: object)) }
        }
    }

    /// Why one of the values is null that should not be. An update keeps what it was not given.
    private func storingError(
        _ object: ObjectBase, _ binding: TableBinding, _ values: [StoredValue], isUpdate: Bool
    ) -> Realm.Error? {
        for index in binding.info.unstorables
        where values[index].isNull && (!isUpdate || isGiven(object, index)) {
            let property = binding.info.properties[index]
            if let error = property.field.storingError(at: property.address(in: object)) {
                return .unstorable(error, property, of: binding.info.name)
            }
        }
        return nil
    }

    private func propertiesToFill(_ object: ObjectBase, _ binding: TableBinding, _ isUpdate: Bool) -> [Int] {
        binding.info.fillings.filter { index in
            let property = binding.info.properties[index]
            return isUpdate
                ? isGiven(object, index) : property.field.needsFilling(at: property.address(in: object))
        }
    }

    private func insert(_ binding: TableBinding, _ values: [StoredValue]) -> ObjectKey? {
        let table = binding.table.id
        do {
            let key = try context.connection.insert(table) { writer in
                for source in binding.recipe {
                    switch source {
                    case .property(let index): writer.add(values[index])
                    case .constant(let value): writer.add(value)
                    }
                }
            }
            context.noteInsertion(RowID(table: table, key: key), binding)
            return key
        } catch {
            context.fail(error, "An object of class '\(binding.info.name)' was not added")
            return nil
        }
    }

    private mutating func update(
        _ object: ObjectBase, _ binding: TableBinding, _ key: ObjectKey, _ values: [StoredValue]
    ) {
        let row = RowID(table: binding.table.id, key: key)
        if binding.info.isPlain { context.writePlainChanges(row) }
        for (index, value) in values.enumerated()
        where binding.slots[index] != binding.primaryKeySlot && isGiven(object, index) {
            let property = binding.info.properties[index]
            if property.deleteRule == .cascade {
                replaced += context.connection.linkedRows(row, slot: binding.slots[index])
            }
            if property.shape.collection == nil, !property.shape.isMapped,
                !(value.isNull && holdsMore(object, property))
            {
                set(binding, key, binding.slots[index], value)
            }
        }
    }

    /// Whether a value that a record holds as null is more than nothing, and is written once every object has its row.
    private func holdsMore(_ object: ObjectBase, _ property: PropertyInfo) -> Bool {
        property.needsFilling && property.field.untyped(at: property.address(in: object)) != nil
    }

    func set(_ binding: TableBinding, _ key: ObjectKey, _ slot: Int, _ value: StoredValue) {
        if context.isBroken { return }
        do {
            try context.connection.set(binding.table.id, key, slot: slot, value)
            context.noteChange(binding, slot)
        } catch {
            context.fail(error, "\(binding.info.name).\(binding.propertyName(slot)) was not set")
        }
    }

    /// Writes what records do not hold, and makes collections the live ones of their rows.
    mutating func fill() {
        for filling in fillings {
            let object = filling.object
            let binding = object.binding
            // A plain object keeps its collections, which therefore must not keep it.
            let accessor = binding.info.isPlain ? context.makeAccessor(like: object) : object
            for index in filling.properties where !context.isBroken {
                let property = binding.info.properties[index]
                property.field.write(
                    property.address(in: object), to: accessor, slot: binding.slots[index], policy)
            }
            for index in binding.info.fillings {
                let property = binding.info.properties[index]
                property.field.discard(at: property.address(in: object))
            }
            if binding.info.isPlain { context.adoptPlain(object) }
        }
        fillings = []
    }
}

extension RealmContext {
    /// Deletes what cascading properties have lost, unless another one has it now, or the call that replaced it keeps it.
    func deleteReplaced(_ rows: [RowID]) {
        if rows.isEmpty || isBroken { return }
        do {
            noteDeletions(in: try connection.deleteOrphans(rows))
        } catch {
            fail(error, "The objects that cascading properties no longer link to were not deleted")
        }
    }

    /// Notes that the open write has inserted an object.
    func noteInsertion(_ row: RowID, _ binding: TableBinding) {
        binding.rowChanges &+= 1
        openWrite?.hasAdded = true
        if !binding.table.usesIntegerKey {
            if openWrite?.firstNewKeys[row.table] == nil { openWrite?.firstNewKeys[row.table] = row.key }
        } else if connection.deletedRows.contains(row) {
            identity.noteReuse(row)
        }
    }
}
