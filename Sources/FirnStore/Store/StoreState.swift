/// What every commit rewrites: `meta` under "state".
///
///     0   version u64          moves by one a commit; ours, since LMDB's goes back to 1 when a file is compacted
///     8   schema counter u64
///     16  next collection or blob id u64
///     24  oldest version in the log u64
///     32  end
///
/// All numbers little-endian.
struct StoreState: Equatable, Sendable {
    static let byteCount = 32

    var version: UInt64 = 0
    var schemaCounter: UInt64 = 0
    var nextID: UInt64 = 1
    var oldestLogVersion: UInt64 = 1

    init() {}

    init(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        guard bytes.count >= StoreState.byteCount else {
            throw StoreError(
                .corrupted, "the file's state record is \(bytes.count) bytes long, not 32; run `firn check`")
        }
        version = bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
        schemaCounter = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        nextID = bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
        oldestLogVersion = bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
    }

    func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        let words = (
            version.littleEndian, schemaCounter.littleEndian, nextID.littleEndian, oldestLogVersion.littleEndian
        )
        return try withUnsafeBytes(of: words, body)
    }
}

/// What a table keeps outside its records: `meta` under "table" and its id.
///
///     0   next object key u64
///     8   number of objects u64
///     16  end
struct TableState: Equatable, Sendable {
    static let byteCount = 16

    var nextKey: UInt64 = 1
    var count: UInt64 = 0

    init() {}

    init(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        guard bytes.count >= TableState.byteCount else {
            throw StoreError(.corrupted, "a table's record is \(bytes.count) bytes long, not 16; run `firn check`")
        }
        nextKey = bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
        count = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    }

    func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try withUnsafeBytes(of: (nextKey.littleEndian, count.littleEndian), body)
    }
}
