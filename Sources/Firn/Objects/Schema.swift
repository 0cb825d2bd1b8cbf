/// The classes of a realm.
public struct Schema: CustomStringConvertible, Equatable {
    /// In order of class name.
    public let objectSchema: [ObjectSchema]

    init(_ objectSchema: [ObjectSchema]) {
        self.objectSchema = objectSchema
    }

    /// The class with a name, nil where the realm has none.
    public subscript(className: String) -> ObjectSchema? {
        objectSchema.first { $0.className == className }
    }

    /// The classes with their properties.
    public var description: String {
        describe("Schema", objectSchema.map(\.description))
    }
}

/// A class of a realm.
public struct ObjectSchema: CustomStringConvertible, Equatable {
    /// The persisted properties, in order of declaration.
    public let properties: [Property]

    /// The properties that show the links of other objects, and are not stored.
    public let computedProperties: [Property]

    /// The class's name.
    public let className: String

    /// The class; `DynamicObject` for one that only the file knows.
    public let objectClass: ObjectBase.Type

    /// The primary key, nil where the class has none.
    public let primaryKeyProperty: Property?

    /// Whether objects of the class exist only within another one.
    public let isEmbedded: Bool

    /// Whether objects of the class are only ever written. None are.
    public var isAsymmetric: Bool { false }

    init(_ info: ClassInfo) {
        className = info.name
        objectClass = info.type
        properties = info.properties.map { Property($0) }
        computedProperties = info.incomingLinks.map { Property($0) }
        primaryKeyProperty = info.primaryKey.map { Property($0) }
        isEmbedded = info.isEmbedded
    }

    /// The property with a name, stored or not; nil where the class has none.
    public subscript(propertyName: String) -> Property? {
        (properties + computedProperties).first { $0.name == propertyName }
    }

    /// The class with its properties.
    public var description: String {
        describe(className, (properties + computedProperties).map(\.description))
    }

    /// Whether both are the same class with the same properties.
    public static func == (left: ObjectSchema, right: ObjectSchema) -> Bool {
        left.className == right.className && left.properties == right.properties
            && left.computedProperties == right.computedProperties && left.isEmbedded == right.isEmbedded
    }
}

/// A property of a class.
public struct Property: CustomStringConvertible, Equatable {
    /// The name in Swift.
    public let name: String
    /// The name in the file.
    public let columnName: String
    /// What it holds; of a collection, what its elements are.
    public let type: PropertyType
    /// Whether it has an index. A primary key has.
    public let isIndexed: Bool
    /// Whether no two objects may have the same value, nil aside. A primary key is.
    public let isUnique: Bool
    /// Whether it is the primary key.
    public let isPrimaryKey: Bool
    /// Whether it can be nil; of a collection, whether its elements can.
    public let isOptional: Bool
    /// Whether it is a list.
    public let isArray: Bool
    /// Whether it is a set.
    public let isSet: Bool
    /// Whether it is a map.
    public let isMap: Bool
    /// The class that it links to, or whose links it shows.
    public let objectClassName: String?
    /// The property whose links it shows.
    public let linkOriginPropertyName: String?

    init(_ info: PropertyInfo) {
        name = info.name
        columnName = info.columnName
        type = info.shape.propertyType
        isIndexed = info.isIndexed
        isUnique = info.isUnique
        isPrimaryKey = info.isPrimaryKey
        isOptional = info.shape.isOptional
        isArray = info.shape.collection == .list
        isSet = info.shape.collection == .set
        isMap = info.shape.collection == .map
        objectClassName = info.targetName
        linkOriginPropertyName = nil
    }

    init(_ link: LinkInfo) {
        name = link.name
        columnName = link.name
        type = .linkingObjects
        isIndexed = false
        isUnique = false
        isPrimaryKey = false
        isOptional = false
        isArray = true
        isSet = false
        isMap = false
        objectClassName = link.originType.className()
        linkOriginPropertyName = link.property
    }

    /// The name and all that is known of the property.
    public var description: String {
        var lines = ["type = \(type.schemaName);"]
        if let objectClassName { lines.append("objectClassName = \(objectClassName);") }
        if let linkOriginPropertyName { lines.append("linkOriginPropertyName = \(linkOriginPropertyName);") }
        lines.append("columnName = \(columnName);")
        let flags = [
            ("indexed", isIndexed), ("isPrimary", isPrimaryKey), ("array", isArray), ("set", isSet),
            ("dictionary", isMap), ("optional", isOptional),
        ]
        return describe(name, lines + flags.map { "\($0.0) = \($0.1 ? "YES" : "NO");" })
    }
}

/// A name and, indented in braces, what belongs to it.
private func describe(_ name: String, _ parts: [String]) -> String {
    let lines = parts.flatMap { $0.split(separator: "\n") }
    return "\(name) {\n" + lines.map { "\t\($0)\n" }.joined() + "}"
}
