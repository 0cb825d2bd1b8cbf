import Glibc

/// Reads LMDB's list of free pages from a file that is not mapped, trusting nothing in it.
///
///     page:   0 number u64 | 8 pad u16 | 10 flags u16 | 12 end of offsets u16 | 14 start of nodes u16 | 16 node offsets u16…
///     overflow page: 12 count of pages u32 | 16 data
///     node:   0 low u16 | 2 high u16 | 4 flags u16 | 6 key size u16 | 8 key | data
///             leaf: data size = low | high << 16, or the data is a page number (flag 1)
///             branch: child page = low | high << 16 | flags << 32
///     data:   count u64 | count × page number u64
///
/// Source: `MDB_page`, `MDB_node` and `mdb_freelist_save` in LMDB 0.9's mdb.c.
struct FreeListReader {
    private static let noPage = UInt64.max
    private static let branchFlag: UInt16 = 0x01
    private static let leafFlag: UInt16 = 0x02
    private static let overflowFlag: UInt16 = 0x04
    private static let bigDataFlag: UInt16 = 0x01
    private static let maximumDepth = 32

    private let descriptor: Int32
    private let path: String
    /// How many whole pages the file has.
    private let pageCount: UInt64
    private let truncated: LMDBError

    /// Throws `truncated` where the list itself is in a part of the file that is missing.
    init(_ descriptor: Int32, path: String, pageCount: UInt64, truncated: LMDBError) {
        self.descriptor = descriptor
        self.truncated = truncated
        self.path = path
        self.pageCount = pageCount
    }

    /// How many pages of `range` are free.
    func countFreePages(root: UInt64, in range: ClosedRange<UInt64>) throws -> UInt64 {
        guard root != FreeListReader.noPage else { return 0 }
        var found = Set<UInt64>()
        var visited = Set<UInt64>()
        try visit(root, depth: 0, &visited) { page in
            if range.contains(page) { found.insert(page) }
        }
        return UInt64(found.count)
    }

    private func visit(_ number: UInt64, depth: Int, _ visited: inout Set<UInt64>, _ body: (UInt64) -> Void) throws {
        guard depth < FreeListReader.maximumDepth, visited.insert(number).inserted else { throw damaged() }
        let page = try read(number, byteCount: FileCheck.pageSize)
        let flags = try page.load(10, UInt16.self)
        let lower = Int(try page.load(12, UInt16.self))
        guard lower >= 16, lower <= FileCheck.pageSize else { throw damaged() }
        for index in 0..<(lower - 16) / 2 {
            let node = Int(try page.load(16 + 2 * index, UInt16.self))
            let low = UInt64(try page.load(node, UInt16.self))
            let high = UInt64(try page.load(node + 2, UInt16.self))
            let nodeFlags = try page.load(node + 4, UInt16.self)
            if flags & FreeListReader.branchFlag != 0 {
                try visit(low | high << 16 | UInt64(nodeFlags) << 32, depth: depth + 1, &visited, body)
            } else if flags & FreeListReader.leafFlag != 0 {
                let dataOffset = node + 8 + Int(try page.load(node + 6, UInt16.self))
                let dataByteCount = Int(low | high << 16)
                if nodeFlags & FreeListReader.bigDataFlag != 0 {
                    try visitOverflow(try page.load(dataOffset, UInt64.self), dataByteCount, body)
                } else {
                    try visitList(page, at: dataOffset, dataByteCount, body)
                }
            } else {
                throw damaged()
            }
        }
    }

    private func visitOverflow(_ number: UInt64, _ byteCount: Int, _ body: (UInt64) -> Void) throws {
        let header = try read(number, byteCount: 16)
        guard try header.load(10, UInt16.self) & FreeListReader.overflowFlag != 0 else { throw damaged() }
        try visitList(try read(number, byteCount: 16 + byteCount), at: 16, byteCount, body)
    }

    private func visitList(_ bytes: Bytes, at offset: Int, _ byteCount: Int, _ body: (UInt64) -> Void) throws {
        let count = try bytes.load(offset, UInt64.self)
        guard byteCount >= 8, count <= UInt64(byteCount / 8 - 1) else { throw damaged() }
        for index in 0..<Int(count) { body(try bytes.load(offset + 8 * (index + 1), UInt64.self)) }
    }

    private struct Bytes {
        let bytes: [UInt8]
        let damaged: LMDBError

        func load<Value: BitwiseCopyable>(_ offset: Int, _ type: Value.Type) throws -> Value {
            guard offset >= 0, offset + MemoryLayout<Value>.size <= bytes.count else { throw damaged }
            return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
        }
    }

    private func read(_ number: UInt64, byteCount: Int) throws -> Bytes {
        let pages = UInt64((byteCount + FileCheck.pageSize - 1) / FileCheck.pageSize)
        guard number < pageCount, pages <= pageCount - number else {
            throw truncated
        }
        let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, byteCount, Int(number) * FileCheck.pageSize))
        }
        guard bytes.count == byteCount else { throw LMDBError.make(EIO, "reading the list of free pages", path: path) }
        return Bytes(bytes: bytes, damaged: damaged())
    }

    private func damaged() -> LMDBError {
        LMDBError(.corrupted, "the file's list of free pages is damaged; restore it from a copy", path: path)
    }
}
