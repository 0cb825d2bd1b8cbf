import FirnQuery
import FirnStore

/// A query as SQL, where that can say the same.
///
/// SQL's answers are true, false and unknown, and NOT leaves the unknown as it is; here each comparison is made to answer true or
/// false, as a predicate does: nil equals nil, and is neither less nor greater than anything.
struct SQLQuery {
    private(set) var text = "SELECT r.key FROM Row r WHERE "
    private(set) var values: [SQLiteOracle.Value] = []

    /// Nil where something in it has no counterpart.
    init?(_ expression: QueryExpression, order: ObjectOrder) {
        guard append(expression) else { return nil }
        text += " ORDER BY "
        for term in order.terms {
            let direction = term.isAscending ? "ASC" : "DESC"
            // What a nil link leads to sorts behind everything, nil before it.
            if !term.path.isDirect { text += "r.\"link\" IS NULL \(direction), " }
            text += "\(Self.value(term.path.column.name, isLinked: !term.path.isDirect)) \(direction), "
        }
        text += "r.key"
    }

    private static func value(_ column: String, isLinked: Bool) -> String {
        isLinked ? "(SELECT t.\"\(column)\" FROM Row t WHERE t.key = r.\"link\")" : "r.\"\(column)\""
    }

    private mutating func append(_ expression: QueryExpression) -> Bool {
        switch expression {
        case .always(let answer):
            text += answer ? "1" : "0"
            return true
        case .comparison(let comparison): return append(comparison)
        case .all(let parts): return append(parts, " AND ", empty: "1")
        case .any(let parts): return append(parts, " OR ", empty: "0")
        case .not(let part):
            text += "NOT ("
            defer { text += ")" }
            return append(part)
        }
    }

    private mutating func append(_ parts: [QueryExpression], _ separator: String, empty: String) -> Bool {
        if parts.isEmpty { text += empty }
        for (number, part) in parts.enumerated() {
            text += number == 0 ? "(" : "\(separator)("
            guard append(part) else { return false }
            text += ")"
        }
        return true
    }

    private mutating func append(_ comparison: Comparison) -> Bool {
        guard comparison.options.isEmpty, comparison.quantifier == nil, case .path(let path) = comparison.left,
            case .property(let name)? = path.steps.last
        else { return false }
        let value = Self.value(name, isLinked: path.steps.count == 2)
        if case .list(let operands) = comparison.right {
            let places = Array(repeating: "?", count: operands.count)
            switch comparison.operation {
            case .isIn: text += "COALESCE(\(value) IN (\(places.joined(separator: ", "))), 0)"
            case .between: text += "COALESCE(\(value) BETWEEN \(places.joined(separator: " AND ")), 0)"
            default: return false
            }
            return operands.allSatisfy { bind($0) }
        }
        switch comparison.operation {
        case .equal: text += "\(value) IS ?"
        case .notEqual: text += "\(value) IS NOT ?"
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            text += "COALESCE(\(value) \(comparison.operation.symbol) ?, 0)"
        case .contains:
            // Bytes, as the index has them; no text contains the empty one.
            text += "COALESCE(INSTR(CAST(\(value) AS BLOB), NULLIF(CAST(? AS BLOB), x'')) > 0, 0)"
        default: return false
        }
        return bind(comparison.right)
    }

    private mutating func bind(_ operand: Operand) -> Bool {
        guard case .constant(let constant) = operand, let value = SQLiteOracle.Value(constant) else { return false }
        values.append(value)
        return true
    }
}
