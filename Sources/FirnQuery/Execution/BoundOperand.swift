import FirnStore

/// An operand whose names have become slots.
indirect enum BoundOperand: Sendable {
    case constant(Constant)
    case list([BoundOperand])
    case path(BoundPath, isMany: Bool)
    /// The number of elements of a collection.
    case elementCount(BoundPath, slot: Int)
    /// The number of places that a path leads to.
    case siteCount(BoundPath)
    /// The number of all links to an object, so many subqueries further out.
    case linkCount(depth: Int, TableID)
    case aggregate(Aggregate, BoundPath)
    /// For how many objects at the end of a path a test holds.
    case matchCount(BoundPath, RecordTest)
    case arithmetic(ArithmeticOperator, BoundOperand, BoundOperand)
    case coalesced(BoundOperand, BoundOperand)
    case choice(RecordTest, BoundOperand, BoundOperand)
    case text(TextFunction, BoundOperand)

    /// Whether the operand may have more values than one.
    var isMany: Bool {
        if case .path(_, let isMany) = self { isMany } else { false }
    }

    /// Calls `body` with each value until it answers false; whether it never did. Values are good for the call.
    func forEachValue(_ scope: Scope, _ connection: Connection, _ body: (QueryValue) -> Bool) -> Bool {
        guard case .path(let path, _) = self else { return body(value(scope, connection)) }
        return path.forEachSite(scope, connection) { body(QueryValue($0, connection)) }
    }

    /// The operand's value, where it has one.
    func value(_ scope: Scope, _ connection: Connection) -> QueryValue {
        switch self {
        case .constant(let constant): return QueryValue(constant) ?? .null
        case .list: return .null
        case .path(let path, _):
            var value = QueryValue.null
            path.forEachSite(scope, connection) {
                value = QueryValue($0, connection)
                return false
            }
            return value
        case .elementCount(let path, let slot):
            var count = 0
            path.forEachObject(scope, connection) { record, _ in
                count += connection.elementCount(of: record, slot)
                return true
            }
            return .int(Int64(count))
        case .siteCount(let path):
            var count: Int64 = 0
            path.forEachSite(scope, connection) { _ in
                count += 1
                return true
            }
            return .int(count)
        case .linkCount(let depth, let table):
            let row = RowID(table: table, key: scope.object(depth).key)
            return .int(Int64(connection.linkCount(to: row)))
        case .aggregate(let aggregate, let path): return Aggregation.value(aggregate, path, scope, connection)
        case .matchCount(let path, let test):
            return .int(Self.count(path, test, scope, connection, atMost: .max))
        case .arithmetic(let operation, let left, let right):
            return operation.apply(left.value(scope, connection), right.value(scope, connection))
        case .coalesced(let left, let right):
            let value = left.value(scope, connection)
            return value.isNull ? right.value(scope, connection) : value
        case .choice(let test, let left, let right):
            return (test.matches(scope, connection) ? left : right).value(scope, connection)
        case .text(let function, let operand):
            return function.apply(operand.value(scope, connection))
        }
    }

    /// For how many objects at the end of a path a test holds; stops at a limit.
    static func count(
        _ path: BoundPath, _ test: RecordTest, _ scope: Scope, _ connection: Connection, atMost limit: Int64
    ) -> Int64 {
        var count: Int64 = 0
        withUnsafePointer(to: scope) { outer in
            _ = path.forEachObject(scope, connection) { record, key in
                if test.matches(Scope(record, key, in: outer), connection) { count += 1 }
                return count < limit
            }
        }
        return count
    }
}

extension QueryValue {
    /// What a path leads to.
    init(_ site: BoundPath.Site, _ connection: Connection) {
        switch site {
        case .value(let record, let slot): self.init(record, slot, connection)
        case .object(let key): self = .object(nil, key)
        case .key(let key): self = .ownText(Array(key.utf8), isString: true)
        case .nothing: self = .null
        }
    }
}

extension TextFunction {
    fileprivate func apply(_ value: QueryValue) -> QueryValue {
        let text = value.withText { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            return Array((self == .lowercase ? text.lowercased() : text.uppercased()).utf8)
        }
        return text.map { .ownText($0, isString: true) } ?? .null
    }
}

/// Two operands compared whose values are found first.
struct OperandTest: Sendable {
    let left: BoundOperand
    let operation: ComparisonOperator
    let folding: TextFolding?
    let right: BoundOperand
    let quantifier: Quantifier?

    func matches(_ scope: Scope, _ connection: Connection) -> Bool {
        let isAll = quantifier == .all
        let isExhausted = left.forEachValue(scope, connection) { value in
            right.forEachValue(scope, connection, operation, value, folding, isAll)
        }
        return isExhausted == isAll
    }
}

extension BoundOperand {
    /// Whether the walk goes on after `value`, on the left, was compared with this operand's values.
    fileprivate func forEachValue(
        _ scope: Scope, _ connection: Connection, _ operation: ComparisonOperator, _ value: QueryValue,
        _ folding: TextFolding?, _ isAll: Bool
    ) -> Bool {
        guard case .list(let operands) = self else {
            return forEachValue(scope, connection) { value.stands(operation, to: $0, folding) == isAll }
        }
        let values = operands.map { $0.value(scope, connection) }
        switch operation {
        case .between:
            return
                (values.count == 2 && value.stands(.greaterOrEqual, to: values[0], nil)
                && value.stands(.lessOrEqual, to: values[1], nil)) == isAll
        default: return values.contains { value.stands(.equal, to: $0, folding) } == isAll
        }
    }
}
