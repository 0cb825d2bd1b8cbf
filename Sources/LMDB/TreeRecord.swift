/// What LMDB keeps of a tree: 48 bytes in a meta page, in a database's entry, or in the entry of a key whose sorted
/// duplicates have outgrown its page.
///
///     0 pad u32 | 4 flags u16 | 6 depth u16 | 8 branch pages u64 | 16 leaf pages u64 | 24 overflow pages u64 | 32 entries u64 | 40 root u64
///
/// Source: `MDB_db` in LMDB 0.9's mdb.c.
struct TreeRecord {
    static let byteCount = 48
    /// The root of a tree without pages.
    static let noPage = UInt64.max

    private static let duplicatesFlag: UInt16 = 0x04
    private static let fixedSizeFlag: UInt16 = 0x10

    let flags: UInt16
    let depth: Int
    let branchPageCount: UInt64
    let leafPageCount: UInt64
    let overflowPageCount: UInt64
    let entryCount: UInt64
    let root: UInt64

    /// Nil where there are not as many bytes.
    init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == TreeRecord.byteCount else { return nil }
        let bytes = Array(bytes)
        flags = bytes.integer(at: 4, UInt16.self)
        depth = Int(bytes.integer(at: 6, UInt16.self))
        branchPageCount = bytes.integer(at: 8, UInt64.self)
        leafPageCount = bytes.integer(at: 16, UInt64.self)
        overflowPageCount = bytes.integer(at: 24, UInt64.self)
        entryCount = bytes.integer(at: 32, UInt64.self)
        root = bytes.integer(at: 40, UInt64.self)
    }

    /// All pages but those of trees inside of it.
    var pageCount: UInt64 { branchPageCount &+ leafPageCount &+ overflowPageCount }
    var hasSortedDuplicates: Bool { flags & TreeRecord.duplicatesFlag != 0 }
    var hasFixedSizeDuplicates: Bool { flags & TreeRecord.fixedSizeFlag != 0 }
}

extension [UInt8] {
    /// The little-endian integer at an offset at which it must end inside.
    func integer<Integer: FixedWidthInteger>(at offset: Int, _ type: Integer.Type) -> Integer {
        withUnsafeBytes { Integer(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: type)) }
    }
}
