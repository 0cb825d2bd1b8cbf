import FirnStore

/// A box in which a class of plain properties keeps a value that no plain property can hold: an optional number, or an
/// `AnyRealmValue`.
///
///     class Person: Object {
///         dynamic var name = ""
///         let age = RealmProperty<Int?>()
///     }
///
///     person.age.value = 41
///
/// It is declared with `let`, holds a value of its own while its object is unmanaged, and shows that of the object's row
/// afterwards. Classes with `@Persisted` properties need none.
public final class RealmProperty<Value: _Persistable> {
    private var content: BoxContent<Value>

    /// A box with its type's default: nil for an optional.
    public init() {
        content = .unmanaged(Value._makeDefault())
    }

    /// The value, read from and written to the object that the box belongs to.
    ///
    /// Traps where the object's own properties would.
    public var value: Value {
        get { content.value }
        set { content.value = newValue }
    }
}

extension RealmProperty: ManagedField {
    static var persistableType: any _Persistable.Type { Value.self }

    func storedValue() -> StoredValue { content.value._stored().value }
    func storingError() -> (any Error)? { content.value._storingError() }
    func untypedValue() -> Any? { content.untyped }
    func take(_ value: Any) -> Bool { content.take(value) }

    func forEachLinkedObject(_ body: (ObjectBase) -> Void) { content.value._forEachLinkedObject(body) }

    func write(to object: ObjectBase, _ slot: Int, _ policy: Realm.UpdatePolicy) {
        content.value._fill(object, slot, policy)
    }

    func manage(_ handle: CollectionHandle) { content = .managed(handle) }
}

/// What a box holds: a value of its own, or the property of a row.
enum BoxContent<Value: _Persistable> {
    case unmanaged(Value)
    case managed(CollectionHandle)

    var value: Value {
        get {
            switch self {
            case .unmanaged(let value): value
            case .managed(let handle): Value._read(handle.owner, handle.slot)
            }
        }
        set {
            switch self {
            case .unmanaged(let current): self = .unmanaged(newValue._assigned(over: current))
            case .managed(let handle): Value._write(newValue, handle.owner, handle.slot)
            }
        }
    }

    var untyped: Any? {
        switch self {
        case .unmanaged(let value): value._untyped()
        case .managed(let handle): Value._readUntyped(handle.owner, handle.slot)
        }
    }

    /// Takes something untyped for its value; false where it does not fit.
    mutating func take(_ value: Any) -> Bool {
        guard let converted = Value._converted(from: value) else { return false }
        self.value = converted
        return true
    }
}

extension RealmProperty: CustomStringConvertible {
    /// The value's description.
    public var description: String { String(describing: value) }
}

extension RealmProperty: Equatable where Value: Equatable {
    /// Whether both hold equal values.
    public static func == (left: RealmProperty, right: RealmProperty) -> Bool { left.value == right.value }
}

extension RealmProperty: Encodable where Value: Encodable {
    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

extension RealmProperty: Decodable where Value: Decodable {
    /// Decodes the value.
    public convenience init(from decoder: any Decoder) throws {
        self.init()
        value = try decoder.singleValueContainer().decode(Value.self)
    }
}

extension KeyedDecodingContainer {
    /// Decodes a box of an optional: a missing key is nil.
    public func decode<Wrapped>(
        _ type: RealmProperty<Wrapped?>.Type, forKey key: Key
    ) throws -> RealmProperty<Wrapped?> where Wrapped: Decodable & _OptionalPersistable {
        let property = RealmProperty<Wrapped?>()
        property.value = try decodeIfPresent(Wrapped.self, forKey: key)
        return property
    }
}
