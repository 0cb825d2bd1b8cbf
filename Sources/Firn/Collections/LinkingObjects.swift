/// The objects that link to one: the other end of a property of another class.
///
///     class Person: Object {
///         @Persisted var dogs: List<Dog>
///     }
///     class Dog: Object {
///         @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
///     }
///
/// The property may be a link, a list, a set or a map. An object stands here once a link: twice, where its list holds the
/// other one twice. Live, in the order of the objects' keys, and empty for an unmanaged object. Nothing is stored for it, and
/// it cannot be set.
public struct LinkingObjects<Element: ObjectBase & RealmCollectionValue> {
    let link: LinkingProperty

    /// The objects of a class that link to this one by a property. For a `let` of a class with plain properties; in others
    /// write `@Persisted(originProperty:)`.
    public init(fromType type: Element.Type, property propertyName: String) {
        link = LinkingProperty(originProperty: propertyName)
    }

    init(_ handle: LinkingHandle) {
        link = LinkingProperty(originProperty: handle.link.property)
        link.handle = handle
    }
}

/// What all copies of `LinkingObjects` share.
final class LinkingProperty {
    let originProperty: String
    /// What the links lead to; nil while that is unmanaged.
    var handle: LinkingHandle? {
        didSet {
            source = handle.flatMap { handle in
                handle.owner.context.map { context in
                    let here = context.here
                    return ResultsSource(here, .linking(handle.moved(to: here)))
                }
            }
        }
    }
    /// The links; nil while what they lead to is unmanaged.
    private(set) var source: ResultsSource?

    init(originProperty: String) {
        self.originProperty = originProperty
    }
}

extension LinkingObjects: RealmCollection, _ObjcBridgeable {
    private var results: Results<Element>? { link.source.map { Results($0) } }

    /// Underscored: it is for the members that all collections share.
    public var _querySource: _QuerySource<Element> {
        results?._querySource ?? _QuerySource([])
    }

    /// The realm of the objects, nil where the one that they link to is unmanaged.
    public var realm: Realm? { results?.realm }

    /// Whether the object that they link to is gone.
    public var isInvalidated: Bool { link.handle?.owner.isInvalidated ?? false }

    /// Whether the objects are frozen: pinned to one version, and readable from every thread.
    public var isFrozen: Bool { link.handle?.owner.isFrozen ?? false }

    /// The position of the first object, 0.
    public var startIndex: Int { 0 }

    /// The number of links.
    public var endIndex: Int { count }

    /// The number of links.
    public var count: Int { results?.count ?? 0 }

    /// Whether there is no link.
    public var isEmpty: Bool { results?.isEmpty ?? true }

    /// The object with the first link.
    public var first: Element? { results?.first }

    /// The object with the last link.
    public var last: Element? { results?.last }

    /// The object with the link at a position. Traps where there is none.
    public subscript(position: Int) -> Element {
        guard let results else { trapBounds(position, 0, of: "The links to an unmanaged object") }
        return results[position]
    }

    /// Goes over the objects that are there now.
    public func makeIterator() -> Results<Element>.Iterator {
        results?.makeIterator() ?? Results<Element>.Iterator(walk: nil, values: [])
    }

    public var _handedOver: _HandedOver {
        guard let results else { misuse("A reference to the links to an unmanaged object was made") }
        return results._handedOver
    }

    public static func _resolve(_ handedOver: _HandedOver, in realm: Realm) -> LinkingObjects? {
        guard case .linking(let handle) = handedOver.origin?.resolved(in: realm.context) else { return nil }
        return LinkingObjects(handle)
    }
}

extension LinkingObjects: Hashable {
    /// Whether both are the links to one managed object by one property.
    public static func == (left: LinkingObjects, right: LinkingObjects) -> Bool {
        left.link === right.link || (left.link.handle.map { $0 == right.link.handle } ?? false)
    }

    /// Hashes the object and the property.
    public func hash(into hasher: inout Hasher) {
        if let handle = link.handle { hasher.combine(handle) } else { hasher.combine(ObjectIdentifier(link)) }
    }
}

// MARK: As a property

extension Persisted {
    /// The objects of another class that link to this one by a property, named as in Swift or as in the file.
    public init<Element>(originProperty propertyName: String) where Value == LinkingObjects<Element> {
        self.init(wrappedValue: LinkingObjects(fromType: Element.self, property: propertyName))
    }
}

extension LinkingObjects: _Persistable {
    public typealias PersistedType = LinkingObjects

    public static var _column: _ColumnShape { _ColumnShape(.link, target: Element.self) }

    public static func _read(_ object: ObjectBase, _ slot: Int) -> LinkingObjects {
        object.withRecord { _, _ in }
        return LinkingObjects(LinkingHandle(owner: object, index: slot - LinkInfo.firstSlot))
    }

    public static func _write(_ value: LinkingObjects, _ object: ObjectBase, _ slot: Int) {
        let link = object.binding.info.incomingLinks[slot - LinkInfo.firstSlot]
        misuse(
            "\(object.binding.info.name).\(link.name) was set: it shows the links that other objects have; set "
                + "\(Element.className()).\(link.property) there")
    }

    public static func _makeDefault() -> LinkingObjects { LinkingObjects(fromType: Element.self, property: "") }
    public func _stored() -> _StoredValue { .null }
    public static func _converted(from value: Any) -> LinkingObjects? { nil }
}

extension LinkingObjects: LinkingField {
    static var originType: ObjectBase.Type { Element.self }
    static var isWrapped: Bool { false }

    static func originProperty(at field: UnsafeMutableRawPointer) -> String {
        pointer(field).pointee.link.originProperty
    }

    static func untyped(at field: UnsafeMutableRawPointer) -> Any { pointer(field).pointee }

    static func untyped(_ handle: LinkingHandle) -> Any { LinkingObjects(handle) }

    static func manage(_ field: UnsafeMutableRawPointer, _ handle: LinkingHandle) {
        pointer(field).pointee.link.handle = handle
    }

    private static func pointer(_ field: UnsafeMutableRawPointer) -> UnsafeMutablePointer<LinkingObjects> {
        // SAFETY: see `LinkingField`.
        field.assumingMemoryBound(to: LinkingObjects.self)
    }
}
