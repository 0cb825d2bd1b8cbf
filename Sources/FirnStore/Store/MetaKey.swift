import LMDB

/// The keys of the `meta` database.
enum MetaKey {
    /// The format header's key.
    static let format = ByteKey("format")
    /// The key of what every commit rewrites.
    static let state = ByteKey("state")

    /// The key of a part of the encoded schema.
    static func schema(part: UInt32) -> ByteKey {
        make("schema", part)
    }

    /// The key of a table's counters.
    static func table(_ id: TableID) -> ByteKey {
        make("table", id.rawValue)
    }

    private static func make(_ name: StaticString, _ number: UInt32) -> ByteKey {
        withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { buffer in
            let name = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
            buffer.copyMemory(from: name)
            buffer.storeBytes(of: number.bigEndian, toByteOffset: name.count, as: UInt32.self)
            return ByteKey(UnsafeRawBufferPointer(rebasing: buffer[..<(name.count + 4)]))
        }
    }
}
