import FirnStore
import Foundation

extension RealmContext {
    /// Creates an object of a class that the process need not know. An unmanaged one comes back where the values cannot be
    /// stored.
    func dynamicCreate(_ binding: TableBinding, _ value: Any, _ policy: Realm.UpdatePolicy) -> DynamicObject {
        checkIsWriting("An object of class '\(binding.info.name)' was created")
        if binding.info.isEmbedded {
            misuse(
                "'\(binding.info.name)' is embedded: its objects are made by setting a property of their owner to a dictionary"
            )
        }
        guard let known = self.binding(for: binding.table.id) else {
            return createUnknown(binding, value, policy) ?? DynamicObject()
        }
        let object = create(known.info.type, value, policy)
        return object.isManaged ? dynamicObject(object) : DynamicObject()
    }

    /// Creates an object of a class that only the file knows; nil where the values cannot be stored.
    private func createUnknown(_ binding: TableBinding, _ value: Any, _ policy: Realm.UpdatePolicy) -> DynamicObject? {
        if isBroken { return nil }
        do {
            let values = try DynamicValues.byProperty(value, binding.info)
            return try insertedOrFound(binding, values, policy).map { object in
                for (index, value) in values where !binding.info.properties[index].isPrimaryKey {
                    object[binding.info.properties[index].name] = value
                }
                return object
            }
        } catch {
            poison(error)
            return nil
        }
    }

    private func insertedOrFound(
        _ binding: TableBinding, _ values: [Int: Any], _ policy: Realm.UpdatePolicy
    ) throws(Realm.Error) -> DynamicObject? {
        var record = binding.table.columns.reduce(into: [Int: StoredValue]()) { $0[$1.slot] = $1.zero }
        if let primaryKey = binding.info.primaryKey, let index = binding.info.index(of: primaryKey.name) {
            let value = values[index] ?? (Any?.none as Any)
            guard let key = primaryKey.persistable.storedForm(of: value) else {
                throw .unfitting(value, primaryKey, of: binding.info.name)
            }
            if policy != .error, let found = object(binding, key) {
                return unsafeDowncast(found, to: DynamicObject.self)
            }
            record[binding.primaryKeySlot] = key
        } else if policy != .error {
            misuse("'\(binding.info.name)' has no primary key to update by; create its objects without `update:`")
        }
        do {
            let key = try connection.insert(binding.table.id) { writer in
                for slot in 0..<binding.table.slotCount { writer.add(record[slot] ?? .null) }
            }
            noteInsertion(RowID(table: binding.table.id, key: key), binding)
            let object = unsafeDowncast(makeObject(binding, key: key), to: DynamicObject.self)
            object.isAddedInWrite = true
            return object
        } catch {
            fail(error, "An object of class '\(binding.info.name)' was not added")
            return nil
        }
    }

    /// Makes a value for a property of a dynamic object one that the property takes: typed objects become dynamic ones, added
    /// first where no realm has them, and dictionaries objects of the class that the property links to.
    func dynamicForm(of value: Any, for slot: Int, of binding: TableBinding) -> Any {
        guard let column = binding.table.columns.first(where: { $0.slot == slot }), column.type == .link,
            let target = binding.targets[slot], let value = UntypedValue.unwrapped(value)
        else { return value }
        switch column.collection {
        case .list, .set:
            return UntypedValue.untypedElements(value).map { $0.map { dynamicLink($0, target) } } ?? value
        case .map:
            guard let entries = UntypedValue.untypedEntries(value) else { return value }
            return Dictionary(entries.map { ($0.key, dynamicLink($0.value, target)) }) { $1 }
        case nil: return dynamicLink(value, target)
        }
    }

    private func dynamicLink(_ value: Any, _ target: TableBinding) -> Any {
        guard let value = UntypedValue.unwrapped(value) else { return value }
        if let object = value as? DynamicObject { return object }
        // An embedded object is made as a row of its own, which the property then takes.
        if target.info.isEmbedded { return createUnknown(target, value, .error) ?? value }
        guard let object = value as? ObjectBase else { return dynamicCreate(target, value, .error) }
        if !object.isManaged { add(object, .error) }
        return object.isManaged ? dynamicObject(object) : object
    }
}

/// Untyped values for an object that is known by its properties' names.
private enum DynamicValues {
    /// The values of a dictionary, an array in order of the columns, or an object, by index of property.
    static func byProperty(_ value: Any, _ info: ClassInfo) throws(Realm.Error) -> [Int: Any] {
        var values: [Int: Any] = [:]
        switch UntypedValue.unwrapped(value) {
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
