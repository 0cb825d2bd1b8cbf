/// The values that a comparison accepts: those from `lower` to `upper`, or all others.
///
/// `lower` above `upper` is the empty range. NaN is in no range.
struct ValueRange<Value: Comparable & Sendable>: Equatable, Sendable {
    var lower: Value
    var upper: Value
    var isInverted = false

    @inline(__always)
    func contains(_ value: Value) -> Bool {
        (value >= lower && value <= upper) != isInverted
    }

    /// Whether there is no value in it.
    var isEmpty: Bool { !isInverted && lower > upper }
}

extension ValueRange where Value: FixedWidthInteger {
    /// The integers that stand to `constant` as the operator says; the operator must not be one for text.
    init(_ operation: ComparisonOperator, _ constant: Value) {
        switch operation {
        case .equal: self.init(lower: constant, upper: constant)
        case .notEqual: self.init(lower: constant, upper: constant, isInverted: true)
        case .less: self = constant == .min ? .empty : Self(lower: .min, upper: constant - 1)
        case .lessOrEqual: self.init(lower: .min, upper: constant)
        case .greater: self = constant == .max ? .empty : Self(lower: constant + 1, upper: .max)
        case .greaterOrEqual: self.init(lower: constant, upper: .max)
        default: self = .empty
        }
    }

    static var empty: Self { Self(lower: .max, upper: .min) }
}

extension ValueRange where Value == Double {
    /// The numbers that stand to `constant` as the operator says; the operator must not be one for text.
    ///
    /// Only NaN is not equal to NaN and nothing else holds for it, as IEEE 754 has it.
    init(_ operation: ComparisonOperator, _ constant: Double) {
        guard !constant.isNaN else {
            self.init(lower: .infinity, upper: -.infinity, isInverted: operation == .notEqual)
            return
        }
        switch operation {
        case .equal: self.init(lower: constant, upper: constant)
        case .notEqual: self.init(lower: constant, upper: constant, isInverted: true)
        case .less: self = constant == -.infinity ? .empty : Self(lower: -.infinity, upper: constant.nextDown)
        case .lessOrEqual: self.init(lower: -.infinity, upper: constant)
        case .greater: self = constant == .infinity ? .empty : Self(lower: constant.nextUp, upper: .infinity)
        case .greaterOrEqual: self.init(lower: constant, upper: .infinity)
        default: self = .empty
        }
    }

    static var empty: Self { Self(lower: .infinity, upper: -.infinity) }
}

extension ComparisonOperator {
    /// Whether the operator holds for two values of which the left one comes before (negative), with or after the right.
    func accepts(order: Int) -> Bool {
        switch self {
        case .equal: order == 0
        case .notEqual: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        default: false
        }
    }
}
