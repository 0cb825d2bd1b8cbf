/// 10^0 … 10^38: every power of ten below 2^128.
enum PowersOfTen {
    static let greatestExponent = 38

    private static let table: [UInt128] = {
        var powers: [UInt128] = [1]
        for _ in 0..<greatestExponent { powers.append((powers.last ?? 1) * 10) }
        return powers
    }()

    @inline(__always)
    static func power(_ exponent: Int) -> UInt128 { table[exponent] }

    /// The number of decimal digits of a number, 0 for 0.
    static func digitCount(_ number: UInt128) -> Int {
        guard number > 0 else { return 0 }
        let bitCount = 128 - number.leadingZeroBitCount
        // 1233 / 4096 is just below log10(2): up to 256 bits the estimate is the number of digits or one too few.
        let estimate = (bitCount * 1233) >> 12
        if estimate > greatestExponent { return estimate }
        return number >= table[estimate] ? estimate + 1 : estimate
    }

    /// `number` without its trailing decimal zeros, but no more than `limit` of them, and how many those were.
    static func strippingZeros(_ number: UInt128, limit: Int) -> (number: UInt128, count: Int) {
        guard number > 0, limit > 0 else { return (number, 0) }
        var number = number
        var count = 0
        for step in [32, 16, 8, 4, 2, 1] where step <= limit - count {
            // Each decimal zero brings a zero bit along: a cheap test in front of the division.
            guard number.trailingZeroBitCount >= step else { continue }
            let (quotient, remainder) = number.quotientAndRemainder(dividingBy: table[step])
            if remainder == 0 {
                number = quotient
                count += step
            }
        }
        return (number, count)
    }
}

/// An exact intermediate result of up to 256 bits: what a sum, product or scaled dividend needs.
struct WideCoefficient {
    var high: UInt128
    var low: UInt128

    @inline(__always)
    init(high: UInt128, low: UInt128) {
        self.high = high
        self.low = low
    }

    /// `coefficient` × 10^`shift`, which must stay below 10^72.
    init(_ coefficient: UInt128, timesTenTo shift: Int) {
        if coefficient == 0 {
            self.init(high: 0, low: 0)
            return
        }
        let room = PowersOfTen.greatestExponent - PowersOfTen.digitCount(coefficient)
        let narrow = Swift.min(shift, room)
        let scaled = coefficient * PowersOfTen.power(narrow)
        if narrow == shift {
            self.init(high: 0, low: scaled)
        } else {
            let product = scaled.multipliedFullWidth(by: PowersOfTen.power(shift - narrow))
            self.init(high: product.high, low: product.low)
        }
    }

    static func + (left: Self, right: Self) -> Self {
        let (low, carry) = left.low.addingReportingOverflow(right.low)
        return Self(high: left.high + right.high + (carry ? 1 : 0), low: low)
    }

    /// The difference; `right` must not be greater.
    static func - (left: Self, right: Self) -> Self {
        let (low, borrow) = left.low.subtractingReportingOverflow(right.low)
        return Self(high: left.high - right.high - (borrow ? 1 : 0), low: low)
    }

    static func < (left: Self, right: Self) -> Bool {
        left.high != right.high ? left.high < right.high : left.low < right.low
    }

    var isZero: Bool { high == 0 && low == 0 }

    /// The leading digits that fit 128 bits, how many were cut off, and whether any of those was not 0.
    ///
    /// At least 38 digits remain where any are cut, so that rounding to 34 sees two more and the flag.
    func narrowed() -> (coefficient: UInt128, cut: Int, isInexact: Bool) {
        guard high > 0 else { return (low, 0, false) }
        let bitCount = 256 - high.leadingZeroBitCount
        var digits = (bitCount * 1233) >> 12
        let upper = PowersOfTen.power(PowersOfTen.greatestExponent).multipliedFullWidth(
            by: PowersOfTen.power(digits - PowersOfTen.greatestExponent))
        if !(self < WideCoefficient(high: upper.high, low: upper.low)) { digits += 1 }
        let cut = digits - PowersOfTen.greatestExponent
        let (quotient, remainder) = PowersOfTen.power(cut).dividingFullWidth((high, low))
        return (quotient, cut, remainder != 0)
    }
}

extension Decimal128 {
    /// The number nearest to ± (coefficient + t) × 10^exponent, where t is 0, or with `isInexact` something between 0 and 1.
    ///
    /// The one place that rounds. With `isInexact` the coefficient must have 35 digits or more.
    init(roundingNegative isNegative: Bool, coefficient: UInt128, exponent: Int, isInexact: Bool = false) {
        var coefficient = coefficient
        var exponent = exponent
        let excess = PowersOfTen.digitCount(coefficient) - Self.digitCount
        let cut = Swift.max(excess, Self.leastExponent - exponent, 0)
        if cut > PowersOfTen.greatestExponent {
            // Less than half of the last place, for any 128 bits.
            coefficient = 0
            exponent = Self.leastExponent
        } else if cut > 0 {
            let divisor = PowersOfTen.power(cut)
            let (quotient, remainder) = coefficient.quotientAndRemainder(dividingBy: divisor)
            let half = divisor / 2
            coefficient = quotient
            exponent += cut
            if remainder > half || remainder == half && (isInexact || quotient & 1 == 1) {
                coefficient += 1
                if coefficient > Self.greatestCoefficient {
                    coefficient /= 10
                    exponent += 1
                }
            }
        }
        if exponent > Self.greatestExponent {
            if coefficient == 0 {
                exponent = Self.greatestExponent
            } else {
                // Folding down: the exponent is too large for this coefficient but not for the same number with more zeros.
                let shift = exponent - Self.greatestExponent
                guard shift <= Self.digitCount - PowersOfTen.digitCount(coefficient) else {
                    self.init(bits: Self.infinityBits | (isNegative ? Self.signBit : 0))
                    return
                }
                coefficient *= PowersOfTen.power(shift)
                exponent = Self.greatestExponent
            }
        }
        self.init(isNegative: isNegative, coefficient: coefficient, exponent: exponent)
    }

    init(roundingNegative isNegative: Bool, wide: WideCoefficient, exponent: Int) {
        let (coefficient, cut, isInexact) = wide.narrowed()
        self.init(
            roundingNegative: isNegative, coefficient: coefficient, exponent: exponent + cut, isInexact: isInexact)
    }
}
