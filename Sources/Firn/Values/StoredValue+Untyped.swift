import FirnStore

extension StoredValue {
    /// The value as an untyped reader gets it; nil for nil, and for what is no value by itself.
    var untyped: Any? {
        switch self {
        case .bool(let value): value
        case .int(let value): Int(value)
        case .float(let value): value
        case .double(let value): value
        case .decimal(let bits): Decimal128(bits: bits)
        case .date(let seconds, let nanoseconds): StoredDate.date(seconds: seconds, nanoseconds: nanoseconds)
        case .string(let value): value
        case .data(let value): value
        case .objectID(let id): ObjectId(high: id.high, low: id.low)
        case .uuid(let value): value
        case .null, .link, .typedLink, .collection, .blob, .coded: nil
        }
    }
}
