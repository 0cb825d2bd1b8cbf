/// A node of a list that a write looked at. Its id stands with its parent, so that a root can become a child.
enum ListNode {
    case leaf(ListLeaf)
    case inner(ListInner)
}

/// An inner node of a list while a write changes it. See `ListNodeView`.
final class ListInner {
    struct Child {
        let id: UInt32
        let count: Int
        /// nil while the write has not looked at it.
        let node: ListNode?
    }

    // Apart, because a search reads the counts alone.
    @exclusivity(unchecked) private var ids: ContiguousArray<UInt32> = []
    @exclusivity(unchecked) private var counts: ContiguousArray<Int> = []
    @exclusivity(unchecked) private var nodes: ContiguousArray<ListNode?> = []
    /// How many elements are below the node.
    @exclusivity(unchecked) private(set) var elementCount = 0
    /// Whether LMDB does not have this content yet.
    @exclusivity(unchecked) var isDirty = true

    init(_ children: [Child]) {
        for child in children { insert(child, at: count) }
    }

    /// A copy of a node that was validated.
    init(copying children: ListChildren) {
        for child in 0..<children.count {
            insert(
                Child(id: children.id(at: child), count: Int(children.elementCount(at: child)), node: nil), at: count)
        }
        isDirty = false
    }

    /// The number of children.
    var count: Int { ids.count }

    var isTooLarge: Bool { count > ListNodeView.childLimit }

    func id(at index: Int) -> UInt32 { ids[index] }

    /// How many elements are below a child.
    func elementCount(at index: Int) -> Int { counts[index] }

    func node(at index: Int) -> ListNode? { nodes[index] }

    /// The child that holds the element at `index` and how many elements stand before that child. The place behind the
    /// last element of a child belongs to that child if `isEndIncluded`. Searches from the nearer end.
    func find(_ index: Int, isEndIncluded: Bool) -> (child: Int, first: Int) {
        let index = isEndIncluded && index > 0 ? index - 1 : index
        precondition(index < elementCount, "an element is looked for below its node")
        if index < elementCount / 2 {
            var (child, first) = (0, 0)
            while index >= first &+ counts[child] {
                first &+= counts[child]
                child &+= 1
            }
            return (child, first)
        }
        var (child, first) = (count - 1, elementCount &- counts[count - 1])
        while index < first {
            child &-= 1
            first &-= counts[child]
        }
        return (child, first)
    }

    // MARK: Changing

    /// Notes what a child is, now that the write looked at it.
    func load(_ node: ListNode, at index: Int) {
        nodes[index] = node
    }

    func insert(_ child: Child, at index: Int) {
        ids.insert(child.id, at: index)
        counts.insert(child.count, at: index)
        nodes.insert(child.node, at: index)
        elementCount += child.count
        isDirty = true
    }

    @discardableResult
    func remove(at index: Int) -> Child {
        let child = Child(id: ids.remove(at: index), count: counts.remove(at: index), node: nodes.remove(at: index))
        elementCount -= child.count
        isDirty = true
        return child
    }

    /// Notes that the elements below a child became more or fewer.
    func add(_ difference: Int, at index: Int) {
        counts[index] += difference
        elementCount += difference
        isDirty = true
    }

    /// Takes out the children from one on.
    func removeChildren(from start: Int) -> [Child] {
        var removed: [Child] = []
        while count > start { removed.append(remove(at: count - 1)) }
        return removed.reversed()
    }

    // MARK: Writing

    /// Lends the node's bytes.
    func withBytes(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        let byteCount = ListChildren.byteCount(count)
        try withUnsafeTemporaryAllocation(byteCount: byteCount, alignment: 8) { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("a node has bytes") }
            base.storeLittleEndian(UInt16(ListChildren.form), at: 0)
            base.storeLittleEndian(UInt16(count), at: 2)
            for child in 0..<count {
                base.storeLittleEndian(ids[child], at: ListChildren.byteCount(child))
                base.storeLittleEndian(UInt64(counts[child]), at: ListChildren.byteCount(child) + 4)
            }
            try body(UnsafeRawBufferPointer(buffer))
        }
    }
}
