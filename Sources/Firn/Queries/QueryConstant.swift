import FirnQuery
import FirnStore
import Foundation

/// What callers compare properties with.
enum QueryConstant {
    private struct UnknownArgument: Error, CustomStringConvertible {
        let description: String
    }

    /// The operand for an argument: a constant for any value that a property can have, a list of them for a collection or the
    /// two ends of a range. An object is one of the realm.
    static func operand(_ argument: Any?, _ context: RealmContext) throws -> Operand {
        guard let argument, let value = UntypedValue.unwrapped(argument) else { return .constant(.null) }
        switch value {
        case let shape as any GeoShape: return .constant(.area(shape.area))
        case let value as any _Persistable where !(value is any _PersistableCollection):
            return .constant(try make(value, context))
        default: break
        }
        guard let elements = UntypedValue.untypedElements(value) else { return .constant(try make(value, context)) }
        return .list(try elements.map { .constant(try make($0, context)) })
    }

    /// The constant for any value that a property can have. An object is one of the realm.
    static func make(_ argument: Any?, _ context: RealmContext) throws -> Constant {
        guard let argument, let value = UntypedValue.unwrapped(argument) else { return .null }
        switch value {
        case let object as ObjectBase: return try constant(object, context)
        case let value as any _Persistable: return try constant(value._stored().value)
        default: break
        }
        if let integer = UntypedValue.integer(value) { return .int(integer) }
        if let double = UntypedValue.double(value) { return .double(double) }
        if let string = String._converted(from: value) { return .string(string) }
        if let data = Data._converted(from: value) { return .data(data) }
        if let date = Date._converted(from: value) { return try constant(date._stored().value) }
        if let decimal = value as? Decimal { return .decimal(Decimal128(decimal).bits) }
        throw UnknownArgument(description: "no property can be compared with \(UntypedValue.describe(value))")
    }

    /// A live object of the realm by its key; any other by a key that no object ever has, which nothing equals.
    private static func constant(_ object: ObjectBase, _ context: RealmContext) throws -> Constant {
        guard let binding = context.bindings[ObjectIdentifier(type(of: object))] else {
            throw UnknownArgument(description: "'\(type(of: object).className())' is not one of the realm's classes")
        }
        let isLive = object.context === context && !object.isInvalidated
        return .link(table: binding.table.id.rawValue, key: isLive ? object.key : .max)
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
        case .link, .typedLink, .collection, .blob, .coded:
            throw UnknownArgument(description: "no property can be compared with such a value")
        }
    }
}
