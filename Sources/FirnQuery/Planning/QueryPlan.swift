import FirnStore

/// The way to the objects that a predicate holds for: what is read, before the tests that are left are made on it. One word,
/// since it is copied whenever it is looked at.
indirect enum QueryPlan: Sendable {
    /// No object can match; nothing is read.
    case nothing
    /// The one object with a primary key.
    case primaryKey(StoredColumn, StoredValue)
    /// The objects in a range of keys, where the key is the primary key.
    case keys(StoredColumn, ClosedRange<Int64>)
    /// The objects that a way leads to.
    case access(QueryAccess)
    /// All objects of the table.
    case scan

    /// The plan in words; pinned by tests.
    var explanation: String {
        switch self {
        case .nothing: "nothing can match"
        case .primaryKey(let column, let value): "look up primary key \(column.name) = \(value.text)"
        case .keys(let column, let range):
            "scan primary keys \(column.name) \(Self.text(range.lowerBound)) ... \(Self.text(range.upperBound))"
        case .access(let access): "look up \(access.explanation)"
        case .scan: "scan the table"
        }
    }

    private static func text(_ bound: Int64) -> String {
        bound == .min || bound == .max ? "" : String(bound)
    }
}

/// A plan, and what is asked of each object that it leads to, the cheapest first.
///
/// A class, so that a plan that was made once is handed on without a copy of all that is in it.
final class PlannedQuery: Sendable {
    let plan: QueryPlan
    let tests: [RecordTest]
    private let parts: [PredicatePart]
    /// How many objects an access leads to, about; nil where nobody asked.
    let estimate: Int?

    init(_ plan: QueryPlan, _ rest: [PredicatePart], estimate: Int? = nil) {
        self.plan = plan
        self.estimate = estimate
        parts = rest.cheapestFirst(\.test.cost)
        tests = parts.map(\.test)
    }

    /// What is tested, in words.
    var testTexts: [String] { parts.map(\.text) }

    /// The plan in words: where the objects come from and what is asked of each.
    var explanation: String {
        parts.isEmpty ? plan.explanation : "\(plan.explanation), test \(testTexts.joined(separator: ", "))"
    }
}

/// Something that must hold of each object.
struct PredicatePart: Sendable {
    let condition: QueryExpression
    let test: RecordTest
    /// The column of the object that a comparison with constants is about, and what is asked of it.
    var column: StoredColumn?
    var value: ValueBinder.Bound?
    /// Whether it asks for one value of the column.
    var isEquality = false
    /// A way to the objects of which it holds, and to no others where that is exact.
    var access: QueryAccess?
    /// What must hold in each branch, where it is an OR.
    var branches: [[PredicatePart]] = []

    /// As predicate text.
    var text: String {
        if case .any = condition { "(\(condition.text(.short)))" } else { condition.text(.short) }
    }

    func isAbout(_ column: StoredColumn?) -> Bool { column != nil && self.column?.id == column?.id }
}
