/// The form that Decimal128 columns and the numbers of `AnyRealmValue` share, so that 1, 1.0 and Decimal 1.00 have the
/// same bytes, and sort by value.
///
///     0   class u8: 1 NaN, 2 -infinity, 3 negative, 4 zero, 5 positive, 6 infinity
///     1   exponent u16, big-endian: of 0.d₁d₂d₃… × 10ᵉ with d₁ ≠ 0, plus 0x8000     only in classes 3 and 5
///     3   two digits a byte, plus 1, without trailing zeros (but to fill the last byte), then 00
///
/// Of a negative number all bytes behind the class are inverted.
package enum OrderedNumber {
    /// What kind of number follows.
    enum Class: UInt8 {
        case nan = 1
        case negativeInfinity
        case negative
        case zero
        case positive
        case infinity
    }

    static let exponentBias = 0x8000

    /// Appends a decimal128; NaNs are all alike, as are zeros.
    package static func append(decimal bits: UInt128, to buffer: inout KeyBuffer) {
        let parts = DecimalParts(bits: bits)
        switch parts.kind {
        case .quietNaN, .signalingNaN: buffer.append(Class.nan.rawValue)
        case .infinity: buffer.append((parts.isNegative ? Class.negativeInfinity : .infinity).rawValue)
        case .finite:
            append(
                coefficient: parts.coefficient, exponent: parts.exponent, isNegative: parts.isNegative, to: &buffer)
        }
    }

    /// Appends an integer.
    package static func append(integer value: Int64, to buffer: inout KeyBuffer) {
        append(coefficient: UInt128(value.magnitude), exponent: 0, isNegative: value < 0, to: &buffer)
    }

    /// Appends a double: an integral one in the range of Int64 by its exact digits, so that it meets that integer; any
    /// other by the shortest digits that read back as it, so that 0.1 meets the decimal 0.1.
    package static func append(double value: Double, to buffer: inout KeyBuffer) {
        if let integer = Int64(exactly: value) { return append(integer: integer, to: &buffer) }
        if value.isNaN { return buffer.append(Class.nan.rawValue) }
        if value.isInfinite {
            return buffer.append((value < 0 ? Class.negativeInfinity : .infinity).rawValue)
        }
        // "1.25", "5e-324", "1.7976931348623157e+308": at most 17 digits.
        var coefficient: UInt64 = 0
        var exponent = 0
        var isFraction = false
        var text = value.magnitude.description.utf8[...]
        while let character = text.popFirst() {
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                coefficient = coefficient * 10 + UInt64(character - UInt8(ascii: "0"))
                if isFraction { exponent -= 1 }
            case UInt8(ascii: "."): isFraction = true
            default:
                // The rest is the power of ten behind the "e".
                exponent += Int(String(Substring(text))) ?? 0
                text = text[text.endIndex...]
            }
        }
        append(coefficient: UInt128(coefficient), exponent: exponent, isNegative: value < 0, to: &buffer)
    }

    private static func append(
        coefficient: UInt128, exponent: Int, isNegative: Bool, to buffer: inout KeyBuffer
    ) {
        guard coefficient != 0 else { return buffer.append(Class.zero.rawValue) }
        buffer.append((isNegative ? Class.negative : .positive).rawValue)
        let mask: UInt8 = isNegative ? 0xFF : 0
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 40) { digits in
            var start = 40
            func take(_ value: UInt64, atLeast count: Int) {
                var value = value
                let end = start - count
                while value != 0 || start > end {
                    start -= 1
                    digits[start] = UInt8(value % 10)
                    value /= 10
                }
            }
            // 128 bit divisions are slow: one that leaves two numbers of 64 bits is enough, 34 digits being 17 and 17.
            if let small = UInt64(exactly: coefficient) {
                take(small, atLeast: 0)
            } else {
                let (high, low) = coefficient.quotientAndRemainder(dividingBy: 100_000_000_000_000_000)
                take(UInt64(truncatingIfNeeded: low), atLeast: 17)
                take(UInt64(truncatingIfNeeded: high), atLeast: 0)
            }
            var end = 40
            let scale = exponent + end - start
            while digits[end - 1] == 0 { end -= 1 }
            let biased = UInt16(truncatingIfNeeded: scale + exponentBias)
            buffer.appendBigEndian(isNegative ? ~biased : biased)
            for index in stride(from: start, to: end, by: 2) {
                let pair = digits[index] * 10 + (index + 1 < end ? digits[index + 1] : 0)
                buffer.append((pair + 1) ^ mask)
            }
            buffer.append(mask)
        }
    }
}
