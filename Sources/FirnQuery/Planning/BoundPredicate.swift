import FirnStore

/// A predicate checked against a table: what executes.
///
/// Good for the schema as it was; a change of that calls for a new one. Holds nothing of a store, so that any connection, on
/// any thread, may execute it, each by the plan that suits what it reads.
package final class BoundPredicate: Sendable {
    /// What was checked.
    package let expression: QueryExpression
    /// The catalog that it was checked by.
    private let catalogID: UInt64
    /// What the answer depends on, apart from which objects the table has.
    package let dependencies: Set<QueryDependency>
    let planner: QueryPlanner
    /// The way to all that matches, where that is the entries of one value in an index.
    let lookUp: IndexWay?
    /// All that must hold, as tests: what is asked of a record from elsewhere.
    private let tests: [RecordTest]

    /// The table it reads.
    package var table: TableID { planner.table.id }

    /// Checks an expression against a table.
    /// - Throws: `.unknownProperty`, `.invalidComparison`, `.invalidArgument` or `.notSupported`.
    package init(_ expression: QueryExpression, table: StoredTable, in catalog: QueryCatalog) throws(QueryError) {
        self.expression = expression
        catalogID = catalog.id
        let binder = PredicateBinder(catalog, table: table)
        var parts: [PredicatePart] = []
        for expression in expression.conjuncts { parts.append(try binder.part(expression)) }
        dependencies = binder.log.dependencies
        planner = QueryPlanner(parts, table)
        lookUp = planner.lookUp
        tests = planner.tests
    }

    /// Whether it was checked by a catalog, against one of its tables.
    package func isFor(_ catalog: QueryCatalog, _ table: TableID) -> Bool {
        catalogID == catalog.id && planner.table.id == table
    }

    /// Whether an object's own values say whether it matches.
    package var staysInTable: Bool { tests.allSatisfy(\.staysInTable) }

    /// The plan for what a connection reads, in words: where the objects come from and what is asked of each.
    package func explanation(in connection: Connection) -> String {
        planner.plan(connection).explanation
    }

    /// Those of some objects of its table for which the predicate holds, in their order.
    package func matching(_ keys: [ObjectKey], in connection: Connection) -> [ObjectKey] {
        connection.settle(for: tests)
        return keys.filter { matches($0, connection) }
    }

    /// The position of the first of some objects of its table for which the predicate holds. Looks no further.
    package func firstIndex(among keys: [ObjectKey], in connection: Connection) -> Int? {
        connection.settle(for: tests)
        return keys.firstIndex { matches($0, connection) }
    }

    private func matches(_ key: ObjectKey, _ connection: Connection) -> Bool {
        guard let record = connection.record(table, key) else { return false }
        let scope = Scope(record, key)
        return tests.allSatisfy { $0.matches(scope, connection) }
    }
}

extension QueryExpression {
    /// The expressions of which all must hold.
    fileprivate var conjuncts: [QueryExpression] {
        if case .all(let parts) = self { parts.flatMap(\.conjuncts) } else { [self] }
    }
}

extension PredicateBinder {
    /// Something that must hold, with what a plan can make of it.
    fileprivate func part(_ expression: QueryExpression) throws(QueryError) -> PredicatePart {
        switch expression {
        case .comparison(let comparison):
            let bound = try bind(comparison)
            return PredicatePart(
                condition: .comparison(bound.comparison), test: bound.test, column: bound.column, value: bound.value,
                isEquality: bound.comparison.operation == .equal && bound.comparison.options.isEmpty,
                access: bound.access)
        case .any(let alternatives):
            var branches: [[PredicatePart]] = []
            for alternative in alternatives {
                var branch: [PredicatePart] = []
                for expression in alternative.conjuncts { branch.append(try part(expression)) }
                branches.append(branch)
            }
            let tests = branches.map { $0.count == 1 ? $0[0].test : .all($0.map(\.test).cheapestFirst) }
            return PredicatePart(
                condition: expression, test: .any(tests.cheapestFirst), access: Self.union(of: branches),
                branches: branches)
        default:
            return PredicatePart(condition: expression, test: try bind(expression))
        }
    }

    /// The way to the objects of all branches, where each is one part that has a way.
    private static func union(of branches: [[PredicatePart]]) -> QueryAccess? {
        var ways: [QueryAccess] = []
        for branch in branches {
            guard branch.count == 1, let access = branch[0].access else { return nil }
            ways.append(access)
        }
        return .union(ways)
    }
}
