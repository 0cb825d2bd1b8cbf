import FirnStore
import Foundation

extension AnyRealmValue: _Persistable, _Indexable, RealmCollectionValue {
    public typealias PersistedType = AnyRealmValue
    public static var _column: _ColumnShape { _ColumnShape(.any) }

    public static func _makeDefault() -> AnyRealmValue { .none }

    public static func _read(_ object: ObjectBase, _ slot: Int) -> AnyRealmValue {
        object.withRecord { _load(_RecordSource(context: $0.here, record: $1, owner: (object, slot)), slot) }
    }

    public static func _load(_ source: _RecordSource, _ slot: Int) -> AnyRealmValue {
        switch source.kind(slot) {
        case .null, nil: .none
        case .false, .true: .bool(Bool._load(source, slot))
        case .int8, .int16, .int32, .int64: .int(Int._load(source, slot))
        case .float: .float(Float._load(source, slot))
        case .double: .double(Double._load(source, slot))
        case .decimal128: .decimal128(Decimal128._load(source, slot))
        case .date: .date(Date._load(source, slot))
        case .string: .string(String._load(source, slot))
        case .data: .data(Data._load(source, slot))
        case .objectID: .objectId(ObjectId._load(source, slot))
        case .uuid: .uuid(UUID._load(source, slot))
        case .typedLink: .object(source.object(slot))
        case .collection: source.collection(slot)
        // No program can store these here.
        case .link, .blob, .coded: .none
        }
    }

    public static func _write(_ value: AnyRealmValue, _ object: ObjectBase, _ slot: Int) {
        object.checkIsWriting(slot)
        object.context?.store(value, in: object, slot)
    }

    public func _stored() -> _StoredValue {
        if case .object(let object) = self {
            guard object.isManaged else { return .null }
            return _StoredValue(.typedLink(table: object.binding.table.id.rawValue, key: object.key))
        }
        guard let scalar = storedScalar else { return .null }
        return _StoredValue(scalar)
    }

    public static var _needsFilling: Bool { true }

    public func _fill(_ object: ObjectBase, _ slot: Int, _ policy: Realm.UpdatePolicy) {
        if isNested { Self._write(self, object, slot) }
    }

    public func _forEachLinkedObject(_ body: (ObjectBase) -> Void) {
        _elementForm().forEachObject(body)
    }

    public func _linkedObject() -> ObjectBase? {
        if case .object(let object) = self { object } else { nil }
    }

    public func _elementForm() -> _ElementForm { _ElementForm(.any(self)) }

    // MARK: Untyped values

    /// The value without its case; nil for none.
    public func _untyped() -> Any? {
        switch self {
        case .none: nil
        case .int(let value): value
        case .bool(let value): value
        case .float(let value): value
        case .double(let value): value
        case .string(let value): value
        case .data(let value): value
        case .date(let value): value
        case .object(let value): value
        case .objectId(let value): value
        case .decimal128(let value): value
        case .uuid(let value): value
        case .dictionary(let value): value
        case .list(let value): value
        }
    }

    /// Takes what any case can hold, and arrays and dictionaries of that.
    public static func _converted(from value: Any) -> AnyRealmValue? {
        converted(value, depth: 0)
    }

    private static func converted(_ value: Any, depth: Int) -> AnyRealmValue? {
        // What is this deep is refused as it is, and would soon end the stack.
        guard depth <= 100 else { return nil }
        guard let value = UntypedValue.unwrapped(value) else { return AnyRealmValue.none }
        if let value = scalar(value) { return value }
        if let entries = UntypedValue.untypedEntries(value) {
            let map = Map<String, AnyRealmValue>()
            for entry in entries {
                guard let value = converted(entry.value, depth: depth + 1) else { return nil }
                map[entry.key] = value
            }
            return .dictionary(map)
        }
        guard let elements = UntypedValue.untypedElements(value) else { return nil }
        let list = List<AnyRealmValue>()
        for element in elements {
            guard let element = converted(element, depth: depth + 1) else { return nil }
            list.append(element)
        }
        return .list(list)
    }

    /// What needs no conversion of what it holds.
    private static func scalar(_ value: Any) -> AnyRealmValue? {
        switch value {
        case let value as AnyRealmValue: return value
        case let value as Object: return .object(value)
        case let value as List<AnyRealmValue>: return .list(value)
        case let value as Map<String, AnyRealmValue>: return .dictionary(value)
        case let value as Decimal128: return .decimal128(value)
        case let value as Decimal: return .decimal128(Decimal128(value))
        case let value as ObjectId: return .objectId(value)
        case let value as UUID: return .uuid(value)
        case let value as any PersistableEnum: return scalar(value.rawValue)
        default: break
        }
        // By type: a number casts to all the others where it comes from Foundation.
        if UntypedValue.isBool(value) { return Bool._converted(from: value).map { .bool($0) } }
        if let value = UntypedValue.integer(value) { return .int(Int(value)) }
        if type(of: value) is Float.Type, let value = value as? Float { return .float(value) }
        if let value = UntypedValue.floating(value) { return .double(value) }
        if let value = String._converted(from: value) { return .string(value) }
        if let value = Data._converted(from: value) { return .data(value) }
        return Date._converted(from: value).map { .date($0) }
    }
}

extension _RecordSource {
    /// What a slot holds, wherever it is stored; nil where the record is too short to have it.
    fileprivate func kind(_ slot: Int) -> Tag? {
        let tag = record.tag(slot)
        return tag == .blob ? Tag(rawValue: record.blob(slot).kind) : tag
    }

    fileprivate func object(_ slot: Int) -> Object {
        let link = record.typedLink(slot)
        let table = TableID(rawValue: link.table)
        guard let binding = context.binding(for: table) ?? context.dynamicBinding(for: table),
            let object = context.makeObject(binding, key: link.key) as? Object
        else { misuse("\(place) links to an object of a class that is no longer in the file") }
        return object
    }

    fileprivate func collection(_ slot: Int) -> AnyRealmValue {
        guard let handle = nestedHandle(slot) else { misuse("A nested collection was read without its object") }
        return CollectionKind(rawValue: record.collection(slot).kind) == .map
            ? .dictionary(Map(handle)) : .list(List(handle))
    }
}
