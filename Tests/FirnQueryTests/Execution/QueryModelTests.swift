import FirnQuery
import FirnStore
import Foundation
import LMDB
import TestSupport
import Testing

/// Random predicates on random objects, against comparisons of plain Swift values.
@Suite struct QueryModelTests {
    private static let types: [ColumnType] = [
        .bool, .int, .float, .double, .decimal, .date, .string, .data, .objectID, .uuid, .link,
    ]

    /// Required and optional, with and without an index, of every type that has comparisons.
    private static func definition(isLate: Bool) -> TableDefinition {
        var columns = [ColumnDefinition(name: "id", type: .int)]
        for suffix in isLate ? ["", "Late"] : [""] {
            for type in types where type != .link {
                let isIndexable = [.bool, .int, .date, .string, .objectID, .uuid].contains(type)
                columns.append(ColumnDefinition(name: type.name + suffix, type: type))
                columns.append(ColumnDefinition(name: type.name + "Optional" + suffix, type: type, isOptional: true))
                if isIndexable {
                    columns.append(
                        ColumnDefinition(
                            name: type.name + "Indexed" + suffix, type: type, isOptional: true, isIndexed: true))
                }
            }
            columns.append(ColumnDefinition(name: "link" + suffix, type: .link, isOptional: true, target: "Row"))
        }
        return TableDefinition(name: "Row", primaryKey: "id", columns: columns)
    }

    @Test func `predicates find the objects that plain Swift comparisons find`() throws {
        try RandomRuns(1...4).run { seed in
            var generator = SeededGenerator(seed: seed)
            let fixture = try QueryFixture(Self.definition(isLate: false))
            var rows: [Int64: [String: StoredValue]] = [:]

            try fixture.begin()
            try Self.insertRows(120, into: &rows, fixture, &generator)
            try fixture.connection.commit()
            // Objects of the first half now have no value in the columns that are added.
            try fixture.connection.prepare([Self.definition(isLate: true)], schemaVersion: 1, policy: .migrate)
            for index in rows.keys {
                for column in try fixture.table.columns where rows[index]?[column.name] == nil {
                    rows[index]?[column.name] = column.zero
                }
            }
            try fixture.begin()
            try Self.insertRows(120, into: &rows, fixture, &generator)
            for _ in 0..<30 { try Self.changeRow(&rows, fixture, &generator) }
            for _ in 0..<150 { try Self.check(rows, fixture, &generator) }
            try fixture.connection.commit()
            for _ in 0..<250 { try Self.check(rows, fixture, &generator) }
        }
    }

    // MARK: Rows

    private static func insertRows(
        _ count: Int, into rows: inout [Int64: [String: StoredValue]], _ fixture: QueryFixture,
        _ generator: inout SeededGenerator
    ) throws {
        let columns = try fixture.table.columns
        for _ in 0..<count {
            let id = Int64.random(in: -400...400, using: &generator)
            guard rows[id] == nil else { continue }
            var row: [String: StoredValue] = [:]
            for column in columns {
                row[column.name] = column.name == "id" ? .int(id) : value(for: column, rows, &generator)
            }
            try fixture.insert(columns.map { row[$0.name] ?? .null })
            rows[id] = row
        }
    }

    private static func changeRow(
        _ rows: inout [Int64: [String: StoredValue]], _ fixture: QueryFixture, _ generator: inout SeededGenerator
    ) throws {
        let columns = try fixture.table.columns.filter { $0.name != "id" }
        guard let id = rows.keys.sorted().randomElement(using: &generator),
            let column = columns.randomElement(using: &generator)
        else { return }
        let value = value(for: column, rows, &generator)
        try fixture.connection.set(fixture.table.id, objectKey(ofInteger: id), slot: column.slot, value)
        rows[id]?[column.name] = value
    }

    /// A value out of few, so that equal ones meet.
    private static func value(
        for column: StoredColumn, _ rows: [Int64: [String: StoredValue]], _ generator: inout SeededGenerator
    ) -> StoredValue {
        if column.isOptional, Int.random(in: 0..<4, using: &generator) == 0 { return .null }
        let small = Int64.random(in: -3...3, using: &generator)
        switch column.type {
        case .bool: return .bool(Bool.random(using: &generator))
        case .int:
            return .int(
                [small, small * 100, small * 40_000, small << 40, .min, .max].randomElement(using: &generator) ?? 0)
        case .float:
            return .float(
                [Float(small), Float(small) / 10, .nan, .infinity, -0.0].randomElement(using: &generator) ?? 0)
        case .double:
            return .double(
                [Double(small), Double(small) / 10, .nan, -.infinity, -0.0].randomElement(using: &generator) ?? 0)
        case .decimal: return .decimal(decimal(small, &generator))
        case .date: return .date(seconds: small, nanoseconds: small < 0 ? -5 : Int32(small))
        case .string: return .string(text(&generator))
        case .data: return .data(Data(text(&generator).utf8))
        case .objectID: return .objectID(ObjectIDBytes(high: UInt64(bitPattern: small), low: UInt32(abs(small))))
        case .uuid: return .uuid(uuid(small))
        case .link:
            return rows.keys.sorted().randomElement(using: &generator).map { .link(objectKey(ofInteger: $0)) } ?? .null
        case .any, .coded: return .null
        }
    }

    private static func decimal(_ small: Int64, _ generator: inout SeededGenerator) -> UInt128 {
        if Int.random(in: 0..<10, using: &generator) == 0 { return DecimalParts.nanBits }
        let zeros = Int.random(in: 0...3, using: &generator)
        let coefficient = UInt128(abs(small)) * [1, 10, 100, 1000][zeros]
        let shift = Int.random(in: -1...1, using: &generator)
        return DecimalParts(isNegative: small < 0, coefficient: coefficient, exponent: shift - zeros).bits
    }

    private static func uuid(_ small: Int64) -> UUID {
        let byte = UInt8(truncatingIfNeeded: small)
        return UUID(uuid: (byte, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, byte))
    }

    private static func text(_ generator: inout SeededGenerator) -> String {
        let letters = ["a", "b", "A", "B", "ä", "Ä", "z", "0", "é", "É"]
        let text = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
            letters.randomElement(using: &generator) ?? ""
        }.joined()
        return Int.random(in: 0..<15, using: &generator) == 0 ? String(repeating: "long", count: 300) + text : text
    }

    // MARK: Predicates

    private struct Asked {
        var column: StoredColumn
        var operation: String
        var constant: StoredValue
    }

    private static func check(
        _ rows: [Int64: [String: StoredValue]], _ fixture: QueryFixture, _ generator: inout SeededGenerator
    ) throws {
        let table = try fixture.table
        let asked = (0..<Int.random(in: 1...3, using: &generator)).map { _ in ask(table, rows, &generator) }
        let text = asked.map { "\($0.column.name) \($0.operation) %@" }.joined(separator: " AND ")
        let expression = try PredicateTemplate(text).expression(
            arguments: asked.map { constant($0.constant, table) }
        ) { .constant(try #require($0 as? Constant)) }
        let predicate = try BoundPredicate(expression, table: table, in: QueryCatalog(fixture.connection.schema))

        let expected = rows.filter { _, row in
            asked.allSatisfy { accepts(row[$0.column.name] ?? .null, $0.operation, $0.constant) }
        }.keys.sorted()
        let found = try fixture.keys(predicate).map { integer(ofObjectKey: $0) }
        try #require(
            found == expected, "\(text) with \(asked.map(\.constant)): \(predicate.explanation(in: fixture.connection))"
        )
    }

    private static func ask(
        _ table: StoredTable, _ rows: [Int64: [String: StoredValue]], _ generator: inout SeededGenerator
    ) -> Asked {
        let column = table.columns[Int.random(in: 0..<table.columns.count, using: &generator)]
        var operations = ["==", "!="]
        if ![.bool, .link].contains(column.type) { operations += ["<", "<=", ">", ">="] }
        var constant = value(for: column, rows, &generator)
        if column.name == "id" { constant = .int(Int64.random(in: -400...400, using: &generator)) }
        if case .null = constant {
        } else if [.string, .data].contains(column.type) {
            operations += ["CONTAINS", "BEGINSWITH", "ENDSWITH"]
            if column.type == .string {
                operations += ["==[c]", "!=[c]", "CONTAINS[c]", "BEGINSWITH[d]", "ENDSWITH[cd]", "==[cd]"]
            }
        }
        return Asked(
            column: column, operation: operations[Int.random(in: 0..<operations.count, using: &generator)],
            constant: constant)
    }

    private static func constant(_ value: StoredValue, _ table: StoredTable) -> Constant {
        switch value {
        case .null: .null
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .float(let value): .double(Double(value))
        case .double(let value): .double(value)
        case .decimal(let bits): .decimal(bits)
        case .date(let seconds, let nanoseconds): .date(seconds: seconds, nanoseconds: nanoseconds)
        case .string(let value): .string(value)
        case .data(let value): .data(value)
        case .objectID(let id): .objectID(high: id.high, low: id.low)
        case .uuid(let id): .uuid(id)
        case .link(let key): .link(table: table.id.rawValue, key: key)
        default: .null
        }
    }

    // MARK: The model

    private static func accepts(_ value: StoredValue, _ operation: String, _ constant: StoredValue) -> Bool {
        switch (value, constant) {
        case (.null, .null): return ["==", "<=", ">="].contains(operation)
        case (.null, _): return operation.hasPrefix("!=")
        case (_, .null): return operation == "!="
        case (.bool(let left), .bool(let right)): return holds(left ? 1 : 0, operation, right ? 1 : 0)
        case (.int(let left), .int(let right)): return holds(left, operation, right)
        case (.float(let left), .float(let right)): return holds(left, operation, right)
        case (.double(let left), .double(let right)): return holds(left, operation, right)
        case (.decimal(let left), .decimal(let right)): return holds(number(left), operation, number(right))
        case (.date(let left, let leftRest), .date(let right, let rightRest)):
            return left == right ? holds(leftRest, operation, rightRest) : holds(left, operation, right)
        case (.objectID(let left), .objectID(let right)): return holds(left, operation, right)
        case (.uuid(let left), .uuid(let right)): return holds(left.uuidString, operation, right.uuidString)
        case (.link(let left), .link(let right)): return holds(left, operation, right)
        case (.string(let left), .string(let right)): return holdsText(left, operation, right)
        case (.data(let left), .data(let right)): return holdsBytes(Array(left), operation, Array(right))
        default: return false
        }
    }

    /// Few digits and small exponents: a Double has them all.
    private static func number(_ bits: UInt128) -> Double {
        let parts = DecimalParts(bits: bits)
        guard parts.kind == .finite else { return .nan }
        return Double("\(parts.isNegative ? "-" : "")\(parts.coefficient)e\(parts.exponent)") ?? .nan
    }

    private static func holds<Value: Comparable>(_ left: Value, _ operation: String, _ right: Value) -> Bool {
        switch operation {
        case "==": left == right
        case "!=": left != right
        case "<": left < right
        case "<=": left <= right
        case ">": left > right
        case ">=": left >= right
        default: false
        }
    }

    private static func holdsBytes(_ left: [UInt8], _ operation: String, _ right: [UInt8]) -> Bool {
        switch operation {
        case "CONTAINS":
            return !right.isEmpty && left.count >= right.count
                && (0...(left.count - right.count)).contains { left[$0...].starts(with: right) }
        case "BEGINSWITH": return !right.isEmpty && left.starts(with: right)
        case "ENDSWITH": return !right.isEmpty && left.reversed().starts(with: right.reversed())
        case "==": return left == right
        case "!=": return left != right
        default:
            if left == right { return operation == "<=" || operation == ">=" }
            return left.lexicographicallyPrecedes(right) == operation.hasPrefix("<")
        }
    }

    private static func holdsText(_ left: String, _ operation: String, _ right: String) -> Bool {
        guard let bracket = operation.firstIndex(of: "[") else {
            return holdsBytes(Array(left.utf8), operation, Array(right.utf8))
        }
        let options = operation[bracket...]
        func simplified(_ text: String) -> [UInt8] {
            var text = text
            if options.contains("d") {
                for (letter, plain) in [("ä", "a"), ("Ä", "A"), ("é", "e"), ("É", "E")] {
                    text = text.replacingOccurrences(of: letter, with: plain)
                }
            }
            return Array((options.contains("c") ? text.lowercased() : text).utf8)
        }
        return holdsBytes(simplified(left), String(operation[..<bracket]), simplified(right))
    }
}
