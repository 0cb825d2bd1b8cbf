/// What a property holds, with Realm's numbers.
public enum PropertyType: Int, Sendable, CustomStringConvertible {
    /// An integer of any width.
    case int = 0
    /// A Bool.
    case bool = 1
    /// A String.
    case string = 2
    /// Data.
    case data = 3
    /// A Date.
    case date = 4
    /// A Float.
    case float = 5
    /// A Double.
    case double = 6
    /// A link to an object.
    case object = 7
    /// The objects that link to this one.
    case linkingObjects = 8
    /// A value of any type.
    case any = 9
    /// An ObjectId.
    case objectId = 10
    /// A Decimal128.
    case decimal128 = 11
    /// A UUID.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    case UUID = 12

    /// The type's name.
    public var description: String {
        switch self {
        case .int: "Int"
        case .bool: "Bool"
        case .string: "String"
        case .data: "Data"
        case .date: "Date"
        case .float: "Float"
        case .double: "Double"
        case .object: "Object"
        case .linkingObjects: "LinkingObjects"
        case .any: "AnyRealmValue"
        case .objectId: "ObjectId"
        case .decimal128: "Decimal128"
        case .UUID: "UUID"
        }
    }

    /// The type as descriptions of schemas name it.
    var schemaName: String {
        switch self {
        case .int: "int"
        case .bool: "bool"
        case .string: "string"
        case .data: "data"
        case .date: "date"
        case .float: "float"
        case .double: "double"
        case .object: "object"
        case .linkingObjects: "linking objects"
        case .any: "mixed"
        case .objectId: "object id"
        case .decimal128: "decimal128"
        case .UUID: "uuid"
        }
    }
}
