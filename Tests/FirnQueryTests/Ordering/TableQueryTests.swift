import FirnQuery
import FirnStore
import Foundation
import LMDB
import TestSupport
import Testing

/// Queries of whole tables in an order, by whatever plan, against sorting plain values.
@Suite struct TableQueryTests {
    private static let definition = TableDefinition(
        name: "Row", primaryKey: "id",
        columns: [
            ColumnDefinition(name: "id", type: .int), ColumnDefinition(name: "number", type: .int),
            ColumnDefinition(name: "size", type: .int, isOptional: true, isIndexed: true),
            ColumnDefinition(name: "name", type: .string, isOptional: true, isIndexed: true),
            ColumnDefinition(name: "text", type: .string),
            ColumnDefinition(name: "real", type: .double, isOptional: true),
            ColumnDefinition(name: "ratio", type: .float), ColumnDefinition(name: "day", type: .date, isOptional: true),
            ColumnDefinition(name: "flag", type: .bool, isIndexed: true),
            ColumnDefinition(name: "mark", type: .uuid, isOptional: true, isIndexed: true),
            ColumnDefinition(name: "next", type: .link, isOptional: true, target: "Row"),
        ])

    // MARK: Model

    @Test func `objects come in the order in which plain sorting puts them`() throws {
        try RandomRuns(1...3).run { seed in
            var generator = SeededGenerator(seed: seed)
            let fixture = try QueryFixture(Self.definition)
            let columns = try fixture.table.columns
            var rows: [Int64: [StoredValue]] = [:]
            for round in 0..<3 {
                try fixture.begin()
                for _ in 0..<80 {
                    let id = Int64.random(in: -300...300, using: &generator)
                    if rows[id] != nil, round > 0 {
                        let column = columns[Int.random(in: 1..<columns.count, using: &generator)]
                        let value = Self.value(for: column, rows, seed, &generator)
                        try fixture.connection.set(fixture.table.id, objectKey(ofInteger: id), slot: column.slot, value)
                        rows[id]?[column.slot] = value
                    } else if rows[id] == nil {
                        let row = columns.map {
                            $0.name == "id" ? .int(id) : Self.value(for: $0, rows, seed, &generator)
                        }
                        try fixture.insert(row)
                        rows[id] = row
                    }
                }
                for _ in 0..<40 { try Self.check(rows, fixture, &generator) }
                try fixture.connection.commit()
                for _ in 0..<120 { try Self.check(rows, fixture, &generator) }
            }
        }
    }

    private static func value(
        for column: StoredColumn, _ rows: [Int64: [StoredValue]], _ seed: UInt64, _ generator: inout SeededGenerator
    ) -> StoredValue {
        if column.isOptional, Int.random(in: 0..<6, using: &generator) == 0 { return .null }
        let number = Int64.random(in: -9...9, using: &generator)
        switch column.type {
        case .int: return .int(number)
        case .bool: return .bool(number > 0)
        case .double: return .double(number == 9 ? .nan : number == 8 ? -0.0 : Double(number) / 2)
        case .float: return .float(number == 9 ? .nan : Float(number) / 2)
        case .date: return .date(seconds: number / 3, nanoseconds: Int32(number % 3))
        case .uuid:
            return .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number + 9))))
        case .link:
            return rows.keys.sorted().randomElement(using: &generator).map { .link(objectKey(ofInteger: $0)) } ?? .null
        default:
            // With every other seed some are longer than what an index has of them.
            let length = number == 9 && seed % 2 == 0 ? 500 : 20
            return .string(
                String(repeating: "ab", count: length / 2).prefix(Int(number + 9) % 7 + length - 7) + "\(number)")
        }
    }

    private static let predicates: [(text: String?, holds: @Sendable ([StoredValue]) -> Bool)] = [
        (nil, { _ in true }), ("FALSEPREDICATE", { _ in false }),
        ("size > 2", { if case .int(let size) = $0[2] { size > 2 } else { false } }),
        ("size == nil", { $0[2].isNull }),
        ("number >= 0", { if case .int(let number) = $0[1] { number >= 0 } else { false } }),
        (
            "flag == TRUE AND number > 7",
            { if case .int(let number) = $0[1] { $0[8] == .bool(true) && number > 7 } else { false } }
        ),
        ("flag == FALSE", { $0[8] == .bool(false) }),
        ("id > 0", { if case .int(let id) = $0[0] { id > 0 } else { false } }),
    ]

    private static func check(
        _ rows: [Int64: [StoredValue]], _ fixture: QueryFixture, _ generator: inout SeededGenerator
    ) throws {
        let table = try fixture.table
        let (text, holds) = predicates[Int.random(in: 0..<predicates.count, using: &generator)]
        let terms = (0..<Int.random(in: 1...2, using: &generator)).map { _ in
            let column = table.columns[Int.random(in: 0..<table.columns.count - 1, using: &generator)]
            let isLinked = Int.random(in: 0..<5, using: &generator) == 0
            let path = ColumnPath(links: isLinked ? [(table.columns[10].slot, table.id)] : [], to: column)
            return ObjectOrder.Term(path, isAscending: Bool.random(using: &generator))
        }
        let query = TableQuery(table, where: try text.map { try fixture.predicate($0) }, order: ObjectOrder(terms))
        let expected = rows.filter { holds($0.value) }.keys.sorted().sorted { left, right in
            for term in terms {
                let order = Self.order(Self.read(left, term, rows), Self.read(right, term, rows), term.isAscending)
                if order != 0 { return order < 0 }
            }
            return left < right
        }.map(objectKey(ofInteger:))
        let plan: Comment = "\(query.explanation(in: fixture.connection))"
        try #require(query.keys(in: fixture.connection) == expected, plan)
        let limit = Int.random(in: 0...12, using: &generator)
        let limited: Comment = "first \(limit): \(query.explanation(in: fixture.connection, limit: limit))"
        try #require(query.keys(in: fixture.connection, limit: limit) == Array(expected.prefix(limit)), limited)
        try #require(query.lastKey(in: fixture.connection) == expected.last, "last: \(plan)")
    }

    /// What a term sorts by; the outer nil is a link on the way that is nil.
    private static func read(
        _ id: Int64, _ term: ObjectOrder.Term, _ rows: [Int64: [StoredValue]]
    ) -> StoredValue? {
        guard let row = rows[id] else { return nil }
        if term.path.isDirect { return row[term.path.column.slot] }
        guard case .link(let key) = row[10] else { return nil }
        return rows.first { objectKey(ofInteger: $0.key) == key }?.value[term.path.column.slot]
    }

    /// Nil first, a nil link last, NaN below everything.
    private static func order(_ left: StoredValue?, _ right: StoredValue?, _ isAscending: Bool) -> Int {
        let order: Int
        switch (left, right) {
        case (nil, nil): order = 0
        case (nil, _): order = 1
        case (_, nil): order = -1
        case (let left?, let right?): order = Self.order(left, right)
        }
        return isAscending ? order : -order
    }

    private static func order(_ left: StoredValue, _ right: StoredValue) -> Int {
        func compare<T: Comparable>(_ left: T, _ right: T) -> Int { left < right ? -1 : left > right ? 1 : 0 }
        switch (left, right) {
        case (.null, .null): return 0
        case (.null, _): return -1
        case (_, .null): return 1
        case (.int(let left), .int(let right)): return compare(left, right)
        case (.bool(let left), .bool(let right)): return compare(left ? 1 : 0, right ? 1 : 0)
        case (.double(let left), .double(let right)):
            return compare(left.isNaN ? -.infinity : left, right.isNaN ? -.infinity : right)
        case (.float(let left), .float(let right)):
            return compare(left.isNaN ? -.infinity : left, right.isNaN ? -.infinity : right)
        case (.date(let left, let leftRest), .date(let right, let rightRest)):
            return left != right ? compare(left, right) : compare(leftRest, rightRest)
        case (.uuid(let left), .uuid(let right)): return compare(left.uuid.15, right.uuid.15)
        case (.string(let left), .string(let right)):
            return left.utf8.lexicographicallyPrecedes(right.utf8)
                ? -1 : right.utf8.lexicographicallyPrecedes(left.utf8) ? 1 : 0
        case (.link(let left), .link(let right)): return compare(left, right)
        default: return 0
        }
    }

    // MARK: Plans

    /// 1,000 objects: every tenth is flagged, sizes go from 0 to 99, names are all different.
    private static func plans() throws -> QueryFixture {
        let fixture = try QueryFixture(definition)
        try fixture.begin()
        for id in 0..<1000 as Range<Int64> {
            try fixture.insert([
                .int(id), .int(id % 10), .int(id % 100), .string("name \(id)"), .string(""), .double(Double(id)),
                .float(0), .null, .bool(id % 10 == 0), .null, .null,
            ])
        }
        try fixture.connection.commit()
        return fixture
    }

    @Test(
        arguments: [
            (nil, "id", Int.max, "scan the table"), (nil, "-id", 5, "scan the table, backwards"),
            ("number == 3", "-id", 5, "scan the table, test number == 3, backwards"),
            ("size == 3", "id", 5, "look up index size: size == 3"),
            (nil, "size", .max, "walk index size"), (nil, "-size", 1, "walk index size backwards"),
            (nil, "size,number", 5, "walk index size, sort by number within each"),
            ("size > 50", "size", 5, "walk index size: size > 50"),
            ("size > 50 AND number == 3", "-size", 5, "walk index size backwards: size > 50, test number == 3"),
            ("name BEGINSWITH 'name 5'", "name", 1, "walk index name: name BEGINSWITH \"name 5\""),
            ("number == 3", "size", 20, "walk index size, test number == 3"),
            ("number == 3", "size", .max, "scan the table, test number == 3, sort by size"),
            ("name == 'name 7'", "size", 20, "look up index name: name == \"name 7\", sort by size"),
            (nil, "real", 100, "scan the table, sort by real"),
            (nil, "next.real,-id", 100, "scan the table, sort by a linked real, id descending"),
        ] as [(String?, String, Int, String)])
    func `an order that an index has is read there where that is cheaper`(
        text: String?, order: String, limit: Int, explanation: String
    ) throws {
        let fixture = try Self.plans()
        let table = try fixture.table
        let terms = try order.split(separator: ",").map { name in
            let names = name.drop { $0 == "-" }.split(separator: ".")
            let column = try #require(table[String(names[names.count - 1])])
            let links = try names.count == 2 ? [(#require(table["next"]).slot, table.id)] : []
            return ObjectOrder.Term(ColumnPath(links: links, to: column), isAscending: !name.hasPrefix("-"))
        }
        let query = TableQuery(table, where: try text.map { try fixture.predicate($0) }, order: ObjectOrder(terms))
        #expect(query.explanation(in: fixture.connection, limit: limit) == explanation)
    }

    @Test func `the smallest and the largest value come from an index`() throws {
        let fixture = try Self.plans()
        let table = try fixture.table
        let size = try #require(table["size"])
        let all = TableQuery(table)
        #expect(all.extreme(of: size, isLargest: false, in: fixture.connection) == .some(objectKey(ofInteger: 0)))
        #expect(all.extreme(of: size, isLargest: true, in: fixture.connection) == .some(objectKey(ofInteger: 99)))
        let some = TableQuery(table, where: try fixture.predicate("number == 3"))
        #expect(some.extreme(of: size, isLargest: true, in: fixture.connection) == .some(objectKey(ofInteger: 93)))
        let none = TableQuery(table, where: try fixture.predicate("size > 200"))
        #expect(none.extreme(of: size, isLargest: true, in: fixture.connection) == .some(nil))
        #expect(try all.extreme(of: #require(table["real"]), isLargest: true, in: fixture.connection) == nil)
    }
}
