import FoundationEssentials
import Glibc

/// The keys of the `entries` database, big-endian.
///
///     count    collection id u64
///     entry    collection id u64 | set: ordered value; map: ordered text
///              cut as a whole at 480 bytes; a u32 behind the cut tells entries apart that are cut to equal bytes
///
/// The value of a count is the number of entries u64. The value of an entry is a record: slot 0 the set's element or the
/// map's value; slot 1 the map's key where it was cut.
enum EntryKey {
    /// An entry's value in its record.
    static var valueSlot: Int { 0 }
    /// A map's key, where it was cut, in its entry's record.
    static var keySlot: Int { 1 }
    /// How many bytes the collection's id takes.
    static var idByteCount: Int { 8 }

    /// Puts the key of a set's element into `buffer`, without what stands behind a cut.
    static func make(_ id: UInt64, element: StoredValue, _ type: ColumnType, into buffer: inout KeyBuffer) {
        buffer.removeAll()
        buffer.appendBigEndian(id)
        OrderedValue.append(element, type, to: &buffer)
    }

    /// Puts the key of a map's entry into `buffer`, without what stands behind a cut.
    static func make(_ id: UInt64, key: String, into buffer: inout KeyBuffer) {
        buffer.removeAll()
        buffer.appendBigEndian(id)
        var key = key
        key.withUTF8 { OrderedValue.append(text: UnsafeRawBufferPointer($0), to: &buffer) }
    }

    static func collectionID(of key: UnsafeRawBufferPointer) -> UInt64 {
        UInt64(bigEndian: key.loadUnaligned(as: UInt64.self))
    }

    /// Whether the key reached the cut, so that four bytes follow that.
    static func isCut(_ key: UnsafeRawBufferPointer) -> Bool {
        key.count > KeyBuffer.keyLimit
    }

    /// What tells a cut key from others of equal bytes.
    static func tieBreaker(of key: UnsafeRawBufferPointer) -> UInt32 {
        UInt32(bigEndian: key.loadUnaligned(fromByteOffset: KeyBuffer.keyLimit, as: UInt32.self))
    }

    /// The text of a map's key that was not cut.
    static func text(of key: UnsafeRawBufferPointer) -> String {
        let text = UnsafeRawBufferPointer(rebasing: key.dropFirst(idByteCount).dropLast(2))
        guard let base = text.baseAddress, memchr(base, 0, text.count) != nil else {
            return String(decoding: text, as: UTF8.self)
        }
        var bytes: [UInt8] = []
        var isEscaped = false
        for byte in text {
            // 00 is written 00 FF.
            if !isEscaped { bytes.append(byte) }
            isEscaped = byte == 0 && !isEscaped
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Throws `.invalidMapKey` for a key that no map may have.
    static func validate(_ key: String) throws {
        guard key.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "$") }) else { return }
        let encoded = key.replacing(".", with: "%2E").replacing("$", with: "%24")
        throw StoreError(
            .invalidMapKey, "a map's key cannot hold '.' or '$': write '\(key)' percent-encoded, as '\(encoded)'")
    }
}
