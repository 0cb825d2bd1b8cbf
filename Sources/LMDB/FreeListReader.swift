import Glibc

/// Reads LMDB's list of free pages from a file that is not mapped, trusting nothing in it.
///
///     value:  count u64 | count × page number u64
///
/// Source: `mdb_freelist_save` in LMDB 0.9's mdb.c.
struct FreeListReader {
    private static let noPage = UInt64.max
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
        let page = try page(number, byteCount: FileCheck.pageSize)
        guard page.kind == .branch || page.kind == .leaf else { throw damaged() }
        for index in 0..<page.count {
            let node = try node(index, of: page)
            if page.kind == .branch {
                try visit(node.child, depth: depth + 1, &visited, body)
            } else if node.isOverflow {
                try visitOverflow(node.data.integer(at: 0, UInt64.self), node.dataByteCount, body)
            } else {
                try visitList(node.data, body)
            }
        }
    }

    private func visitOverflow(_ number: UInt64, _ byteCount: Int, _ body: (UInt64) -> Void) throws {
        let header = PageFormat.headerByteCount
        guard try page(number, byteCount: header).kind == .overflow else { throw damaged() }
        try visitList(Array(try read(number, byteCount: header + byteCount).dropFirst(header)), body)
    }

    private func visitList(_ value: [UInt8], _ body: (UInt64) -> Void) throws {
        let places = value.count / MemoryLayout<UInt64>.size
        guard places > 0 else { throw damaged() }
        let count = value.integer(at: 0, UInt64.self)
        guard count < UInt64(places) else { throw damaged() }
        for place in 0..<Int(count) {
            body(value.integer(at: (place + 1) * MemoryLayout<UInt64>.size, UInt64.self))
        }
    }

    private func page(_ number: UInt64, byteCount: Int) throws -> TreePage {
        let bytes = try read(number, byteCount: byteCount)
        do {
            return try TreePage(bytes, number: number)
        } catch {
            throw damaged()
        }
    }

    private func node(_ index: Int, of page: TreePage) throws -> TreePage.Node {
        do {
            return try page.node(at: index)
        } catch {
            throw damaged()
        }
    }

    private func read(_ number: UInt64, byteCount: Int) throws -> [UInt8] {
        let pages = UInt64((byteCount + FileCheck.pageSize - 1) / FileCheck.pageSize)
        guard number < pageCount, pages <= pageCount - number else { throw truncated }
        let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, byteCount, Int(number) * FileCheck.pageSize))
        }
        guard bytes.count == byteCount else { throw LMDBError.make(EIO, "reading the list of free pages", path: path) }
        return bytes
    }

    private func damaged() -> LMDBError {
        LMDBError(.corrupted, "the file's list of free pages is damaged; restore it from a copy", path: path)
    }
}
