import FirnStore

/// A type that `RealmOptional` can hold: the numbers.
public protocol RealmOptionalType: _Persistable, _OptionalPersistable {}

extension Int: RealmOptionalType {}
extension Int8: RealmOptionalType {}
extension Int16: RealmOptionalType {}
extension Int32: RealmOptionalType {}
extension Int64: RealmOptionalType {}
extension Float: RealmOptionalType {}
extension Double: RealmOptionalType {}
extension Bool: RealmOptionalType {}

/// An optional number in a class of plain properties: the older name of `RealmProperty<Value?>`.
///
///     class Person: Object {
///         let age = RealmOptional<Int>()
///     }
public final class RealmOptional<Value: RealmOptionalType> {
    private var content: BoxContent<Value?>

    /// A box that holds `value`.
    public init(_ value: Value? = nil) {
        content = .unmanaged(value)
    }

    /// The value, read from and written to the object that the box belongs to.
    ///
    /// Traps where the object's own properties would.
    public var value: Value? {
        get { content.value }
        set { content.value = newValue }
    }
}

extension RealmOptional: ManagedField {
    static var persistableType: any _Persistable.Type { Value?.self }

    func storedValue() -> StoredValue { content.value._stored().value }
    func storingError() -> (any Error)? { nil }
    func untypedValue() -> Any? { content.untyped }
    func take(_ value: Any) -> Bool { content.take(value) }
    func forEachLinkedObject(_ body: (ObjectBase) -> Void) {}
    func write(to object: ObjectBase, _ slot: Int, _ policy: Realm.UpdatePolicy) {}
    func manage(_ handle: CollectionHandle) { content = .managed(handle) }
}

extension RealmOptional: CustomStringConvertible {
    /// The value's description, or "nil".
    public var description: String { value.map { String(describing: $0) } ?? "nil" }
}

extension RealmOptional: Equatable where Value: Equatable {
    /// Whether both hold equal values.
    public static func == (left: RealmOptional, right: RealmOptional) -> Bool { left.value == right.value }
}

extension RealmOptional: Encodable where Value: Encodable {
    /// Encodes the value, or nil.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

extension RealmOptional: Decodable where Value: Decodable {
    /// Decodes the value, or nil.
    public convenience init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Value?.self))
    }
}

extension KeyedDecodingContainer {
    /// Decodes a box: a missing key is nil.
    public func decode<Value: Decodable & RealmOptionalType>(
        _ type: RealmOptional<Value>.Type, forKey key: Key
    ) throws -> RealmOptional<Value> {
        RealmOptional(try decodeIfPresent(Value.self, forKey: key))
    }
}
