import FirnStore
import Foundation

extension RandomNumberGenerator {
    /// An integer of any magnitude, edges more often than chance would have them.
    mutating func integer() -> Int64 {
        switch UInt8.random(in: 0...3, using: &self) {
        case 0:
            [0, 1, -1, 127, 128, -128, -129, 32767, 32768, -32768, -32769, 1 << 31, -1 << 31 - 1, .max, .min]
                .randomElement(using: &self) ?? 0
        case 1: Int64.random(in: -300...300, using: &self)
        default: Int64.random(in: .min ... .max, using: &self) >> Int64.random(in: 0...63, using: &self)
        }
    }

    /// A double of any kind.
    mutating func double() -> Double {
        switch UInt8.random(in: 0...5, using: &self) {
        case 0:
            [
                0, -0.0, 1, -1, 0.1, -0.1, 1.5, .nan, -.nan, .infinity, -.infinity, .leastNonzeroMagnitude,
                -.leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
                0x1p63, -0x1p63, 0x1p64, 0x1p53, 0x1p53 + 2, 0x1p52 + 0.5,
            ].randomElement(using: &self) ?? 0
        case 1: Double(integer())
        case 2: Double(Int64.random(in: -2000...2000, using: &self)) / 100
        default: Double(bitPattern: next())
        }
    }

    /// Decimal bits: of any kind, cohorts of one value often.
    mutating func decimal() -> UInt128 {
        switch UInt8.random(in: 0...5, using: &self) {
        case 0:
            return [
                DecimalParts.zeroBits, DecimalParts.nanBits, DecimalParts(.infinity).bits,
                DecimalParts(.infinity, isNegative: true).bits, DecimalParts(.signalingNaN).bits,
                DecimalParts(coefficient: DecimalParts.maximumCoefficient, exponent: 6111).bits,
                DecimalParts(isNegative: true, coefficient: DecimalParts.maximumCoefficient, exponent: 6111).bits,
                DecimalParts(coefficient: 1, exponent: -6176).bits, DecimalParts(coefficient: 0, exponent: 7).bits,
                DecimalParts(isNegative: true, coefficient: 0, exponent: -3).bits,
            ].randomElement(using: &self) ?? 0
        case 1: return UInt128(next()) << 64 | UInt128(next())
        default:
            let digits = UInt128(next()) << 64 | UInt128(next())
            let coefficient =
                (digits >> UInt128.random(in: 15...127, using: &self)) % (DecimalParts.maximumCoefficient + 1)
            return DecimalParts(
                isNegative: Bool.random(using: &self), coefficient: coefficient,
                exponent: Int.random(in: -8...8, using: &self)
            ).bits
        }
    }

    /// Bytes, zeros and 0xFF more often than chance would have them.
    mutating func bytes(upTo count: Int) -> [UInt8] {
        (0..<Int.random(in: 0...count, using: &self)).map { _ in
            [0, 0xFF, 1, UInt8.random(in: 0...255, using: &self)].randomElement(using: &self) ?? 0
        }
    }

    /// A string of characters of one to four bytes.
    mutating func string(upTo count: Int) -> String {
        String(
            (0..<Int.random(in: 0...count, using: &self)).map { _ in
                "\0\u{1}ab zß€😀".randomElement(using: &self) ?? "a"
            })
    }

    /// A UUID of any bits.
    mutating func uuid() -> UUID {
        withUnsafeBytes(of: (next(), next())) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// A date whose parts have one sign.
    mutating func date() -> StoredValue {
        let seconds = integer()
        let nanoseconds = Int32.random(in: 0...999_999_999, using: &self)
        return .date(seconds: seconds, nanoseconds: seconds < 0 ? -nanoseconds : nanoseconds)
    }

    /// A value that a slot with that tag may hold.
    mutating func value(_ tag: Tag, upTo count: Int = 20) -> StoredValue {
        switch tag {
        case .null: .null
        case .false: .bool(false)
        case .true: .bool(true)
        case .int8, .int16, .int32, .int64: .int(integer())
        case .float: .float(Float(double()))
        case .double: .double(double())
        case .decimal128: .decimal(decimal())
        case .date: date()
        case .string: .string(string(upTo: count))
        case .data: .data(Data(bytes(upTo: count)))
        case .objectID: .objectID(ObjectIDBytes(high: next(), low: UInt32(truncatingIfNeeded: next())))
        case .uuid: .uuid(uuid())
        case .link: .link(next())
        case .typedLink: .typedLink(table: UInt32.random(in: 1...3, using: &self), key: next())
        case .collection: .collection(kind: UInt8.random(in: 1...3, using: &self), id: next())
        case .blob: .blob(kind: Tag.data.rawValue, id: next(), byteCount: UInt32(truncatingIfNeeded: next()))
        case .coded: .coded(Data(bytes(upTo: count)))
        }
    }

    /// A value of any type.
    mutating func value(upTo count: Int = 20) -> StoredValue {
        value(Tag.allCases.randomElement(using: &self) ?? .null, upTo: count)
    }
}
