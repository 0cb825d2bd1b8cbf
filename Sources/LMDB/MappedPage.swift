import Glibc

/// One page of a tree as it lies in the map, good for as long as the transaction is that reads it. `TreePage` has the format.
///
/// Offsets and lengths are checked before they are followed, so that a damaged page gives nil, and no look beyond it.
package struct MappedPage {
    package static let byteCount = 4096
    private static let headerByteCount = 16
    private static let nodeHeaderByteCount = 8
    private static let branchFlag: UInt16 = 0x01
    private static let leafFlag: UInt16 = 0x02
    private static let keysFlag: UInt16 = 0x20

    let base: UnsafeRawPointer

    /// A whole page that is there: `base` has as many bytes.
    init(base: UnsafeRawPointer) {
        self.base = base
    }

    package enum Kind {
        case branch
        case leaf
        /// A leaf of keys of one size, without data.
        case keys
    }

    /// Nil where it is of another kind, or damaged.
    package var kind: Kind? {
        guard end >= MappedPage.headerByteCount, end <= MappedPage.byteCount else { return nil }
        return switch load(10, UInt16.self) & 0x3f {
        case MappedPage.branchFlag: .branch
        case MappedPage.leafFlag: .leaf
        case MappedPage.leafFlag | MappedPage.keysFlag where fitsKeys: .keys
        default: nil
        }
    }

    /// Where the offsets of the nodes end.
    private var end: Int { Int(load(12, UInt16.self)) }

    /// How many nodes or keys it has.
    package var count: Int { (end - MappedPage.headerByteCount) / 2 }

    /// How long each key is on a page of keys.
    package var keyByteCount: Int { Int(load(8, UInt16.self)) }

    private var fitsKeys: Bool {
        keyByteCount > 0 && MappedPage.headerByteCount + count * keyByteCount <= MappedPage.byteCount
    }

    /// The key at an index below `count` of a page of keys.
    package func key(at index: Int) -> UnsafeRawBufferPointer {
        let start = base + MappedPage.headerByteCount + index * keyByteCount
        return UnsafeRawBufferPointer(start: start, count: keyByteCount)
    }

    /// A key with what belongs to it.
    package struct Node {
        private static let overflowFlag: UInt16 = 0x01
        private static let treeFlag: UInt16 = 0x02
        private static let duplicatesFlag: UInt16 = 0x04

        package let key: UnsafeRawBufferPointer
        let flags: UInt16
        let low: UInt64
        /// How many bytes of the page stand behind the key.
        let roomByteCount: Int

        /// The page that a branch's node leads to.
        var child: UInt64 { low | UInt64(flags) << 32 }

        /// What a leaf has for the key; nil where it stands elsewhere.
        private var data: UnsafeRawBufferPointer? {
            guard flags & Node.overflowFlag == 0, low <= UInt64(roomByteCount), let end = key.baseAddress else {
                return nil
            }
            return UnsafeRawBufferPointer(start: end + key.count, count: Int(low))
        }

        /// The first of the key's values, where they are of one size; nil where they are a tree.
        package var firstValue: UnsafeRawBufferPointer? {
            guard flags & Node.treeFlag == 0, let data else { return nil }
            guard flags & Node.duplicatesFlag != 0 else { return data }
            // A page inside of the node, with the same header.
            guard data.count > MappedPage.headerByteCount,
                data.loadUnaligned(fromByteOffset: 10, as: UInt16.self) & MappedPage.keysFlag != 0
            else { return nil }
            let size = Int(data.loadUnaligned(fromByteOffset: 8, as: UInt16.self))
            guard MappedPage.headerByteCount + size <= data.count else { return nil }
            return UnsafeRawBufferPointer(
                rebasing: data[MappedPage.headerByteCount..<MappedPage.headerByteCount + size])
        }

        /// The root of the tree that the values are; nil where they are none.
        package var treeRoot: UInt64? {
            guard flags & Node.treeFlag != 0, let data else { return nil }
            return MappedTree.root(ofRecord: data)
        }
    }

    /// The node at an index below `count`; nil where it does not lie within the page.
    @inline(__always)
    package func node(at index: Int) -> Node? {
        let start = Int(load(MappedPage.headerByteCount + 2 * index, UInt16.self))
        let keyStart = start + MappedPage.nodeHeaderByteCount
        guard keyStart <= MappedPage.byteCount else { return nil }
        let keyEnd = keyStart + Int(load(start + 6, UInt16.self))
        guard keyEnd <= MappedPage.byteCount else { return nil }
        return Node(
            key: UnsafeRawBufferPointer(start: base + keyStart, count: keyEnd - keyStart),
            flags: load(start + 4, UInt16.self),
            low: UInt64(load(start, UInt16.self)) | UInt64(load(start + 2, UInt16.self)) << 16,
            roomByteCount: MappedPage.byteCount - keyEnd)
    }

    /// The index of the first of the page's keys that is not before one, `count` where all are, and whether it is that one;
    /// nil where the page is damaged. On a page of keys only as many bytes are compared as the sought key has.
    @inline(__always)
    package func search(_ key: UnsafeRawBufferPointer, in kind: Kind) -> (index: Int, isFound: Bool)? {
        // The first key of a branch page stands for all before the second.
        var low = kind == .branch ? 1 : 0
        var high = count
        var isFound = false
        while low < high {
            let middle = (low + high) / 2
            let order: Int
            if kind == .keys {
                order = self.key(at: middle).order(to: key, byteCount: key.count)
            } else {
                guard let node = node(at: middle) else { return nil }
                order = node.key.order(to: key)
            }
            if order < 0 {
                low = middle + 1
            } else {
                isFound = order == 0
                high = middle
            }
        }
        return (low, isFound)
    }

    @inline(__always)
    private func load<T: BitwiseCopyable>(_ offset: Int, _ type: T.Type) -> T {
        base.loadUnaligned(fromByteOffset: offset, as: type)
    }
}

extension UnsafeRawBufferPointer {
    /// How these bytes stand to others, as LMDB orders keys: below 0 before them, 0 equal.
    @inline(__always)
    package func order(to other: UnsafeRawBufferPointer) -> Int {
        let order = order(to: other, byteCount: Swift.min(count, other.count))
        return order != 0 ? order : count - other.count
    }

    /// How the first bytes of both stand to each other; each has as many.
    @inline(__always)
    fileprivate func order(to other: UnsafeRawBufferPointer, byteCount: Int) -> Int {
        guard byteCount > 0, let mine = baseAddress, let theirs = other.baseAddress else { return 0 }
        return Int(memcmp(mine, theirs, byteCount))
    }
}
