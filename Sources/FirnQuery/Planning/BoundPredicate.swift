import FirnStore

/// A predicate checked against a table, with a plan: what executes.
///
/// Good for the table as the schema had it; a change of the schema calls for a new one. Holds nothing of a store, so that
/// any connection, on any thread, may execute it.
package struct BoundPredicate: Sendable {
    /// The table it reads.
    package let table: TableID
    let plan: QueryPlan
    /// What is asked of each record that the plan gives.
    let tests: [RecordTest]
    /// All comparisons as tests: what is asked of a record from elsewhere.
    private let allTests: [RecordTest]
    private let testTexts: [String]

    /// Checks an expression against a table and chooses the plan.
    /// - Throws: `.unknownProperty`, `.invalidComparison` or `.notSupported`.
    package init(_ expression: QueryExpression, table: StoredTable) throws(QueryError) {
        let binder = ComparisonBinder(table: table)
        var comparisons: [ComparisonBinder.Bound] = []
        var isPossible = true
        try Self.collect(expression, binder, into: &comparisons, isPossible: &isPossible)
        self.table = table.id

        var parts: [Part] = []
        for comparison in comparisons {
            switch comparison.outcome {
            case .always(let answer): isPossible = isPossible && answer
            case .test(let test): parts.append(Part(comparison: comparison, test: test))
            }
        }
        allTests = Self.sorted(parts).map(\.test)
        let (plan, rest) = isPossible ? Self.plan(parts, table) : (.nothing, [])
        self.plan = plan
        let sorted = Self.sorted(rest)
        tests = sorted.map(\.test)
        testTexts = sorted.map(\.comparison.text)
    }

    /// The plan in words: where the objects come from and what is asked of each.
    package var explanation: String {
        testTexts.isEmpty ? plan.explanation : "\(plan.explanation), test \(testTexts.joined(separator: ", "))"
    }

    /// Whether the predicate holds for a record of its table.
    package func matches(_ record: RecordView, in connection: Connection) -> Bool {
        if case .nothing = plan { return false }
        return allTests.allSatisfy { $0.matches(record, connection) }
    }
}

// MARK: Planning

extension BoundPredicate {
    /// A comparison with its test.
    private struct Part {
        let comparison: ComparisonBinder.Bound
        let test: RecordTest
    }

    private static func collect(
        _ expression: QueryExpression, _ binder: ComparisonBinder, into comparisons: inout [ComparisonBinder.Bound],
        isPossible: inout Bool
    ) throws(QueryError) {
        switch expression {
        case .always(let answer): isPossible = isPossible && answer
        case .comparison(let comparison): comparisons.append(try binder.bind(comparison))
        case .all(let expressions):
            for expression in expressions {
                try collect(expression, binder, into: &comparisons, isPossible: &isPossible)
            }
        }
    }

    private static func sorted(_ parts: [Part]) -> [Part] {
        parts.enumerated().sorted { ($0.element.test.cost, $0.offset) < ($1.element.test.cost, $1.offset) }.map(
            \.element)
    }

    /// The cheapest plan by what is known without looking at the data, and the comparisons that it leaves to test: one
    /// object by its primary key, else an index, else a range of primary keys, else all.
    private static func plan(_ parts: [Part], _ table: StoredTable) -> (QueryPlan, [Part]) {
        let primaryKey = table.primaryKey
        func isOnPrimaryKey(_ part: Part) -> Bool { part.comparison.column.id == primaryKey?.id }

        if let primaryKey, table.usesIntegerKey {
            var range = ValueRange<Int64>(lower: .min, upper: .max)
            var rest: [Part] = []
            for part in parts {
                if isOnPrimaryKey(part), case .integer(let test) = part.test, !test.range.isInverted {
                    range.lower = max(range.lower, test.range.lower)
                    range.upper = min(range.upper, test.range.upper)
                } else {
                    rest.append(part)
                }
            }
            if range.isEmpty { return (.nothing, []) }
            if range.lower == range.upper { return (.primaryKey(primaryKey, .int(range.lower)), rest) }
            if let indexed = indexPlan(parts, table) { return indexed }
            if range.lower != .min || range.upper != .max {
                return (.keys(primaryKey, range.lower...range.upper), rest)
            }
            return (.scan, parts)
        }
        if let primaryKey, let index = parts.firstIndex(where: { isOnPrimaryKey($0) && $0.comparison.sought != nil }),
            let value = parts[index].comparison.sought
        {
            return (.primaryKey(primaryKey, value), parts.removing(at: index))
        }
        return indexPlan(parts, table) ?? (.scan, parts)
    }

    private static func indexPlan(_ parts: [Part], _ table: StoredTable) -> (QueryPlan, [Part])? {
        // Half of a table by its index costs more than all of it by a scan, and a Bool's index has no more to offer.
        let index = parts.firstIndex { part in
            part.comparison.sought != nil && part.comparison.column.isIndexed && part.comparison.column.type != .bool
        }
        guard let index, let value = parts[index].comparison.sought else { return nil }
        return (.index(parts[index].comparison.column, value), parts.removing(at: index))
    }
}

extension Array {
    fileprivate func removing(at index: Int) -> [Element] {
        var rest = self
        rest.remove(at: index)
        return rest
    }
}
