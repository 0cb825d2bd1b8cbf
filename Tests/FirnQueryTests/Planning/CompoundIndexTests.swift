import FirnQuery
import FirnStore
import Foundation
import TestSupport
import Testing

/// Queries through indexes over several columns.
@Suite struct CompoundIndexTests {
    private static let definition = TableDefinition(
        name: "Person", primaryKey: "id",
        columns: [
            ColumnDefinition(name: "id", type: .uuid), ColumnDefinition(name: "last", type: .string),
            ColumnDefinition(name: "first", type: .string, isOptional: true), ColumnDefinition(name: "age", type: .int),
            ColumnDefinition(name: "city", type: .string, isIndexed: true), ColumnDefinition(name: "extra", type: .any),
            ColumnDefinition(name: "boss", type: .link, isOptional: true, target: "Person"),
            ColumnDefinition(name: "wage", type: .decimal, isOptional: true),
        ],
        indexes: [
            IndexDefinition(["last", "first", "age"]), IndexDefinition(["city", "age"]),
            IndexDefinition(["boss", "extra"]),
            IndexDefinition(["wage", "last"]),
        ])

    private let fixture: QueryFixture

    init() throws { fixture = try QueryFixture(Self.definition) }

    @Test(arguments: [
        ("last == 'x' AND first == 'y'", "index last, first, age: last == \"x\" AND first == \"y\""),
        (
            "age > 3 AND first == 'y' AND last == 'x'",
            "index last, first, age: age > 3 AND first == \"y\" AND last == \"x\""
        ),
        (
            "last == 'x' AND first BEGINSWITH 'y' AND age == 3",
            "index last, first, age: last == \"x\" AND first BEGINSWITH \"y\", test age == 3"
        ),
        ("last == 'x' AND first == nil", "index last, first, age: last == \"x\" AND first == nil"),
        ("last == 'x' AND first IN {'y', 'z'}", "index last, first, age: last == \"x\" AND first IN {\"y\", \"z\"}"),
        ("last == 'x' AND age == 3", "index last, first, age: last == \"x\", test age == 3"),
        ("last BEGINSWITH 'x'", "index last, first, age: last BEGINSWITH \"x\""),
        ("wage > 1.5 AND wage < 2", "index wage, last: wage > 1.5 AND wage < 2"),
        ("wage == 1.5 AND last == 'x'", "index wage, last: wage == 1.5 AND last == \"x\""),
        ("city == 'x' AND age BETWEEN {3, 5}", "index city, age: city == \"x\" AND age BETWEEN {3, 5}"),
        ("city == 'x' AND first != 'y'", "index city: city == \"x\", test first != \"y\""),
        ("boss == nil AND extra == 1", "index boss, extra: boss == nil AND extra == 1"),
    ])
    func `single values of the first columns and ranges of the next are looked up`(
        text: String, explanation: String
    ) throws {
        #expect(try fixture.predicate(text).explanation(in: fixture.connection) == "look up " + explanation)
    }

    @Test(arguments: ["first == 'y'", "age == 3 AND first == 'y'", "last ==[c] 'x' AND first == 'y'", "last != 'x'"])
    func `an index whose first column nobody asks for is of no use`(text: String) throws {
        #expect(try fixture.predicate(text).explanation(in: fixture.connection).hasPrefix("scan the table"))
    }

    @Test func `of several indexes that with the fewest entries is used`() throws {
        try fixture.begin()
        for number in 0..<2000 as Range<Int64> {
            let city: StoredValue = .string(number < 1990 ? "Rome" : "Oslo")
            try fixture.insert([
                .uuid(UUID()), .string("l\(number % 100)"), .string("f"), .int(number % 1000), city, .null, .null,
                .null,
            ])
        }
        func plan(_ text: String) throws -> String {
            try fixture.predicate(text).explanation(in: fixture.connection)
        }
        #expect(
            try plan("city == 'Oslo' AND last == 'l1' AND first == 'f'")
                == "look up index city: city == \"Oslo\", test last == \"l1\", first == \"f\"")
        #expect(
            try plan("city == 'Rome' AND last == 'l1' AND first == 'f'")
                == "look up index last, first, age: last == \"l1\" AND first == \"f\", test city == \"Rome\"")
        #expect(
            try plan("city == 'Rome' AND age == 5 AND last == 'l5'")
                == "look up index city, age: city == \"Rome\" AND age == 5, test last == \"l5\"")
        #expect(try fixture.keys("city == 'Rome' AND age == 5 AND last == 'l5'").count == 2)
    }

    /// Every answer is compared with that of a look at each record.
    @Test func `what is found is what a scan finds`() throws {
        try RandomRuns(1...3).run { seed in
            let fixture = try QueryFixture(Self.definition)
            var random = SeededGenerator(seed: seed)
            try fixture.begin()
            let table = try fixture.table.id.rawValue
            var keys: [ObjectKey] = []
            for _ in 0..<300 {
                let values = Self.record(&random, keys, table)
                keys.append(try fixture.insert(values))
            }
            var matchCount = 0
            for _ in 0..<200 {
                let texts = (0..<Int.random(in: 1...3, using: &random)).map { _ in Self.condition(&random) }
                let text = texts.map(\.0).joined(separator: " AND ")
                let arguments = texts.flatMap(\.1)
                let expression = try PredicateTemplate(text).expression(arguments: arguments) { argument in
                    .constant(try #require(argument as? Constant))
                }
                let predicate = try BoundPredicate(
                    expression, table: fixture.table, in: QueryCatalog(fixture.connection.schema))
                matchCount += try fixture.keys(predicate).count
            }
            #expect(matchCount > 200)
        }
    }

    /// Ranges of such prefixes once held a byte of the mark that ends a text, and with it nothing that goes on.
    @Test(arguments: ["x", "\0"])
    func `a prefix that ends about where keys are cut finds what a scan finds`(part: String) throws {
        let whole = String(repeating: part, count: 490)
        try fixture.begin()
        let counts = Array(225...490)
        for count in [100, 235, 240, 470, 476, 480, 490] {
            for text in [String(whole.prefix(count)), whole.prefix(count) + "y"] {
                try fixture.insert([
                    .uuid(UUID()), .string(text), .string(text), .int(1), .string(text), .null, .null, .null,
                ])
                try fixture.insert([
                    .uuid(UUID()), .string("l"), .string(text), .int(1), .string(""), .null, .null, .null,
                ])
            }
        }
        for count in counts {
            let prefix = String(whole.prefix(count))
            let matchCount = 2 * [100, 235, 240, 470, 476, 480, 490].count { $0 >= count }
            for text in [
                "city BEGINSWITH %@", "last BEGINSWITH %@", "last == 'l' AND first BEGINSWITH %@",
                "city BEGINSWITH %@ AND age == 1",
            ] {
                // Which also compares with a look at each record.
                try #require(try fixture.keys(text, .string(prefix)).count == matchCount, "\(text), \(count) bytes")
                try #require(
                    try fixture.predicate(text, .string(prefix)).explanation(in: fixture.connection)
                        .hasPrefix("look up"), "\(text)")
            }
        }
    }

    private static let texts = ["", "a", "a\0", "ab", "b", "\u{10FFFF}", String(repeating: "ab", count: 400)]

    private static func record(
        _ random: inout SeededGenerator, _ keys: [ObjectKey], _ table: UInt32
    ) -> [StoredValue] {
        func text() -> StoredValue { .string(texts.randomElement(using: &random) ?? "") }
        func int() -> Int64 { Int64.random(in: -2...2, using: &random) }
        func sometimes(_ value: StoredValue) -> StoredValue { int() == 0 ? .null : value }
        let any: [StoredValue] = [.null, .int(int()), .double(Double(int()) / 2), text(), .bool(int() > 0)]
        return [
            .uuid(UUID()), text(), sometimes(text()), .int(int()), text(), any.randomElement(using: &random) ?? .null,
            sometimes(keys.randomElement(using: &random).map { .link($0) } ?? .null),
            sometimes(.decimal(DecimalParts(isNegative: int() < 0, coefficient: UInt128(15), exponent: -1).bits)),
        ]
    }

    private static func condition(_ random: inout SeededGenerator) -> (String, [Constant]) {
        func text() -> Constant { .string(texts.randomElement(using: &random) ?? "") }
        func int() -> Int { Int.random(in: -2...2, using: &random) }
        let operation = ["==", "==", "==", "<", "<=", ">", ">="].randomElement(using: &random) ?? "=="
        switch Int.random(in: 0...11, using: &random) {
        case 0, 1: return ("last \(operation) %@", [text()])
        case 2: return ("first \(operation) %@", [text()])
        case 3: return ("last BEGINSWITH %@", [text()])
        case 4: return ("first IN {%@, %@}", [text(), text()])
        case 5: return ("age \(operation) \(int())", [])
        case 6: return ("age BETWEEN {\(int()), \(int())}", [])
        case 7: return ("city \(operation) %@", [text()])
        case 8: return ("extra \(operation) \(int())", [])
        case 9: return ("extra == %@", [text()])
        case 10: return ("boss == nil", [])
        default: return ("wage \(operation) \(int()).5", [])
        }
    }
}
