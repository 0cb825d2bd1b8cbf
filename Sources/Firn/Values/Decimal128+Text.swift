extension Decimal128 {
    /// The number that a text states: `1`, `-0.5`, `.5`, `1e-7`, `Infinity`, `inf`, `NaN`, `sNaN`, in any case.
    ///
    /// More than 34 digits are rounded once, half to even; an exponent out of range gives infinity, or a number nearer to zero.
    /// - Throws: ``ValueError`` with `.invalidDecimal` for any other text; no spaces, separators or other digits are accepted.
    public init(string: String) throws(ValueError) {
        var text = string
        guard let number = text.withUTF8({ Decimal128(utf8: $0) }) else {
            throw ValueError(
                .invalidDecimal,
                "\(ValueError.quoted(string)) is no decimal number; write digits, a point and an exponent, as in -12.5E+3"
            )
        }
        self = number
    }

    /// The number as text, from which ``init(string:)`` makes the same number again.
    ///
    /// Without trailing zeros; plain where the 34 digits reach the point and no more than five zeros follow it, else
    /// scientific: `100`, `0.000001`, `1E-7`, `1.5E+40`, `-0`, `Infinity`, `NaN`.
    public var stringValue: String {
        guard let parts else {
            return (isNegative ? "-" : "") + (isInfinite ? "Infinity" : isSignalingNaN ? "sNaN" : "NaN")
        }
        let sign = parts.isNegative ? "-" : ""
        guard parts.coefficient > 0 else { return sign + "0" }
        let (coefficient, zeroCount) = PowersOfTen.strippingZeros(parts.coefficient, limit: Self.digitCount)
        let exponent = parts.exponent + zeroCount
        let digits = String(coefficient)
        let digitsBeforePoint = digits.utf8.count + exponent

        if exponent >= 0, digitsBeforePoint <= Self.digitCount {
            return sign + digits + String(repeating: "0", count: exponent)
        }
        if exponent < 0, digitsBeforePoint > 0 {
            return sign + digits.prefix(digitsBeforePoint) + "." + digits.dropFirst(digitsBeforePoint)
        }
        if exponent < 0, digitsBeforePoint > -6 {
            return sign + "0." + String(repeating: "0", count: -digitsBeforePoint) + digits
        }
        let power = digitsBeforePoint - 1
        return sign + digits.prefix(1) + (digits.utf8.count > 1 ? "." : "") + digits.dropFirst(1)
            + (power < 0 ? "E-" : "E+") + String(power.magnitude)
    }

    private init?(utf8: UnsafeBufferPointer<UInt8>) {
        var text = utf8[...]
        var isNegative = false
        if let first = text.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
            isNegative = first == UInt8(ascii: "-")
            text = text.dropFirst()
        }
        if let special = Self.specialBits(text) {
            self.init(bits: special | (isNegative ? Self.signBit : 0))
            return
        }

        var digits = DigitAccumulator()
        var hasDigits = false
        var isFraction = false
        while let byte = text.first {
            if let digit = Self.digit(byte) {
                digits.append(digit, isFraction: isFraction)
                hasDigits = true
            } else if byte == UInt8(ascii: "."), !isFraction {
                isFraction = true
            } else {
                break
            }
            text = text.dropFirst()
        }
        guard hasDigits, let exponent = Self.exponent(text) else { return nil }
        self.init(
            roundingNegative: isNegative, coefficient: digits.coefficient, exponent: digits.exponent + exponent,
            isInexact: digits.isInexact)
    }

    /// The first 38 significant digits of a text, and what the others amount to.
    private struct DigitAccumulator {
        var coefficient: UInt128 = 0
        var exponent = 0
        var isInexact = false

        @inline(__always)
        mutating func append(_ digit: UInt8, isFraction: Bool) {
            if coefficient < 10_000_000_000_000_000_000_000_000_000_000_000_000 {
                coefficient = coefficient * 10 + UInt128(digit)
                if isFraction { exponent -= 1 }
            } else {
                if digit > 0 { isInexact = true }
                if !isFraction { exponent += 1 }
            }
        }
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        let digit = byte &- UInt8(ascii: "0")
        return digit < 10 ? digit : nil
    }

    /// The value of `e+12` and the like, 0 for nothing, nil for anything else.
    private static func exponent(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        guard let mark = text.first else { return 0 }
        var text = text.dropFirst()
        guard mark | 0x20 == UInt8(ascii: "e") else { return nil }
        var isNegative = false
        if let sign = text.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            isNegative = sign == UInt8(ascii: "-")
            text = text.dropFirst()
        }
        guard !text.isEmpty else { return nil }
        var exponent = 0
        for byte in text {
            guard let digit = digit(byte) else { return nil }
            // Beyond this no text of digits that fits memory can bring the number back into range.
            if exponent < 1 << 56 { exponent = exponent * 10 + Int(digit) }
        }
        return isNegative ? -exponent : exponent
    }

    private static func specialBits(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> UInt128? {
        guard text.count <= 8, let first = text.first, digit(first) == nil else { return nil }
        switch String(decoding: text.map { $0 | 0x20 }, as: UTF8.self) {
        case "inf", "infinity": return infinityBits
        case "nan": return nanBits
        case "snan": return nanBits | signalingBit
        default: return nil
        }
    }
}

extension Decimal128: CustomStringConvertible, LosslessStringConvertible {
    /// ``stringValue``.
    public var description: String { stringValue }

    /// The number that a text states, nil where ``init(string:)`` throws.
    public init?(_ description: String) {
        guard let number = try? Decimal128(string: description) else { return nil }
        self = number
    }
}
