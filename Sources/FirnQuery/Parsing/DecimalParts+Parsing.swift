import FirnStore

extension DecimalParts {
    /// The number that a text states: `-0.5`, `15E-1`, `Infinity`, `NaN`. Nil for another text, and where the number has more
    /// than 34 digits or no decimal128's exponent: nothing is rounded.
    init?(parsing text: String) {
        var text = text.utf8[...]
        var isNegative = false
        if let sign = text.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            isNegative = sign == UInt8(ascii: "-")
            text = text.dropFirst()
        }
        switch String(Substring(text)).lowercased() {
        case "infinity": self.init(.infinity, isNegative: isNegative)
        case "nan": self.init(.quietNaN, isNegative: isNegative)
        default:
            guard let (coefficient, exponent) = Self.number(text) else { return nil }
            self.init(isNegative: isNegative, coefficient: coefficient, exponent: exponent)
        }
    }

    /// Digits, with or without a point and a power of ten behind them.
    private static func number(_ text: Substring.UTF8View) -> (coefficient: UInt128, exponent: Int)? {
        var text = text
        var coefficient: UInt128 = 0
        var exponent = 0
        var hasDigits = false
        var isFraction = false
        while let byte = text.first, byte | 0x20 != UInt8(ascii: "e") {
            text = text.dropFirst()
            if byte == UInt8(ascii: "."), !isFraction {
                isFraction = true
                continue
            }
            guard let digit = Character(Unicode.Scalar(byte)).wholeNumberValue, byte < 0x80 else { return nil }
            coefficient = coefficient * 10 + UInt128(digit)
            guard coefficient <= maximumCoefficient else { return nil }
            hasDigits = true
            if isFraction { exponent -= 1 }
        }
        guard hasDigits else { return nil }
        if !text.isEmpty {
            // No exponent of more digits is one of a decimal128.
            guard text.count <= 7, let power = Int(String(Substring(text.dropFirst()))) else { return nil }
            exponent += power
        }
        return scaled(coefficient, exponent)
    }

    /// The same number with an exponent that a decimal128 may have; nil where it would lose digits.
    private static func scaled(_ coefficient: UInt128, _ exponent: Int) -> (coefficient: UInt128, exponent: Int)? {
        var (coefficient, exponent) = (coefficient, exponent)
        if coefficient == 0 { return (0, min(max(exponent, exponents.lowerBound), exponents.upperBound)) }
        while exponent > exponents.upperBound, coefficient * 10 <= maximumCoefficient {
            coefficient *= 10
            exponent -= 1
        }
        while exponent < exponents.lowerBound, coefficient % 10 == 0 {
            coefficient /= 10
            exponent += 1
        }
        return exponents.contains(exponent) ? (coefficient, exponent) : nil
    }
}
