import Foundation
import LMDB

/// A string, data or coded value that is too large for its place, in chunks of one overflow page each.
///
/// A value in one piece needs a run of free pages, which a fragmented file does not have; a chunk of one page fits
/// every hole.
///
///     key     blob id u64 | chunk u32, big-endian
///     value   4,080 bytes, the last chunk fewer
package enum Blob {
    /// The payload of one overflow page of 4,096 bytes.
    package static let chunkByteCount = 4080

    /// Values of more bytes than this move to a blob, wherever they stand.
    package static let inlineByteLimit = 1024

    static func key(_ id: UInt64, chunk: UInt32) -> ByteKey {
        ByteKey(id, chunk)
    }

    static func write(_ bytes: UnsafeRawBufferPointer, id: UInt64, with cursor: Cursor) throws {
        var chunk: UInt32 = 0
        var offset = 0
        while offset < bytes.count {
            let end = min(offset + chunkByteCount, bytes.count)
            let part = UnsafeRawBufferPointer(rebasing: bytes[offset..<end])
            // Reserved, so that the limit of the store sees the page.
            let room = try cursor.reserve(key(id, chunk: chunk), byteCount: part.count)
            UnsafeMutableRawBufferPointer(start: room, count: part.count).copyMemory(from: part)
            offset = end
            chunk += 1
        }
    }

    /// Reads a blob in O(chunks); throws when the file does not hold all of it.
    static func read(_ id: UInt64, byteCount: Int, with cursor: Cursor) throws -> Data {
        var data = Data(capacity: byteCount)
        try forEachChunk(of: id, byteCount: byteCount, with: cursor) { data.append(contentsOf: $0) }
        return data
    }

    /// Reads a blob as text, with no second copy of its bytes.
    static func readString(_ id: UInt64, byteCount: Int, with cursor: Cursor) throws -> String {
        // SAFETY: the closure writes `filled` bytes from the buffer's start and says so.
        try String(unsafeUninitializedCapacity: byteCount) { buffer in
            var filled = 0
            try forEachChunk(of: id, byteCount: byteCount, with: cursor) { chunk in
                UnsafeMutableRawBufferPointer(buffer)[filled...].copyBytes(from: chunk)
                filled += chunk.count
            }
            return filled
        }
    }

    static func delete(_ id: UInt64, with cursor: Cursor) throws {
        // Ids are never reused, so a run of equal ids is one blob. Each step seeks anew: a cursor that deleted
        // may stand on the next entry or not, by version.
        while try cursor.seekRange(key(id, chunk: 0)), Blob.id(ofKey: cursor.key) == id {
            try cursor.delete()
        }
    }

    static func id(ofKey key: UnsafeRawBufferPointer) -> UInt64 {
        UInt64(bigEndian: key.loadUnaligned(as: UInt64.self))
    }

    private static func forEachChunk(
        of id: UInt64, byteCount: Int, with cursor: Cursor, _ body: (UnsafeRawBufferPointer) -> Void
    ) throws {
        var read = 0
        var isThere = try cursor.seek(key(id, chunk: 0))
        while isThere, read < byteCount, Blob.id(ofKey: cursor.key) == id {
            let chunk = cursor.value
            guard read + chunk.count <= byteCount else { break }
            body(chunk)
            read += chunk.count
            isThere = read < byteCount ? try cursor.next() : false
        }
        guard read == byteCount else {
            throw StoreError(.corrupted, "blob \(id) holds \(read) of \(byteCount) bytes; run `firn check`")
        }
    }
}
