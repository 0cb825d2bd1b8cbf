import FirnStore

extension RealmContext {
    /// How dynamic objects of a table are seen; nil where the file has no such table.
    func dynamicBinding(for table: TableID) -> TableBinding? {
        if dynamicBindings[table] == nil { bindDynamic() }
        return dynamicBindings[table]
    }

    /// How dynamic objects of a class are seen. Traps where the file has none.
    func dynamicBinding(named name: String) -> TableBinding {
        guard let table = connection.schema[name], let binding = dynamicBinding(for: table.id) else {
            misuse(
                "The file has no class '\(name)'; it has "
                    + connection.schema.tables.map(\.name).sorted().joined(separator: ", "))
        }
        return binding
    }

    /// Makes what is missing of the bindings of all tables, and takes over a changed schema. Bindings stay: objects hold them.
    func bindDynamic() {
        // Other threads read the bindings of what they were given.
        if isFrozen, !dynamicBindings.isEmpty { return }
        let schema = connection.schema
        for table in schema.tables {
            let known = binding(for: table.id)
            let info = ClassInfo(dynamic: table, in: schema, known: known?.info)
            if let binding = dynamicBindings[table.id] {
                binding.bind(table, info)
            } else {
                dynamicBindings[table.id] = TableBinding(info, table, changes: known?.changes)
            }
        }
        TableBinding.bindTargets(dynamicBindings.values)
    }

    /// The view of a dynamic object of this realm as one of a class; nil where it is of another.
    func typedObject(_ object: ObjectBase, _ type: ObjectBase.Type) -> ObjectBase? {
        guard object is DynamicObject, object.context === self, let binding = bindings[ObjectIdentifier(type)],
            binding.table.id == object.binding.table.id
        else { return nil }
        return makeObject(binding, key: object.key)
    }

    /// The dynamic view of a managed object.
    func dynamicObject(_ object: ObjectBase) -> DynamicObject {
        if let object = object as? DynamicObject { return object }
        guard let binding = dynamicBinding(for: object.binding.table.id) else {
            misuse("The class '\(object.binding.info.name)' is no longer in the file")
        }
        let accessor = unsafeDowncast(makeObject(binding, key: object.key), to: DynamicObject.self)
        accessor.epoch = object.epoch
        accessor.birth = object.birth
        accessor.isAddedInWrite = object.isAddedInWrite
        return accessor
    }
}

extension ClassInfo {
    /// What is known of a class from its table, with the Swift names of the class where the realm has it.
    convenience init(dynamic table: StoredTable, in schema: StoredSchema, known: ClassInfo?) {
        let properties = table.columns.map { column in
            PropertyInfo(
                name: known?.property(column.name)?.name ?? column.name, columnName: column.name, offset: 0,
                field: DynamicFields.field(for: column), isPrimaryKey: column.id == table.primaryKeyID,
                isIndexed: column.isIndexed || column.id == table.primaryKeyID,
                isUnique: column.index?.isUnique == true || column.id == table.primaryKeyID,
                deleteRule: column.deleteRule,
                targetName: column.target.flatMap { schema[$0]?.name })
        }
        self.init(
            DynamicObject.self, name: table.name, properties: properties, incomingLinks: [],
            isEmbedded: table.isEmbedded, isPlain: false, problems: [])
    }
}
