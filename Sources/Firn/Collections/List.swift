import FirnStore

/// Elements in an order of their own: a to-many relation, or a list of values.
///
///     class Person: Object {
///         @Persisted var dogs: List<Dog>
///         @Persisted var scores: List<Int>
///     }
///
/// An unmanaged list holds its elements itself. A managed one, which a property of a managed object gives, shows what the
/// realm holds; it changes in a write transaction only, and adds unmanaged objects that it is given to the realm. A `for` loop
/// goes over the elements that were there when it began; objects deleted meanwhile come invalidated.
///
/// Two managed lists are equal where they are one property of one object, two unmanaged ones where their elements are.
public final class List<Element: RealmCollectionValue> {
    @exclusivity(unchecked) var state: CollectionState<[Element]>

    /// Makes an empty list that no realm has.
    public init() {
        state = .unmanaged([])
    }

    /// Makes a list with elements that no realm has.
    public convenience init(_ elements: some Sequence<Element>) {
        self.init()
        state = .unmanaged(Array(elements))
    }

    init(_ handle: CollectionHandle) {
        state = .managed(handle)
    }

    /// The realm that the list belongs to; nil for an unmanaged one.
    public var realm: Realm? { state.handle?.realm }

    /// Whether the list can no longer be used: its object is gone. False for an unmanaged one.
    public var isInvalidated: Bool { state.handle?.isInvalidated ?? false }

    /// Whether the list is frozen: pinned to one version, and readable from every thread.
    public var isFrozen: Bool { state.handle?.owner.isFrozen ?? false }

    /// The first position of an element that is stored like this one; nil where there is none, and for an object that is not
    /// of the realm. O(elements). Traps for a deleted object.
    public func index(of element: Element) -> Int? {
        guard case .managed(let handle) = state else { return firstIndex(of: element) }
        let context = handle.checked()
        // What is stored of these may differ though they are equal: -0.0 and 0.0, 1.0 and 1.00.
        if [.float, .double, .decimal].contains(Element._elementColumn.type) { return firstIndex(of: element) }
        guard let stored = context.stored(element._elementForm(), for: handle) else { return nil }
        return context.connection.listIndex(handle.place, of: stored)
    }

    /// The list as messages name it.
    var name: String { state.handle?.name ?? "An unmanaged List<\(Element.self)>" }
}

extension List: Hashable {
    /// Whether both are one managed list, or unmanaged ones with equal elements.
    public static func == (left: List, right: List) -> Bool {
        left === right || left.state == right.state
    }

    /// Hashes where a managed list is, or the elements of an unmanaged one.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(state)
    }
}

extension List: RandomAccessCollection, MutableCollection {
    /// The position of the first element, 0.
    public var startIndex: Int { 0 }

    /// The number of elements.
    public var endIndex: Int { count }

    /// The number of elements.
    public var count: Int {
        switch state {
        case .unmanaged(let elements): elements.count
        case .managed(let handle): handle.count
        }
    }

    /// The element at a position. Traps where there is none.
    public subscript(position: Int) -> Element {
        get {
            switch state {
            case .managed(let handle):
                return handle.listElement(at: position)
            case .unmanaged(let elements):
                guard elements.indices.contains(position) else { trapBounds(position, elements.count, of: name) }
                return elements[position]
            }
        }
        set { replace(index: position, object: newValue) }
    }

    /// Goes over the elements that are there now.
    public func makeIterator() -> RLMIterator<Element> {
        switch state {
        case .unmanaged(let elements): RLMIterator(elements)
        case .managed(let handle): RLMIterator(ElementWalk(handle, isList: true))
        }
    }
}

extension List: ExpressibleByArrayLiteral {
    /// Makes a list with elements that no realm has.
    public convenience init(arrayLiteral elements: Element...) {
        self.init(elements)
    }
}
