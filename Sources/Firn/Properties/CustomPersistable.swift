/// A type of your own that is stored as a type that a realm knows, and can be made of any value of that.
///
///     struct Coordinate: CustomPersistable {
///         var latitude: Double
///         var longitude: Double
///     }
///
///     class Location: EmbeddedObject {
///         @Persisted var latitude: Double
///         @Persisted var longitude: Double
///     }
///
///     extension Coordinate {
///         init(persistedValue: Location) {
///             self.init(latitude: persistedValue.latitude, longitude: persistedValue.longitude)
///         }
///         var persistableValue: Location { Location(value: [latitude, longitude]) }
///     }
///
/// Such a type can be a property, an optional one, an element of a collection, and, where what it is stored as can be, a
/// primary key or indexed. In the file, in the schema and to `value(forKey:)` it is what it is stored as: to change a
/// property from the one type to the other takes no migration.
///
/// Over an embedded object a property need not be optional: without one in the file it is made of a new object. Assigning
/// a value whose object holds what the stored one holds changes nothing; any other takes its place.
///
/// Elements and properties are `Hashable`. Swift makes that where the type is declared, or in an extension in its file; a
/// type from elsewhere needs an extension that says how.
public protocol CustomPersistable: _CustomPersistable {
    /// What is stored: a type that a property can have and that is not optional, or a class of embedded objects.
    associatedtype PersistedType

    /// Makes the value of what is stored.
    init(persistedValue: PersistedType)

    /// What is stored for the value.
    var persistableValue: PersistedType { get }
}

/// A type of your own that is stored as a type that a realm knows, but cannot be made of every value of that.
///
///     extension URL: FailableCustomPersistable {
///         public typealias PersistedType = String
///         public init?(persistedValue: String) { self.init(string: persistedValue) }
///         public var persistableValue: String { absoluteString }
///     }
///
/// An optional property reads a stored value of which none can be made as nil; a required one traps. See
/// ``CustomPersistable`` for the rest.
public protocol FailableCustomPersistable: _CustomPersistable {
    /// What is stored: a type that a property can have and that is not optional, or a class of embedded objects.
    associatedtype PersistedType

    /// Makes the value of what is stored; nil where that is not possible.
    init?(persistedValue: PersistedType)

    /// What is stored for the value.
    var persistableValue: PersistedType { get }
}

/// What `CustomPersistable` and `FailableCustomPersistable` have in common.
///
/// Underscored like Realm's: conform to one of the two instead.
public protocol _CustomPersistable: _Persistable, _OptionalPersistable, RealmCollectionValue
where PersistedType: _OptionalPersistable & RealmCollectionValue {
    /// What is stored for the value.
    var persistableValue: PersistedType { get }

    /// The value for what is stored; nil where none can be made.
    static func _mapped(_ persisted: PersistedType) -> Self?
}

extension CustomPersistable {
    @inlinable
    public static func _mapped(_ persisted: PersistedType) -> Self? { Self(persistedValue: persisted) }
}

extension FailableCustomPersistable {
    @inlinable
    public static func _mapped(_ persisted: PersistedType) -> Self? { Self(persistedValue: persisted) }
}

// MARK: Whatever it is stored as

extension _CustomPersistable {
    public static var _optionalColumn: _ColumnShape { PersistedType._optionalColumn }
    public static var _elementColumn: _ColumnShape { PersistedType._elementColumn }

    public static func _readOptional(_ object: ObjectBase, _ slot: Int) -> Self? {
        PersistedType._readOptional(object, slot).flatMap { _mapped($0) }
    }

    public static func _loadOptional(_ source: _RecordSource, _ slot: Int) -> Self? {
        PersistedType._loadOptional(source, slot).flatMap { _mapped($0) }
    }

    /// What is stored, which no value need be made of.
    public static func _readOptionalUntyped(_ object: ObjectBase, _ slot: Int) -> Any? {
        PersistedType._readOptionalUntyped(object, slot)
    }

    public func _untyped() -> Any? { persistableValue._untypedElement() }
    public func _untypedElement() -> Any? { persistableValue._untypedElement() }
    public func _elementForm() -> _ElementForm { persistableValue._elementForm() }

    public static func _convertedWrapped(from value: Any) -> Self? { _converted(from: value) }
    public static func _convertedElement(from value: Any) -> Self? { _converted(from: value) }

    public static func _traced(_ object: ObjectBase, _ propertyIndex: Int) -> Self {
        object._trace(propertyIndex)
        if _hasDefault { return _makeDefault() }
        object.leaveTracedGetter(of: Self.self)
    }

    static func mapped(_ persisted: PersistedType, _ object: ObjectBase, _ slot: Int) -> Self {
        guard let value = _mapped(persisted) else { object._trapUnfit(persisted, for: Self.self, slot) }
        return value
    }

    static func mapped(_ persisted: PersistedType, _ source: _RecordSource) -> Self {
        guard let value = _mapped(persisted) else { source.trapUnfit(persisted, for: Self.self) }
        return value
    }
}

// MARK: Stored as a value

extension _CustomPersistable where PersistedType: _Persistable {
    public static var _column: _ColumnShape { PersistedType._column }
    public static var _hasDefault: Bool { PersistedType._hasDefault && _mapped(PersistedType._makeDefault()) != nil }
    public static var _canBeUnstorable: Bool { true }
    public static var _optionalCanBeUnstorable: Bool { PersistedType._optionalCanBeUnstorable }

    public static func _makeDefault() -> Self {
        let persisted = PersistedType._makeDefault()
        guard let value = _mapped(persisted) else {
            misuse(
                "A property of type \(Self.self) was used before it was given a value, and none can be made of "
                    + "\(UntypedValue.describe(persisted)), the default of \(PersistedType.self); give the property a default, "
                    + "or make it optional")
        }
        return value
    }

    public static func _read(_ object: ObjectBase, _ slot: Int) -> Self {
        mapped(PersistedType._read(object, slot), object, slot)
    }

    public static func _readUntyped(_ object: ObjectBase, _ slot: Int) -> Any? {
        PersistedType._readUntyped(object, slot)
    }

    public static func _load(_ source: _RecordSource, _ slot: Int) -> Self {
        mapped(PersistedType._load(source, slot), source)
    }

    public static func _write(_ value: Self, _ object: ObjectBase, _ slot: Int) {
        PersistedType._write(value.persistableValue, object, slot)
    }

    public static func _writeOptional(_ value: Self?, _ object: ObjectBase, _ slot: Int) {
        PersistedType._writeOptional(value?.persistableValue, object, slot)
    }

    public func _stored() -> _StoredValue { persistableValue._stored() }
    public func _storedWrapped() -> _StoredValue { persistableValue._storedWrapped() }
    public func _storingError() -> (any Error)? { persistableValue._storingError() }
    public func _wrappedStoringError() -> (any Error)? { persistableValue._wrappedStoringError() }

    /// Takes a value, or what the stored type takes.
    public static func _converted(from value: Any) -> Self? {
        guard let value = UntypedValue.unwrapped(value) else { return nil }
        return value as? Self ?? PersistedType._converted(from: value).flatMap { _mapped($0) }
    }
}

// MARK: Stored as an embedded object

extension _CustomPersistable where PersistedType: EmbeddedObject {
    /// Optional, since a link to an object that goes becomes null.
    public static var _column: _ColumnShape { PersistedType._optionalColumn.mapped }
    public static var _optionalColumn: _ColumnShape { PersistedType._optionalColumn.mapped }
    public static var _elementColumn: _ColumnShape { PersistedType._elementColumn.mapped }
    public static var _hasDefault: Bool { _mapped(PersistedType()) != nil }
    public static var _canBeUnstorable: Bool { true }

    public static func _makeDefault() -> Self {
        guard let value = _mapped(PersistedType()) else {
            misuse(
                "A property of type \(Self.self) was used before it was given a value, and none can be made of a new "
                    + "\(PersistedType.className()); give the property a default, or make it optional")
        }
        return value
    }

    public static func _read(_ object: ObjectBase, _ slot: Int) -> Self {
        mapped(PersistedType._readOptional(object, slot) ?? PersistedType(), object, slot)
    }

    public static func _readUntyped(_ object: ObjectBase, _ slot: Int) -> Any? {
        PersistedType._readOptionalUntyped(object, slot)
    }

    public static func _load(_ source: _RecordSource, _ slot: Int) -> Self {
        mapped(PersistedType._loadOptional(source, slot) ?? PersistedType(), source)
    }

    // A value makes another object each time it is asked for one. So no object is known until the row is there, and the
    // value is written then.
    public func _stored() -> _StoredValue { .null }
    public func _storedWrapped() -> _StoredValue { .null }
    public static var _needsFilling: Bool { true }
    public static var _optionalNeedsFilling: Bool { true }

    public func _fill(_ object: ObjectBase, _ slot: Int, _ policy: Realm.UpdatePolicy) {
        Self._write(self, object, slot)
    }

    public static func _write(_ value: Self, _ object: ObjectBase, _ slot: Int) {
        _writeOptional(value, object, slot)
    }

    public static func _writeOptional(_ value: Self?, _ object: ObjectBase, _ slot: Int) {
        object.checkIsWriting(slot)
        let persisted = value?.persistableValue
        if let persisted, let current = PersistedType._readOptional(object, slot),
            persisted.holdsSameValues(as: current)
        {
            return
        }
        PersistedType._writeOptional(persisted, object, slot)
    }

    /// Takes a value, an object of the class, or what one can be made of.
    public static func _converted(from value: Any) -> Self? {
        guard let value = UntypedValue.unwrapped(value) else { return nil }
        if let value = value as? Self { return value }
        if let object = value as? PersistedType { return _mapped(object) }
        let object = PersistedType()
        do {
            try object.assignProperties(from: value)
        } catch {
            return nil
        }
        return _mapped(object)
    }
}

extension ObjectBase {
    /// Whether another object of the class has equal values. False where one of them is no single value or links to an
    /// object.
    fileprivate final func holdsSameValues(as other: ObjectBase) -> Bool {
        ClassInfo.of(type(of: self)).properties.allSatisfy { property in
            property.shape.collection == nil && ![.link, .any].contains(property.shape.type)
                && storedValue(of: property) == other.storedValue(of: property)
        }
    }

    /// Ends the process: no value of a required property's type can be made of what is stored.
    final func _trapUnfit(_ stored: Any, for type: Any.Type, _ slot: Int) -> Never {
        misuse(
            "\(binding.info.name).\(binding.propertyName(slot)) holds \(UntypedValue.describe(stored)), of which no "
                + "\(type) can be made; make the property optional to read such values as nil")
    }
}

extension _RecordSource {
    /// Ends the process: no element can be made of what is stored.
    func trapUnfit(_ stored: Any, for type: Any.Type) -> Never {
        misuse(
            "\(place) holds \(UntypedValue.describe(stored)), of which no \(type) can be made; make its elements optional "
                + "to read such values as nil")
    }

    /// What messages call the collection that the record's values are elements of.
    var place: String {
        guard let owner else { return "A collection" }
        return "The collection \(owner.object.binding.info.name).\(owner.object.binding.propertyName(owner.slot))"
    }
}
