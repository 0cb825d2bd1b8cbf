import FirnStore

extension Decimal128: SignedNumeric {
    /// The sum, rounded once.
    public static func + (left: Decimal128, right: Decimal128) -> Decimal128 {
        guard let leftParts = left.parts, let rightParts = right.parts else {
            if let nan = quietNaN(left, right) { return nan }
            guard left.isInfinite else { return right }
            return right.isInfinite && left.isNegative != right.isNegative ? .nan : left
        }
        return sum(leftParts, rightParts)
    }

    /// The difference, rounded once.
    public static func - (left: Decimal128, right: Decimal128) -> Decimal128 {
        right.isNaN ? left + right : left + -right
    }

    /// The product, rounded once.
    public static func * (left: Decimal128, right: Decimal128) -> Decimal128 {
        let isNegative = left.isNegative != right.isNegative
        guard let leftParts = left.parts, let rightParts = right.parts else {
            if let nan = quietNaN(left, right) { return nan }
            return left.isZero || right.isZero ? .nan : infinity(isNegative: isNegative)
        }
        let exponent = leftParts.exponent + rightParts.exponent
        let product = leftParts.coefficient.multipliedFullWidth(by: rightParts.coefficient)
        return Decimal128(
            roundingNegative: isNegative, wide: WideCoefficient(high: product.high, low: product.low),
            exponent: exponent)
    }

    /// The quotient, rounded once; a number divided by zero is infinite, zero divided by zero is NaN.
    public static func / (left: Decimal128, right: Decimal128) -> Decimal128 {
        let isNegative = left.isNegative != right.isNegative
        guard let dividend = left.parts, let divisor = right.parts else {
            if let nan = quietNaN(left, right) { return nan }
            guard left.isInfinite else {
                return Decimal128(isNegative: isNegative, coefficient: 0, exponent: leastExponent)
            }
            return right.isInfinite ? .nan : infinity(isNegative: isNegative)
        }
        guard divisor.coefficient > 0 else {
            return dividend.coefficient > 0 ? infinity(isNegative: isNegative) : .nan
        }
        let exponent = dividend.exponent - divisor.exponent
        guard dividend.coefficient > 0 else {
            return Decimal128(roundingNegative: isNegative, coefficient: 0, exponent: exponent)
        }
        // Scaled so that the quotient has 37 or 38 digits: rounding to 34 then sees all it needs.
        let shift =
            37 - PowersOfTen.digitCount(dividend.coefficient) + PowersOfTen.digitCount(divisor.coefficient)
        let scaled = WideCoefficient(dividend.coefficient, timesTenTo: shift)
        let (quotient, remainder) = divisor.coefficient.dividingFullWidth((scaled.high, scaled.low))
        guard remainder == 0 else {
            return Decimal128(
                roundingNegative: isNegative, coefficient: quotient, exponent: exponent - shift, isInexact: true)
        }
        // An exact quotient keeps no more zeros than the exponents of its operands call for.
        let stripped = PowersOfTen.strippingZeros(quotient, limit: shift)
        return Decimal128(
            roundingNegative: isNegative, coefficient: stripped.number, exponent: exponent - shift + stripped.count)
    }

    /// Adds a number, rounding once.
    public static func += (left: inout Decimal128, right: Decimal128) { left = left + right }

    /// Subtracts a number, rounding once.
    public static func -= (left: inout Decimal128, right: Decimal128) { left = left - right }

    /// Multiplies by a number, rounding once.
    public static func *= (left: inout Decimal128, right: Decimal128) { left = left * right }

    /// Divides by a number, rounding once.
    public static func /= (left: inout Decimal128, right: Decimal128) { left = left / right }

    /// The number with the opposite sign, exactly; zero has a sign too.
    public static prefix func - (operand: Decimal128) -> Decimal128 {
        Decimal128(bits: operand.bits ^ signBit)
    }

    /// Changes the sign, exactly.
    public mutating func negate() { bits ^= Self.signBit }

    private var isZero: Bool { parts?.coefficient == 0 }

    private static func infinity(isNegative: Bool) -> Decimal128 { isNegative ? -infinity : infinity }

    /// The NaN that an operation on these gives, if one of them is NaN: the first signalling one, else the first, made quiet.
    private static func quietNaN(_ left: Decimal128, _ right: Decimal128) -> Decimal128? {
        let source = left.isSignalingNaN || left.isNaN && !right.isSignalingNaN ? left : right
        return source.isNaN ? Decimal128(bits: source.bits & ~signalingBit) : nil
    }

    private static func sum(_ left: DecimalParts, _ right: DecimalParts) -> Decimal128 {
        // `upper` has the greater exponent.
        let (upper, lower) = left.exponent >= right.exponent ? (left, right) : (right, left)
        let gap = upper.exponent - lower.exponent
        guard upper.coefficient > 0, lower.coefficient > 0 else { return sumWithZero(left, right) }

        let upperDigits = PowersOfTen.digitCount(upper.coefficient)
        let lowerDigits = PowersOfTen.digitCount(lower.coefficient)
        let shift = 37 - upperDigits
        if gap - shift >= lowerDigits {
            // All of `lower` is below one unit of `upper` written with 37 digits: it only says to which side the sum leans.
            var coefficient = upper.coefficient * PowersOfTen.power(shift)
            if upper.isNegative != lower.isNegative { coefficient -= 1 }
            return Decimal128(
                roundingNegative: upper.isNegative, coefficient: coefficient, exponent: upper.exponent - shift,
                isInexact: true)
        }

        let scaled = WideCoefficient(upper.coefficient, timesTenTo: gap)
        let other = WideCoefficient(high: 0, low: lower.coefficient)
        if upper.isNegative == lower.isNegative {
            return Decimal128(roundingNegative: upper.isNegative, wide: scaled + other, exponent: lower.exponent)
        }
        if scaled < other {
            return Decimal128(roundingNegative: lower.isNegative, wide: other - scaled, exponent: lower.exponent)
        }
        let difference = scaled - other
        return Decimal128(
            roundingNegative: difference.isZero ? false : upper.isNegative, wide: difference, exponent: lower.exponent)
    }

    /// A sum where at least one term is zero: the other one, with an exponent as near to the smaller one as its digits allow.
    private static func sumWithZero(_ left: DecimalParts, _ right: DecimalParts) -> Decimal128 {
        let exponent = Swift.min(left.exponent, right.exponent)
        let term = left.coefficient > 0 ? left : right
        guard term.coefficient > 0 else {
            return Decimal128(
                isNegative: left.isNegative && right.isNegative, coefficient: 0, exponent: exponent)
        }
        let shift = Swift.min(term.exponent - exponent, digitCount - PowersOfTen.digitCount(term.coefficient))
        return Decimal128(
            isNegative: term.isNegative, coefficient: term.coefficient * PowersOfTen.power(shift),
            exponent: term.exponent - shift)
    }
}
