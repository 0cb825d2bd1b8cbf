/// An object whose class is known by its name only: its properties are read and set by theirs, untyped.
///
///     let dogs = realm.dynamicObjects("Dog")
///     for dog in dogs { print(dog.name as? String ?? "", dog["age"] as? Int ?? 0) }
///
/// The class may be one that the process does not have. Objects that a property leads to are dynamic too, and so are those in
/// lists, sets and maps. Enums and mapped types are what is stored for them, other `Codable` values dictionaries and arrays: see
/// <doc:OwnTypes>. Properties have their Swift names where the realm knows the class, else those of the file. A value that does
/// not fit poisons the write.
@dynamicMemberLookup
public final class DynamicObject: Object {
    /// What it was given while no realm has it: nobody knows its properties.
    private var values: [String: Any] = [:]

    /// The property named `member`: see `subscript(key:)`.
    public subscript(dynamicMember member: String) -> Any? {
        get { self[member] }
        set { self[member] = newValue }
    }

    /// Dynamic objects are of no class of their own.
    override public class func shouldIncludeInDefaultSchema() -> Bool { false }

    /// A property of one that no realm has.
    subscript(unmanaged key: String) -> Any? {
        get { values[key] }
        set { values[key] = newValue }
    }
}

extension ObjectBase {
    /// A list of objects, as dynamic ones. Traps for any other property, and for an unmanaged object.
    public final func dynamicList(_ propertyName: String) -> List<DynamicObject> {
        dynamicCollection(propertyName, "list")
    }

    /// A set of objects, as dynamic ones. Traps for any other property, and for an unmanaged object.
    public final func dynamicMutableSet(_ propertyName: String) -> MutableSet<DynamicObject> {
        dynamicCollection(propertyName, "set")
    }

    /// A map of objects, as dynamic ones. Traps for any other property, and for an unmanaged object.
    public final func dynamicMap(_ propertyName: String) -> Map<String, DynamicObject?> {
        dynamicCollection(propertyName, "map")
    }

    private final func dynamicCollection<Collection>(_ name: String, _ kind: String) -> Collection {
        guard let context else {
            misuse("The dynamic \(kind) '\(name)' of an unmanaged object was asked for; add the object first")
        }
        guard let collection = context.here.dynamicObject(self)[name] as? Collection else {
            misuse("'\(classInfo.name).\(name)' is no \(kind) of objects")
        }
        return collection
    }
}

extension AnyRealmValue {
    /// The object as a dynamic one; nil for any other value, and for an unmanaged object.
    public var dynamicObject: DynamicObject? {
        guard case .object(let object) = self else { return nil }
        return object.context?.here.dynamicObject(object)
    }
}

extension Realm {
    /// All objects of the class with a name, which the file has, and this process need not. Embedded ones too.
    ///
    /// Traps where the file has no such class.
    public func dynamicObjects(_ typeName: String) -> Results<DynamicObject> {
        return Results(context, context.dynamicBinding(named: typeName))
    }

    /// The object of the class with a name that has a primary key, nil where there is none.
    ///
    /// Traps where the file has no such class, for one without primary key, and for a key of another type.
    public func dynamicObject(ofType typeName: String, forPrimaryKey key: Any) -> DynamicObject? {
        let binding = context.dynamicBinding(named: typeName)
        let object = context.object(binding, PrimaryKeyValue.stored(key, binding.info))
        return object.map { unsafeDowncast($0, to: DynamicObject.self) }
    }

    /// Creates an object of the class with a name: see `create(_:value:update:)`.
    ///
    /// Of a class that the process does not know, properties that `value` leaves out have the zero of their type. Traps where
    /// the file has no such class, and for an embedded one.
    @discardableResult
    public func dynamicCreate(
        _ typeName: String, value: Any = [String: Any](), update: UpdatePolicy = .error
    ) -> DynamicObject {
        return context.dynamicCreate(context.dynamicBinding(named: typeName), value, update)
    }
}
