import FirnStore
import Foundation

/// A property of a `DynamicObject`: there is a column, but no field.
struct DynamicField<Value: _Persistable>: PropertyField {
    static var kind: FieldKind { .absent }
    static var valueType: any _Persistable.Type { Value.self }

    static func assign(_ value: Any, to object: ObjectBase, slot: Int) -> Bool {
        Persisted<Value>.assign(value, to: object, slot: slot)
    }

    static func untyped(_ object: ObjectBase, slot: Int) -> Any? {
        guard let value = Persisted<Value>.untyped(object, slot: slot) else { return nil }
        let isUnnamed = Value._column.type == .coded && Value._column.collection != nil
        return isUnnamed ? UndecodedValue.contents(of: value) : value
    }

    // MARK: What there is no field for

    static func options(at field: UnsafeMutableRawPointer) -> PropertyOptions { [] }
    static func stored(at field: UnsafeMutableRawPointer) -> StoredValue { .null }
    static func storingError(at field: UnsafeMutableRawPointer) -> (any Error)? { nil }
    static func untyped(at field: UnsafeMutableRawPointer) -> Any? { nil }
    static func linkedObject(at field: UnsafeMutableRawPointer) -> ObjectBase? { nil }
    static func forEachLinkedObject(at field: UnsafeMutableRawPointer, _ body: (ObjectBase) -> Void) {}
    static func needsFilling(at field: UnsafeMutableRawPointer) -> Bool { false }
    static func write(
        _ field: UnsafeMutableRawPointer, to object: ObjectBase, slot: Int, _ policy: Realm.UpdatePolicy
    ) {}
    static func discard(at field: UnsafeMutableRawPointer) {}
    static func assign(_ value: Any, at field: UnsafeMutableRawPointer) -> Bool { false }
    static func load(_ field: UnsafeMutableRawPointer, from object: ObjectBase, slot: Int) {}
}

/// The fields of dynamic objects by what their columns hold.
enum DynamicFields {
    static func field(for column: StoredColumn) -> any PropertyField.Type {
        switch column.type {
        case .bool: field(Bool.self, column)
        case .int: field(Int.self, column)
        case .float: field(Float.self, column)
        case .double: field(Double.self, column)
        case .decimal: field(Decimal128.self, column)
        case .date: field(Date.self, column)
        case .string: field(String.self, column)
        case .data: field(Data.self, column)
        case .objectID: field(ObjectId.self, column)
        case .uuid: field(UUID.self, column)
        case .coded: field(UndecodedValue.self, column)
        case .link: links(column)
        case .any: collection(AnyRealmValue.self, column) ?? DynamicField<AnyRealmValue>.self
        }
    }

    private static func field<Value: _Persistable & _OptionalPersistable & RealmCollectionValue>(
        _ type: Value.Type, _ column: StoredColumn
    ) -> any PropertyField.Type {
        if column.isOptional { return collection(Value?.self, column) ?? DynamicField<Value?>.self }
        return collection(Value.self, column) ?? DynamicField<Value>.self
    }

    private static func links(_ column: StoredColumn) -> any PropertyField.Type {
        if column.collection == .map { return DynamicField<Map<String, DynamicObject?>>.self }
        return collection(DynamicObject.self, column) ?? DynamicField<DynamicObject?>.self
    }

    private static func collection<Element: RealmCollectionValue>(
        _ type: Element.Type, _ column: StoredColumn
    ) -> (any PropertyField.Type)? {
        switch column.collection {
        case .list: DynamicField<List<Element>>.self
        case .set: DynamicField<MutableSet<Element>>.self
        case .map: DynamicField<Map<String, Element>>.self
        case nil: nil
        }
    }
}

/// A `PersistableCodable` value whose type is not known: its bytes. Untyped, it is dictionaries, arrays and single values.
struct UndecodedValue: _ScalarPersistable, Hashable {
    typealias PersistedType = _CodedBytes

    let bytes: Data

    static var _shape: _ColumnShape { _ColumnShape(.coded) }

    static func _load(_ source: _RecordSource, _ slot: Int) -> UndecodedValue {
        guard case .coded(let bytes) = source.context.connection.value(source.record, slot) else {
            return UndecodedValue(bytes: Data())
        }
        return UndecodedValue(bytes: bytes)
    }

    static func _makeDefault() -> UndecodedValue { UndecodedValue(bytes: Data()) }
    func _stored() -> _StoredValue { _StoredValue(.coded(bytes)) }
    func _untyped() -> Any? { (try? CodedValue(decoding: bytes))?.untyped }

    static func _readOptionalUntyped(_ object: ObjectBase, _ slot: Int) -> Any? {
        _readOptional(object, slot)?._untyped()
    }

    /// Takes what `_untyped` gives, and any `Encodable` value.
    static func _converted(from value: Any) -> UndecodedValue? {
        guard UntypedValue.unwrapped(value) != nil, let bytes = try? CodedValue(untyped: value)?.encoded() else {
            return nil
        }
        return UndecodedValue(bytes: bytes)
    }

    /// What a collection of such values holds now, as an array or a dictionary: nobody could name the type of its elements.
    static func contents(of collection: Any) -> Any? {
        func content(_ element: Any) -> Any {
            (UntypedValue.unwrapped(element) as? UndecodedValue)?._untyped() ?? NSNull()
        }
        if collection is any AnyMap, let entries = UntypedValue.untypedEntries(collection) {
            return Dictionary(entries.map { ($0.key, content($0.value)) }) { $1 }
        }
        return UntypedValue.untypedElements(collection)?.map(content)
    }
}
