/// How LMDB lays out the pages of its trees, for those who read them without it. Integers are little-endian.
///
///     page:   0 number u64 | 8 key size u16 | 10 flags u16 | 12 end of offsets u16 | 14 start of nodes u16 | 16 node offsets u16…
///     overflow page: 12 count of pages u32 | 16 data
///     page of keys of one size (flag 20): 16 key | key…
///     node:   0 low u16 | 2 high u16 | 4 flags u16 | 6 key size u16 | 8 key | data
///             leaf: data size = low | high << 16; with flag 1 the data is the number of the page where the value begins
///             branch: child page = low | high << 16 | flags << 32
///
/// Source: `MDB_page`, `MDB_node` in LMDB 0.9's mdb.c.
enum PageFormat {
    static let byteCount = 4096
    static let headerByteCount = 16

    static let keySizeOffset = 8
    static let flagsOffset = 10
    static let endOffset = 12

    static let branchFlag: UInt16 = 0x01
    static let leafFlag: UInt16 = 0x02
    static let overflowFlag: UInt16 = 0x04
    static let keysFlag: UInt16 = 0x20
    /// The flags that tell pages of trees apart.
    static let kindFlags = branchFlag | leafFlag | overflowFlag | keysFlag

    /// Within a node.
    enum Node {
        static let headerByteCount = 8

        static let highOffset = 2
        static let flagsOffset = 4
        static let keySizeOffset = 6

        /// The value stands in pages of its own.
        static let overflowFlag: UInt16 = 0x01
        /// The value is the record of a tree.
        static let treeFlag: UInt16 = 0x02
        /// The value is all the key's values, in a page or a tree.
        static let duplicatesFlag: UInt16 = 0x04
    }
}
