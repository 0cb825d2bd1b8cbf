import FirnQuery
import FirnStore
import Foundation
import TestSupport
import Testing

/// Whatever the text: a predicate that prints as text of the same meaning, or an error with a place in it. With
/// `FIRN_TEST_OPERATIONS=200000`, as `make test-release` has it, a million texts.
@Suite struct HostileTextTests {
    private static let definition = TableDefinition(
        name: "Row",
        columns: [
            ColumnDefinition(name: "int", type: .int, isIndexed: true),
            ColumnDefinition(name: "string", type: .string, isOptional: true, isIndexed: true),
            ColumnDefinition(name: "double", type: .double),
            ColumnDefinition(name: "date", type: .date, isOptional: true),
            ColumnDefinition(name: "any", type: .any),
            ColumnDefinition(name: "link", type: .link, isOptional: true, target: "Row"),
            ColumnDefinition(name: "links", type: .link, collection: .list, target: "Row"),
            ColumnDefinition(name: "list", type: .int, collection: .list),
            ColumnDefinition(name: "map", type: .string, collection: .map),
            ColumnDefinition(name: "名", type: .string), ColumnDefinition(name: "and", type: .bool),
            ColumnDefinition(name: "nıl", type: .int),
        ])

    private let fixture: QueryFixture
    private let catalog: QueryCatalog

    init() throws {
        fixture = try QueryFixture(Self.definition)
        catalog = QueryCatalog(fixture.connection.schema)
    }

    @Test func `any text is a predicate that prints as what it is, or an error with a place in it`() throws {
        let count = 5 * RandomRuns.operations(4_000)
        var triedCount = 0
        var readCount = 0
        var boundCount = 0
        try RandomRuns(1...4).run { seed in
            var texts = HostileText(seed: seed)
            for _ in 0..<count / 4 {
                let text = texts.next()
                triedCount += 1
                guard let template = try template(text), let expression = try filled(template, seed) else { continue }
                readCount += 1
                try requireReadsAsPrinted(expression, text)
                if try bind(expression, text) { boundCount += 1 }
            }
        }
        // Texts that all fail at their first token would tell nothing.
        #expect(readCount > triedCount / 10, "\(readCount) of \(triedCount)")
        #expect(boundCount > triedCount / 100, "\(boundCount) of \(triedCount)")
    }

    @Test(
        arguments: [
            ("", "(", ""), ("", ")", ""), ("int IN ", "{", ""), ("int == ", "-", "1"), ("", "!", "int == 1"),
            ("int == '", "a", ""), ("int == \"", "\\\"", ""), ("int == '", "\\u00e9", "'"), ("int == ", "9", ""),
            ("int == 0.", "0", "1"), ("int == 1e", "9", ""), ("", "a", " == 1"), ("", "link.", "int == 1"),
            ("", "é", " == 1"), ("string == 'e", "\u{301}", ""), ("int == 1", " ", ""), ("int == 1", " + 1", ""),
            ("int == 1", " AND int == 1", ""), ("int == 1", " OR int == 1", ""), ("int IN {1", ", 2", "}"),
            ("string == '名'", " OR int != 1", ""), ("", "ANY ", "list == 1"), ("", "SUBQUERY(links, $x, ", ""),
            ("int == ", "%@", ""), ("int == 1", " AND %K == %@", ""), ("", "\0", ""), ("", "🙂", ""), ("", "%", ""),
            ("list", "[0]", " == 1"), ("", "#", ""), ("", "$x.", ""), ("", "@count.", ""), ("int ==[", "c", "] 1"),
            ("string LIKE '", "*a", "'"), ("", "int == 1 AND (", ""), ("geoPolygon({", "{0, 0}, ", "{0, 0}}) == 1"),
        ])
    func `long texts of anything are read, or refused, at once`(start: String, middle: String, end: String) throws {
        // A megabyte where a million short ones are asked for.
        let byteCount = 5 * RandomRuns.operations(4_000)
        let text = start + String(repeating: middle, count: byteCount / middle.utf8.count) + end
        guard let template = try template(text), template.argumentCount == 0 else { return }
        let expression = try #require(try filled(template, 0))
        #expect(!expression.description.isEmpty)
        _ = try bind(expression, String(text.prefix(100)))
    }

    // MARK: Faults that were found

    @Test func `words with letters that are ASCII only in upper case are names`() throws {
        for text in ["nıl == 1", "\u{17f}elf == 1", "ıN == 1", "nıl == 1 AND nıl != 2"] {
            #expect(try PredicateTemplate(text).text == text)
        }
        let expression = try #require(try filled(PredicateTemplate("nıl == 1"), 0))
        #expect(expression.unplaced == .comparison(Comparison("nıl", .equal, .int(1))))
        #expect(try bind(expression, "nıl == 1"))
    }

    @Test(arguments: ["ANY", "ALL", "NONE", "SOME"])
    func `a quantifier in front of a whole predicate is refused, not lost`(quantifier: String) throws {
        let error = #expect(throws: QueryError.self) { try PredicateTemplate("\(quantifier) (list == 1)") }
        #expect(error?.code == .malformed)
        #expect(try template("\(quantifier) (list) == 1") != nil)
    }

    @Test(arguments: [
        ("1969-12-31T23:59:59.5Z", 0, -500_000_000), ("1969-12-31T23:59:58.25Z", -1, -750_000_000),
        ("1970-01-01T00:00:00.000000001Z", 0, 1), ("1970-01-01T01:00:00.123456789+01:00", 0, 123_456_789),
        ("1969-12-31", -86_400, 0),
    ])
    func `dates are read to the nanosecond, with the signs that stored ones have`(
        text: String, seconds: Int64, nanoseconds: Int32
    ) throws {
        let expression = try #require(try filled(PredicateTemplate("date == date('\(text)')"), 0))
        let constant = Constant.date(seconds: seconds, nanoseconds: nanoseconds)
        #expect(expression.unplaced == .comparison(Comparison("date", .equal, constant)))
        try requireReadsAsPrinted(expression, text)
    }

    @Test(arguments: [
        (Int64.min, Int32(0)), (-62_135_596_800, 0), (-62_135_596_799, -1), (-62_135_596_799, 0),
        (253_402_300_799, 999_999_999),
        (253_402_300_800, 5), (.max, 999_999_999),
    ])
    func `dates outside the years of four digits print as seconds, since calendars end`(
        seconds: Int64, nanoseconds: Int32
    ) throws {
        let constant = Constant.date(seconds: seconds, nanoseconds: nanoseconds)
        let printed = QueryExpression.comparison(Comparison("date", .equal, constant)).description
        let expression = try #require(try filled(PredicateTemplate(printed), 0))
        #expect(expression.unplaced == .comparison(Comparison("date", .equal, constant)), "\(printed)")
    }

    @Test func `seconds and nanoseconds of opposite signs are no date`() throws {
        for text in ["date(1, -1)", "date(-1, 1)", "date(0, 1000000000)", "date(1)", "date(1.5, 0)"] {
            #expect(throws: QueryError.self) { try PredicateTemplate("date == \(text)") }
        }
    }

    /// As a literal of a number it would read as a double, of no more than 17 digits.
    @Test(
        arguments: [
            ("0.1", 1, -1), ("-15E-1", -15, -1), ("1E6144", 1_000_000_000_000_000_000_000_000_000_000_000, 6111),
            ("10E-6177", 1, -6176), ("+.5", 5, -1), ("7.", 7, 0), ("0E9999", 0, 6111),
        ] as [(String, Int128, Int)])
    func `decimals are read and printed to the last digit`(text: String, coefficient: Int128, exponent: Int) throws {
        let parts = DecimalParts(
            isNegative: coefficient < 0, coefficient: UInt128(coefficient.magnitude), exponent: exponent)
        let constant = Constant.decimal(parts.bits)
        let expression = try #require(try filled(PredicateTemplate("#any == decimal('\(text)')"), 0))
        #expect(expression.unplaced == .comparison(Comparison("any", .equal, constant)))
        try requireReadsAsPrinted(expression, text)
    }

    @Test(arguments: [
        "", ".", "-", "1e", "e5", "1.2.3", "1E7000", "1E-7000", "٣", "1 ", String(repeating: "9", count: 35),
    ])
    func `what is no decimal, or has more digits than one, is refused`(text: String) {
        #expect(throws: QueryError.self) { try PredicateTemplate("#any == decimal('\(text)')") }
    }

    /// -1 would be the last element, and others printed as text that cannot be read.
    @Test func `a negative number is no position in a list`() throws {
        let template = try PredicateTemplate("list[%@] == 1")
        for position in [-1, -2, Int64.min] {
            let error = #expect(throws: QueryError.self) {
                try template.expression(arguments: [position]) { _ in .constant(.int(position)) }
            }
            #expect(error?.code == .invalidArgument)
        }
    }

    @Test func `parentheses around reckonings do not add up to a tree that no stack holds`() throws {
        let text = (0..<99).reduce("1") { inner, _ in "(\(inner)" + String(repeating: " + 1", count: 99) + ")" }
        let error = #expect(throws: QueryError.self) { try PredicateTemplate("int == " + text) }
        #expect(error?.code == .malformed && error?.position != nil)
    }

    // MARK: Steps

    private func template(_ text: String) throws -> PredicateTemplate? {
        do {
            return try PredicateTemplate(text)
        } catch {
            let position = try #require(error.position, "no position: \(text.prefix(500).debugDescription)")
            try #require(0...text.count ~= position, "\(position) in \(text.prefix(500).debugDescription)")
            return nil
        }
    }

    /// The predicate with arguments at random; nil where one of them is refused.
    private func filled(_ template: PredicateTemplate, _ seed: UInt64) throws -> QueryExpression? {
        var generator = SeededGenerator(seed: seed &+ UInt64(template.text.utf8.count))
        let values: [Any?] = ["int", "link.int", Constant.int(1), Constant.double(2.5), nil, Constant.string("k")]
        let arguments = (0..<template.argumentCount).map { _ in values.randomElement(using: &generator) ?? nil }
        do {
            return try template.expression(arguments: arguments) { argument in
                if let text = argument as? String { return .constant(.string(text)) }
                return .constant(argument as? Constant ?? .null)
            }
        } catch {
            return nil
        }
    }

    private func requireReadsAsPrinted(_ expression: QueryExpression, _ text: String) throws {
        let printed = expression.description
        let comment: Comment = "\(text.prefix(500).debugDescription) prints \(printed.prefix(500).debugDescription)"
        let template = try #require(try template(printed), comment)
        let again = try #require(try filled(template, 0), comment)
        try #require(again.unplaced == expression.unplaced, comment)
        try #require(again.description == printed, comment)
    }

    /// Whether the schema allows the predicate, which then is asked of an empty table.
    private func bind(_ expression: QueryExpression, _ text: String) throws -> Bool {
        do {
            let predicate = try BoundPredicate(expression, table: try fixture.table, in: catalog)
            try #require(predicate.keys(in: fixture.connection).isEmpty, "\(text)")
            return true
        } catch is QueryError {
            return false
        }
    }
}

extension QueryExpression {
    /// Without the places in the text.
    fileprivate var unplaced: QueryExpression {
        switch self {
        case .always: return self
        case .not(let part): return .not(part.unplaced)
        case .all(let parts): return .all(parts.map(\.unplaced))
        case .any(let parts): return .any(parts.map(\.unplaced))
        case .comparison(var comparison):
            comparison.position = nil
            comparison.left = comparison.left.unplaced
            comparison.right = comparison.right.unplaced
            return .comparison(comparison)
        }
    }
}

extension Operand {
    fileprivate var unplaced: Operand {
        switch self {
        case .list(let operands): return .list(operands.map(\.unplaced))
        case .arithmetic(let operation, let left, let right):
            return .arithmetic(operation, left.unplaced, right.unplaced)
        case .count(var subquery):
            subquery.condition = subquery.condition.unplaced
            return .count(subquery)
        default: return self
        }
    }
}
