import FirnStore

extension _OptionalPersistable where Self: Object {
    public static var _optionalColumn: _ColumnShape { _ColumnShape(.link, isOptional: true, target: Self.self) }

    public static func _readOptional(_ object: ObjectBase, _ slot: Int) -> Self? {
        object.readLink(slot).map { unsafeDowncast($0, to: Self.self) }
    }

    public static func _writeOptional(_ value: Self?, _ object: ObjectBase, _ slot: Int) {
        object.writeLink(value, slot)
    }

    public func _storedWrapped() -> _StoredValue {
        _StoredValue(isManaged ? .link(key) : .null)
    }

    /// Takes an object of the class.
    public static func _convertedWrapped(from value: Any) -> Self? { value as? Self }

    public func _linkedWrappedObject() -> ObjectBase? { self }

    public static func _tracedOptional(_ object: ObjectBase, _ propertyIndex: Int) -> Self? {
        object.traceLink(propertyIndex, to: Self.self).map { unsafeDowncast($0, to: Self.self) }
    }
}
