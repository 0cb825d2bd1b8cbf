/// One page of a tree, read from a file that is not mapped, trusting nothing in it.
///
///     page:   0 number u64 | 8 key size u16 | 10 flags u16 | 12 end of offsets u16 | 14 start of nodes u16 | 16 node offsets u16…
///     overflow page: 12 count of pages u32 | 16 data
///     page of keys of one size (flag 20): 16 key | key…
///     node:   0 low u16 | 2 high u16 | 4 flags u16 | 6 key size u16 | 8 key | data
///             leaf: data size = low | high << 16
///             branch: child page = low | high << 16 | flags << 32
///
/// Source: `MDB_page`, `MDB_node` in LMDB 0.9's mdb.c.
struct TreePage {
    /// Why a page cannot be one of a tree.
    struct Damage: Error {
        let message: String

        init(_ message: String) {
            self.message = message
        }
    }

    enum Kind {
        case branch
        case leaf
        /// A leaf of keys of one size, without data.
        case keys
        case overflow
    }

    static let headerByteCount = 16
    private static let nodeHeaderByteCount = 8
    private static let branchFlag: UInt16 = 0x01
    private static let leafFlag: UInt16 = 0x02
    private static let overflowFlag: UInt16 = 0x04
    private static let keysFlag: UInt16 = 0x20

    let kind: Kind
    private let bytes: [UInt8]
    private let keySize: Int
    private let lower: Int

    /// A page's bytes, or those of a page inside of a node, whose number means nothing: then `number` is nil.
    init(_ bytes: [UInt8], number: UInt64?) throws(Damage) {
        guard bytes.count >= TreePage.headerByteCount else { throw Damage("it ends in its header") }
        if let number {
            let found = bytes.integer(at: 0, UInt64.self)
            guard found == number else {
                throw Damage(
                    bytes.allSatisfy { $0 == 0 } ? "it holds nothing but zeros" : "it says that it is page \(found)")
            }
        }
        let flags = bytes.integer(at: 10, UInt16.self)
        switch flags & (TreePage.branchFlag | TreePage.leafFlag | TreePage.overflowFlag | TreePage.keysFlag) {
        case TreePage.branchFlag: kind = .branch
        case TreePage.leafFlag: kind = .leaf
        case TreePage.leafFlag | TreePage.keysFlag: kind = .keys
        case TreePage.overflowFlag: kind = .overflow
        default: throw Damage("it is of no known kind (\(flags))")
        }
        self.bytes = bytes
        keySize = Int(bytes.integer(at: 8, UInt16.self))
        lower = Int(bytes.integer(at: 12, UInt16.self))
        guard kind != .overflow else { return }
        guard lower >= TreePage.headerByteCount, lower.isMultiple(of: 2) else {
            throw Damage("its node offsets end at \(lower)")
        }
        if kind == .keys {
            guard keySize > 0, TreePage.headerByteCount + count * keySize <= bytes.count else {
                throw Damage("\(count) keys of \(keySize) bytes do not fit it")
            }
        } else if lower > bytes.count {
            throw Damage("its node offsets end at \(lower)")
        }
    }

    /// How many nodes or keys it has.
    var count: Int { (lower - TreePage.headerByteCount) / 2 }

    /// How many pages a value takes that begins here.
    var overflowPageCount: UInt64 { UInt64(bytes.integer(at: 12, UInt32.self)) }

    /// The key at an index below `count` of a page of keys.
    func key(at index: Int) -> ArraySlice<UInt8> {
        let start = TreePage.headerByteCount + index * keySize
        return bytes[start..<(start + keySize)]
    }

    /// The node at an index below `count`.
    func node(at index: Int) throws(Damage) -> Node {
        let start = Int(bytes.integer(at: TreePage.headerByteCount + 2 * index, UInt16.self))
        let header = TreePage.nodeHeaderByteCount
        guard start >= lower, start + header <= bytes.count else { throw Damage("node \(index) lies at \(start)") }
        let keyEnd = start + header + Int(bytes.integer(at: start + 6, UInt16.self))
        guard keyEnd <= bytes.count else { throw Damage("the key of node \(index) ends at \(keyEnd)") }
        let low = UInt64(bytes.integer(at: start, UInt16.self))
        let high = UInt64(bytes.integer(at: start + 2, UInt16.self))
        let flags = bytes.integer(at: start + 4, UInt16.self)
        var node = Node(key: bytes[(start + header)..<keyEnd], flags: flags, low: low | high << 16)
        guard kind == .leaf else { return node }
        let dataEnd = keyEnd + (node.isOverflow ? MemoryLayout<UInt64>.size : node.dataByteCount)
        guard dataEnd <= bytes.count else { throw Damage("the value of node \(index) ends at \(dataEnd)") }
        node.data = Array(bytes[keyEnd..<dataEnd])
        return node
    }

    /// A key with what belongs to it.
    struct Node {
        private static let overflowFlag: UInt16 = 0x01
        private static let treeFlag: UInt16 = 0x02
        private static let duplicatesFlag: UInt16 = 0x04

        let key: ArraySlice<UInt8>
        let flags: UInt16
        let low: UInt64
        /// What stands behind a leaf's key: the value, or the number of the page where that begins.
        var data: [UInt8] = []

        /// The page that a branch's node leads to.
        var child: UInt64 { low | UInt64(flags) << 32 }
        /// The length of the value.
        var dataByteCount: Int { Int(low) }
        /// Whether the value stands in pages of its own.
        var isOverflow: Bool { flags & Node.overflowFlag != 0 }
        /// Whether the value is the record of a tree.
        var isTree: Bool { flags & Node.treeFlag != 0 }
        /// Whether the value is all the key's values, in a page or a tree.
        var isDuplicates: Bool { flags & Node.duplicatesFlag != 0 }
    }
}
