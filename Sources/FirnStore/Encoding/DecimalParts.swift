/// A decimal128 taken apart: sign, coefficient and exponent of the IEEE 754 binary integer encoding (BID).
///
///     127      sign
///     126…113  exponent + 6176    unless bits 126…125 are 11
///     112…0    coefficient
///
///     126…122  11110 infinity, 11111 NaN (bit 121: signalling)
///
/// Other encodings that begin with 11, and coefficients above 34 digits, are not canonical: their value is zero.
@usableFromInline package struct DecimalParts: Hashable, Sendable {
    /// What kind of value it is.
    package enum Kind: UInt8, Sendable {
        case finite, infinity, quietNaN, signalingNaN
    }

    /// What kind of value it is; sign, coefficient and exponent say nothing more of a NaN.
    package var kind: Kind
    /// The sign, also of a zero.
    package var isNegative: Bool
    /// The digits as an integer, at most `maximumCoefficient`; 0 unless finite.
    package var coefficient: UInt128
    /// The power of ten to multiply with, -6176 … 6111; 0 unless finite.
    package var exponent: Int

    /// 34 nines.
    package static let maximumCoefficient: UInt128 = 9_999_999_999_999_999_999_999_999_999_999_999
    /// The exponents a finite value may have.
    package static let exponents = -6176...6111
    /// The bits of a positive zero with exponent 0.
    @inlinable package static var zeroBits: UInt128 { 6176 << 113 }
    /// The bits of a quiet NaN.
    package static let nanBits: UInt128 = 0b11111 << 122

    /// A finite value; the exponent must be in `exponents` and the coefficient at most `maximumCoefficient`.
    package init(isNegative: Bool = false, coefficient: UInt128, exponent: Int) {
        precondition(DecimalParts.exponents.contains(exponent), "The exponent of a decimal128 is -6176 to 6111")
        precondition(coefficient <= DecimalParts.maximumCoefficient, "A decimal128 has 34 digits")
        kind = .finite
        self.isNegative = isNegative
        self.coefficient = coefficient
        self.exponent = exponent
    }

    /// An infinity or a NaN.
    package init(_ kind: Kind, isNegative: Bool = false) {
        self.kind = kind
        self.isNegative = isNegative
        coefficient = 0
        exponent = 0
    }

    /// Takes the bits of a decimal128 apart. Any bits are good.
    package init(bits: UInt128) {
        isNegative = bits >> 127 != 0
        coefficient = 0
        exponent = 0
        kind = .finite
        if (bits >> 125) & 0b11 != 0b11 {
            exponent = Int(truncatingIfNeeded: (bits >> 113) & 0x3FFF) - 6176
            let digits = bits & ((1 << 113) - 1)
            coefficient = digits <= DecimalParts.maximumCoefficient ? digits : 0
        } else {
            switch (bits >> 122) & 0b11111 {
            case 0b11110: kind = .infinity
            case 0b11111: kind = (bits >> 121) & 1 == 0 ? .quietNaN : .signalingNaN
            // The large coefficient form: more than 34 digits, so its value is zero.
            default: exponent = Int(truncatingIfNeeded: (bits >> 111) & 0x3FFF) - 6176
            }
        }
    }

    /// The bits of the decimal128.
    package var bits: UInt128 {
        let sign: UInt128 = isNegative ? 1 << 127 : 0
        switch kind {
        case .finite: return sign | UInt128(exponent + 6176) << 113 | coefficient
        case .infinity: return sign | 0b11110 << 122
        case .quietNaN: return sign | 0b11111 << 122
        case .signalingNaN: return sign | 0b111111 << 121
        }
    }
}
