import FirnQuery
import FirnStore
import Foundation

/// What callers compare properties with.
enum QueryConstant {
    struct UnknownArgument: Error, CustomStringConvertible {
        let description: String
    }

    /// The operand for an argument: a constant for any value that a property can have, a list of them for a collection or the
    /// two ends of a range. Of objects it is what `objects` makes.
    static func operand(_ argument: Any?, _ objects: some ObjectArguments) throws -> Operand {
        if let argument, let constant = plain(argument) { return .constant(constant) }
        guard let argument, let value = UntypedValue.unwrapped(argument) else { return .constant(.null) }
        switch value {
        case let shape as any GeoShape: return .constant(.area(shape.area))
        case let value as any _Persistable where !(value is any _PersistableCollection):
            return try single(value, objects)
        default: break
        }
        guard let elements = UntypedValue.untypedElements(value) else { return try single(value, objects) }
        return .list(try elements.map { try single($0, objects) })
    }

    /// The constant for a value of the types that are asked for most. To find out what else it may be takes longer than to look
    /// it up.
    private static func plain(_ value: Any) -> Constant? {
        let type = type(of: value)
        if type == String.self { return (value as? String).map { .string($0) } }
        if type == Int.self { return (value as? Int).map { .int(Int64($0)) } }
        if type == UUID.self { return (value as? UUID).map { .uuid($0) } }
        if type == ObjectId.self { return (value as? ObjectId).flatMap { try? constant($0._stored().value) } }
        return nil
    }

    /// The operand for one value, whatever it is.
    private static func single(_ argument: Any?, _ objects: some ObjectArguments) throws -> Operand {
        guard let argument, let value = UntypedValue.unwrapped(argument) else { return .constant(.null) }
        if let object = value as? ObjectBase { return try objects.operand(PredicateObject(object)) }
        if let value = value as? AnyRealmValue, case .object(let object) = value {
            return try objects.operand(PredicateObject(object))
        }
        return .constant(try constant(value))
    }

    private static func constant(_ value: Any) throws -> Constant {
        if let value = value as? any _Persistable { return try constant(value._stored().value) }
        if let integer = UntypedValue.integer(value) { return .int(integer) }
        if let double = UntypedValue.double(value) { return .double(double) }
        if let string = String._converted(from: value) { return .string(string) }
        if let data = Data._converted(from: value) { return .data(data) }
        if let date = Date._converted(from: value) { return try constant(date._stored().value) }
        if let decimal = value as? Decimal { return .decimal(Decimal128(decimal).bits) }
        throw UnknownArgument(description: "no property can be compared with \(UntypedValue.describe(value))")
    }

    private static func constant(_ value: StoredValue) throws -> Constant {
        switch value {
        case .null: .null
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .float(let value): .double(Double(value))
        case .double(let value): .double(value)
        case .decimal(let bits): .decimal(bits)
        case .date(let seconds, let nanoseconds): .date(seconds: seconds, nanoseconds: nanoseconds)
        case .string(let value): .string(value)
        case .data(let value): .data(value)
        case .objectID(let value): .objectID(high: value.high, low: value.low)
        case .uuid(let value): .uuid(value)
        case .coded(let value): .coded(value)
        case .link, .typedLink, .collection, .blob:
            throw UnknownArgument(description: "no property can be compared with such a value")
        }
    }
}
