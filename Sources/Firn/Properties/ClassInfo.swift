import Synchronization

/// What Firn knows of a model class: found once a class, then shared by every thread.
final class ClassInfo: @unchecked Sendable {  // Immutable; metatypes, which are what it holds, live for ever.
    let type: ObjectBase.Type
    let name: String
    /// In order of declaration, a superclass's first.
    let properties: [PropertyInfo]
    let primaryKey: PropertyInfo?
    /// The properties that show the links of other objects. They have no column.
    let incomingLinks: [LinkInfo]
    /// Indices of the properties that can lead to objects.
    let links: [Int]
    /// Indices of the properties that can hold more than a record does.
    let fillings: [Int]
    /// Indices of the properties whose values may be such as cannot be stored.
    let unstorables: [Int]
    /// Whether the class's objects belong to one other object each.
    let isEmbedded: Bool
    /// Whether the class's properties are plain: a class has one style or the other.
    let isPlain: Bool
    /// Whether objects can be encoded, so that their properties must know them.
    let isEncodable: Bool
    /// What is wrong with the class by itself: it cannot be part of a schema.
    let problems: [String]

    private let indices: [String: Int]

    /// What a class says of itself.
    private convenience init(_ type: ObjectBase.Type) {
        var reader = ClassReader(type)
        reader.readFields()
        self.init(
            type, name: type.className(), properties: reader.properties, incomingLinks: reader.incomingLinks,
            isEmbedded: type is EmbeddedObject.Type, isPlain: reader.properties.first.map { !$0.isWrapped } ?? false,
            problems: reader.problems)
    }

    init(
        _ type: ObjectBase.Type, name: String, properties: [PropertyInfo], incomingLinks: [LinkInfo], isEmbedded: Bool,
        isPlain: Bool, problems: [String]
    ) {
        self.type = type
        self.name = name
        self.properties = properties
        self.incomingLinks = incomingLinks
        self.isEmbedded = isEmbedded
        self.isPlain = isPlain
        self.problems = problems
        primaryKey = properties.first { $0.isPrimaryKey }
        links = properties.indices.filter { properties[$0].canLink }
        fillings = properties.indices.filter { properties[$0].needsFilling }
        unstorables = properties.indices.filter { properties[$0].canBeUnstorable }
        isEncodable = type is any Encodable.Type
        var indices: [String: Int] = [:]
        for (index, property) in properties.enumerated() {
            indices[property.columnName] = index
        }
        for (index, property) in properties.enumerated() {
            indices[property.name] = index
        }
        self.indices = indices
    }

    /// Whether the class is known by its table alone, and its objects are dynamic ones.
    var isDynamic: Bool { type == DynamicObject.self }

    /// The index of the property with a Swift or a column name.
    func index(of name: String) -> Int? {
        indices[name]
    }

    /// The property with a Swift or a column name.
    func property(_ name: String) -> PropertyInfo? {
        indices[name].map { properties[$0] }
    }

    /// What is known of `type`, from the cache after the first call.
    static func of(_ type: ObjectBase.Type) -> ClassInfo {
        if let known = cache.withLock({ $0[ObjectIdentifier(type)] }) { return known }
        // Made outside the lock: it runs the class's initialiser, which may open a realm. The first one made wins.
        let made = ClassInfo(type)
        return cache.withLock { cache in
            if let other = cache[ObjectIdentifier(type)] { return other }
            cache[ObjectIdentifier(type)] = made
            return made
        }
    }

    private static let cache = Mutex<[ObjectIdentifier: ClassInfo]>([:])
}
