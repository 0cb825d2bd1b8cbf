import FirnStore

/// An integer type that a property can have. All share one column type.
///
/// Public, because client modules specialise its extension.
public protocol _IntegerPersistable: FixedWidthInteger, _Persistable, _OptionalPersistable, _PrimaryKey, _Indexable,
    RealmCollectionValue
{}

extension _IntegerPersistable {
    public static var _column: _ColumnShape { _ColumnShape(.int) }
    public static var _optionalColumn: _ColumnShape { _ColumnShape(.int, isOptional: true) }

    @inlinable
    public static func _read(_ object: ObjectBase, _ slot: Int) -> Self {
        Self(truncatingIfNeeded: object._readInteger(slot))
    }

    @inlinable
    public static func _readOptional(_ object: ObjectBase, _ slot: Int) -> Self? {
        object._readOptionalInteger(slot).map { Self(truncatingIfNeeded: $0) }
    }

    public static func _load(_ source: _RecordSource, _ slot: Int) -> Self {
        Self(truncatingIfNeeded: source.record.int64(slot))
    }

    public static func _loadOptional(_ source: _RecordSource, _ slot: Int) -> Self? {
        source.record.isNull(slot) ? nil : _load(source, slot)
    }

    @inlinable
    public static func _write(_ value: Self, _ object: ObjectBase, _ slot: Int) {
        object._writeInteger(Int64(truncatingIfNeeded: value), slot)
    }

    @inlinable
    public static func _writeOptional(_ value: Self?, _ object: ObjectBase, _ slot: Int) {
        object._writeOptionalInteger(value.map { Int64(truncatingIfNeeded: $0) }, slot)
    }

    @inlinable
    public static func _makeDefault() -> Self { 0 }

    public func _stored() -> _StoredValue { _StoredValue(.int(Int64(truncatingIfNeeded: self))) }
    public func _storedWrapped() -> _StoredValue { _stored() }

    /// Takes any integer or Bool that this type can hold.
    public static func _converted(from value: Any) -> Self? {
        guard let value = UntypedValue.unwrapped(value), let integer = UntypedValue.integer(value) else { return nil }
        return Self(exactly: integer)
    }

    public static func _convertedWrapped(from value: Any) -> Self? { _converted(from: value) }
}

extension Int: _IntegerPersistable { public typealias PersistedType = Int }
extension Int8: _IntegerPersistable { public typealias PersistedType = Int8 }
extension Int16: _IntegerPersistable { public typealias PersistedType = Int16 }
extension Int32: _IntegerPersistable { public typealias PersistedType = Int32 }
extension Int64: _IntegerPersistable { public typealias PersistedType = Int64 }
