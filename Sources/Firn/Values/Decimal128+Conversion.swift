import Foundation

// MARK: From numbers

extension Decimal128 {
    /// An integer, rounded to 34 digits where it has more.
    public init<Source: BinaryInteger>(_ source: Source) {
        if let magnitude = UInt128(exactly: source.magnitude) {
            self.init(roundingNegative: source < 0, coefficient: magnitude, exponent: 0)
        } else {
            self = (try? Decimal128(string: String(source))) ?? .nan
        }
    }

    /// An integer, nil if it has more than 34 digits.
    public init?<Source: BinaryInteger>(exactly source: Source) {
        guard let magnitude = UInt128(exactly: source.magnitude) else { return nil }
        let (coefficient, zeroCount) = PowersOfTen.strippingZeros(
            magnitude, limit: PowersOfTen.digitCount(magnitude) - Self.digitCount)
        guard coefficient <= Self.greatestCoefficient else { return nil }
        self.init(isNegative: source < 0, coefficient: coefficient, exponent: zeroCount)
    }

    /// The number that a `Double` shows as: 0.1 gives 0.1.
    ///
    /// An integral value below 2^63 gives all its digits, any other the shortest decimal that reads back as the same `Double`.
    public init(_ source: Double) {
        if let integer = Int64(exactly: source), integer != 0 {
            self.init(integer)
        } else {
            // Never fails: a description is a number, inf or nan.
            self = (try? Decimal128(string: source.description))?.reduced ?? .nan
        }
    }

    /// The number that a `Float` shows as: 0.1 gives 0.1.
    ///
    /// An integral value below 2^63 gives all its digits, any other the shortest decimal that reads back as the same `Float`.
    public init(_ source: Float) {
        if let integer = Int64(exactly: source), integer != 0 {
            self.init(integer)
        } else {
            self = (try? Decimal128(string: source.description))?.reduced ?? .nan
        }
    }

    /// The number of a Foundation `Decimal`, rounded to 34 digits where it has more.
    public init(_ source: Decimal) {
        self = (try? Decimal128(string: source.description))?.reduced ?? .nan
    }

    /// The number that an `NSNumber` holds.
    public init(number: NSNumber) {
        if let decimal = number as? NSDecimalNumber {
            self.init(decimal.decimalValue)
            return
        }
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "d"): self.init(number.doubleValue)
        case UInt8(ascii: "f"): self.init(number.floatValue)
        case UInt8(ascii: "Q"): self.init(number.uint64Value)
        default: self.init(number.int64Value)
        }
    }

    /// The number that a value states: a number of any type, `Bool`, `NSNumber`, or text.
    ///
    /// Text that is no number gives NaN, as does a value of another type; ``init(converting:)`` throws instead.
    public init(value: Any) {
        self = (try? Decimal128(converting: value)) ?? .nan
    }

    /// The number that a value states: a number of any type, `Bool`, `NSNumber`, or text.
    /// - Throws: ``ValueError`` for text that is no number and for a value of another type.
    public init(converting value: Any) throws(ValueError) {
        // A cast of an NSNumber to Double succeeds, and rounds. A cast of an Int to NSNumber succeeds too, hence the type.
        if type(of: value) is NSNumber.Type, let number = value as? NSNumber {
            self.init(number: number)
            return
        }
        switch value {
        case let value as Decimal128: self = value
        case let value as String: try self.init(string: value)
        case let value as Bool: self.init(value ? 1 : 0)
        case let value as Double: self.init(value)
        case let value as Float: self.init(value)
        case let value as Decimal: self.init(value)
        case let value as any BinaryInteger: self.init(value)
        case let value as NSString: try self.init(string: value as String)
        case let value as Substring: try self.init(string: String(value))
        default:
            throw ValueError(.inconvertible, "A value of type \(type(of: value)) is no number and no text of one")
        }
    }

    /// The same number without zeros at the end of a fraction, so that `1.0` comes as `1`.
    private var reduced: Decimal128 {
        guard let parts, parts.exponent < 0 else { return self }
        let (coefficient, count) = PowersOfTen.strippingZeros(parts.coefficient, limit: -parts.exponent)
        return Decimal128(
            isNegative: isNegative, coefficient: coefficient, exponent: coefficient == 0 ? 0 : parts.exponent + count)
    }
}

// MARK: Literals

extension Decimal128: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral {
    /// The number of an integer literal.
    public init(integerLiteral value: Int64) { self.init(value) }

    /// The number of a literal with a point or an exponent, which passes through `Double`: about 16 digits survive.
    ///
    /// Write a string literal for more.
    public init(floatLiteral value: Double) { self.init(value) }

    /// The number that a literal text states, with all its digits; traps if it is none.
    public init(stringLiteral value: String) {
        do {
            self = try Decimal128(string: value)
        } catch {
            fatalError("Decimal128 literal: \(error.message)")
        }
    }
}

// MARK: To other numbers

extension Decimal128 {
    /// The nearest `Double`, infinite where the number is beyond its range.
    public var doubleValue: Double {
        guard let parts else {
            if isNaN { return .nan }
            return isNegative ? -.infinity : .infinity
        }
        // Both factors are exact doubles, so that one operation rounds once.
        if parts.coefficient < 1 << 53, parts.exponent.magnitude <= 22 {
            let coefficient = Double(UInt64(parts.coefficient))
            let power = Double(PowersOfTen.power(Int(parts.exponent.magnitude)))
            let magnitude = parts.exponent < 0 ? coefficient / power : coefficient * power
            return parts.isNegative ? -magnitude : magnitude
        }
        return Double("\(parts.isNegative ? "-" : "")\(parts.coefficient)e\(parts.exponent)") ?? .nan
    }

    /// The number as Foundation's `Decimal`, which has more digits but fewer exponents.
    ///
    /// NaN for NaN, infinities and numbers from 10^166 on; what is below its least exponent, -128, is rounded half to even.
    public var decimalValue: Decimal {
        guard let parts, parts.coefficient > 0 else { return isFinite ? 0 : .nan }
        var (coefficient, zeroCount) = PowersOfTen.strippingZeros(parts.coefficient, limit: Self.digitCount)
        var exponent = parts.exponent + zeroCount
        if exponent < -128 {
            let cut = -128 - exponent
            guard cut <= Self.digitCount else { return 0 }
            let divisor = PowersOfTen.power(cut)
            let (quotient, remainder) = coefficient.quotientAndRemainder(dividingBy: divisor)
            let roundsUp = remainder > divisor / 2 || remainder == divisor / 2 && quotient & 1 == 1
            coefficient = quotient + (roundsUp ? 1 : 0)
            exponent = -128
        } else if exponent > 127 {
            let shift = exponent - 127
            guard shift <= PowersOfTen.greatestExponent - PowersOfTen.digitCount(coefficient) else { return .nan }
            coefficient *= PowersOfTen.power(shift)
            exponent = 127
        }
        guard coefficient > 0 else { return 0 }
        // Decimal offers no way in for 128 bits but its text, which it reads exactly within these limits.
        return Decimal(string: "\(parts.isNegative ? "-" : "")\(coefficient)E\(exponent)") ?? .nan
    }
}
