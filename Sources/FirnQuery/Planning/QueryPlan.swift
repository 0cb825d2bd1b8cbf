import FirnStore

/// The way to the objects that a predicate holds for: what is read, before the tests that are left are made on it.
enum QueryPlan: Sendable {
    /// No object can match; nothing is read.
    case nothing
    /// The one object with a primary key.
    case primaryKey(StoredColumn, StoredValue)
    /// The objects that an index has under a value.
    case index(StoredColumn, StoredValue)
    /// The objects in a range of keys, where the key is the primary key.
    case keys(StoredColumn, ClosedRange<Int64>)
    /// All objects of the table.
    case scan

    /// The plan in words; pinned by tests.
    var explanation: String {
        switch self {
        case .nothing: "nothing can match"
        case .primaryKey(let column, let value): "look up primary key \(column.name) = \(value.text)"
        case .index(let column, let value): "look up index \(column.name) = \(value.text)"
        case .keys(let column, let range):
            "scan primary keys \(column.name) \(Self.text(range.lowerBound)) ... \(Self.text(range.upperBound))"
        case .scan: "scan the table"
        }
    }

    private static func text(_ bound: Int64) -> String {
        bound == .min || bound == .max ? "" : String(bound)
    }
}
