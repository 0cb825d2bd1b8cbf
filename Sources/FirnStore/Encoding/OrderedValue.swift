import FoundationEssentials
import Glibc

/// Values as bytes that sort as the values do and say themselves where they end. A compound is its parts in a row.
///
/// In a column of one type null is 00, everything else 01 and a payload:
///
///     bool               u8 0 or 1
///     int                u64, sign bit flipped
///     float, double      u32, u64: NaN 0; sign bit flipped, negative ones inverted; -0.0 as 0.0
///     decimal128         `OrderedNumber`
///     date               seconds u64, nanoseconds u32, sign bits flipped
///     string, data, coded  the bytes, 00 written 00 FF; end 00 01
///     objectID, uuid     the bytes
///     link, typedLink    table u32 (0: the column's own), key u64
///
/// In an `AnyRealmValue` the type's rank stands in place of the 01, null's being the 00, and all numbers are
/// `OrderedNumber`s. Integers are big-endian.
///
/// The buffer cuts what exceeds its limit (`KeyBuffer.isCut`). A blob has no ordered form: its string or data has.
@usableFromInline package enum OrderedValue {
    /// What a value's bytes are to be read as; the raw values are those of the column types.
    package enum Form: UInt8, Sendable, CaseIterable {
        case bool = 1
        case int
        case float
        case double
        case decimal
        case date
        case string
        case data
        case objectID
        case uuid
        case link
        case any
        case coded
    }

    /// What an `AnyRealmValue` begins with: null, Bool, numbers, string, data, date, ObjectId, UUID, link sort in this
    /// order. Collections come last, by kind and id.
    package enum Rank: UInt8, Sendable, CaseIterable {
        case null = 0
        case bool
        case number
        case string
        case data
        case date
        case objectID
        case uuid
        case link
        case coded
        case collection
    }

    /// The byte before every value of a typed column that is not null.
    @inlinable package static var presentMarker: UInt8 { 1 }

    /// Appends the value of a column of its type.
    package static func append(_ value: StoredValue, to buffer: inout KeyBuffer) {
        if case .null = value { return buffer.append(Rank.null.rawValue) }
        buffer.append(presentMarker)
        switch value {
        case .int(let value): buffer.appendBigEndian(UInt64(bitPattern: value) ^ 1 << 63)
        case .float(let value): buffer.appendBigEndian(orderedBits(value))
        case .double(let value): buffer.appendBigEndian(orderedBits(value))
        case .decimal(let bits): OrderedNumber.append(decimal: bits, to: &buffer)
        default: appendPayload(value, to: &buffer)
        }
    }

    /// Appends the value of an `AnyRealmValue`.
    package static func appendAny(_ value: StoredValue, to buffer: inout KeyBuffer) {
        buffer.append(rank(of: value).rawValue)
        switch value {
        case .int(let value): OrderedNumber.append(integer: value, to: &buffer)
        case .float(let value): OrderedNumber.append(double: Double(value), to: &buffer)
        case .double(let value): OrderedNumber.append(double: value, to: &buffer)
        case .decimal(let bits): OrderedNumber.append(decimal: bits, to: &buffer)
        default: appendPayload(value, to: &buffer)
        }
    }

    /// Appends a value in the form of a column.
    package static func append(_ value: StoredValue, as form: Form, to buffer: inout KeyBuffer) {
        form == .any ? appendAny(value, to: &buffer) : append(value, to: &buffer)
    }

    /// Where a value of an `AnyRealmValue` sorts among those of other types.
    package static func rank(of value: StoredValue) -> Rank {
        switch value {
        case .null: .null
        case .bool: .bool
        case .int, .float, .double, .decimal: .number
        case .string: .string
        case .data: .data
        case .date: .date
        case .objectID: .objectID
        case .uuid: .uuid
        case .link, .typedLink: .link
        case .coded: .coded
        case .collection: .collection
        case .blob: preconditionFailure("A blob has no ordered form: read its value first")
        }
    }

    /// The bits of a double that sort unsigned as Realm sorts the values: NaN first, -0.0 as 0.0.
    @inlinable package static func orderedBits(_ value: Double) -> UInt64 {
        guard !value.isNaN else { return 0 }
        // Adding positive zero makes a zero of the negative one and changes nothing else.
        let bits = (value + 0).bitPattern
        return bits ^ (bits >> 63 == 0 ? 1 << 63 : .max)
    }

    /// The bits of a float that sort unsigned as Realm sorts the values: NaN first, -0.0 as 0.0.
    @inlinable package static func orderedBits(_ value: Float) -> UInt32 {
        guard !value.isNaN else { return 0 }
        let bits = (value + 0).bitPattern
        return bits ^ (bits >> 31 == 0 ? 1 << 31 : .max)
    }

    /// Appends bytes as strings and data have them: 00 as 00 FF, at the end 00 01.
    package static func append(text bytes: UnsafeRawBufferPointer, to buffer: inout KeyBuffer) {
        append(beginningOfText: bytes, to: &buffer)
        buffer.append(0)
        buffer.append(1)
    }

    /// Appends what strings and data have that begin with bytes: the same without the end.
    package static func append(beginningOfText bytes: UnsafeRawBufferPointer, to buffer: inout KeyBuffer) {
        // What lies beyond the limit is cut anyhow, however long it is.
        var rest = UnsafeRawBufferPointer(rebasing: bytes.prefix(buffer.limit - min(buffer.count, buffer.limit)))
        while let start = rest.baseAddress, let zero = memchr(start, 0, rest.count) {
            let run = UnsafeRawPointer(zero) - start
            buffer.append(UnsafeRawBufferPointer(rebasing: rest[..<run]))
            buffer.append(0)
            buffer.append(0xFF)
            rest = UnsafeRawBufferPointer(rebasing: rest[(run + 1)...])
        }
        buffer.append(rest)
    }

    /// Appends what is written alike in typed columns and in any.
    private static func appendPayload(_ value: StoredValue, to buffer: inout KeyBuffer) {
        switch value {
        case .null: break
        case .bool(let value): buffer.append(value ? 1 : 0)
        case .date(let seconds, let nanoseconds):
            buffer.appendBigEndian(UInt64(bitPattern: seconds) ^ 1 << 63)
            buffer.appendBigEndian(UInt32(bitPattern: nanoseconds) ^ 1 << 31)
        case .string(var string):
            string.withUTF8 { append(text: UnsafeRawBufferPointer($0), to: &buffer) }
        case .data(let data), .coded(let data):
            data.withUnsafeBytes { append(text: $0, to: &buffer) }
        case .objectID(let id):
            buffer.appendBigEndian(id.high)
            buffer.appendBigEndian(id.low)
        case .uuid(let id): withUnsafeBytes(of: id.uuid) { buffer.append($0) }
        case .link(let key):
            buffer.appendBigEndian(0 as UInt32)
            buffer.appendBigEndian(key)
        case .typedLink(let table, let key):
            buffer.appendBigEndian(table)
            buffer.appendBigEndian(key)
        case .collection(let kind, let id):
            buffer.append(kind)
            buffer.appendBigEndian(id)
        case .int, .float, .double, .decimal, .blob:
            preconditionFailure("Numbers have forms of their own, blobs none: read the blob's value first")
        }
    }
}
