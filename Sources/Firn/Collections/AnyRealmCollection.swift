/// A collection of a realm whose own type does not matter: results, a list, a set, or the objects that link to one.
///
///     class ViewController {
///         let collection: AnyRealmCollection<Dog>
///         init<C: RealmCollection>(_ dogs: C) where C.Element == Dog { collection = AnyRealmCollection(dogs) }
///     }
///
/// Everything is asked of the collection that it was made from, which may be one that no realm has.
public struct AnyRealmCollection<Element: RealmCollectionValue> {
    let base: any RealmCollection<Element>

    /// The same elements as `base`, live.
    public init<C: RealmCollection>(_ base: C) where C.Element == Element {
        self.base = (base as? AnyRealmCollection)?.base ?? base
    }
}

extension AnyRealmCollection: RealmCollection, _ObjcBridgeable {
    /// Underscored: it is for the members that all collections share.
    public var _querySource: _QuerySource<Element> { base._querySource }

    /// The realm of the elements, nil where the collection is unmanaged.
    public var realm: Realm? { base.realm }

    /// Whether the collection can no longer be used.
    public var isInvalidated: Bool { base.isInvalidated }

    /// Whether the collection is pinned to one version.
    public var isFrozen: Bool { base.isFrozen }

    /// The position of the first element, 0.
    public var startIndex: Int { base.startIndex }

    /// The number of elements.
    public var endIndex: Int { base.endIndex }

    /// The number of elements.
    public var count: Int { base.count }

    /// Whether there is no element.
    public var isEmpty: Bool { base.isEmpty }

    /// The first element.
    public var first: Element? { base.first }

    /// The last element.
    public var last: Element? { base.last }

    /// The element at a position. Traps where there is none.
    public subscript(position: Int) -> Element { base[position] }

    /// Goes over the elements that are there now.
    public func makeIterator() -> AnyIterator<Element> {
        func iterator(_ base: some RealmCollection<Element>) -> AnyIterator<Element> {
            AnyIterator(base.makeIterator())
        }
        return iterator(base)
    }

    /// The position of an element; nil where it is none.
    public func index(of element: Element) -> Int? { base.index(of: element) }

    /// The collection's own text.
    public var description: String { base.description }

    public var _handedOver: _HandedOver { base._handedOver }

    public static func _resolve(_ handedOver: _HandedOver, in realm: Realm) -> AnyRealmCollection? {
        Results<Element>._resolve(handedOver, in: realm).map { AnyRealmCollection($0) }
    }
}

extension AnyRealmCollection: Equatable {
    /// Whether both are the same collection, by its own equality.
    public static func == (left: AnyRealmCollection, right: AnyRealmCollection) -> Bool {
        func equal<C: RealmCollection>(_ left: C) -> Bool { (right.base as? C).map { left == $0 } ?? false }
        return equal(left.base)
    }
}
