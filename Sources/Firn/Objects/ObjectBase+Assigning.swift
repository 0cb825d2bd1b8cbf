import FirnStore
import Foundation

extension ObjectBase {
    /// Gives an unmanaged object the values of a dictionary, an array in order of declaration, or an object.
    ///
    /// Nested dictionaries, arrays and objects of other realms make nested unmanaged objects. Throws for a value that
    /// does not fit, after having assigned those before it.
    final func assignProperties(from value: Any) throws(Realm.Error) {
        var assignment = Assignment(realm: nil)
        try assignment.assign(value, to: self)
    }
}

/// One call's conversion of untyped values to unmanaged objects.
///
/// Not recursive, so that objects of another realm can be copied however long a chain they are; and each of them is
/// copied once, so that those of a cycle can.
struct Assignment {
    /// Objects of this realm are linked to as they are; others are copied.
    let realm: RealmContext?
    /// The properties that each made object was given, by the object.
    private(set) var given: [ObjectIdentifier: Set<Int>] = [:]

    /// What linked objects are still to be given.
    private var waiting: [(value: Any, object: ObjectBase)] = []
    /// The copies of objects, by what was copied and the class of the copy.
    private var copies: [Source: ObjectBase] = [:]

    private struct Source: Hashable {
        /// The object; of a managed one the realm, since each look at a row makes another object.
        let owner: ObjectIdentifier
        let row: RowID?
        let target: ObjectIdentifier
    }

    init(realm: RealmContext?) {
        self.realm = realm
    }

    /// Gives an unmanaged object what `value` says, and makes the objects that it is to link to.
    mutating func assign(_ value: Any, to object: ObjectBase) throws(Realm.Error) {
        if let source = source(value, type(of: object)) { copies[source] = object }
        try assignProperties(value, of: object)
        while let next = waiting.popLast() {
            try assignProperties(next.value, of: next.object)
        }
    }

    private func source(_ value: Any, _ target: ObjectBase.Type) -> Source? {
        guard let object = UntypedValue.unwrapped(value) as? ObjectBase else { return nil }
        guard let context = object.context else {
            return Source(owner: ObjectIdentifier(object), row: nil, target: ObjectIdentifier(target))
        }
        return Source(
            owner: ObjectIdentifier(context), row: RowID(table: object.binding.table.id, key: object.key),
            target: ObjectIdentifier(target))
    }

    private mutating func assignProperties(_ value: Any, of object: ObjectBase) throws(Realm.Error) {
        let info = ClassInfo.of(type(of: object))
        given[ObjectIdentifier(object)] = []
        switch UntypedValue.unwrapped(value) {
        case let source as ObjectBase:
            try assign(source, to: object, info)
        case let dictionary as [String: Any]:
            for (index, property) in info.properties.enumerated() {
                guard let value = dictionary[property.name] ?? dictionary[property.columnName] else { continue }
                try assign(value, to: object, info, index)
            }
        case let dictionary as NSDictionary:
            for (index, property) in info.properties.enumerated() {
                guard let value = dictionary[property.name] else { continue }
                try assign(value, to: object, info, index)
            }
        case let array as [Any]:
            guard array.count <= info.properties.count else {
                throw Realm.Error(
                    .invalidInput,
                    "\(array.count) values were given for '\(info.name)', which has \(info.properties.count) "
                        + "properties; give at most one a property, in order of declaration")
            }
            for (index, value) in array.enumerated() {
                try assign(value, to: object, info, index)
            }
        default:
            throw Realm.Error(
                .invalidInput,
                "\(UntypedValue.describe(value)) cannot be made into an object of class '\(info.name)'; give a "
                    + "dictionary, an array or an object")
        }
    }

    private mutating func assign(_ source: ObjectBase, to object: ObjectBase, _ info: ClassInfo) throws(Realm.Error) {
        let sourceInfo = ClassInfo.of(type(of: source))
        for (index, property) in info.properties.enumerated() {
            guard let sourceProperty = sourceInfo.property(property.name) else { continue }
            let value = source.untypedValue(of: sourceProperty) ?? (Optional<Any>.none as Any)
            try assign(value, to: object, info, index)
        }
    }

    private mutating func assign(
        _ value: Any, to object: ObjectBase, _ info: ClassInfo, _ index: Int
    ) throws(Realm.Error) {
        let property = info.properties[index]
        let value = try linked(value, property)
        // SAFETY: the address is that of the property's field in `object`, which this scope holds.
        guard property.field.assign(value, at: property.address(in: object)) else {
            throw .unfitting(value, property, of: info.name)
        }
        given[ObjectIdentifier(object)]?.insert(index)
    }

    /// The value for a link: an object as it is where it may be linked to, else one made from the value.
    private mutating func linked(_ value: Any, _ property: PropertyInfo) throws(Realm.Error) -> Any {
        guard property.shape.type == .link, let target = property.shape.target,
            let value = UntypedValue.unwrapped(value)
        else { return value }
        if let object = value as? ObjectBase, type(of: object) == target,
            !object.isManaged || object.context === realm || realm == nil
        {
            return object
        }
        let source = source(value, target)
        if let copy = source.flatMap({ copies[$0] }) { return copy }
        let made = target.init()
        if let source { copies[source] = made }
        waiting.append((value, made))
        return made
    }
}
