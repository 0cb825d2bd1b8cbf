import Glibc

/// A data file that is read page by page, at one version.
struct PageFile {
    private let descriptor: Descriptor
    private let path: String
    private let transactionID: UInt64
    let freePages: TreeRecord
    let databases: TreeRecord
    let pageCount: UInt64

    private final class Descriptor {
        let number: Int32

        init(_ number: Int32) {
            self.number = number
        }

        deinit {
            close(number)
        }
    }

    /// Reads the version of an open transaction, or the newest. Throws as `Environment.open` does for what is not a
    /// whole file of LMDB.
    init(_ path: String, transactionID: UInt64?) throws {
        _ = try FileCheck.check(path)
        // Closing a descriptor of the data file is harmless: LMDB's locks are on the lock file.
        let number = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw LMDBError.make(errno, "opening", path: path) }
        let descriptor = Descriptor(number)
        let metas = try [0, 1].map { try PageFile.meta($0, descriptor, path) }
        guard
            let meta = transactionID.map({ id in metas.first { $0.transactionID == id } })
                ?? metas.max(by: { $0.transactionID < $1.transactionID })
        else {
            throw LMDBError(.other, "other processes write too fast for a look at the pages; try again", path: path)
        }
        self.descriptor = descriptor
        self.path = path
        self.transactionID = meta.transactionID
        freePages = meta.freePages
        databases = meta.databases
        pageCount = meta.lastPage + 1
    }

    private struct Meta {
        let freePages: TreeRecord
        let databases: TreeRecord
        let lastPage: UInt64
        let transactionID: UInt64
    }

    private static func meta(_ index: Int, _ descriptor: Descriptor, _ path: String) throws -> Meta {
        let bytes = try read(descriptor, path, at: index * FileCheck.pageSize, byteCount: 16 + 136)
        guard let freePages = TreeRecord(bytes[40..<88]), let databases = TreeRecord(bytes[88..<136]) else {
            throw LMDBError(.corrupted, "a meta page is damaged", path: path)
        }
        return Meta(
            freePages: freePages, databases: databases, lastPage: bytes.integer(at: 136, UInt64.self),
            transactionID: bytes.integer(at: 144, UInt64.self))
    }

    /// Whether nobody has committed since the file was opened.
    func isNewest() throws -> Bool {
        try [0, 1].allSatisfy { try PageFile.meta($0, descriptor, path).transactionID <= transactionID }
    }

    func read(_ page: UInt64, byteCount: Int = FileCheck.pageSize) throws -> [UInt8] {
        try PageFile.read(descriptor, path, at: Int(page) * FileCheck.pageSize, byteCount: byteCount)
    }

    private static func read(
        _ descriptor: Descriptor, _ path: String, at offset: Int, byteCount: Int
    ) throws -> [UInt8] {
        let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            count = max(0, pread(descriptor.number, buffer.baseAddress, byteCount, offset))
        }
        guard bytes.count == byteCount else { throw TreePage.Damage("it lies behind the file's end") }
        return bytes
    }
}
