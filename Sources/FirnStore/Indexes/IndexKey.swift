/// The keys of the `index` database: the index's id, then the ordered value, cut as a whole at 480 bytes.
///
/// The id is written so that it sorts and is short where it is small, since every key begins with it: below 240 one
/// byte; else 240 plus the number of bytes that follow minus one, and those bytes, big-endian.
package enum IndexKey {
    static func append(_ id: IndexID, to buffer: inout KeyBuffer) {
        withUnsafeTemporaryAllocation(byteCount: byteCount(of: id), alignment: 1) { bytes in
            write(id, to: bytes)
            buffer.append(UnsafeRawBufferPointer(bytes))
        }
    }

    /// Writes an id to the front of some bytes.
    static func write(_ id: IndexID, to bytes: UnsafeMutableRawBufferPointer) {
        guard id.rawValue >= 240 else {
            bytes[0] = UInt8(id.rawValue)
            return
        }
        let count = byteCount(of: id) - 1
        bytes[0] = UInt8(239 + count)
        for index in 1...count {
            bytes[index] = UInt8(truncatingIfNeeded: id.rawValue >> (8 * UInt32(count - index)))
        }
    }

    /// Lends the entry key of a value's ordered bytes.
    static func withEntryKey<R>(
        _ id: IndexID, _ value: [UInt8], _ body: (UnsafeRawBufferPointer) throws -> R
    ) rethrows -> R {
        let idByteCount = byteCount(of: id)
        return try withUnsafeTemporaryAllocation(byteCount: idByteCount + value.count, alignment: 8) { key in
            write(id, to: key)
            UnsafeMutableRawBufferPointer(rebasing: key[idByteCount...]).copyBytes(from: value)
            return try body(UnsafeRawBufferPointer(key))
        }
    }

    static func byteCount(of id: IndexID) -> Int {
        id.rawValue < 240 ? 1 : 1 + (32 - id.rawValue.leadingZeroBitCount + 7) / 8
    }

    /// The id with which a key begins, and where the value does; nil where the bytes are no such key.
    package static func id(of key: UnsafeRawBufferPointer) -> (id: IndexID, valueOffset: Int)? {
        guard let first = key.first else { return nil }
        guard first >= 240 else { return (IndexID(rawValue: UInt32(first)), 1) }
        let count = Int(first) - 239
        guard count <= 4, key.count > count else { return nil }
        let id = key[1...count].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return (IndexID(rawValue: id), 1 + count)
    }
}
