extension Optional: _Persistable where Wrapped: _OptionalPersistable {
    @inlinable
    public static var _column: _ColumnShape { Wrapped._optionalColumn }

    @inlinable
    public static func _read(_ object: ObjectBase, _ slot: Int) -> Wrapped? {
        Wrapped._readOptional(object, slot)
    }

    @inlinable
    public static func _write(_ value: Wrapped?, _ object: ObjectBase, _ slot: Int) {
        Wrapped._writeOptional(value, object, slot)
    }

    @inlinable
    public static func _makeDefault() -> Wrapped? { nil }

    @inlinable
    public func _stored() -> _StoredValue {
        // Not `self?.… ?? .null`: Swift 6.3 misaligns the stack slot of an optional that is aligned to 16 bytes.
        switch self {
        case .some(let wrapped): return wrapped._storedWrapped()
        case .none: return .null
        }
    }

    @inlinable
    public static var _needsFilling: Bool { Wrapped._optionalNeedsFilling }

    public func _fill(_ object: ObjectBase, _ slot: Int, _ policy: Realm.UpdatePolicy) {
        if Wrapped._optionalNeedsFilling { Wrapped._writeOptional(self, object, slot) }
    }

    @inlinable
    public static var _canBeUnstorable: Bool { Wrapped._optionalCanBeUnstorable }

    public func _storingError() -> (any Error)? { self?._wrappedStoringError() }

    public static func _readUntyped(_ object: ObjectBase, _ slot: Int) -> Any? {
        Wrapped._readOptionalUntyped(object, slot)
    }

    /// nil and NSNull give nil; anything else what the wrapped type makes of it.
    public static func _converted(from value: Any) -> Wrapped?? {
        guard let value = UntypedValue.unwrapped(value) else { return .some(nil) }
        guard let converted = Wrapped._convertedWrapped(from: value) else { return nil }
        return .some(converted)
    }

    @inlinable
    public func _untyped() -> Any? { self }

    @inlinable
    public func _linkedObject() -> ObjectBase? {
        self?._linkedWrappedObject()
    }

    @inlinable
    public static func _traced(_ object: ObjectBase, _ propertyIndex: Int) -> Wrapped? {
        Wrapped._tracedOptional(object, propertyIndex)
    }
}

extension Optional: _HasPersistedType where Wrapped: _HasPersistedType {
    public typealias PersistedType = Wrapped.PersistedType?
}

extension Optional: RealmCollectionValue where Wrapped: RealmCollectionValue & _OptionalPersistable {
    public static var _elementColumn: _ColumnShape { Wrapped._elementColumn.optional }

    public static func _load(_ source: _RecordSource, _ slot: Int) -> Wrapped? {
        Wrapped._loadOptional(source, slot)
    }

    @inlinable
    public static func _element(_ object: ObjectBase) -> Wrapped? {
        Wrapped._element(object)
    }

    public func _elementForm() -> _ElementForm {
        switch self {
        case .some(let wrapped): wrapped._elementForm()
        case .none: _ElementForm(.stored(.null))
        }
    }

    public static func _convertedElement(from value: Any) -> Wrapped?? {
        guard let value = UntypedValue.unwrapped(value) else { return .some(nil) }
        guard let converted = Wrapped._convertedElement(from: value) else { return nil }
        return .some(converted)
    }

    public func _untypedElement() -> Any? { self?._untypedElement() }
}

extension Optional: _PrimaryKey where Wrapped: _PrimaryKey {}
extension Optional: _Indexable where Wrapped: _Indexable {}
