import CLMDB
import Glibc

/// Looks at a data file with plain reads before LMDB maps it, which crashes on what it does not expect.
///
///     meta page (0 and 1), from byte 16 on:
///     0      4        8        16       24        72        120        128             136
///     | magic | version | address | mapsize | free list | main db  | last page | transaction id |
///     a database: 0 page size u32 (free list) | 4 flags u16 | 6 depth u16 | 8 branch, leaf, overflow pages, entries u64 | 40 root u64
///
/// Source: `MDB_meta`, `MDB_db` and `MDB_page` in LMDB 0.9's mdb.c.
struct FileCheck {
    /// The page size of every store, whatever the kernel's.
    static let pageSize = 4096

    private static let magic: UInt32 = 0xBEEF_C0DE
    private static let dataVersion: UInt32 = 1
    private static let metaPageFlag: UInt16 = 0x08

    /// The file's identity, length and mode when it was looked at.
    let status: stat
    /// How many bytes the file would have with all of its pages. It may be shorter: pages that were allocated and
    /// freed in one transaction are never written.
    let fullByteCount: Int

    /// Throws a typed error for whatever is not a whole LMDB file of our page size. Changes nothing.
    static func check(_ path: String) throws -> FileCheck {
        _ = try regularFile(path)
        // Closing a descriptor of the data file is harmless: LMDB's locks are on the lock file.
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code = errno
            guard code == EACCES || code == EPERM else { throw LMDBError.make(code, "opening", path: path) }
            throw LMDBError(
                .permissionDenied, "the file may not be read by this user; change its permissions", path: path,
                returnCode: code)
        }
        defer { close(descriptor) }
        return try FileCheck(descriptor, path)
    }

    /// The status of a file that is neither a directory nor a device.
    static func regularFile(_ path: String) throws -> stat {
        var status = stat()
        guard stat(path, &status) == 0 else { throw LMDBError.make(errno, "opening", path: path) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return status
        case S_IFDIR: throw LMDBError(.isDirectory, "the path names a directory; name a file in it", path: path)
        default: throw LMDBError(.notADatabase, "the path names something that is not a file", path: path)
        }
    }

    private init(_ descriptor: Int32, _ path: String) throws {
        // Another process may commit while we read; an answer that holds for no moment is asked for again.
        var lastError: (any Error)?
        for _ in 0..<5 {
            let before = try FileCheck.newestMeta(descriptor, path)
            do {
                try self.init(descriptor, path, before)
                return
            } catch {
                lastError = error
            }
            if try FileCheck.newestMeta(descriptor, path).transactionID == before.transactionID { break }
        }
        throw lastError ?? LMDBError(.corrupted, "the file changes faster than it can be read", path: path)
    }

    private init(_ descriptor: Int32, _ path: String, _ meta: Meta) throws {
        // The length is taken after the meta page: a writer lengthens the file first.
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw LMDBError.make(errno, "reading", path: path) }
        self.status = status
        guard meta.lastPage < 1 << 50 else {
            throw LMDBError(.corrupted, "the file's last page has an impossible number; restore a copy", path: path)
        }
        fullByteCount = Int(meta.lastPage + 1) * FileCheck.pageSize
        let byteCount = Int(status.st_size)
        guard byteCount < fullByteCount else { return }
        let firstMissing = UInt64(byteCount / FileCheck.pageSize)
        let missingCount = meta.lastPage + 1 - firstMissing
        let truncated = LMDBError(
            .truncated,
            """
            the file is cut off: expected \(fullByteCount) bytes, found \(byteCount), and what is missing was in use; \
            restore it from a copy
            """, path: path)
        let freeList = FreeListReader(descriptor, path: path, pageCount: firstMissing, truncated: truncated)
        let freeCount = try freeList.countFreePages(root: meta.freeListRoot, in: firstMissing...meta.lastPage)
        guard freeCount == missingCount else { throw truncated }
    }

    private struct Meta {
        var lastPage: UInt64
        var transactionID: UInt64
        var freeListRoot: UInt64
    }

    private static func newestMeta(_ descriptor: Int32, _ path: String) throws -> Meta {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw LMDBError.make(errno, "reading", path: path) }
        guard status.st_size > 0 else {
            throw LMDBError(
                .emptyFile, "the file is empty; delete it if nothing is missing, and it will be created anew",
                path: path)
        }
        let first = try meta(at: 0, descriptor, path)
        guard status.st_size >= 2 * pageSize else {
            throw LMDBError(
                .truncated, "the file is cut off: expected \(2 * pageSize) bytes at least, found \(status.st_size)",
                path: path)
        }
        let second = try meta(at: pageSize, descriptor, path)
        return first.transactionID >= second.transactionID ? first : second
    }

    private static func meta(at offset: Int, _ descriptor: Int32, _ path: String) throws -> Meta {
        let byteCount = 16 + 136
        return try withUnsafeTemporaryAllocation(byteCount: byteCount, alignment: 8) { buffer in
            let count = pread(descriptor, buffer.baseAddress, byteCount, offset)
            guard count >= 0 else { throw LMDBError.make(errno, "reading", path: path) }
            // A short or foreign file is told apart by its first words, if it has them.
            let isLMDB =
                count >= 24 && buffer.loadUnaligned(fromByteOffset: 16, as: UInt32.self) == magic
                && buffer.loadUnaligned(fromByteOffset: 10, as: UInt16.self) & metaPageFlag != 0
            guard isLMDB else {
                throw offset == 0
                    ? LMDBError(
                        .notADatabase, "the file is not a database of this kind; choose another path", path: path)
                    : LMDBError(.corrupted, "the file's second meta page is damaged; restore a copy", path: path)
            }
            guard count == byteCount else {
                throw LMDBError(.truncated, "the file is cut off in its first page, at \(count) bytes", path: path)
            }
            let meta = UnsafeRawBufferPointer(rebasing: buffer[16...])
            let version = meta.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
            guard version == dataVersion else {
                throw LMDBError(
                    .notADatabase, "the file has LMDB's data version \(version), this program reads \(dataVersion)",
                    path: path)
            }
            let foundPageSize = meta.loadUnaligned(fromByteOffset: 24, as: UInt32.self)
            guard foundPageSize == pageSize else {
                throw LMDBError(
                    .notADatabase, "the file has pages of \(foundPageSize) bytes; those of a store have \(pageSize)",
                    path: path)
            }
            return Meta(
                lastPage: meta.loadUnaligned(fromByteOffset: 120, as: UInt64.self),
                transactionID: meta.loadUnaligned(fromByteOffset: 128, as: UInt64.self),
                freeListRoot: meta.loadUnaligned(fromByteOffset: 24 + 40, as: UInt64.self))
        }
    }
}
