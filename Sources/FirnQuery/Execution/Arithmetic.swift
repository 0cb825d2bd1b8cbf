import FirnStore
import Foundation

extension ArithmeticOperator {
    /// Two numbers reckoned with. Integers wrap around where they overflow, as Realm's sums do; what is no number, and
    /// division of an integer by zero, give nil.
    func apply(_ left: QueryValue, _ right: QueryValue) -> QueryValue {
        if case .int(let left) = left, case .int(let right) = right { return apply(left, right) }
        guard let left = left.number, let right = right.number else { return .null }
        return .double(apply(left, right))
    }

    private func apply(_ left: Int64, _ right: Int64) -> QueryValue {
        switch self {
        case .add: return .int(left &+ right)
        case .subtract: return .int(left &- right)
        case .multiply: return .int(left &* right)
        case .divide: return right == 0 ? .null : .int(left.dividedReportingOverflow(by: right).partialValue)
        case .remainder:
            return right == 0 ? .null : .int(left.remainderReportingOverflow(dividingBy: right).partialValue)
        }
    }

    private func apply(_ left: Double, _ right: Double) -> Double {
        switch self {
        case .add: left + right
        case .subtract: left - right
        case .multiply: left * right
        case .divide: left / right
        case .remainder: left.truncatingRemainder(dividingBy: right)
        }
    }
}

extension QueryValue {
    /// The value as a floating-point number; nil where it is no number.
    var number: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        case .decimal(let bits): Double(DecimalParts(bits: bits).text)
        default: nil
        }
    }
}

/// What is made of all values that a path leads to.
enum Aggregation {
    /// Nil values and NaN are passed over: without others a sum is 0, and all else nil.
    static func value(
        _ aggregate: Aggregate, _ path: BoundPath, _ scope: Scope, _ connection: Connection
    ) -> QueryValue {
        var count: Int64 = 0
        var integers: Int128 = 0
        var doubles = 0.0
        var areIntegers = true
        var best = QueryValue.null
        path.forEachSite(scope, connection) { site in
            let value = QueryValue(site, connection)
            if value.isNull { return true }
            if let number = value.number {
                if number.isNaN { return true }
                doubles += number
            }
            if case .int(let integer) = value { integers &+= Int128(integer) } else { areIntegers = false }
            count += 1
            let order = best.isNull ? nil : value.order(to: best)
            if count == 1 || aggregate == .min && (order ?? 0) < 0 || aggregate == .max && (order ?? 0) > 0 {
                best = value
            }
            return true
        }
        switch aggregate {
        case .count: return .int(count)
        case .min, .max: return best
        case .sum: return areIntegers ? .int(Int64(truncatingIfNeeded: integers)) : .double(doubles)
        case .avg: return count == 0 ? .null : .double((areIntegers ? Double(integers) : doubles) / Double(count))
        }
    }
}
