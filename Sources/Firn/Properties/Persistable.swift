/// A type that is stored, as itself or as another one.
///
/// Underscored like Realm's: it only constrains initialisers of `Persisted`.
public protocol _HasPersistedType {
    /// What it is stored as.
    associatedtype PersistedType
}

/// A type that a `@Persisted` property may have.
///
/// The members are for the property wrapper and the object store, and are public only because a client's own
/// module specialises them: do not call or write them, conform to `PersistableEnum`,
/// `CustomPersistable` or `PersistableCodable` instead.
public protocol _Persistable: _HasPersistedType {
    /// The column that a property of this type has.
    static var _column: _ColumnShape { get }

    /// Reads the property of a managed object.
    static func _read(_ object: ObjectBase, _ slot: Int) -> Self

    /// Writes the property of a managed object, inside a write transaction.
    static func _write(_ value: Self, _ object: ObjectBase, _ slot: Int)

    /// The value of a property for which the class declares none.
    static func _makeDefault() -> Self

    /// Whether `_makeDefault` can make one.
    static var _hasDefault: Bool { get }

    /// Whether a value, or the want of one, may be something that cannot be stored: `_stored` is null then.
    static var _canBeUnstorable: Bool { get }

    /// Why this value cannot be stored; nil where it can.
    func _storingError() -> (any Error)?

    /// What a record holds for this value. A link to an unmanaged object gives null.
    func _stored() -> _StoredValue

    /// The value for what `init(value:)`, `create` or `setValue(_:forKey:)` was given; nil where it does not fit.
    static func _converted(from value: Any) -> Self?

    /// The value as an untyped reader gets it: nil for nil.
    func _untyped() -> Any?

    /// The property of a managed object as an untyped reader gets it, which need not be a value of the type.
    static func _readUntyped(_ object: ObjectBase, _ slot: Int) -> Any?

    /// The object that this value links to.
    func _linkedObject() -> ObjectBase?

    /// Calls `body` with each object that this value links to, however it holds them.
    func _forEachLinkedObject(_ body: (ObjectBase) -> Void)

    /// Whether values can hold what no record does (collections, nested values), so that `_fill` must follow.
    static var _needsFilling: Bool { get }

    /// Writes what `_stored` left out to the row of a managed object, and makes a collection the live one of that row.
    func _fill(_ object: ObjectBase, _ slot: Int, _ policy: Realm.UpdatePolicy)

    /// What an unmanaged object's property holds once this value is assigned to it: a collection that is there stays, with
    /// what this one contains. `current` is nil while the property has not been read.
    func _assigned(over current: Self?) -> Self

    /// What a record holds for the `@Persisted` field at `field`, whose default is made if need be.
    ///
    /// A requirement, so that each type compiles its own specialised copy.
    static func _storedField(_ field: UnsafeMutableRawPointer) -> _StoredValue

    /// What the getter of a tracing object returns: see `PropertyTracer`.
    static func _traced(_ object: ObjectBase, _ propertyIndex: Int) -> Self
}

/// A type whose `Optional` is `_Persistable`.
///
/// Apart from `_Persistable` because a link is a property only as an optional. Public for the same reason.
public protocol _OptionalPersistable: _HasPersistedType {
    /// The column that a property of the optional type has.
    static var _optionalColumn: _ColumnShape { get }

    /// Reads the property of a managed object, nil for null.
    static func _readOptional(_ object: ObjectBase, _ slot: Int) -> Self?

    /// The value of a slot of a record, nil for null and for what the type cannot show.
    static func _loadOptional(_ source: _RecordSource, _ slot: Int) -> Self?

    /// Writes the property of a managed object, inside a write transaction.
    static func _writeOptional(_ value: Self?, _ object: ObjectBase, _ slot: Int)

    /// What a record holds for this value.
    func _storedWrapped() -> _StoredValue

    /// The same as `_Persistable._needsFilling` for the optional type.
    static var _optionalNeedsFilling: Bool { get }

    /// The same as `_Persistable._canBeUnstorable` for the optional type.
    static var _optionalCanBeUnstorable: Bool { get }

    /// Why this value cannot be stored; nil where it can.
    func _wrappedStoringError() -> (any Error)?

    /// The optional property of a managed object as an untyped reader gets it.
    static func _readOptionalUntyped(_ object: ObjectBase, _ slot: Int) -> Any?

    /// The value for something untyped; nil where it does not fit.
    static func _convertedWrapped(from value: Any) -> Self?

    /// The object that this value links to.
    func _linkedWrappedObject() -> ObjectBase?

    /// What the getter of a tracing object returns.
    static func _tracedOptional(_ object: ObjectBase, _ propertyIndex: Int) -> Self?
}

/// A type that can be a primary key.
///
/// Underscored like Realm's: it only constrains initialisers of `Persisted`.
public protocol _PrimaryKey {}

/// A type that can be indexed.
///
/// Underscored like Realm's: it only constrains initialisers of `Persisted`.
public protocol _Indexable {}

extension _Persistable {
    @inlinable
    public func _linkedObject() -> ObjectBase? { nil }

    public func _forEachLinkedObject(_ body: (ObjectBase) -> Void) {
        if let object = _linkedObject() { body(object) }
    }

    @inlinable
    public static var _needsFilling: Bool { false }

    public func _fill(_ object: ObjectBase, _ slot: Int, _ policy: Realm.UpdatePolicy) {}

    @inlinable
    public func _assigned(over current: Self?) -> Self { self }

    @inlinable
    public static var _hasDefault: Bool { true }

    @inlinable
    public static var _canBeUnstorable: Bool { false }

    public func _storingError() -> (any Error)? { nil }

    @inlinable
    public func _untyped() -> Any? { self }

    public static func _readUntyped(_ object: ObjectBase, _ slot: Int) -> Any? {
        _read(object, slot)._untyped()
    }

    @inlinable
    public static func _storedField(_ field: UnsafeMutableRawPointer) -> _StoredValue {
        // SAFETY: the class's field list says that a Persisted<Self> lives here, and its object is alive.
        let field = field.assumingMemoryBound(to: Persisted<Self>.self)
        if field.pointee.isUnset, !_hasDefault { return .null }
        return field.pointee.materialized()._stored()
    }

    @inlinable
    public static func _traced(_ object: ObjectBase, _ propertyIndex: Int) -> Self {
        object._trace(propertyIndex)
        return _makeDefault()
    }
}

extension _OptionalPersistable {
    @inlinable
    public static var _optionalNeedsFilling: Bool { false }

    @inlinable
    public static var _optionalCanBeUnstorable: Bool { false }

    public func _wrappedStoringError() -> (any Error)? { nil }

    public static func _readOptionalUntyped(_ object: ObjectBase, _ slot: Int) -> Any? {
        _readOptional(object, slot)
    }

    @inlinable
    public func _linkedWrappedObject() -> ObjectBase? { nil }

    @inlinable
    public static func _tracedOptional(_ object: ObjectBase, _ propertyIndex: Int) -> Self? {
        object._trace(propertyIndex)
        return nil
    }
}
