/// Elements in an order of their own: a to-many relation, or a list of values.
public final class List<Element: RealmCollectionValue> {
    var state: CollectionState<[Element]>

    /// Makes an empty list that no realm has.
    public init() {
        state = .unmanaged([])
    }

    init(_ handle: CollectionHandle) {
        state = .managed(handle)
    }
}

extension List: Hashable {
    public static func == (left: List, right: List) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
