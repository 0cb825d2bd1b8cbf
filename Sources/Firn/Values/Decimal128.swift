import FirnStore

/// A decimal floating-point number of 34 digits: IEEE 754-2008 decimal128.
///
/// Every operation computes the exact result and rounds it once, half to even. Results too large become infinite, results
/// too small lose digits (gradual underflow). Exponents of the last digit run from -6176 to 6111.
///
/// Comparisons and hashes go by the number: `1 == 1.00`. As for `Double`, NaN equals nothing, not even itself.
///
/// Stored in the binary integer encoding ("BID"), sixteen bytes:
///
///      127  126                    113  112                                 0
///     ┌────┬──────────────────────────┬─────────────────────────────────────┐
///     │sign│ exponent + 6176, 14 bits │ coefficient, 113 bits, below 10^34  │
///     └────┴──────────────────────────┴─────────────────────────────────────┘
///
/// The five bits below the sign are 11110 for an infinity and 11111 for NaN; a signalling NaN has the next bit set too.
/// Other patterns that begin with 11 would hold a coefficient beyond 34 digits: they read as zero, as the standard says.
@frozen
public struct Decimal128: Sendable {
    /// The encoding, as stored on disk.
    package var bits: UInt128

    /// The number of this encoding; any 128 bits are a number, an infinity or NaN.
    package init(bits: UInt128) { self.bits = bits }

    /// Zero.
    public init() { self = .zero }

    init(isNegative: Bool, coefficient: UInt128, exponent: Int) {
        bits = DecimalParts(isNegative: isNegative, coefficient: coefficient, exponent: exponent).bits
    }
}

// MARK: Constants

extension Decimal128 {
    static let digitCount = 34
    static var leastExponent: Int { DecimalParts.exponents.lowerBound }
    static var greatestExponent: Int { DecimalParts.exponents.upperBound }
    static var greatestCoefficient: UInt128 { DecimalParts.maximumCoefficient }

    @inline(__always) static var signBit: UInt128 { 1 << 127 }
    @inline(__always) static var infinityBits: UInt128 { 0b11110 << 122 }
    @inline(__always) static var nanBits: UInt128 { 0b11111 << 122 }
    @inline(__always) static var signalingBit: UInt128 { 1 << 121 }

    /// Zero, with the exponent 0.
    public static var zero: Decimal128 { Decimal128(isNegative: false, coefficient: 0, exponent: 0) }

    /// The least finite number: -9.999999999999999999999999999999999E+6144.
    public static var min: Decimal128 {
        Decimal128(isNegative: true, coefficient: greatestCoefficient, exponent: greatestExponent)
    }

    /// The greatest finite number: 9.999999999999999999999999999999999E+6144.
    public static var max: Decimal128 {
        Decimal128(isNegative: false, coefficient: greatestCoefficient, exponent: greatestExponent)
    }

    /// Positive infinity.
    public static var infinity: Decimal128 { Decimal128(bits: infinityBits) }

    /// The quiet NaN.
    public static var nan: Decimal128 { Decimal128(bits: nanBits) }
}

// MARK: Kinds of values

extension Decimal128 {
    /// Whether this is NaN, quiet or signalling.
    public var isNaN: Bool { bits & Self.nanBits == Self.nanBits }

    /// Whether this is a signalling NaN. Signals are not raised: an operation on one gives a quiet NaN.
    public var isSignalingNaN: Bool { isNaN && bits & Self.signalingBit != 0 }

    /// The same as ``isSignalingNaN``.
    public var isSignaling: Bool { isSignalingNaN }

    /// Whether this is positive or negative infinity.
    public var isInfinite: Bool { bits & Self.nanBits == Self.infinityBits }

    /// The absolute value, exactly.
    public var magnitude: Decimal128 { Decimal128(bits: bits & ~Self.signBit) }

    @inline(__always) var isNegative: Bool { bits & Self.signBit != 0 }

    @inline(__always) var isFinite: Bool { bits & Self.infinityBits != Self.infinityBits }

    /// The parts of a finite number, nil for an infinity or NaN.
    @inline(__always)
    var parts: DecimalParts? {
        let parts = DecimalParts(bits: bits)
        return parts.kind == .finite ? parts : nil
    }
}
