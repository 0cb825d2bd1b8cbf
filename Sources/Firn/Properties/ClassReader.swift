import CSwiftMetadata
@_spi(Reflection) import Swift

/// Reads a class's persisted properties from the runtime's field list, and their options from one object of it.
struct ClassReader {
    private(set) var properties: [PropertyInfo] = []
    private(set) var incomingLinks: [LinkInfo] = []
    var problems: [String] = []

    let type: ObjectBase.Type

    init(_ type: ObjectBase.Type) {
        self.type = type
    }

    mutating func readFields() {
        let ignored = Set(type.ignoredProperties())
        let indexed = Set(type.indexedProperties())
        let primaryKey = type.primaryKey()
        let mapping = type.propertiesMapping()
        // An index or a primary key is an argument of a wrapper's initialiser, which only an object holds.
        let sample = type.init()
        withExtendedLifetime(sample) {
            for field in persistedFields(ignored) {
                // SAFETY: the address is that of a field of the living sample.
                let options = field.type.options(at: Unmanaged.passUnretained(sample).toOpaque() + field.offset)
                let isPrimaryKey = options.contains(.primaryKey) || field.name == primaryKey
                properties.append(
                    PropertyInfo(
                        name: field.name, columnName: mapping[field.name] ?? field.name, offset: field.offset,
                        field: field.type, isPrimaryKey: isPrimaryKey,
                        isIndexed: isPrimaryKey || !options.isDisjoint(with: [.indexed, .unique])
                            || indexed.contains(field.name),
                        isUnique: isPrimaryKey || options.contains(.unique),
                        deleteRule: options.deleteRule))
            }
            incomingLinks = incomingLinks(of: sample, ignored)
        }
        check(named: indexed, as: "indexedProperties()")
        check(named: primaryKey.map { [$0] } ?? [], as: "primaryKey()")
        check(named: Set(mapping.keys), as: "propertiesMapping()")
        checkKeys()
        checkNames()
        checkLinks()
    }

    struct Field<FieldType> {
        let name: String
        let offset: Int
        let type: FieldType
    }

    /// The fields to store, in order of declaration, a superclass's first: those with `@Persisted`; in a class that has
    /// none of these, all.
    private mutating func persistedFields(_ ignored: Set<String>) -> [Field<any PropertyField.Type>] {
        let fields = Self.fields(of: type).filter { !($0.type is any LinkingField.Type) }
        let persisted = fields.compactMap { field in
            (field.type as? any PropertyField.Type).map { type in
                let name = field.name.hasPrefix("_") ? String(field.name.dropFirst()) : field.name
                return Field(name: name, offset: field.offset, type: type)
            }
        }
        guard persisted.isEmpty else { return persisted.filter { !ignored.contains($0.name) } }
        return plainFields(fields.filter { !ignored.contains($0.name) })
    }

    private mutating func plainFields(_ fields: [Field<Any.Type>]) -> [Field<any PropertyField.Type>] {
        let ownOffsets = Set(Self.fields(of: Object.self).map(\.offset))
        var plain: [Field<any PropertyField.Type>] = []
        // A `let` has its value once the initialiser has run: there is nothing to fill it with, and code that reads it may
        // hold the value as a constant. What a `ManagedField` refers to is another matter.
        let metadata = unsafeBitCast(type as AnyClass, to: UnsafeRawPointer.self)
        for field in fields
        where !ownOffsets.contains(field.offset) && !field.name.hasPrefix("$__lazy_storage_$_") {
            let isConstant = firn_field_is_constant(metadata, field.name)
            if let instanceType = field.type as? any ManagedField.Type {
                if isConstant {
                    plain.append(Field(name: field.name, offset: field.offset, type: Self.property(of: instanceType)))
                } else {
                    problems.append(
                        "\(type.className()).\(field.name) is a variable of type \(field.type), which another instance "
                            + "could take the place of; write `let`")
                }
                continue
            }
            if isConstant { continue }
            guard let fieldType = PlainFields.field(for: field.type) else {
                problems.append(
                    "\(type.className()).\(field.name) is of type \(field.type), which cannot be stored; name it in "
                        + "ignoredProperties()")
                continue
            }
            guard fieldType.valueType._column.type != .link else {
                problems.append(
                    "\(type.className()).\(field.name) links to an object, which a plain property cannot; write "
                        + "`@Persisted var` for it and for all stored properties of the class")
                continue
            }
            guard !fieldType.valueType._needsFilling else {
                problems.append(
                    "\(type.className()).\(field.name) is of type \(field.type), which a plain property cannot hold; write "
                        + "`let \(field.name) = RealmProperty<\(field.type)>()`")
                continue
            }
            plain.append(Field(name: field.name, offset: field.offset, type: fieldType))
        }
        return plain
    }

    private static func property<Instance: ManagedField>(of type: Instance.Type) -> any PropertyField.Type {
        ManagedFieldProperty<Instance>.self
    }

    /// The stored properties of a class and its superclasses.
    static func fields(of type: ObjectBase.Type) -> [Field<Any.Type>] {
        var fields: [Field<Any.Type>] = []
        _ = _forEachField(of: type, options: [.classType]) { name, offset, fieldType, _ in
            fields.append(Field(name: String(cString: name), offset: offset, type: fieldType))
            return true
        }
        return fields
    }

    private mutating func check(named names: some Collection<String>, as source: String) {
        let known = Set(properties.map(\.name))
        for name in names.sorted() where !known.contains(name) {
            problems.append(
                "\(type.className()).\(source) names '\(name)', which is no persisted property; use the Swift name of one"
            )
        }
    }
}

extension _EachFieldOptions {
    /// Says that the type is a class. The standard library declares it, but not to clients.
    fileprivate static var classType: _EachFieldOptions { _EachFieldOptions(rawValue: 1) }
}
