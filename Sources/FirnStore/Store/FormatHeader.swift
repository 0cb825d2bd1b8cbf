import Foundation
import LMDB

/// The record that says that a file is Firn's, and how it is laid out: `meta` under "format".
///
///     0   magic "FIRN"
///     4   format version u32
///     8   file uuid, 16 bytes
///     24  leaf capacity u16 | list node capacity u16 | blob chunk capacity u16 | log part capacity u16
///     32  end
///
/// All numbers little-endian. Read before anything is written, so that a newer or foreign file stays untouched.
package struct FormatHeader: Equatable, Sendable {
    /// The format that this build writes.
    package static let currentVersion: UInt32 = 1
    private static let magic = Array("FIRN".utf8)
    private static let byteCount = 32

    package let version: UInt32
    package let uuid: UUID
    package let leafByteCount: UInt16
    package let nodeByteCount: UInt16
    package let chunkByteCount: UInt16
    package let logPartByteCount: UInt16

    /// The header of a new file.
    init() {
        version = FormatHeader.currentVersion
        uuid = UUID()
        leafByteCount = UInt16(Leaf.byteCount)
        nodeByteCount = 2000
        chunkByteCount = UInt16(Blob.chunkByteCount)
        logPartByteCount = 4080
    }

    /// Reads a header, or says why the file cannot be used.
    init(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        guard bytes.count >= 8, bytes.prefix(4).elementsEqual(FormatHeader.magic) else {
            throw StoreError(
                .notADatabase,
                "the file is an LMDB database but not one of Firn's; open another file or delete this one")
        }
        version = bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
        guard version <= FormatHeader.currentVersion else {
            throw StoreError(
                .newerFormat,
                "the file was written in format \(version), and this build reads up to "
                    + "\(FormatHeader.currentVersion); update the program")
        }
        guard bytes.count >= FormatHeader.byteCount else {
            throw StoreError(.corrupted, "the file's format record is \(bytes.count) bytes long, not 32")
        }
        uuid = UUID(uuid: bytes.loadUnaligned(fromByteOffset: 8, as: uuid_t.self))
        leafByteCount = bytes.loadUnaligned(fromByteOffset: 24, as: UInt16.self)
        nodeByteCount = bytes.loadUnaligned(fromByteOffset: 26, as: UInt16.self)
        chunkByteCount = bytes.loadUnaligned(fromByteOffset: 28, as: UInt16.self)
        logPartByteCount = bytes.loadUnaligned(fromByteOffset: 30, as: UInt16.self)
        guard Int(leafByteCount) == Leaf.byteCount, Int(chunkByteCount) == Blob.chunkByteCount else {
            throw StoreError(
                .newerFormat,
                "the file has leaves of \(leafByteCount) bytes and chunks of \(chunkByteCount), which this build "
                    + "does not read; update the program")
        }
    }

    /// The header's bytes.
    func encoded() -> [UInt8] {
        var bytes = FormatHeader.magic
        withUnsafeBytes(of: version.littleEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: uuid.uuid) { bytes.append(contentsOf: $0) }
        for capacity in [leafByteCount, nodeByteCount, chunkByteCount, logPartByteCount] {
            withUnsafeBytes(of: capacity.littleEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }
}
