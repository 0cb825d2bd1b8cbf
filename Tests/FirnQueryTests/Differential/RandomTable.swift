import FirnQuery
import FirnStore
import Foundation
import TestSupport
import Testing

/// A table with columns and indexes from a seed, its objects, and the same objects as plain values.
struct RandomTable {
    let fixture: QueryFixture
    var model = GraphModel(classes: ["Row"])
    var generator: SeededGenerator

    private static let types: [ColumnType] = [.bool, .int, .float, .double, .decimal, .date, .string, .uuid]

    init(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func chance(_ sides: Int) -> Bool { Int.random(in: 0..<sides, using: &generator) == 0 }
        // The code is never the same twice, so that there can be a unique index on it.
        var columns = [
            ColumnDefinition(name: "code", type: .int, isIndexed: chance(2)),
            ColumnDefinition(name: "link", type: .link, isOptional: true, target: "Row"),
        ]
        for number in 0..<Int.random(in: 2...7, using: &generator) {
            let type = Self.types[Int.random(in: 0..<Self.types.count, using: &generator)]
            columns.append(
                ColumnDefinition(name: "\(type.name)\(number)", type: type, isOptional: chance(2), isIndexed: chance(3))
            )
        }
        var indexes: Set<IndexDefinition> = []
        if !columns[0].isIndexed, chance(2) { indexes.insert(IndexDefinition(["code"], isUnique: true)) }
        for _ in 0..<Int.random(in: 0...2, using: &generator) {
            let names = columns.map(\.name).shuffled(using: &generator).prefix(chance(2) ? 2 : 3)
            indexes.insert(IndexDefinition(Array(names), isUnique: names.contains("code") && chance(2)))
        }
        fixture = try QueryFixture(
            TableDefinition(name: "Row", columns: columns, indexes: indexes.sorted { "\($0)" < "\($1)" }))
        self.generator = generator
        model.objects["Row"] = [:]
    }

    /// All objects, in the order of their keys.
    private(set) var keys: [ObjectKey] = []

    // MARK: Objects

    mutating func insert(_ count: Int) throws {
        let columns = try fixture.table.columns
        for _ in 0..<count {
            let values = columns.map { value(of: $0) }
            let key = try fixture.insert(values)
            var row: [String: GraphModel.Value] = [:]
            for (column, value) in zip(columns, values) { row[column.name] = modelled(value) }
            model.objects["Row"]?[key] = row
            keys.append(key)
        }
    }

    mutating func change(_ count: Int) throws {
        let table = try fixture.table
        for _ in 0..<count {
            let key = pick(keys)
            let column = pick(table.columns)
            let value = value(of: column)
            try fixture.connection.set(table.id, key, slot: column.slot, value)
            let plain = modelled(value)
            model.objects["Row"]?[key]?[column.name] = plain
        }
    }

    private var usedCodes: Set<Int64> = []

    private mutating func value(of column: StoredColumn) -> StoredValue {
        if column.name == "code" {
            var code = Int64.random(in: -1000...1000, using: &generator)
            while !usedCodes.insert(code).inserted { code = .random(in: -1000...1000, using: &generator) }
            return .int(code)
        }
        if column.isOptional, chance(6) { return .null }
        if column.type == .link { return keys.isEmpty ? .null : .link(pick(keys)) }
        // Few values meet often, many make indexes worth using.
        let number = chance(2) ? Int64.random(in: -2...2, using: &generator) : .random(in: -40...40, using: &generator)
        return switch column.type {
        case .bool: .bool(number > 0)
        case .int: .int(number)
        case .float: .float(Float(number) / 2)
        case .double: .double(Double(number) / 4)
        case .decimal:
            .decimal(DecimalParts(isNegative: number < 0, coefficient: UInt128(number.magnitude), exponent: -1).bits)
        case .date: .date(seconds: number, nanoseconds: 0)
        case .uuid: .uuid(UUID(uuid: (UInt8(number + 40), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)))
        default: .string(word())
        }
    }

    private mutating func word() -> String {
        var word = ""
        for _ in 0..<Int.random(in: 0...3, using: &generator) { word += pick(["a", "b", "A", "á", "Á", "z", "日"]) }
        // An index has only the beginning of this one.
        return chance(12) ? String(repeating: "long", count: 150) + word : word
    }

    private func modelled(_ value: StoredValue) -> GraphModel.Value {
        switch value {
        case .bool(let value): .bool(value)
        case .int(let value): .number(Double(value))
        case .float(let value): .number(Double(value))
        case .double(let value): .number(value)
        case .decimal(let bits): .decimal(bits)
        case .date(let seconds, _): .number(Double(seconds))
        case .string(let text): .text(text)
        case .uuid(let value): .text(value.uuidString)
        case .link(let key): .object("Row", key)
        default: .null
        }
    }

    // MARK: Predicates

    mutating func predicate(depth: Int) throws -> QueryExpression {
        switch depth > 0 ? Int.random(in: 0..<10, using: &generator) : 9 {
        case 0, 1: return .all(try parts(depth))
        case 2: return .any(try parts(depth))
        case 3: return .not(try predicate(depth: depth - 1))
        case 4: return .all(try indexed())
        case 5, 6:
            // An OR of ANDs, alone or inside an AND.
            var branches: [QueryExpression] = []
            for _ in 0..<Int.random(in: 2...3, using: &generator) { branches.append(.all(try indexed())) }
            return chance(3) ? .all([.any(branches)] + (try indexed())) : .any(branches)
        default: return .comparison(try comparison())
        }
    }

    /// Comparisons with the first columns of an index, such as its entries answer, and sometimes another.
    private mutating func indexed() throws -> [QueryExpression] {
        let table = try fixture.table
        guard !table.indexes.isEmpty else { return [.comparison(try comparison())] }
        let columns = table.columns(of: pick(table.indexes))
        var parts: [QueryExpression] = []
        for column in columns.prefix(Int.random(in: 1...columns.count, using: &generator)) {
            parts.append(.comparison(try chance(4) ? comparison(with: column) : equality(with: column)))
        }
        if chance(4) { parts.append(.comparison(try comparison())) }
        return parts.shuffled(using: &generator)
    }

    private mutating func equality(with column: StoredColumn) throws -> Comparison {
        Comparison(.path(QueryPath(property: column.name)), .equal, constant(column))
    }

    private mutating func parts(_ depth: Int) throws -> [QueryExpression] {
        var parts: [QueryExpression] = []
        for _ in 0..<Int.random(in: 1...3, using: &generator) { parts.append(try predicate(depth: depth - 1)) }
        return parts
    }

    private mutating func comparison() throws -> Comparison {
        try comparison(with: pick(fixture.table.columns), isLinked: chance(6))
    }

    private mutating func comparison(with column: StoredColumn, isLinked: Bool = false) throws -> Comparison {
        let path = Operand.path(QueryPath([.property(column.name)].prefixed(by: isLinked ? [.property("link")] : [])))
        if column.isOptional || isLinked, chance(8) {
            return Comparison(path, pick([.equal, .notEqual]), .constant(.null))
        }
        var operations: [ComparisonOperator] = [.equal, .equal, .equal, .notEqual]
        if column.type != .link { operations.append(.isIn) }
        if ![.bool, .link].contains(column.type) {
            operations += [.less, .lessOrEqual, .greater, .greaterOrEqual]
            if ![.string, .uuid].contains(column.type) { operations.append(.between) }
        }
        if column.type == .string { operations += [.beginsWith, .beginsWith, .contains, .endsWith] }
        let operation = pick(operations)
        let options: ComparisonOptions =
            column.type == .string && operation.isForText
            ? pick([[], [], .caseInsensitive, .diacriticInsensitive]) : []
        switch operation {
        case .isIn: return Comparison(path, .isIn, .list([constant(column), constant(column), constant(column)]))
        case .between: return Comparison(path, .between, .list([constant(column), constant(column)]))
        default: return Comparison(path, operation, constant(column), options: options)
        }
    }

    /// A value such as the column has; mostly one that some object has.
    private mutating func constant(_ column: StoredColumn) -> Operand {
        if column.name == "code" { return .constant(.int(pick(usedCodes.sorted()))) }
        switch value(of: column) {
        case .bool(let value): return .constant(.bool(value))
        case .int(let value): return .constant(.int(value))
        case .float(let value): return .constant(.double(Double(value)))
        case .double(let value): return .constant(.double(value))
        case .decimal(let bits): return .constant(.decimal(bits))
        case .date(let seconds, let nanoseconds): return .constant(.date(seconds: seconds, nanoseconds: nanoseconds))
        case .string(let text): return .constant(.string(text))
        case .uuid(let value): return .constant(.uuid(value))
        case .link(let key): return .constant(.link(table: 1, key: key))
        default: return constant(column)
        }
    }

    // MARK: Orders

    /// Up to two columns to sort by, some behind the link; or those of an index, mostly in one direction.
    mutating func order() throws -> ObjectOrder {
        let table = try fixture.table
        if !table.indexes.isEmpty, chance(2) {
            let compound = table.indexes.filter { $0.columns.count > 1 }
            let columns = table.columns(of: pick(compound.isEmpty ? table.indexes : compound)).filter {
                $0.type != .link
            }
            let isAscending = chance(2)
            return ObjectOrder(
                columns.dropFirst(chance(2) ? 1 : 0).map {
                    ObjectOrder.Term(ColumnPath(to: $0), isAscending: chance(8) ? !isAscending : isAscending)
                })
        }
        let link = try #require(table["link"])
        var terms: [ObjectOrder.Term] = []
        for _ in 0..<Int.random(in: 0...2, using: &generator) {
            let path = ColumnPath(
                links: chance(6) ? [(link.slot, table.id)] : [], to: pick(table.columns.filter { $0.type != .link }))
            terms.append(ObjectOrder.Term(path, isAscending: chance(2)))
        }
        return ObjectOrder(terms)
    }

    /// Keys in an order: nil below all, what a nil link leads to above all.
    func sorted(_ keys: [ObjectKey], by order: ObjectOrder) -> [ObjectKey] {
        let rows = model.objects["Row"] ?? [:]
        func value(_ key: ObjectKey, _ term: ObjectOrder.Term) -> GraphModel.Value? {
            if term.path.isDirect { return rows[key]?[term.path.column.name] }
            guard case .object(_, let target) = rows[key]?["link"] else { return nil }
            return rows[target]?[term.path.column.name]
        }
        let values = Dictionary(uniqueKeysWithValues: keys.map { key in (key, order.terms.map { value(key, $0) }) })
        return keys.sorted { left, right in
            for (number, term) in order.terms.enumerated() {
                let difference = Self.difference(values[left]?[number], values[right]?[number])
                if difference != 0 { return (difference < 0) == term.isAscending }
            }
            return left < right
        }
    }

    private static func difference(_ left: GraphModel.Value??, _ right: GraphModel.Value??) -> Int {
        func compare<T: Comparable>(_ left: T, _ right: T) -> Int { left < right ? -1 : left > right ? 1 : 0 }
        switch (left ?? nil, right ?? nil) {
        case (nil, nil), (.null, .null): return 0
        case (nil, _), (_, .null): return 1
        case (_, nil), (.null, _): return -1
        case (.bool(let left), .bool(let right)): return compare(left ? 1 : 0, right ? 1 : 0)
        case (.number(let left), .number(let right)): return compare(left, right)
        case (.text(let left), .text(let right)):
            return left.utf8.elementsEqual(right.utf8) ? 0 : left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
        default: return 0
        }
    }

    mutating func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &generator)] }

    private mutating func chance(_ sides: Int) -> Bool { Int.random(in: 0..<sides, using: &generator) == 0 }
}

extension [QueryPath.Step] {
    fileprivate func prefixed(by steps: [QueryPath.Step]) -> [QueryPath.Step] { steps + self }
}
