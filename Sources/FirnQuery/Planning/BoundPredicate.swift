import FirnStore

/// A predicate checked against a table, with a plan: what executes.
///
/// Good for the schema as it was; a change of that calls for a new one. Holds nothing of a store, so that any connection, on
/// any thread, may execute it.
package struct BoundPredicate: Sendable {
    /// The table it reads.
    package let table: TableID
    /// What the answer depends on, apart from which objects the table has.
    package let dependencies: Set<QueryDependency>
    let plan: QueryPlan
    /// What is asked of each record that the plan gives, the cheapest first.
    let tests: [RecordTest]
    /// All of it as tests: what is asked of a record from elsewhere.
    private let allTests: [RecordTest]
    private let testTexts: [String]

    /// Checks an expression against a table and chooses the plan.
    /// - Throws: `.unknownProperty`, `.invalidComparison`, `.invalidArgument` or `.notSupported`.
    package init(_ expression: QueryExpression, table: StoredTable, in catalog: QueryCatalog) throws(QueryError) {
        let binder = PredicateBinder(catalog, table: table)
        var parts: [Part] = []
        for expression in expression.conjuncts {
            if case .comparison(let comparison) = expression {
                let bound = try binder.bind(comparison)
                parts.append(Part(text: bound.comparison.text(.short), test: bound.test, bound: bound))
            } else {
                let test = try binder.bind(expression)
                parts.append(Part(text: expression.text(.short), test: test, bound: nil))
            }
        }
        self.table = table.id
        dependencies = binder.log.dependencies
        let isPossible = !parts.contains { $0.test.isNever }
        parts.removeAll { $0.test.isCertain }
        allTests = parts.map(\.test).cheapestFirst
        let (plan, rest) = isPossible ? Self.plan(parts, table) : (.nothing, [])
        self.plan = plan
        let sorted = rest.enumerated().sorted {
            ($0.element.test.cost, $0.offset) < ($1.element.test.cost, $1.offset)
        }.map(\.element)
        tests = sorted.map(\.test)
        testTexts = sorted.map(\.text)
    }

    /// The plan in words: where the objects come from and what is asked of each.
    package var explanation: String {
        testTexts.isEmpty ? plan.explanation : "\(plan.explanation), test \(testTexts.joined(separator: ", "))"
    }

    /// Whether the predicate holds for a record of its table.
    package func matches(_ record: RecordView, _ key: ObjectKey, in connection: Connection) -> Bool {
        if case .nothing = plan { return false }
        let scope = Scope(record, key)
        return allTests.allSatisfy { $0.matches(scope, connection) }
    }
}

extension QueryExpression {
    /// The expressions of which all must hold.
    fileprivate var conjuncts: [QueryExpression] {
        if case .all(let parts) = self { parts.flatMap(\.conjuncts) } else { [self] }
    }
}

extension RecordTest {
    /// Whether no record passes.
    fileprivate var isNever: Bool {
        switch self {
        case .always(let answer), .value(_, .always(let answer)): !answer
        default: false
        }
    }

    /// Whether all records pass.
    fileprivate var isCertain: Bool {
        switch self {
        case .always(let answer), .value(_, .always(let answer)): answer
        default: false
        }
    }
}

// MARK: Planning

extension BoundPredicate {
    /// Something that must hold, with its test.
    private struct Part {
        let text: String
        let test: RecordTest
        /// Nil where it is no single comparison.
        let bound: PredicateBinder.Bound?

        func isAbout(_ column: StoredColumn?) -> Bool { column != nil && bound?.column?.id == column?.id }
    }

    /// The cheapest plan by what is known without looking at the data, and what it leaves to test: one object by its primary
    /// key, else an index, else a range of primary keys, else all.
    private static func plan(_ parts: [Part], _ table: StoredTable) -> (QueryPlan, [Part]) {
        let primaryKey = table.primaryKey
        if let primaryKey, table.usesIntegerKey {
            var range = ValueRange<Int64>(lower: .min, upper: .max)
            var rest: [Part] = []
            for part in parts {
                if part.isAbout(primaryKey), case .integer(let test) = part.bound?.valueTest, !test.range.isInverted {
                    range.lower = max(range.lower, test.range.lower)
                    range.upper = min(range.upper, test.range.upper)
                } else {
                    rest.append(part)
                }
            }
            if range.isEmpty { return (.nothing, []) }
            if range.lower == range.upper { return (.primaryKey(primaryKey, .int(range.lower)), rest) }
            if let indexed = indexPlan(parts) { return indexed }
            if range.lower != .min || range.upper != .max {
                return (.keys(primaryKey, range.lower...range.upper), rest)
            }
            return (.scan, parts)
        }
        if let primaryKey, let index = parts.firstIndex(where: { $0.isAbout(primaryKey) && $0.bound?.sought != nil }),
            let value = parts[index].bound?.sought
        {
            return (.primaryKey(primaryKey, value), parts.removing(at: index))
        }
        return indexPlan(parts) ?? (.scan, parts)
    }

    private static func indexPlan(_ parts: [Part]) -> (QueryPlan, [Part])? {
        // Half of a table by its index costs more than all of it by a scan, and a Bool's index has no more to offer.
        let index = parts.firstIndex { part in
            guard let bound = part.bound, let column = bound.column else { return false }
            return bound.sought != nil && column.isIndexed && column.type != .bool
        }
        guard let index, let bound = parts[index].bound, let column = bound.column, let value = bound.sought else {
            return nil
        }
        return (.index(column, value), parts.removing(at: index))
    }
}

extension Array {
    fileprivate func removing(at index: Int) -> [Element] {
        var rest = self
        rest.remove(at: index)
        return rest
    }
}
