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
        objectSchema.map(\.description).joined(separator: "\n")
    }
}

/// A class of a realm.
public struct ObjectSchema: CustomStringConvertible, Equatable {
    /// The persisted properties, in order of declaration.
    public let properties: [Property]

    /// The class's name.
    public let className: String

    /// The class.
    public let objectClass: ObjectBase.Type

    init(_ info: ClassInfo) {
        className = info.name
        objectClass = info.type
        properties = info.properties.map { Property($0) }
        primaryKeyProperty = info.primaryKey.map { Property($0) }
    }

    /// The primary key, nil where the class has none.
    public let primaryKeyProperty: Property?

    /// Whether objects of the class exist only within another one.
    public var isEmbedded: Bool { false }

    /// The property with a name, nil where the class has none.
    public subscript(propertyName: String) -> Property? {
        properties.first { $0.name == propertyName }
    }

    /// The class with its properties.
    public var description: String {
        "\(className) {\n" + properties.map { "\t\($0)\n" }.joined() + "}"
    }

    /// Whether both are the same class with the same properties.
    public static func == (left: ObjectSchema, right: ObjectSchema) -> Bool {
        left.className == right.className && left.properties == right.properties
    }
}

/// A persisted property.
public struct Property: CustomStringConvertible, Equatable {
    /// The name in Swift.
    public let name: String
    /// The name in the file.
    public let columnName: String
    /// What it holds.
    public let type: PropertyType
    /// Whether it has an index. A primary key has.
    public let isIndexed: Bool
    /// Whether it can be nil.
    public let isOptional: Bool
    /// The class that it links to.
    public let objectClassName: String?

    init(_ info: PropertyInfo) {
        name = info.name
        columnName = info.columnName
        type = info.shape.propertyType
        isIndexed = info.isIndexed
        isOptional = info.shape.isOptional
        objectClassName = info.shape.target?.className()
    }

    /// Whether it is a list. No property is yet.
    public var isArray: Bool { false }
    /// Whether it is a set. No property is yet.
    public var isSet: Bool { false }
    /// Whether it is a map. No property is yet.
    public var isMap: Bool { false }

    /// The name and the type.
    public var description: String {
        "\(name): \(objectClassName ?? "\(type)")\(isOptional ? "?" : "")\(isIndexed ? " (indexed)" : "")"
    }
}
