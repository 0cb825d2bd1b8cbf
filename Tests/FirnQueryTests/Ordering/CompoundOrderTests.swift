import FirnQuery
import FirnStore
import Foundation
import TestSupport
import Testing

/// Orders that an index over several columns has. That every such walk finds what sorting finds is for `DifferentialQueryTests`.
@Suite struct CompoundOrderTests {
    private let fixture: QueryFixture

    /// 1,000 objects: team 0 to 3, rank 0 to 49 in each, five of each, with scores that are all different.
    init() throws {
        fixture = try QueryFixture(
            TableDefinition(
                name: "Player", primaryKey: "id",
                columns: [
                    ColumnDefinition(name: "id", type: .int), ColumnDefinition(name: "team", type: .int),
                    ColumnDefinition(name: "rank", type: .int, isOptional: true),
                    ColumnDefinition(name: "score", type: .double),
                    ColumnDefinition(name: "name", type: .string, isIndexed: true),
                ],
                indexes: [IndexDefinition(["team", "rank"]), IndexDefinition(["name", "score", "team"])]))
        try fixture.begin()
        for id in 0..<1000 as Range<Int64> {
            try fixture.insert([
                .int(id), .int(id % 4), id % 50 == 49 ? .null : .int(id / 4 % 50), .double(Double(1000 - id) / 4),
                .string(id < 990 ? "Ann" : "Bob"),
            ])
        }
        try fixture.connection.commit()
    }

    private func query(_ text: String?, _ order: String) throws -> TableQuery {
        let table = try fixture.table
        let terms = try order.split(separator: ",").map { name in
            ObjectOrder.Term(
                ColumnPath(to: try #require(table[String(name.drop { $0 == "-" })])), isAscending: !name.hasPrefix("-"))
        }
        return TableQuery(table, where: try text.map { try fixture.predicate($0) }, order: ObjectOrder(terms))
    }

    private static let plans: [(text: String?, order: String, limit: Int, explanation: String)] = [
        // Behind single values of the first columns, the next ones are sorted, whatever the limit.
        ("team == 2", "rank", Int.max, "walk index team, rank: team == 2"),
        ("team == 2", "-rank", 5, "walk index team, rank backwards: team == 2"),
        ("team == 2", "team,rank", 5, "walk index team, rank: team == 2"),
        ("team == 2", "-team,rank", 5, "walk index team, rank: team == 2"),
        ("team == 2 AND rank > 7", "rank", 5, "walk index team, rank: team == 2 AND rank > 7"),
        (
            "team == 2 AND rank > 7 AND rank <= 9", "rank", 5,
            "walk index team, rank: team == 2 AND rank > 7 AND rank <= 9"
        ),
        (
            "team == 2 AND rank IN {7, 9, 8}", "rank", .max,
            "look up index team, rank: team == 2 AND rank IN {7, 9, 8}, sort by rank"
        ),
        ("team == 2", "rank,-score", 5, "walk index team, rank: team == 2, sort by score descending within each"),
        ("team == 2", "rank,-id", 5, "walk index team, rank: team == 2, sort by id descending within each"),
        ("team == 2 AND score > 100", "rank", 5, "walk index team, rank: team == 2, test score > 100"),
        ("team == 2 AND score > 100", "rank", .max, "scan the table, test team == 2, score > 100, sort by rank"),
        // All columns of the index, or the first ones, in one direction.
        (nil, "team,rank", .max, "walk index team, rank"),
        (nil, "-team,-rank", 5, "walk index team, rank backwards"),
        (nil, "team", 5, "walk index team, rank"),
        (nil, "team,-rank", 5, "walk index team, rank, sort by rank descending within each"),
        ("rank == 3", "team", 2, "walk index team, rank, test rank == 3"),
        ("team > 2", "team,rank", 5, "walk index team, rank: team > 2"),
        (nil, "name,score,team", 5, "walk index name, score, team"),
        // The columns that the order leaves out do not come between.
        ("name == 'Ann'", "score", 5, "walk index name, score, team: name == \"Ann\""),
        (nil, "name", 5, "walk index name"),
        // Another column comes first, or one in between is missing.
        (nil, "rank", 5, "scan the table, sort by rank"),
        ("team == 2", "score", 5, "scan the table, test team == 2, sort by score"),
        ("name == 'Ann'", "team", 5, "walk index team, rank, test name == \"Ann\""),
        // Few objects are found and sorted.
        (
            "name == 'Bob' AND team == 2", "rank", 5,
            "look up index name: name == \"Bob\", test team == 2, sort by rank"
        ),
        ("id == 7 AND team == 2", "rank", 5, "look up primary key id = 7, test team == 2, sort by rank"),
    ]

    @Test func `an order is read from an index over several columns`() throws {
        for (text, order, limit, explanation) in Self.plans {
            let query = try query(text, order)
            #expect(query.explanation(in: fixture.connection, limit: limit) == explanation)
            // And it is what sorting all gives.
            let keys = try self.query(text, "").keys(in: fixture.connection)
            let sorted = query.order.sorted(keys, of: try fixture.table.id, fixture.connection)
            #expect(query.keys(in: fixture.connection, limit: limit) == Array(sorted.prefix(limit)), "\(explanation)")
            #expect(query.keys(in: fixture.connection) == sorted, "\(explanation)")
            #expect(query.lastKey(in: fixture.connection) == sorted.last, "\(explanation)")
        }
    }

    /// The 250 objects of a team would be read to find the five smallest keys of the first: more than a scan costs.
    @Test func `objects that are alike are not gathered beyond reason`() throws {
        let query = try query(nil, "team")
        #expect(query.keys(in: fixture.connection, limit: 5) == (0..<5).map { objectKey(ofInteger: $0 * 4) })
    }

    @Test func `a value that the index has cut ends the walk`() throws {
        try fixture.begin()
        for id in 2000..<2005 as Range<Int64> {
            // The longest come first by their score, which the index has not.
            let name = "Ann" + String(repeating: "x", count: 600)
            try fixture.insert([.int(id), .int(1), .int(1), .double(Double(-id)), .string(name)])
        }
        try fixture.connection.commit()
        let query = try query("name BEGINSWITH 'Annx'", "name,score")
        #expect(query.keys(in: fixture.connection) == (2000..<2005).reversed().map { objectKey(ofInteger: $0) })
        #expect(query.lastKey(in: fixture.connection) == objectKey(ofInteger: 2000))
    }
}
