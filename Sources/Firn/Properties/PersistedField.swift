/// What can be asked of a `Persisted` field without knowing its value's type.
protocol PersistedField {
    static var valueType: any _Persistable.Type { get }
    static func untyped(at field: UnsafeMutableRawPointer) -> Any?
    static func linkedObject(at field: UnsafeMutableRawPointer) -> ObjectBase?
    /// Lets go of the value of a field that is managed now.
    static func discard(at field: UnsafeMutableRawPointer)
    /// False where `value` does not fit the property.
    static func assign(_ value: Any, at field: UnsafeMutableRawPointer) -> Bool
    static func assign(_ value: Any, to object: ObjectBase, slot: Int) -> Bool
    static func untyped(_ object: ObjectBase, slot: Int) -> Any?
}

extension Persisted: PersistedField {
    static var valueType: any _Persistable.Type { Value.self }

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

    static func assign(_ value: Any, to object: ObjectBase, slot: Int) -> Bool {
        guard let converted = Value._converted(from: value) else { return false }
        Value._write(converted, object, slot)
        return true
    }

    static func untyped(_ object: ObjectBase, slot: Int) -> Any? {
        Value._read(object, slot)._untyped()
    }

    private static func pointer(_ field: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Self> {
        // SAFETY: callers take `field` from the class's field list and keep its object alive.
        field.assumingMemoryBound(to: Self.self)
    }
}
