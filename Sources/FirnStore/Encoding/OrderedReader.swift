import FoundationEssentials

/// Reads ordered values back, for tools and the integrity checker. Bounds are checked: any bytes may be given.
///
/// A key that was cut ends in the middle of a value; reading that value throws.
package struct OrderedReader {
    /// The bytes read from.
    package let bytes: UnsafeRawBufferPointer
    /// Where the next value begins.
    package private(set) var offset: Int

    /// A reader of the values that begin at `offset`.
    package init(_ bytes: UnsafeRawBufferPointer, from offset: Int = 0) {
        self.bytes = bytes
        self.offset = offset
    }

    /// Whether all bytes were read.
    package var isAtEnd: Bool { offset >= bytes.count }

    /// The next value, whose bytes have that form.
    ///
    /// A number in an `AnyRealmValue` comes back as the decimal of its value, without trailing zeros; a link whose table
    /// is 0 as `.link`.
    package mutating func next(as form: OrderedValue.Form) throws(FormatError) -> StoredValue {
        let start = offset
        let marker: UInt8 = try integer()
        if marker == OrderedValue.Rank.null.rawValue { return .null }
        if form == .any {
            guard let rank = OrderedValue.Rank(rawValue: marker) else {
                throw FormatError("unknown rank \(marker) of a value", at: start)
            }
            return try value(of: rank)
        }
        guard marker == OrderedValue.presentMarker else {
            throw FormatError("a value begins with \(marker) instead of 0 or 1", at: start)
        }
        switch form {
        case .bool: return try value(of: .bool)
        case .int: return .int(Int64(bitPattern: try integer() ^ 1 << 63))
        case .float:
            let bits: UInt32 = try integer()
            return .float(bits == 0 ? .nan : Float(bitPattern: bits ^ (bits >> 31 == 1 ? 1 << 31 : .max)))
        case .double:
            let bits: UInt64 = try integer()
            return .double(bits == 0 ? .nan : Double(bitPattern: bits ^ (bits >> 63 == 1 ? 1 << 63 : .max)))
        case .decimal: return try value(of: .number)
        case .date: return try value(of: .date)
        case .string: return try value(of: .string)
        case .data: return try value(of: .data)
        case .objectID: return try value(of: .objectID)
        case .uuid: return try value(of: .uuid)
        case .link: return try value(of: .link)
        case .coded, .any: return try value(of: .coded)
        }
    }

    private mutating func value(of rank: OrderedValue.Rank) throws(FormatError) -> StoredValue {
        switch rank {
        case .null: return .null
        case .bool:
            let value: UInt8 = try integer()
            guard value <= 1 else { throw FormatError("a Bool is \(value) instead of 0 or 1", at: offset - 1) }
            return .bool(value == 1)
        case .number: return .decimal(try number())
        case .string:
            let start = offset
            guard let string = String(validating: try text(), as: UTF8.self) else {
                throw FormatError("a string is not UTF-8", at: start)
            }
            return .string(string)
        case .data: return .data(Data(try text()))
        case .coded: return .coded(Data(try text()))
        case .date:
            let seconds: UInt64 = try integer()
            let nanoseconds: UInt32 = try integer()
            return .date(
                seconds: Int64(bitPattern: seconds ^ 1 << 63), nanoseconds: Int32(bitPattern: nanoseconds ^ 1 << 31))
        case .objectID: return .objectID(ObjectIDBytes(high: try integer(), low: try integer()))
        case .uuid:
            let bits: UInt128 = try integer()
            return .uuid(withUnsafeBytes(of: bits.bigEndian) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
        case .link:
            let table: UInt32 = try integer()
            let key: UInt64 = try integer()
            return table == 0 ? .link(key) : .typedLink(table: table, key: key)
        case .collection: return .collection(kind: try integer(), id: try integer())
        }
    }

    private mutating func integer<T: FixedWidthInteger & BitwiseCopyable>() throws(FormatError) -> T {
        let size = MemoryLayout<T>.size
        guard bytes.count - offset >= size else {
            throw FormatError("a value ends after \(bytes.count - offset) of \(size) bytes", at: offset)
        }
        defer { offset += size }
        return T(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: T.self))
    }

    private mutating func text() throws(FormatError) -> [UInt8] {
        let start = offset
        var result: [UInt8] = []
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            if byte != 0 {
                result.append(byte)
                continue
            }
            guard offset < bytes.count else { break }
            let mark = bytes[offset]
            offset += 1
            switch mark {
            case 0xFF: result.append(0)
            case 1: return result
            default: throw FormatError("00 in a text is followed by \(mark)", at: offset - 1)
            }
        }
        throw FormatError("a text does not end", at: start)
    }

    private mutating func number() throws(FormatError) -> UInt128 {
        let start = offset
        let code: UInt8 = try integer()
        guard let kind = OrderedNumber.Class(rawValue: code) else {
            throw FormatError("unknown class \(code) of a number", at: start)
        }
        switch kind {
        case .nan: return DecimalParts.nanBits
        case .negativeInfinity: return DecimalParts(.infinity, isNegative: true).bits
        case .infinity: return DecimalParts(.infinity).bits
        case .zero: return DecimalParts.zeroBits
        case .negative, .positive: break
        }
        let mask: UInt8 = kind == .negative ? 0xFF : 0
        let biased: UInt16 = try integer()
        var exponent = Int(kind == .negative ? ~biased : biased) - OrderedNumber.exponentBias
        var coefficient: UInt128 = 0
        while true {
            let byte = try integer() ^ mask
            if byte == 0 { break }
            guard byte <= 100, coefficient <= DecimalParts.maximumCoefficient / 100 else {
                throw FormatError("a number has digits that no decimal has", at: offset - 1)
            }
            coefficient = coefficient * 100 + UInt128(byte - 1)
            exponent -= 2
        }
        guard coefficient != 0 else { throw FormatError("a number other than zero has no digits", at: start) }
        while coefficient % 10 == 0 {
            coefficient /= 10
            exponent += 1
        }
        // The largest decimals have fewer digits here than their exponent allows for.
        while exponent > DecimalParts.exponents.upperBound, coefficient <= DecimalParts.maximumCoefficient / 10 {
            coefficient *= 10
            exponent -= 1
        }
        guard DecimalParts.exponents.contains(exponent) else {
            throw FormatError("a number has the exponent \(exponent), which no decimal has", at: start)
        }
        return DecimalParts(isNegative: kind == .negative, coefficient: coefficient, exponent: exponent).bits
    }
}
