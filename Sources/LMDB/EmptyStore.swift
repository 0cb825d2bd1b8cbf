import Glibc

/// The image of an LMDB file with nothing in it and pages of 4,096 bytes.
///
/// LMDB creates files with the kernel's page size. Where that is larger, 0.9.24 meets pages that it takes for full
/// (ITS#9806), and the file would fit no other machine; a file that begins as this image keeps its small pages there.
enum EmptyStore {
    /// Two meta pages as `mdb_env_init_meta` in LMDB 0.9's mdb.c writes them.
    static var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 2 * FileCheck.pageSize)
        bytes.withUnsafeMutableBytes { buffer in
            for page in 0..<2 {
                let base = page * FileCheck.pageSize
                func store<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value, _ offset: Int) {
                    buffer.storeBytes(of: value.littleEndian, toByteOffset: base + offset, as: Value.self)
                }
                store(UInt64(page), 0)
                store(0x08 as UInt16, 10)
                store(0xBEEF_C0DE as UInt32, 16)
                store(1 as UInt32, 20)
                store(UInt64(1 << 20), 32)
                store(UInt32(FileCheck.pageSize), 40)
                // MDB_INTEGERKEY: the list of free pages is keyed by transaction.
                store(0x08 as UInt16, 44)
                store(UInt64.max, 40 + 40)
                store(UInt64.max, 88 + 40)
                store(1 as UInt64, 136)
            }
        }
        return bytes
    }

    /// Whether a new file needs to begin as this image.
    static var isNeeded: Bool { sysconf(Int32(_SC_PAGESIZE)) != FileCheck.pageSize }

    static func write(to path: String, mode: mode_t) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw LMDBError.make(errno, "creating the file", path: path) }
        defer { close(descriptor) }
        let bytes = bytes
        let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        guard count == bytes.count else {
            throw diskFailure(count < 0 ? errno : ENOSPC, "creating the file", path: path)
        }
    }
}
