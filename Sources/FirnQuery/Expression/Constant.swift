import Foundation

/// A value that an operand is compared with.
package enum Constant: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    /// IEEE 754 decimal128, binary integer encoding.
    case decimal(UInt128)
    case string(String)
    case data(Data)
    case date(seconds: Int64, nanoseconds: Int32)
    /// The first eight and the last four bytes, big-endian.
    case objectID(high: UInt64, low: UInt32)
    case uuid(UUID)
    /// The table and the object key of an object.
    case link(table: UInt32, key: UInt64)
    /// The bytes of a `Codable` value; those of equal values are equal.
    case coded(Data)
    /// What `geoWithin` takes.
    case area(GeoArea)

    /// What kind of value this is, for messages.
    package var kind: String {
        switch self {
        case .null: "nil"
        case .bool: "a Bool"
        case .int: "an integer"
        case .double: "a floating-point number"
        case .decimal: "a Decimal128"
        case .string: "a string"
        case .data: "data"
        case .date: "a date"
        case .objectID: "an ObjectId"
        case .uuid: "a UUID"
        case .link: "an object"
        case .coded: "a Codable value"
        case .area: "an area"
        }
    }
}
