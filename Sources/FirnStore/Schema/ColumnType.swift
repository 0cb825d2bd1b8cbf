/// What a column holds. The raw values are part of the file format.
package enum ColumnType: UInt8, Sendable, CaseIterable {
    case bool = 1
    case int = 2
    case float = 3
    case double = 4
    case decimal = 5
    case date = 6
    case string = 7
    case data = 8
    case objectID = 9
    case uuid = 10
    case link = 11
    case any = 12
    case coded = 13

    /// The type's name as messages and the tool print it.
    package var name: String {
        switch self {
        case .bool: "bool"
        case .int: "int"
        case .float: "float"
        case .double: "double"
        case .decimal: "decimal128"
        case .date: "date"
        case .string: "string"
        case .data: "data"
        case .objectID: "objectId"
        case .uuid: "uuid"
        case .link: "object"
        case .any: "any"
        case .coded: "Codable"
        }
    }
}

/// How a column holds more than one value. The raw values are part of the file format.
package enum CollectionKind: UInt8, Sendable, CaseIterable {
    case list = 1
    case set = 2
    case map = 3
}

/// What deleting an object does to those that one of its columns links to. The raw values are part of the file format.
package enum StoredDeleteRule: UInt8, Sendable, CaseIterable {
    /// Nothing: they stay.
    case nullify = 0
    /// They are deleted too.
    case cascade = 1
    /// The object cannot be deleted while the column links to one that stays.
    case deny = 2
}
