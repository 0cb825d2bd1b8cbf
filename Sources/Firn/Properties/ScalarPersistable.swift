import FirnStore

/// A value type whose reading is one function of its record.
///
/// Public, because the standard types conform to it; its own requirements are package.
public protocol _ScalarPersistable: _Persistable, _OptionalPersistable, RealmCollectionValue {
    /// The column's type.
    static var _shape: _ColumnShape { get }

    /// The value of a slot that is not null; the type's zero where the record is too short to have the slot.
    static func _load(_ source: _RecordSource, _ slot: Int) -> Self
}

/// A record and the realm that lends it: that of an object, or one whose slots are elements of a collection.
///
/// Public, because `_ScalarPersistable` mentions it; what it holds is not. Good until the realm's next change.
public struct _RecordSource {
    let context: RealmContext
    let record: RecordView
    /// The class that links of the record's column lead to, where it has one.
    var target: TableBinding?
    /// The object that a value nested in the record belongs to, and the slot in which it hangs.
    var owner: (object: ObjectBase, slot: Int)?
    /// How many collections the record stands in within an `any`: see `CollectionHandle.depth`.
    var depth = 0
}

extension _ScalarPersistable {
    public static var _column: _ColumnShape { _shape }
    public static var _optionalColumn: _ColumnShape { _shape.optional }
    public static func _read(_ object: ObjectBase, _ slot: Int) -> Self {
        object.withRecord { _load(_RecordSource(context: $0, record: $1), slot) }
    }

    public static func _readOptional(_ object: ObjectBase, _ slot: Int) -> Self? {
        object.withRecord { _loadOptional(_RecordSource(context: $0, record: $1), slot) }
    }

    public static func _loadOptional(_ source: _RecordSource, _ slot: Int) -> Self? {
        source.record.isNull(slot) ? nil : _load(source, slot)
    }

    public static func _write(_ value: Self, _ object: ObjectBase, _ slot: Int) {
        object.write(value._stored().value, slot)
    }

    public static func _writeOptional(_ value: Self?, _ object: ObjectBase, _ slot: Int) {
        object.write(value?._stored().value ?? .null, slot)
    }

    public func _storedWrapped() -> _StoredValue { _stored() }
    public static func _convertedWrapped(from value: Any) -> Self? { _converted(from: value) }
}
