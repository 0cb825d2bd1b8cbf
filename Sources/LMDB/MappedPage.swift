import Glibc

/// One page of a tree as it lies in the map, good for as long as the transaction is that reads it. `PageFormat` says what stands where.
///
/// Offsets and lengths are checked before they are followed, so that a damaged page gives nil, and no look beyond it.
package struct MappedPage {
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
        guard end >= PageFormat.headerByteCount, end <= PageFormat.byteCount else { return nil }
        return switch load(PageFormat.flagsOffset, UInt16.self) & PageFormat.kindFlags {
        case PageFormat.branchFlag: .branch
        case PageFormat.leafFlag: .leaf
        case PageFormat.leafFlag | PageFormat.keysFlag where fitsKeys: .keys
        default: nil
        }
    }

    /// Where the offsets of the nodes end.
    private var end: Int { Int(load(PageFormat.endOffset, UInt16.self)) }

    /// How many nodes or keys it has.
    package var count: Int { (end - PageFormat.headerByteCount) / 2 }

    /// How long each key is on a page of keys.
    package var keyByteCount: Int { Int(load(PageFormat.keySizeOffset, UInt16.self)) }

    private var fitsKeys: Bool {
        keyByteCount > 0 && PageFormat.headerByteCount + count * keyByteCount <= PageFormat.byteCount
    }

    /// The key at an index below `count` of a page of keys.
    package func key(at index: Int) -> UnsafeRawBufferPointer {
        let start = base + PageFormat.headerByteCount + index * keyByteCount
        return UnsafeRawBufferPointer(start: start, count: keyByteCount)
    }

    /// A key with what belongs to it.
    package struct Node {
        package let key: UnsafeRawBufferPointer
        let flags: UInt16
        let low: UInt64
        /// How many bytes of the page stand behind the key.
        let roomByteCount: Int

        /// The page that a branch's node leads to.
        var child: UInt64 { low | UInt64(flags) << 32 }

        /// What a leaf has for the key; nil where it stands elsewhere.
        private var data: UnsafeRawBufferPointer? {
            guard flags & PageFormat.Node.overflowFlag == 0, low <= UInt64(roomByteCount), let end = key.baseAddress
            else {
                return nil
            }
            return UnsafeRawBufferPointer(start: end + key.count, count: Int(low))
        }

        /// The first of the key's values, where they are of one size; nil where they are a tree.
        package var firstValue: UnsafeRawBufferPointer? {
            guard flags & PageFormat.Node.treeFlag == 0, let data else { return nil }
            guard flags & PageFormat.Node.duplicatesFlag != 0 else { return data }
            // A page inside of the node, with the same header.
            guard data.count > PageFormat.headerByteCount,
                data.loadUnaligned(fromByteOffset: PageFormat.flagsOffset, as: UInt16.self) & PageFormat.keysFlag != 0
            else { return nil }
            let size = Int(data.loadUnaligned(fromByteOffset: PageFormat.keySizeOffset, as: UInt16.self))
            guard PageFormat.headerByteCount + size <= data.count else { return nil }
            return UnsafeRawBufferPointer(
                rebasing: data[PageFormat.headerByteCount..<PageFormat.headerByteCount + size])
        }

        /// The root of the tree that the values are; nil where they are none.
        package var treeRoot: UInt64? {
            guard flags & PageFormat.Node.treeFlag != 0, let data else { return nil }
            return MappedTree.root(ofRecord: data)
        }
    }

    /// The node at an index below `count`; nil where it does not lie within the page.
    @inline(__always)
    package func node(at index: Int) -> Node? {
        let start = Int(load(PageFormat.headerByteCount + 2 * index, UInt16.self))
        let keyStart = start + PageFormat.Node.headerByteCount
        guard keyStart <= PageFormat.byteCount else { return nil }
        let keyEnd = keyStart + Int(load(start + PageFormat.Node.keySizeOffset, UInt16.self))
        guard keyEnd <= PageFormat.byteCount else { return nil }
        return Node(
            key: UnsafeRawBufferPointer(start: base + keyStart, count: keyEnd - keyStart),
            flags: load(start + PageFormat.Node.flagsOffset, UInt16.self),
            low: UInt64(load(start, UInt16.self)) | UInt64(load(start + PageFormat.Node.highOffset, UInt16.self)) << 16,
            roomByteCount: PageFormat.byteCount - keyEnd)
    }

    /// The index of the first of the page's keys that is not before one, `count` where all are, and whether it is that one;
    /// nil where the page is damaged. On a page of keys only as many bytes are compared as the sought key has, which may be fewer.
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
                order = self.key(at: middle).order(to: key, byteCount: Swift.min(key.count, keyByteCount))
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
