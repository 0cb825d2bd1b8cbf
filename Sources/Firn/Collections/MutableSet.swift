import FirnStore

/// Distinct elements: a to-many relation, or a set of values.
///
///     class Dog: Object {
///         @Persisted var citiesVisited: MutableSet<String>
///     }
///
/// An unmanaged set holds its elements itself, in the order in which they came. A managed one, which a property of a managed
/// object gives, shows what the realm holds, in the order of the values (objects in that of their keys); it changes in a
/// write transaction only, and adds unmanaged objects that it is given to the realm. A `for` loop goes over the elements
/// that were there when it began; objects deleted meanwhile come invalidated.
///
/// Both take values for one element where they are stored alike: NaN is itself, -0.0 is 0.0, texts are compared by their UTF-8,
/// values of a type of your own by what is stored for them. In a set of `AnyRealmValue` numbers are the same where they are
/// equal, whatever their types.
///
/// Two managed sets are equal where they are one property of one object, two unmanaged ones where their elements are.
public final class MutableSet<Element: RealmCollectionValue> {
    var state: CollectionState<DistinctElements<Element>>

    /// Makes an empty set that no realm has.
    public init() {
        state = .unmanaged(DistinctElements())
    }

    /// Makes a set with elements that no realm has.
    public convenience init(_ elements: some Sequence<Element>) {
        self.init()
        insert(objectsIn: elements)
    }

    init(_ handle: CollectionHandle) {
        state = .managed(handle)
    }

    /// The realm that the set belongs to; nil for an unmanaged one.
    public var realm: Realm? { state.handle?.realm }

    /// Whether the set can no longer be used: its object is gone. False for an unmanaged one.
    public var isInvalidated: Bool { state.handle?.isInvalidated ?? false }

    /// Whether the set is frozen: pinned to one version, and readable from every thread.
    public var isFrozen: Bool { state.handle?.owner.isFrozen ?? false }

    /// Not for use: where an element stands in a set means nothing. Traps; ask `contains(_:)`.
    public func index(of element: Element) -> Int? {
        misuse("index(of:) was called for a MutableSet, whose elements have no place of their own; ask contains(_:)")
    }

    /// The set as messages name it.
    var name: String { state.handle?.name ?? "An unmanaged MutableSet<\(Element.self)>" }
}

extension MutableSet: Hashable {
    /// Whether both are one managed set, or unmanaged ones with equal elements.
    public static func == (left: MutableSet, right: MutableSet) -> Bool {
        left === right || left.state == right.state
    }

    /// Hashes where a managed set is, or the elements of an unmanaged one.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(state)
    }
}

extension MutableSet: RandomAccessCollection {
    /// The position of the first element, 0.
    public var startIndex: Int { 0 }

    /// The number of elements.
    public var endIndex: Int { count }

    /// The number of elements.
    public var count: Int {
        switch state {
        case .unmanaged(let elements): elements.inOrder.count
        case .managed(let handle): handle.count
        }
    }

    /// The element at a position in the present order. Traps where there is none.
    public subscript(position: Int) -> Element {
        switch state {
        case .managed(let handle):
            return handle.entry(at: position)
        case .unmanaged(let elements):
            guard elements.inOrder.indices.contains(position) else {
                trapBounds(position, elements.inOrder.count, of: name)
            }
            return elements.inOrder[position]
        }
    }

    /// Goes over the elements that are there now.
    public func makeIterator() -> RLMIterator<Element> {
        switch state {
        case .unmanaged(let elements): RLMIterator(elements.inOrder)
        case .managed(let handle): RLMIterator(ElementWalk(handle, isList: false))
        }
    }
}

extension MutableSet: ExpressibleByArrayLiteral {
    /// Makes a set with elements that no realm has.
    public convenience init(arrayLiteral elements: Element...) {
        self.init(elements)
    }
}
