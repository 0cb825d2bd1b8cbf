import FirnQuery
import FirnStore
import Foundation

/// Objects as plain Swift values, and predicates asked of them the plain way: what a query is held against.
///
/// Knows nothing of records, plans and slots. Text is folded by Foundation, numbers are compared as doubles: the values that
/// the test makes are such that this is exact.
struct GraphModel {
    typealias Key = UInt64

    /// What a property holds.
    indirect enum Value: Equatable {
        case null
        case bool(Bool)
        case number(Double)
        case text(String)
        case object(String, Key)
        case list([Value])
        case map([String: Value])

        /// A decimal of few digits, which a double has all of.
        static func decimal(_ bits: UInt128) -> Value {
            let parts = DecimalParts(bits: bits)
            return .number(Double("\(parts.isNegative ? "-" : "")\(parts.coefficient)e\(parts.exponent)") ?? .nan)
        }
    }

    /// The properties of all objects, by class and key.
    var objects: [String: [Key: [String: Value]]] = [:]
    /// The properties that are collections.
    let collections: Set<String>
    /// The names of the classes, in the order of their tables.
    let classes: [String]

    init(collections: Set<String> = [], classes: [String]) {
        self.collections = collections
        self.classes = classes
    }

    func keys(of name: String, where expression: QueryExpression) -> [Key] {
        (objects[name] ?? [:]).keys.sorted().filter {
            holds(expression, [Variable(name: nil, object: .object(name, $0))])
        }
    }

    // MARK: Expressions

    struct Variable {
        let name: String?
        let object: Value
    }

    private func holds(_ expression: QueryExpression, _ scope: [Variable]) -> Bool {
        switch expression {
        case .always(let answer): answer
        case .comparison(let comparison): holds(comparison, scope)
        case .all(let parts): parts.allSatisfy { holds($0, scope) }
        case .any(let parts): parts.contains { holds($0, scope) }
        case .not(let part): !holds(part, scope)
        }
    }

    private func holds(_ comparison: Comparison, _ scope: [Variable]) -> Bool {
        var comparison = comparison
        if comparison.operation == .isIn, case .path = comparison.right {
            swap(&comparison.left, &comparison.right)
            comparison.operation = .equal
            comparison.quantifier = .any
        }
        let lefts = values(comparison.left, scope)
        let rights: [[Value]]
        if case .list(let operands) = comparison.right {
            rights = [operands.map { values($0, scope).first ?? .null }]
        } else {
            rights = values(comparison.right, scope).map { [$0] }
        }
        if lefts.count == 1, rights.count == 1 { return stands(lefts[0], comparison, rights[0]) }
        let answers = lefts.flatMap { left in rights.map { right in stands(left, comparison, right) } }
        return comparison.quantifier == .all ? answers.allSatisfy { $0 } : answers.contains(true)
    }

    private func stands(_ left: Value, _ comparison: Comparison, _ right: [Value]) -> Bool {
        switch comparison.operation {
        case .isIn: right.contains { stands(left, .equal, $0, comparison.options) }
        case .between: stands(left, .greaterOrEqual, right[0], []) && stands(left, .lessOrEqual, right[1], [])
        default: stands(left, comparison.operation, right[0], comparison.options)
        }
    }

    private func stands(
        _ left: Value, _ operation: ComparisonOperator, _ right: Value, _ options: ComparisonOptions
    ) -> Bool {
        switch (left, right) {
        case (.null, .null): return [.equal, .lessOrEqual, .greaterOrEqual].contains(operation)
        case (.bool(let left), .bool(let right)): return order(left ? 1 : 0, right ? 1 : 0, operation)
        case (.number(let left), .number(let right)): return order(left, right, operation)
        case (.text(let left), .text(let right)): return stands(left, operation, right, options)
        case (.object(let leftClass, let left), .object(let rightClass, let right)):
            return (leftClass == rightClass && left == right) == (operation == .equal)
        default: return operation == .notEqual
        }
    }

    private func order(_ left: Double, _ right: Double, _ operation: ComparisonOperator) -> Bool {
        switch operation {
        case .equal: left == right
        case .notEqual: left != right
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        case .greaterOrEqual: left >= right
        default: false
        }
    }

    private func stands(
        _ left: String, _ operation: ComparisonOperator, _ right: String, _ options: ComparisonOptions
    ) -> Bool {
        var folding: String.CompareOptions = []
        if options.contains(.caseInsensitive) { folding.insert(.caseInsensitive) }
        if options.contains(.diacriticInsensitive) { folding.insert(.diacriticInsensitive) }
        let left = left.folding(options: folding, locale: nil)
        let right = right.folding(options: folding, locale: nil)
        switch operation {
        case .contains: return !right.isEmpty && left.contains(right)
        case .beginsWith: return !right.isEmpty && left.hasPrefix(right)
        case .endsWith: return !right.isEmpty && left.hasSuffix(right)
        case .like: return !right.isEmpty && like(Substring(left), Substring(right))
        case .equal: return left == right
        case .notEqual: return left != right
        default:
            let left = Array(left.utf8)
            let right = Array(right.utf8)
            let difference = left == right ? 0.0 : left.lexicographicallyPrecedes(right) ? -1.0 : 1.0
            return order(difference, 0, operation)
        }
    }

    private func like(_ text: Substring, _ pattern: Substring) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        let rest = pattern.dropFirst()
        if first == "*" { return like(text, rest) || !text.isEmpty && like(text.dropFirst(), pattern) }
        guard let letter = text.first else { return false }
        return (first == "?" || first == letter) && like(text.dropFirst(), rest)
    }

    // MARK: Operands

    private func values(_ operand: Operand, _ scope: [Variable]) -> [Value] {
        switch operand {
        case .constant(let constant): return [value(constant)]
        case .path(let path): return values(path, scope)
        case .aggregate(.count, let path):
            if path.steps.last == .allLinks { return [.number(Double(links(to: start(path, scope)).count))] }
            return [.number(Double(values(path, scope).count))]
        case .aggregate(let aggregate, let path):
            let numbers = values(path, scope).compactMap { if case .number(let number) = $0 { number } else { nil } }
            let sum = numbers.reduce(0, +)
            switch aggregate {
            case .sum: return [.number(sum)]
            case .avg: return [numbers.isEmpty ? .null : .number(sum / Double(numbers.count))]
            case .min: return [numbers.min().map { .number($0) } ?? .null]
            default: return [numbers.max().map { .number($0) } ?? .null]
            }
        case .count(let subquery):
            let matches = values(subquery.collection, scope).filter { element in
                guard case .object = element else { return false }
                return holds(subquery.condition, scope + [Variable(name: subquery.variable, object: element)])
            }
            return [.number(Double(matches.count))]
        case .arithmetic(let operation, let left, let right):
            guard case .number(let left) = values(left, scope).first,
                case .number(let right) = values(right, scope).first
            else { return [.null] }
            switch operation {
            case .add: return [.number(left + right)]
            case .subtract: return [.number(left - right)]
            default: return [.number(left * right)]
            }
        case .coalesced(let left, let right):
            let value = values(left, scope).first ?? .null
            return value == .null ? values(right, scope) : [value]
        case .choice(let condition, let left, let right): return values(holds(condition, scope) ? left : right, scope)
        case .text(let function, let operand):
            guard case .text(let text) = values(operand, scope).first else { return [.null] }
            return [.text(function == .lowercase ? text.lowercased() : text.uppercased())]
        case .list, .argument: return [.null]
        }
    }

    private func value(_ constant: Constant) -> Value {
        switch constant {
        case .bool(let value): .bool(value)
        case .int(let value): .number(Double(value))
        case .double(let value): .number(value)
        case .decimal(let bits): .decimal(bits)
        case .date(let seconds, _): .number(Double(seconds))
        case .string(let text): .text(text)
        case .uuid(let value): .text(value.uuidString)
        case .link(let table, let key): .object(classes[Int(table) - 1], key)
        default: .null
        }
    }

    private func start(_ path: QueryPath, _ scope: [Variable]) -> Value {
        let variable = path.variable.map { name in scope.last { $0.name == name } } ?? scope.first
        return variable?.object ?? .null
    }

    private func values(_ path: QueryPath, _ scope: [Variable]) -> [Value] {
        if path.steps.count == 1, case .property(let name) = path.steps[0], !collections.contains(name),
            case .object(let type, let key) = start(path, scope)
        {
            return [objects[type]?[key]?[name] ?? .null]
        }
        var values = [start(path, scope)]
        for (index, step) in path.steps.enumerated() {
            // Nothing has no elements.
            if path.steps[index...].contains(where: isMany) { values.removeAll { $0 == .null } }
            values = values.flatMap { take(step, from: $0) }
        }
        return values
    }

    private func isMany(_ step: QueryPath.Step) -> Bool {
        switch step {
        case .property(let name): collections.contains(name)
        case .links, .allLinks: true
        default: false
        }
    }

    private func take(_ step: QueryPath.Step, from value: Value) -> [Value] {
        switch (step, value) {
        case (.property(let name), .object(let type, let key)):
            guard let property = objects[type]?[key]?[name] else { return [.null] }
            return spread(property)
        case (.links(let origin, let property), .object): return links(to: value, from: origin, by: property)
        default: return [.null]
        }
    }

    /// The elements of a collection; a value itself.
    private func spread(_ value: Value) -> [Value] {
        switch value {
        case .list(let elements): elements
        case .map(let entries): entries.keys.sorted().map { entries[$0] ?? .null }
        default: [value]
        }
    }

    private func links(to target: Value, from origin: String? = nil, by property: String? = nil) -> [Value] {
        objects.keys.sorted().filter { origin == nil || $0 == origin }.flatMap { type in
            (objects[type] ?? [:]).sorted { $0.key < $1.key }.flatMap { key, properties in
                properties.filter { property == nil || $0.key == property }.flatMap { _, value in
                    spread(value).filter { $0 == target }.map { _ in Value.object(type, key) }
                }
            }
        }
    }
}
