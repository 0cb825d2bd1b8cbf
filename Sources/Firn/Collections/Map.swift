import FirnStore

/// A type that the keys of a map can have: String, and enums of strings.
///
///     enum Size: String, PersistableEnum, _MapKey { case small, large }
public protocol _MapKey: Hashable, RealmCollectionValue {
    /// The key as it is stored.
    var _storedKey: String { get }

    /// The key that is stored as a string; nil where the type has none.
    static func _key(_ stored: String) -> Self?
}

extension String: _MapKey {
    public var _storedKey: String { self }
    public static func _key(_ stored: String) -> String? { stored }
}

extension _MapKey where Self: RawRepresentable, RawValue == String {
    public var _storedKey: String { rawValue }
    public static func _key(_ stored: String) -> Self? { Self(rawValue: stored) }
}

/// Values by key.
///
///     class Dog: Object {
///         @Persisted var favoriteParksByCity: Map<String, String>
///     }
///
/// An unmanaged map holds its values itself, in no order. A managed one, which a property of a managed object gives, shows
/// what the realm holds, in the order of the keys' bytes; it changes in a write transaction only, and adds unmanaged objects
/// that it is given to the realm. Its keys hold neither `.` nor `$`; percent-encode them (`key.addingPercentEncoding`, with `%2E`
/// for `.` and `%24` for `$`).
///
/// A loop goes over the keys that were there when it began, with the values that they have when their turn comes, and ends
/// at the first key that is no longer there.
///
/// Two managed maps are equal where they are one property of one object, two unmanaged ones where their keys and values are.
public final class Map<Key: _MapKey, Value: RealmCollectionValue> {
    var state: CollectionState<[Key: Value]>

    /// Makes an empty map that no realm has.
    public init() {
        state = .unmanaged([:])
    }

    init(_ handle: CollectionHandle) {
        state = .managed(handle)
    }

    /// The realm that the map belongs to; nil for an unmanaged one.
    public var realm: Realm? { state.handle?.realm }

    /// Whether the map can no longer be used: its object is gone. False for an unmanaged one.
    public var isInvalidated: Bool { state.handle?.isInvalidated ?? false }

    /// Whether the map is frozen: pinned to one version, and readable from every thread.
    public var isFrozen: Bool { state.handle?.owner.isFrozen ?? false }

    /// The map as messages name it.
    var name: String { state.handle?.name ?? "An unmanaged Map<\(Key.self), \(Value.self)>" }

    // MARK: Reading

    /// The number of keys.
    public var count: Int {
        switch state {
        case .unmanaged(let values): values.count
        case .managed(let handle): handle.count
        }
    }

    /// Whether there is no key.
    public var isEmpty: Bool { count == 0 }

    /// The keys.
    public var keys: [Key] {
        switch state {
        case .unmanaged(let values): Array(values.keys)
        case .managed(let handle): handle.keys().map { key($0) }
        }
    }

    /// The values, in the order of `keys`.
    public var values: [Value] {
        switch state {
        case .unmanaged(let values): Array(values.values)
        case .managed: map(\.value)
        }
    }

    /// The value for a key, nil where there is none. Setting nil removes the key, also where values are optional: store a nil
    /// with `updateValue(_:forKey:)`.
    public subscript(key: Key) -> Value? {
        get {
            switch state {
            case .unmanaged(let values): return values[key]
            case .managed(let handle):
                let context = handle.checked()
                return context.connection.withMapValue(handle.place, key._storedKey) {
                    Value._load(handle.source(context, $0), 0)
                }
            }
        }
        set {
            if let newValue {
                updateValue(newValue, forKey: key)
            } else {
                removeObject(for: key)
            }
        }
    }

    /// The value for a key, nil where there is none.
    public func object(forKey key: Key) -> Value? {
        self[key]
    }

    /// The key for a stored one. Traps where the key's type has none.
    func key(_ stored: String) -> Key {
        guard let key = Key._key(stored) else {
            misuse(
                "\(name) has the key '\(stored)', which no case of \(Key.self) has; add one, or use String for its keys"
            )
        }
        return key
    }
}

extension Map: Hashable {
    /// Whether both are one managed map, or unmanaged ones with equal keys and values.
    public static func == (left: Map, right: Map) -> Bool {
        left === right || left.state == right.state
    }

    /// Hashes where a managed map is, or the contents of an unmanaged one.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(state)
    }
}

extension Map: ExpressibleByDictionaryLiteral {
    /// Makes a map with keys and values that no realm has. Of values for one key the last one counts.
    public convenience init(dictionaryLiteral elements: (Key, Value)...) {
        self.init()
        state = .unmanaged(Dictionary(elements) { $1 })
    }
}
