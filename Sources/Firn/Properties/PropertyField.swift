import FirnStore

/// A field of a model class that holds a persisted property, whatever its type: `Persisted`, or a plain one.
///
/// Callers take a field's address from the class's field list and keep its object alive while they use it.
protocol PropertyField {
    /// Whether the value stands in the field itself, where nothing sees it change.
    static var isPlain: Bool { get }
    static var valueType: any _Persistable.Type { get }
    /// What a record holds for the field of an unmanaged or plain object.
    static func stored(at field: UnsafeMutableRawPointer) -> StoredValue
    static func untyped(at field: UnsafeMutableRawPointer) -> Any?
    static func linkedObject(at field: UnsafeMutableRawPointer) -> ObjectBase?
    /// Lets go of the value of a field that is managed now.
    static func discard(at field: UnsafeMutableRawPointer)
    /// False where `value` does not fit the property.
    static func assign(_ value: Any, at field: UnsafeMutableRawPointer) -> Bool
    /// Takes over the value that a managed object's record has.
    static func fill(_ field: UnsafeMutableRawPointer, from object: ObjectBase, slot: Int)
    /// The same as `assign(_:at:)` for a managed object.
    static func assign(_ value: Any, to object: ObjectBase, slot: Int) -> Bool
    /// The same as `untyped(at:)` for a managed object.
    static func untyped(_ object: ObjectBase, slot: Int) -> Any?
}

extension Persisted: PropertyField {
    static var isPlain: Bool { false }
    static var valueType: any _Persistable.Type { Value.self }

    static func stored(at field: UnsafeMutableRawPointer) -> StoredValue {
        Value._storedField(field).value
    }

    static func untyped(at field: UnsafeMutableRawPointer) -> Any? {
        pointer(field).pointee.materialized()._untyped()
    }

    static func linkedObject(at field: UnsafeMutableRawPointer) -> ObjectBase? {
        pointer(field).pointee.value?._linkedObject()
    }

    static func discard(at field: UnsafeMutableRawPointer) {
        pointer(field).pointee.value = nil
        pointer(field).pointee.makeValue = nil
    }

    static func assign(_ value: Any, at field: UnsafeMutableRawPointer) -> Bool {
        guard let converted = Value._converted(from: value) else { return false }
        pointer(field).pointee.value = converted
        return true
    }

    static func fill(_ field: UnsafeMutableRawPointer, from object: ObjectBase, slot: Int) {}

    static func assign(_ value: Any, to object: ObjectBase, slot: Int) -> Bool {
        guard let converted = Value._converted(from: value) else { return false }
        Value._write(converted, object, slot)
        return true
    }

    static func untyped(_ object: ObjectBase, slot: Int) -> Any? {
        Value._read(object, slot)._untyped()
    }

    private static func pointer(_ field: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Self> {
        // SAFETY: see `PropertyField`.
        field.assumingMemoryBound(to: Self.self)
    }
}
