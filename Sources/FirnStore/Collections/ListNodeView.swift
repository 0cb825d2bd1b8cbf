import LMDB

/// A node of a list's counted tree, read where it lies.
///
/// A list is a B-tree without keys, whose inner nodes count what is below each child, so that an element is found by its
/// position (S. Tatham, "Counted B-Trees", 2001). Node 0 is the root; of the others an id only tells where they are. All
/// leaves have the same depth.
///
///     key     collection id u64 | node id u32, big-endian
///     leaf    a narrow record (`RecordView`) whose slots are the elements, up to 255
///     inner   0   2      u8
///             1   0      u8
///             2   count  u16, up to 166
///             4   count × child: node id u32 | elements below it u64
enum ListNodeView {
    case leaf(RecordView)
    case inner(ListChildren)

    /// A node has at most so many bytes, so that LMDB keeps it inline and two full ones share a page.
    static let byteLimit = 2000
    /// What a narrow record can count.
    static let elementLimit = 255
    static let childLimit = (byteLimit - ListChildren.headerByteCount) / ListChildren.childByteCount
    /// No list is deeper: nodes that merge when a third full, and ids of 32 bits, allow 6 levels.
    static let depthLimit = 16
    static let rootID: UInt32 = 0

    /// Looks at as much as keeps a reader within the bytes, where they are a node at all; O(1). `validate` looks at
    /// everything.
    init(_ bytes: UnsafeRawBufferPointer) throws(FormatError) {
        guard bytes.count >= 4, bytes.count <= ListNodeView.byteLimit, let base = bytes.baseAddress else {
            throw FormatError("\(bytes.count) bytes are no node", at: 0)
        }
        if bytes[0] == RecordView.narrowForm {
            let record = RecordView(base)
            let count = record.slotCount
            guard 4 + 2 * count <= bytes.count, record.byteCount == bytes.count else {
                throw FormatError("a leaf of \(count) elements does not end at \(bytes.count)", at: 1)
            }
            self = .leaf(record)
        } else {
            let children = ListChildren(base)
            guard bytes[0] == ListChildren.form, bytes[1] == 0 else {
                throw FormatError("unknown node form \(bytes[0]) \(bytes[1])", at: 0)
            }
            guard children.count > 0, ListChildren.byteCount(children.count) == bytes.count else {
                throw FormatError("a node of \(children.count) children does not end at \(bytes.count)", at: 2)
            }
            self = .inner(children)
        }
    }

    /// A node of which every byte has been looked at.
    static func validate(_ bytes: UnsafeRawBufferPointer) throws(FormatError) -> ListNodeView {
        let node = try ListNodeView(bytes)
        switch node {
        case .leaf: try RecordView.validate(bytes)
        case .inner(let children): try children.validate()
        }
        return node
    }

    static func key(_ list: UInt64, _ node: UInt32) -> ByteKey {
        ByteKey(list, node)
    }

    /// Whose node it is and which, by a key of 12 bytes.
    static func ids(ofKey key: UnsafeRawBufferPointer) -> (list: UInt64, node: UInt32)? {
        guard key.count == 12, let base = key.baseAddress else { return nil }
        return (base.bigEndian(at: 0), base.bigEndian(at: 8))
    }
}

/// The children of an inner node, read where they lie; see `ListNodeView`.
struct ListChildren {
    static let form: UInt8 = 2
    static let headerByteCount = 4
    static let childByteCount = 12

    let base: UnsafeRawPointer

    init(_ base: UnsafeRawPointer) { self.base = base }

    static func byteCount(_ count: Int) -> Int { headerByteCount + childByteCount * count }

    var count: Int { Int(base.littleEndian(at: 2, as: UInt16.self)) }

    func id(at child: Int) -> UInt32 {
        base.littleEndian(at: ListChildren.byteCount(child))
    }

    /// How many elements are below a child.
    func elementCount(at child: Int) -> UInt64 {
        base.littleEndian(at: ListChildren.byteCount(child) + 4)
    }

    /// How many elements are below the node.
    var elementCount: Int {
        var sum: UInt64 = 0
        for child in 0..<count { sum &+= elementCount(at: child) }
        return Int(truncatingIfNeeded: sum)
    }

    /// The child that holds the element at `index` and how many elements stand before that child; nil where there are
    /// not so many. O(children).
    func find(_ index: Int) -> (child: Int, first: Int)? {
        let count = count
        let wanted = UInt64(index)
        var first: UInt64 = 0
        for child in 0..<count {
            let next = first &+ elementCount(at: child)
            if wanted < next { return (child, Int(first)) }
            first = next
        }
        return nil
    }

    fileprivate func validate() throws(FormatError) {
        var sum: UInt64 = 0
        for child in 0..<count {
            let elements = elementCount(at: child)
            guard elements > 0, elements < 1 << 48 else {
                throw FormatError("child \(child) counts \(elements) elements", at: ListChildren.byteCount(child) + 4)
            }
            sum += elements
            guard id(at: child) != ListNodeView.rootID else {
                throw FormatError("child \(child) is the root", at: ListChildren.byteCount(child))
            }
        }
        guard sum < 1 << 48 else { throw FormatError("the children count \(sum) elements", at: 4) }
    }
}

extension StoreError {
    static func damagedList(_ id: UInt64, _ what: String) -> StoreError {
        StoreError(.corrupted, "list \(id) is damaged: \(what); run `firn check`")
    }
}
