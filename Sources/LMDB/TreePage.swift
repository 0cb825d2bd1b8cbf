/// One page of a tree, read from a file that is not mapped, trusting nothing in it. `PageFormat` says what stands where.
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

    let kind: Kind
    private let bytes: [UInt8]
    private let keySize: Int
    private let lower: Int

    /// A page's bytes, or those of a page inside of a node, whose number means nothing: then `number` is nil.
    init(_ bytes: [UInt8], number: UInt64?) throws(Damage) {
        guard bytes.count >= PageFormat.headerByteCount else { throw Damage("it ends in its header") }
        if let number {
            let found = bytes.integer(at: 0, UInt64.self)
            guard found == number else {
                throw Damage(
                    bytes.allSatisfy { $0 == 0 } ? "it holds nothing but zeros" : "it says that it is page \(found)")
            }
        }
        let flags = bytes.integer(at: PageFormat.flagsOffset, UInt16.self)
        switch flags & PageFormat.kindFlags {
        case PageFormat.branchFlag: kind = .branch
        case PageFormat.leafFlag: kind = .leaf
        case PageFormat.leafFlag | PageFormat.keysFlag: kind = .keys
        case PageFormat.overflowFlag: kind = .overflow
        default: throw Damage("it is of no known kind (\(flags))")
        }
        self.bytes = bytes
        keySize = Int(bytes.integer(at: PageFormat.keySizeOffset, UInt16.self))
        lower = Int(bytes.integer(at: PageFormat.endOffset, UInt16.self))
        guard kind != .overflow else { return }
        guard lower >= PageFormat.headerByteCount, lower.isMultiple(of: 2) else {
            throw Damage("its node offsets end at \(lower)")
        }
        if kind == .keys {
            guard keySize > 0, PageFormat.headerByteCount + count * keySize <= bytes.count else {
                throw Damage("\(count) keys of \(keySize) bytes do not fit it")
            }
        } else if lower > bytes.count {
            throw Damage("its node offsets end at \(lower)")
        }
    }

    /// How many nodes or keys it has.
    var count: Int { (lower - PageFormat.headerByteCount) / 2 }

    /// How many pages a value takes that begins here.
    var overflowPageCount: UInt64 { UInt64(bytes.integer(at: PageFormat.endOffset, UInt32.self)) }

    /// The key at an index below `count` of a page of keys.
    func key(at index: Int) -> ArraySlice<UInt8> {
        let start = PageFormat.headerByteCount + index * keySize
        return bytes[start..<(start + keySize)]
    }

    /// The node at an index below `count`.
    func node(at index: Int) throws(Damage) -> Node {
        let start = Int(bytes.integer(at: PageFormat.headerByteCount + 2 * index, UInt16.self))
        let header = PageFormat.Node.headerByteCount
        guard start >= lower, start + header <= bytes.count else { throw Damage("node \(index) lies at \(start)") }
        let keyEnd = start + header + Int(bytes.integer(at: start + PageFormat.Node.keySizeOffset, UInt16.self))
        guard keyEnd <= bytes.count else { throw Damage("the key of node \(index) ends at \(keyEnd)") }
        let low = UInt64(bytes.integer(at: start, UInt16.self))
        let high = UInt64(bytes.integer(at: start + PageFormat.Node.highOffset, UInt16.self))
        let flags = bytes.integer(at: start + PageFormat.Node.flagsOffset, UInt16.self)
        var node = Node(key: bytes[(start + header)..<keyEnd], flags: flags, low: low | high << 16)
        guard kind == .leaf else { return node }
        let dataEnd = keyEnd + (node.isOverflow ? MemoryLayout<UInt64>.size : node.dataByteCount)
        guard dataEnd <= bytes.count else { throw Damage("the value of node \(index) ends at \(dataEnd)") }
        node.data = Array(bytes[keyEnd..<dataEnd])
        return node
    }

    /// A key with what belongs to it.
    struct Node {
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
        var isOverflow: Bool { flags & PageFormat.Node.overflowFlag != 0 }
        /// Whether the value is the record of a tree.
        var isTree: Bool { flags & PageFormat.Node.treeFlag != 0 }
        /// Whether the value is all the key's values, in a page or a tree.
        var isDuplicates: Bool { flags & PageFormat.Node.duplicatesFlag != 0 }
    }
}
