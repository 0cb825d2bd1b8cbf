import FirnStore
import Foundation

extension Comparison {
    /// The comparison as predicate text, for plans; long constants are cut.
    package var text: String { "\(property) \(operation.symbol)\(options.symbol) \(constant.text)" }
}

extension Constant {
    /// The constant in words, for plans; long ones are cut.
    var text: String {
        switch self {
        case .null: "nil"
        case .bool(let value): StoredValue.bool(value).text
        case .int(let value): StoredValue.int(value).text
        case .double(let value): StoredValue.double(value).text
        case .decimal(let bits): StoredValue.decimal(bits).text
        case .string(let value): StoredValue.string(value).text
        case .data(let value): StoredValue.data(value).text
        case .date(let seconds, let nanoseconds): StoredValue.date(seconds: seconds, nanoseconds: nanoseconds).text
        case .objectID(let high, let low): StoredValue.objectID(ObjectIDBytes(high: high, low: low)).text
        case .uuid(let value): StoredValue.uuid(value).text
        case .link(_, let key): StoredValue.link(key).text
        }
    }
}
