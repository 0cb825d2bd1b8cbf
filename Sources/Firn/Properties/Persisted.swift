/// Makes a property of an `Object` class persistent.
///
///     class Dog: Object {
///         @Persisted(primaryKey: true) var id: ObjectId
///         @Persisted(indexed: true) var name = ""
///         @Persisted var age: Int?
///     }
///
/// A default is evaluated at the first read of an unmanaged object, or when the object is added, and never for
/// an object that comes from a realm. A type without a declared default has one of its own: `Date` the current time,
/// `ObjectId` and `UUID` a new one, an enum its first case, everything else its zero or nil.
@propertyWrapper
public struct Persisted<Value: _Persistable> {
    // The slot comes first: binding an object to its row writes it straight to the field's address, and reading
    // it is all a managed access needs from this struct.
    /// The property's slot in its record when managed; `unmanagedSlot`, or a property index below that when traced.
    @usableFromInline var slot: Int32 = -1
    /// What `PropertyOptions` names.
    @usableFromInline var flags: UInt8 = 0
    /// The object: that of a managed one of an `Encodable` class, and of one that was used while unmanaged. Encoding has but a copy
    /// of this struct.
    @usableFromInline var owner: Unmanaged<ObjectBase>?
    @usableFromInline var value: Value?
    @usableFromInline var makeValue: (() -> Value)?

    /// A property with its type's default.
    @inlinable
    public init() {}

    /// A property with a default of its own.
    @inlinable
    public init(wrappedValue value: @autoclosure @escaping () -> Value) {
        makeValue = value
    }

    /// A property with its type's default and, where `indexed` is true, an index.
    @inlinable
    public init(indexed: Bool) where Value.PersistedType: _Indexable {
        flags = indexed ? 1 : 0
    }

    /// A property with a default of its own and, where `indexed` is true, an index.
    @inlinable
    public init(wrappedValue value: @autoclosure @escaping () -> Value, indexed: Bool)
    where Value.PersistedType: _Indexable {
        makeValue = value
        flags = indexed ? 1 : 0
    }

    /// A property with its type's default and, where `unique` is true, an index that lets no two objects have one value.
    ///
    /// Any number of objects may have nil. What objects have at the end of a write counts: a `write` after which two have the
    /// same value throws `Realm.Error.duplicateValue`, and nothing of it is kept.
    @inlinable
    public init(unique: Bool) where Value.PersistedType: _Indexable {
        flags = unique ? 16 : 0
    }

    /// A property with a default of its own and, where `unique` is true, an index that lets no two objects have one value.
    @inlinable
    public init(wrappedValue value: @autoclosure @escaping () -> Value, unique: Bool)
    where Value.PersistedType: _Indexable {
        makeValue = value
        flags = unique ? 16 : 0
    }

    /// The primary key, with its type's default.
    @inlinable
    public init(primaryKey: Bool) where Value.PersistedType: _PrimaryKey {
        flags = primaryKey ? 2 : 0
    }

    /// The primary key, with a default of its own.
    @inlinable
    public init(wrappedValue value: @autoclosure @escaping () -> Value, primaryKey: Bool)
    where Value.PersistedType: _PrimaryKey {
        makeValue = value
        flags = primaryKey ? 2 : 0
    }

    /// Not for use: a persisted property needs the object that it belongs to.
    @available(*, unavailable, message: "@Persisted is for properties of Object classes only")
    public var wrappedValue: Value {
        get { fatalError("@Persisted is for properties of Object classes only") }
        // swift-format-ignore: UseSingleLinePropertyGetter
        set { fatalError("@Persisted is for properties of Object classes only: \(newValue)") }
    }

    /// The property's value, read from and written to the object that it belongs to.
    ///
    /// Inlined into every access, because only there the key paths are literals and fold to the field's address: a managed
    /// read is then a slot test and one call.
    public static subscript<EnclosingSelf: ObjectBase>(
        _enclosingInstance object: EnclosingSelf,
        wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
        storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Self>
    ) -> Value {
        @inlinable @inline(__always)
        get {
            let slot = object[keyPath: storageKeyPath].slot
            if slot >= 0 { return Value._read(object, Int(slot)) }
            if slot == unmanagedSlot {
                object[keyPath: storageKeyPath].owner = Unmanaged<ObjectBase>.passUnretained(object)
                return object[keyPath: storageKeyPath].materialized()
            }
            return Value._traced(object, Int(firstTracedSlot - slot))
        }
        @inlinable @inline(__always)
        set {
            let slot = object[keyPath: storageKeyPath].slot
            if slot >= 0 {
                Value._write(newValue, object, Int(slot))
            } else {
                object[keyPath: storageKeyPath].owner = Unmanaged<ObjectBase>.passUnretained(object)
                let current = object[keyPath: storageKeyPath].value
                object[keyPath: storageKeyPath].value = newValue._assigned(over: current)
            }
        }
    }

    /// Whether the property was given no value and declares none, so that it has its type's default, if any.
    @inlinable
    var isUnset: Bool { value == nil && makeValue == nil }

    /// The value of an unmanaged property, whose default is made at the first call.
    @inlinable
    mutating func materialized() -> Value {
        if let value { return value }
        return makeDefault()
    }

    @inlinable @inline(never)
    mutating func makeDefault() -> Value {
        let made = makeValue?() ?? Value._makeDefault()
        value = made
        return made
    }
}

/// The slot of a property whose object is unmanaged.
@inlinable var unmanagedSlot: Int32 { -1 }

/// The slot of property 0 of a tracing object; property `i` has this less `i`.
@inlinable var firstTracedSlot: Int32 { -2 }
