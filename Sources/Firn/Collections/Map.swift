/// A type that the keys of a map can have: String, and enums of strings.
public protocol _MapKey: Hashable, RealmCollectionValue {}

/// Values by key.
public final class Map<Key: _MapKey, Value: RealmCollectionValue> {
    var state: CollectionState<[Key: Value]>

    /// Makes an empty map that no realm has.
    public init() {
        state = .unmanaged([:])
    }

    init(_ handle: CollectionHandle) {
        state = .managed(handle)
    }
}

extension String: _MapKey {}

extension Map: Hashable {
    public static func == (left: Map, right: Map) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
