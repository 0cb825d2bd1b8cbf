/// An enum that a `@Persisted` property can have, stored as its raw value.
///
///     enum Size: String, PersistableEnum { case small, large }
///
/// A stored raw value that no case has reads as nil from an optional property, and traps at the read of a required
/// one. The default of a required property is the first of `allCases`.
public protocol PersistableEnum: _Persistable, _OptionalPersistable, _PrimaryKey, _Indexable, RawRepresentable,
    CaseIterable, Comparable, RealmCollectionValue
where RawValue: _Persistable & _OptionalPersistable & Comparable & RealmCollectionValue, PersistedType == RawValue {}

extension PersistableEnum {
    /// Orders by raw value.
    @inlinable
    public static func < (left: Self, right: Self) -> Bool {
        left.rawValue < right.rawValue
    }

    @inlinable
    public static var _column: _ColumnShape { RawValue._column }
    @inlinable
    public static var _optionalColumn: _ColumnShape { RawValue._optionalColumn }

    @inlinable
    public static func _read(_ object: ObjectBase, _ slot: Int) -> Self {
        let raw = RawValue._read(object, slot)
        guard let value = Self(rawValue: raw) else { object._trapUnknownCase(raw, of: Self.self, slot) }
        return value
    }

    @inlinable
    public static func _readOptional(_ object: ObjectBase, _ slot: Int) -> Self? {
        RawValue._readOptional(object, slot).flatMap { Self(rawValue: $0) }
    }

    public static func _load(_ source: _RecordSource, _ slot: Int) -> Self {
        let raw = RawValue._load(source, slot)
        guard let value = Self(rawValue: raw) else {
            misuse(
                "A collection holds \(UntypedValue.describe(raw)), which no case of \(Self.self) has; make its elements "
                    + "optional to read such values as nil")
        }
        return value
    }

    public static func _loadOptional(_ source: _RecordSource, _ slot: Int) -> Self? {
        RawValue._loadOptional(source, slot).flatMap { Self(rawValue: $0) }
    }

    @inlinable
    public static func _write(_ value: Self, _ object: ObjectBase, _ slot: Int) {
        RawValue._write(value.rawValue, object, slot)
    }

    @inlinable
    public static func _writeOptional(_ value: Self?, _ object: ObjectBase, _ slot: Int) {
        RawValue._writeOptional(value?.rawValue, object, slot)
    }

    @inlinable
    public static func _makeDefault() -> Self {
        guard let first = allCases.first else { fatalError("The enum \(Self.self) has no case to be a default") }
        return first
    }

    @inlinable
    public func _stored() -> _StoredValue { rawValue._stored() }
    @inlinable
    public func _storedWrapped() -> _StoredValue { rawValue._storedWrapped() }

    /// Takes a case or its raw value.
    public static func _converted(from value: Any) -> Self? {
        guard let value = UntypedValue.unwrapped(value) else { return nil }
        return value as? Self ?? RawValue._converted(from: value).flatMap { Self(rawValue: $0) }
    }

    public static func _convertedWrapped(from value: Any) -> Self? { _converted(from: value) }
}
