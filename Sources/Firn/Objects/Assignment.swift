import FirnStore
import Foundation

/// One call's conversion of untyped values to unmanaged objects.
///
/// Not recursive, so that objects of another realm can be copied however long a chain they are; and each of them is
/// copied once, so that those of a cycle can.
struct Assignment {
    /// Objects of this realm are linked to as they are; others are copied.
    let realm: RealmContext?
    /// How many links away from the first object copies are made, where nothing is linked to as it is; else nil.
    private let detachedDepth: Int?
    /// The properties that each made object was given, by the object.
    private(set) var given: [ObjectIdentifier: Set<Int>] = [:]

    /// What linked objects are still to be given.
    private var waiting: [Waiting] = []
    /// The copies of objects, by what was copied and the class of the copy.
    private var copies: [Source: ObjectBase] = [:]

    /// Unmanaged lists and maps that are values, with what became of them.
    private var anyCollections: [ObjectIdentifier: Any] = [:]

    private struct Waiting {
        let value: Any
        let object: ObjectBase
        let origin: Origin?
        /// How many links lead here.
        let depth: Int
    }

    /// How many links lead to the object that is being assigned to.
    private var depth = 0

    /// The property that is to link to an object.
    private struct Origin: CustomStringConvertible {
        let info: ClassInfo
        let propertyIndex: Int

        var property: PropertyInfo { info.properties[propertyIndex] }
        var description: String { "\(info.name).\(property.name)" }
    }

    private struct Source: Hashable {
        /// The object; of a managed one the realm, since each look at a row makes another object.
        let owner: ObjectIdentifier
        let row: RowID?
        let target: ObjectIdentifier
    }

    init(realm: RealmContext?) {
        self.realm = realm
        detachedDepth = nil
    }

    /// Copies whatever is linked to, so many links far, and leaves out what is behind.
    init(detachedTo depth: Int) {
        realm = nil
        detachedDepth = depth
    }

    /// Gives an unmanaged object what `value` says, and makes the objects that it is to link to.
    mutating func assign(_ value: Any, to object: ObjectBase) throws(Realm.Error) {
        if let source = source(value, type(of: object)) { copies[source] = object }
        depth = 0
        try assignProperties(value, of: object)
        try assignWaiting()
    }

    private mutating func assignWaiting() throws(Realm.Error) {
        // What is fewer links away comes first, so that each object is reached by the shortest way.
        while !waiting.isEmpty {
            let level = waiting
            waiting = []
            for next in level {
                depth = next.depth
                do {
                    try assignProperties(next.value, of: next.object)
                } catch {
                    guard let origin = next.origin else { throw error }
                    throw Realm.Error(error.code, "\(origin): \(error.message)")
                }
            }
        }
    }

    /// Copies of objects, and of what they link to.
    mutating func detached(_ objects: [ObjectBase]) throws(Realm.Error) -> [ObjectBase] {
        // All of them first, so that links from one to another take none for one that is far away.
        let made = objects.map { object in
            let source = source(object, type(of: object))
            if let copy = source.flatMap({ copies[$0] }) { return copy }
            let copy = type(of: object).init()
            if let source { copies[source] = copy }
            waiting.append(Waiting(value: object, object: copy, origin: nil, depth: 0))
            return copy
        }
        try assignWaiting()
        return made
    }

    private func source(_ value: Any, _ target: ObjectBase.Type) -> Source? {
        guard let object = UntypedValue.unwrapped(value) as? ObjectBase else { return nil }
        guard let context = object.context else {
            return Source(owner: ObjectIdentifier(object), row: nil, target: ObjectIdentifier(target))
        }
        return Source(
            owner: ObjectIdentifier(context.here), row: RowID(table: object.binding.table.id, key: object.key),
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
                guard let value = dictionary[property.name] ?? dictionary[property.columnName] else { continue }
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
        let sourceInfo = source.classInfo
        for (index, property) in info.properties.enumerated() {
            guard let sourceProperty = sourceInfo.property(property.name) else { continue }
            let value = source.untypedValue(of: sourceProperty) ?? (Optional<Any>.none as Any)
            do {
                try assign(value, to: object, info, index)
            } catch {
                // What has no value in the program's type reads as nil, where that is optional, and is copied as that.
                guard type(of: source) == type(of: object), property.shape.isOptional else { throw error }
                try assign(Optional<Any>.none as Any, to: object, info, index)
            }
        }
    }

    private mutating func assign(
        _ value: Any, to object: ObjectBase, _ info: ClassInfo, _ index: Int
    ) throws(Realm.Error) {
        let property = info.properties[index]
        guard property.assign(linkable(value, Origin(info: info, propertyIndex: index)), in: object) else {
            throw .unfitting(value, property, of: info.name)
        }
        given[ObjectIdentifier(object)]?.insert(index)
    }
}

// MARK: - Links

extension Assignment {
    /// The value for a property, with each object in it one that may be linked to.
    private mutating func linkable(_ value: Any, _ origin: Origin) -> Any {
        let property = origin.property
        guard property.canLink, UntypedValue.unwrapped(value) != nil else { return value }
        let target = property.shape.target
        switch property.shape.collection {
        case nil:
            return isTooFar(value) ? Optional<Any>.none as Any : linkable(element: value, target, origin)
        case .list, .set:
            guard let elements = UntypedValue.untypedElements(value) else { return value }
            return elements.filter { !isTooFar($0) }.map { linkable(element: $0, target, origin) }
        case .map:
            guard let entries = UntypedValue.untypedEntries(value) else { return value }
            let values = entries.filter { !isTooFar($0.value) }.map {
                ($0.key, linkable(element: $0.value, target, origin))
            }
            return Dictionary(values) { $1 }
        }
    }

    private mutating func linkable(element: Any, _ target: ObjectBase.Type?, _ origin: Origin) -> Any {
        guard let value = UntypedValue.unwrapped(element) else { return element }
        guard let target else { return linkable(any: value, origin, depth: 0) }
        return object(from: value, target, origin)
    }

    /// The object as it is where it may be linked to, else one made from the value.
    private mutating func object(from value: Any, _ target: ObjectBase.Type, _ origin: Origin) -> ObjectBase {
        if let object = value as? ObjectBase, mayLink(to: object) {
            if type(of: object) == target { return object }
            if let typed = realm?.typedObject(object, target) { return typed }
        }
        // Each link to an embedded object needs one of its own.
        let source = target is EmbeddedObject.Type ? nil : source(value, target)
        if let copy = source.flatMap({ copies[$0] }) { return copy }
        let made = target.init()
        if let source { copies[source] = made }
        // An embedded object is a part of the one that it is in.
        let step = target is EmbeddedObject.Type ? 0 : 1
        waiting.append(Waiting(value: value, object: made, origin: origin, depth: depth + step))
        return made
    }

    /// Whether an element is an object that is more links away than copies are made.
    private func isTooFar(_ element: Any) -> Bool {
        guard let detachedDepth, depth >= detachedDepth else { return false }
        if case AnyRealmValue.object? = element as? AnyRealmValue { return true }
        return UntypedValue.unwrapped(element) is Object
    }

    private func mayLink(to object: ObjectBase) -> Bool {
        if detachedDepth != nil { return false }
        guard object.isManaged else { return true }
        // A managed embedded object has its owner, seen as a dynamic one too.
        if object.binding.info.isEmbedded { return false }
        return realm == nil || object.context === realm
    }

    /// A value of any type, with copies of the objects of other realms in it.
    private mutating func linkable(any value: Any, _ origin: Origin, depth: Int) -> Any {
        // Deeper than a realm stores: refused when it is written.
        if depth > Self.depthLimit { return value }
        switch value {
        case let object as ObjectBase:
            return self.object(from: object, type(of: object), origin)
        case AnyRealmValue.object(let object):
            return self.object(from: object, type(of: object), origin)
        case AnyRealmValue.list(let list):
            return linkable(any: value, of: list, isManaged: list.state.handle != nil, origin, depth: depth)
        case AnyRealmValue.dictionary(let map):
            return linkable(any: value, of: map, isManaged: map.state.handle != nil, origin, depth: depth)
        case is AnyRealmValue:
            return value
        default:
            guard UntypedValue.unwrapped(value) != nil else { return value }
            if let elements = UntypedValue.untypedElements(value) {
                return elements.filter { !isTooFar($0) }.map { linkable(any: $0, origin, depth: depth + 1) }
            }
            guard let entries = UntypedValue.untypedEntries(value) else { return value }
            return Dictionary(
                entries.filter { !isTooFar($0.value) }.map {
                    ($0.key, linkable(any: $0.value, origin, depth: depth + 1))
                }
            ) { $1 }
        }
    }

    /// A list or map that is a value; an unmanaged one is gone through once, however often it stands there.
    private mutating func linkable(
        any value: Any, of collection: AnyObject, isManaged: Bool, _ origin: Origin, depth: Int
    ) -> Any {
        // Each look at a managed one makes another object, and a detached one is to have its own.
        if isManaged || detachedDepth != nil { return linkable(any: collection, origin, depth: depth) }
        let identity = ObjectIdentifier(collection)
        if let known = anyCollections[identity] { return known }
        // One that has itself within keeps itself there, and is refused when it is written.
        anyCollections[identity] = value
        let result = linkable(any: collection, origin, depth: depth)
        anyCollections[identity] = result
        return result
    }

    private static var depthLimit: Int { 100 }
}
