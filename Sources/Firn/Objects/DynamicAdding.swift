import FirnStore

/// One call that gives untyped values to objects of classes that only the file knows, and makes or updates the objects that
/// the values describe.
struct DynamicAdding {
    let context: RealmContext
    let policy: Realm.UpdatePolicy
    /// Whether an embedded object that has its owner is copied; else linking to it is refused.
    let copiesOwned: Bool
    /// What cascading properties linked to before they were updated.
    var replaced: [RowID] = []

    /// The objects that managed ones of other realms, and embedded ones of other owners, were copied to.
    var copies: [Source: DynamicObject] = [:]
    /// The rows without primary key that values have been found for, to be updated in place.
    var rowsInPlace: Set<RowID> = []

    struct Source: Hashable {
        let realm: ObjectIdentifier
        let row: RowID
    }

    /// Where in its property a link stands.
    enum Place {
        case single
        case position(Int)
        case key(String)
    }

    /// A property of a managed object. The object was there before the call where it is updated.
    struct Target {
        let object: DynamicObject
        let column: StoredColumn
        let isUpdated: Bool

        var place: CollectionPlace {
            CollectionPlace(row: RowID(table: object.binding.table.id, key: object.key), slot: column.slot)
        }
    }

    init(_ context: RealmContext, _ policy: Realm.UpdatePolicy, copiesOwned: Bool) {
        self.context = context
        self.policy = policy
        self.copiesOwned = copiesOwned
    }

    /// Creates the object that a value describes, or updates the one with its primary key. Nil where the store refuses it, which
    /// has poisoned the write.
    mutating func object(from value: Any, _ binding: TableBinding) throws(Realm.Error) -> DynamicObject? {
        try object(from: value, binding, inPlace: nil)
    }

    /// Makes a value for a property one that the property takes: typed objects become dynamic ones, and what describes an
    /// object becomes that.
    mutating func linkable(
        _ value: Any, for slot: Int, of object: DynamicObject
    ) throws(Realm.Error) -> Any {
        guard let column = object.binding.table.columns.first(where: { $0.slot == slot }) else { return value }
        return try linkable(value, Target(object: object, column: column, isUpdated: false))
    }

    // MARK: Objects

    mutating func object(
        from value: Any, _ binding: TableBinding, inPlace: ObjectKey?
    ) throws(Realm.Error) -> DynamicObject? {
        let values = try DynamicValues.byProperty(value, binding.info)
        let existing = try existingKey(values, binding)
        let found = existing ?? inPlace
        let inserted = found == nil ? try insert(values, binding) : nil
        guard let key = found ?? inserted else { return nil }
        if policy != .error, !binding.info.isEmbedded {
            context.connection.keep(RowID(table: binding.table.id, key: key))
        }
        let object = unsafeDowncast(context.makeObject(binding, key: key), to: DynamicObject.self)
        object.isAddedInWrite = found == nil
        if let source = Self.source(value) { copies[source] = object }
        let isPrimaryKey = binding.info.properties.map(\.isPrimaryKey)
        for (index, value) in values.sorted(by: { $0.key < $1.key }) where !isPrimaryKey[index] {
            try set(value, index, of: object, isUpdated: found != nil)
        }
        return object
    }

    private func existingKey(_ values: [Int: Any], _ binding: TableBinding) throws(Realm.Error) -> ObjectKey? {
        guard policy != .error, let primaryKey = try primaryKeyValue(values, binding) else { return nil }
        return context.connection.find(binding.table.id, primaryKey: primaryKey)
    }

    private func primaryKeyValue(
        _ values: [Int: Any], _ binding: TableBinding
    ) throws(Realm.Error) -> StoredValue? {
        guard let primaryKey = binding.info.primaryKey, let index = binding.info.index(of: primaryKey.name) else {
            return nil
        }
        let value = UntypedValue.persisted(values[index] ?? (Any?.none as Any))
        guard let stored = primaryKey.persistable.storedForm(of: value) else {
            throw .unfitting(value, primaryKey, of: binding.info.name)
        }
        return stored
    }

    private func insert(_ values: [Int: Any], _ binding: TableBinding) throws(Realm.Error) -> ObjectKey? {
        var record = binding.table.columns.reduce(into: [Int: StoredValue]()) { $0[$1.slot] = $1.zero }
        if let primaryKey = try primaryKeyValue(values, binding) { record[binding.primaryKeySlot] = primaryKey }
        if context.isBroken { return nil }
        do {
            let key = try context.connection.insert(binding.table.id) { writer in
                for slot in 0..<binding.table.slotCount { writer.add(record[slot] ?? .null) }
            }
            context.noteInsertion(RowID(table: binding.table.id, key: key), binding)
            return key
        } catch {
            context.fail(error, "An object of class '\(binding.info.name)' was not added")
            return nil
        }
    }

    private mutating func set(
        _ value: Any, _ index: Int, of object: DynamicObject, isUpdated: Bool
    ) throws(Realm.Error) {
        let property = object.binding.info.properties[index]
        guard let column = object.binding.column(of: index) else { return }
        let target = Target(object: object, column: column, isUpdated: isUpdated)
        if isUpdated, column.deleteRule == .cascade {
            replaced += context.connection.linkedRows(target.place.row, slot: column.slot)
        }
        let value = try linkable(value, target)
        let isTaken =
            if let collection = property.persistable as? any _PersistableCollection.Type {
                collection.take(value, into: object, column.slot, isMerging: isUpdated && policy == .modified)
            } else {
                property.field.assign(value, to: object, slot: column.slot)
            }
        guard isTaken else { throw .unfitting(value, property, of: object.binding.info.name) }
    }
}

extension _PersistableCollection {
    /// Gives the collection of a managed object's property what something untyped holds; false where that does not fit.
    fileprivate static func take(_ value: Any, into object: ObjectBase, _ slot: Int, isMerging: Bool) -> Bool {
        guard let converted = _converted(from: value) else { return false }
        Self(object, slot)._take(converted, isMerging: isMerging)
        return true
    }
}

/// Untyped values for an object that is known by its properties' names.
private enum DynamicValues {
    /// The values of a dictionary, an array in order of the columns, or an object, by index of property.
    static func byProperty(_ value: Any, _ info: ClassInfo) throws(Realm.Error) -> [Int: Any] {
        var values: [Int: Any] = [:]
        switch UntypedValue.unwrapped(value) {
        case let source as DynamicObject where !source.isManaged:
            for (index, property) in info.properties.enumerated() {
                values[index] = source[unmanaged: property.name] ?? source[unmanaged: property.columnName]
            }
        case let source as ObjectBase:
            for (index, property) in info.properties.enumerated() {
                guard let found = source.classInfo.property(property.name) else { continue }
                values[index] = source.untypedValue(of: found) ?? (Any?.none as Any)
            }
        case let dictionary as [String: Any]:
            for (index, property) in info.properties.enumerated() {
                values[index] = dictionary[property.name] ?? dictionary[property.columnName]
            }
        case let array as [Any] where array.count <= info.properties.count:
            for (index, value) in array.enumerated() { values[index] = value }
        default:
            throw Realm.Error(
                .invalidInput,
                "\(UntypedValue.describe(value)) cannot be made into an object of class '\(info.name)'; give a dictionary, an "
                    + "array with at most \(info.properties.count) values, or an object")
        }
        return values
    }
}
