import FirnQuery
import FirnStore
import TestSupport
import Testing

/// Random predicates with orders and limits, on random tables with random indexes, by whatever plan, against plain evaluation
/// and plain sorting, and against SQLite wherever SQL can ask the same. 5,000 queries; with `FIRN_TEST_OPERATIONS=200000`, as `make test-release` has it, 100,000.
@Suite struct DifferentialQueryTests {
    @Test func `every plan finds what plain Swift finds, in the same order`() throws {
        let queryCount = RandomRuns.operations(10_000) / 2
        let tableCount = max(20, queryCount / 1_000)
        var counts: [String: Int] = [:]
        try RandomRuns(1...UInt64(tableCount)).run { seed in
            var table = try RandomTable(seed: seed)
            try table.fixture.begin()
            try table.insert(Int(seed % 4) * 15 + 25)
            try table.change(20)
            let sqlite = try SQLiteOracle(table)
            for _ in 0..<queryCount / tableCount / 2 { try Self.check(&table, sqlite, &counts) }
            try table.fixture.connection.commit()
            for _ in 0..<queryCount / tableCount / 2 { try Self.check(&table, sqlite, &counts) }
        }
        #expect(counts["put to SQLite", default: 0] > queryCount * 3 / 4, "\(counts)")
        // Over many tables each kind of plan is met, and answers tell: neither none nor all.
        guard counts["asked", default: 0] >= queryCount else { return }
        for kind in Self.kinds + ["telling"] {
            #expect(counts[kind, default: 0] > queryCount / 50, "\(kind): \(counts)")
        }
    }

    /// Kinds of plans, each of which must be met.
    private static let kinds = [
        "look up", "scan", "sort by", "walk one column", "walk several columns", "walk behind single values", "union",
        "union through several columns",
    ]

    /// Of which kinds a plan is.
    private static func kinds(of plan: String) -> [String] {
        var kinds = ["look up", "scan", "sort by"].filter { plan.contains($0) }
        // The columns of the index that is walked, or looked into first.
        let head = plan.prefix { $0 != ":" }
        let columnCount = head.split(separator: ", ").prefix { !$0.hasPrefix("test ") && !$0.hasPrefix("sort ") }.count
        if plan.hasPrefix("walk index") {
            kinds.append(columnCount > 1 ? "walk several columns" : "walk one column")
            if columnCount > 1, plan.dropFirst(head.count).prefix(while: { $0 != "," }).contains("==") {
                kinds.append("walk behind single values")
            }
        }
        if plan.contains(" or index ") {
            kinds.append("union")
            if columnCount > 1 { kinds.append("union through several columns") }
        }
        return kinds
    }

    private static func check(
        _ random: inout RandomTable, _ sqlite: SQLiteOracle, _ counts: inout [String: Int]
    ) throws {
        let connection = random.fixture.connection
        let table = try random.fixture.table
        let expression = try random.predicate(depth: 2)
        let order = try random.order()
        let limit = Int.random(in: 0...12, using: &random.generator)
        let predicate = try BoundPredicate(expression, table: table, in: QueryCatalog(connection.schema))
        let query = TableQuery(table, where: predicate, order: order)

        let found = random.model.keys(of: "Row", where: expression)
        let expected = random.sorted(found, by: order)
        if let query = SQLQuery(expression, order: order) {
            for limit in [limit, .max] {
                try #require(sqlite.keys(query, limit: limit) == Array(expected.prefix(limit)), "\(query)")
            }
            counts["put to SQLite", default: 0] += 1
        }
        for limit in [limit, .max] {
            let plan = query.explanation(in: connection, limit: limit)
            let comment: Comment = "first \(limit) of \(expression): \(plan)"
            try #require(query.keys(in: connection, limit: limit) == Array(expected.prefix(limit)), comment)
            for kind in Self.kinds(of: plan) { counts[kind, default: 0] += 1 }
        }
        counts["asked", default: 0] += 1
        var walked: [ObjectKey] = []
        query.forEachKey(in: connection, limit: limit) { key in
            walked.append(key)
            return walked.count < 4
        }
        try #require(walked == Array(expected.prefix(min(limit, 4))), "each of \(expression)")
        try #require(query.lastKey(in: connection) == expected.last, "last of \(expression)")
        try #require(predicate.count(in: connection) == found.count, "count of \(expression)")
        try #require(predicate.firstKey(in: connection) == found.first, "first key of \(expression)")
        if !found.isEmpty, found.count < random.keys.count { counts["telling", default: 0] += 1 }
    }
}
