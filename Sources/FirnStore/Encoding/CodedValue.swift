/// What a `Codable` value encodes itself as, in bytes that say themselves what they are: a column of type coded.
///
/// A value is its kind, one byte, and its payload. Kinds up to 14 are the tags of records (`Tag`) with the same payloads,
/// but that a string and data say their length:
///
///     0, 1, 2        null, false, true
///     3, 4, 5, 6     integer: 1, 2, 4, 8 bytes, the narrowest that holds it
///     7, 8           float, double: 4, 8 bytes
///     9              decimal128: 16 bytes
///     10             date: seconds since 1970 i64, nanoseconds i32
///     11, 12         string, data: varint byte count, the bytes
///     13, 14         ObjectId, UUID: 12, 16 bytes
///     32             integer of 2^63 and more: u64
///     33             array: varint number of values, the values
///     34             keyed: varint number of pairs, the pairs: varint byte count, name in UTF-8, value
///
/// Names ascend by their bytes and none stands twice, so equal values have equal bytes. An enum with payloads, as Swift
/// encodes it, is keyed and has one pair: the case's name, and its payloads by their labels. Arrays and keyed values nest at
/// most `depthLimit` deep.
package indirect enum CodedValue: Hashable, Sendable {
    /// Anything that one slot of a record can hold but a link, a collection, a blob or a coded value.
    case scalar(StoredValue)
    /// An integer that no Int64 holds.
    case unsigned(UInt64)
    case array([CodedValue])
    /// Pairs in any order; of two with one name the last counts.
    case keyed([Pair])

    /// A value with its name.
    package struct Pair: Hashable, Sendable {
        package let name: String
        package let value: CodedValue

        package init(name: String, value: CodedValue) {
            self.name = name
            self.value = value
        }
    }

    /// The null value.
    package static var null: CodedValue { .scalar(.null) }

    /// How deep arrays and keyed values may stand in each other.
    package static let depthLimit = 512

    /// The kinds that are no tags of records. On disk: append-only.
    enum Kind: UInt8 {
        case unsigned = 32
        case array = 33
        case keyed = 34
    }

    /// The name of the case that encoded itself as these bytes: the only name of a keyed value. Nil for anything else.
    ///
    /// Reads nothing behind the name.
    package static func caseName(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard bytes.first == Kind.keyed.rawValue else { return nil }
        var reader = CodedReader(bytes)
        reader.offset = 1
        guard (try? reader.readCount()) == 1 else { return nil }
        return try? reader.readString()
    }
}
