/// Distinct elements: a to-many relation, or a set of values.
public final class MutableSet<Element: RealmCollectionValue> {
    /// Unmanaged elements in order of insertion.
    var state: CollectionState<[Element]>

    /// Makes an empty set that no realm has.
    public init() {
        state = .unmanaged([])
    }

    init(_ handle: CollectionHandle) {
        state = .managed(handle)
    }
}
