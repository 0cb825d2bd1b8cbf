import FirnQuery
import FirnStore
import Foundation
import TestSupport
import Testing

/// Predicates of which any branch may hold. That every such plan finds what a scan finds is for `DifferentialQueryTests`.
@Suite struct AlternativeWaysTests {
    private let fixture: QueryFixture

    /// 2,000 objects: city 0 to 199, street 0 to 3, house 0 to 999; every tenth is of kind 1, the others of kind 0.
    init() throws {
        fixture = try QueryFixture(
            TableDefinition(
                name: "Home",
                columns: [
                    ColumnDefinition(name: "city", type: .int), ColumnDefinition(name: "street", type: .int),
                    ColumnDefinition(name: "house", type: .int, isIndexed: true),
                    ColumnDefinition(name: "kind", type: .int, isIndexed: true),
                    ColumnDefinition(name: "name", type: .string),
                ],
                indexes: [IndexDefinition(["city", "street"]), IndexDefinition(["kind", "name"])]))
        try fixture.begin()
        for number in 0..<2000 as Range<Int64> {
            try fixture.insert([
                .int(number % 200), .int(number / 200 % 4), .int(number / 2), .int(number % 10 == 0 ? 1 : 0),
                .string("n\(number % 40)"),
            ])
        }
        try fixture.connection.commit()
    }

    private static let plans: [(text: String, explanation: String)] = [
        // Each branch by its own way, and nothing is left to be tested.
        (
            "(city == 1 AND street == 2) OR (house == 7)",
            "look up index city, street: city == 1 AND street == 2 or index house: house == 7"
        ),
        (
            "(street == 2 AND city == 1) OR (city == 4 AND street > 1) OR house IN {7, 8}",
            "look up index city, street: street == 2 AND city == 1 or index city, street: city == 4 AND street > 1 "
                + "or index house: house IN {7, 8}"
        ),
        // A branch of which its way answers a part only is tested.
        (
            "(city == 1 AND name == 'n1') OR house == 7",
            "look up index city, street: city == 1 or index house: house == 7, test ((city == 1 AND name == \"n1\") OR house == 7)"
        ),
        // Of several ways of a branch the one with the fewest entries.
        (
            "(kind == 1 AND house == 5) OR house == 7",
            "look up index house: house == 5 or index house: house == 7, test ((kind == 1 AND house == 5) OR house == 7)"
        ),
        // What must hold beside the OR narrows its branches.
        (
            "kind == 1 AND (name == 'n10' OR name == 'n20')",
            "look up index kind, name: name == \"n10\" AND kind == 1 or index kind, name: name == \"n20\" AND kind == 1"
        ),
        (
            "kind == 0 AND house > 3 AND (name == 'n1' OR city == 3)",
            "look up index kind, name: name == \"n1\" AND kind == 0 or index city, street: city == 3, "
                + "test kind == 0, house > 3"
        ),
        // A branch that never holds leads to nothing.
        ("(city == 1 AND FALSEPREDICATE) OR house == 7", "look up index house: house == 7"),
        // One branch without a way, and all must be looked at; too many entries, as well.
        (
            "(city == 1 AND street == 2) OR name == 'n1'",
            "scan the table, test ((city == 1 AND street == 2) OR name == \"n1\")"
        ),
        ("(city == 1 AND street == 2) OR kind == 0", "scan the table, test ((city == 1 AND street == 2) OR kind == 0)"),
        (
            "house < 40 OR (house > 900 AND house < 940)",
            "scan the table, test (house < 40 OR (house > 900 AND house < 940))"
        ),
        // Another part leads to fewer objects.
        (
            "house == 7 AND ((city == 14 AND street == 0) OR city == 3)",
            "look up index house: house == 7, test ((city == 14 AND street == 0) OR city == 3)"
        ),
    ]

    @Test func `each branch goes its cheapest way`() throws {
        for (text, explanation) in Self.plans {
            let predicate = try fixture.predicate(text)
            #expect(predicate.explanation(in: fixture.connection) == explanation)
            // Agrees with a look at each record.
            #expect(try !fixture.keys(predicate).isEmpty, "\(text)")
        }
    }

    @Test func `a long OR beside a long AND is answered`() throws {
        let branches = (0..<500).map { "(city == \($0) AND street == 1)" }.joined(separator: " OR ")
        let beside = (0..<500).map { "house != \(10_000 + $0)" }.joined(separator: " AND ")
        let predicate = try fixture.predicate("(\(branches)) AND \(beside)")
        #expect(predicate.keys(in: fixture.connection).count == 600)
    }
}
