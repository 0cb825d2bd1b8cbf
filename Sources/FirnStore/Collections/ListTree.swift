import LMDB

/// A list that a write changes: as much of its counted tree as the write looked at, in memory, until `flush` gives LMDB
/// what changed. See `ListNodeView`.
///
/// Where a damaged node makes a change throw, the list may have lost an element, but its nodes still count what they have.
final class ListTree {
    /// An inner node on the way to a leaf, and which of its children leads there.
    fileprivate struct Step {
        let node: ListInner
        let child: Int
    }

    let id: UInt64
    private unowned let trees: ListTrees
    @exclusivity(unchecked) private var root: ListNode
    /// From the root down to the leaf that `descend` found last.
    @exclusivity(unchecked) private var path: [Step] = []
    /// That leaf and how many elements stand before it, until nodes split or merge: changes often come side by side.
    @exclusivity(unchecked) private var last: (leaf: ListLeaf, first: Int)?
    /// Nodes that went; LMDB may have them.
    @exclusivity(unchecked) private var freeIDs: [UInt32] = []
    /// Above every node's id; nil while nobody asked.
    @exclusivity(unchecked) private var nextNodeID: UInt32?

    /// A list without elements.
    init(newList id: UInt64, _ trees: ListTrees) {
        self.id = id
        self.trees = trees
        root = .leaf(ListLeaf())
        nextNodeID = ListNodeView.rootID + 1
        trees.didLoadNode()
    }

    /// A list that LMDB has.
    init(_ id: UInt64, _ trees: ListTrees) throws {
        self.id = id
        self.trees = trees
        root = try trees.load(id, ListNodeView.rootID)
    }

    var count: Int {
        switch root {
        case .leaf(let leaf): leaf.count
        case .inner(let inner): inner.elementCount
        }
    }

    // MARK: Reading

    /// What a search found in memory.
    enum Found {
        /// The leaf, and how many elements stand before it.
        case leaf(RecordView, first: Int)
        /// A node that only LMDB has, and how many elements stand before it.
        case node(UInt32, first: Int)
    }

    /// Where the element at `index`, which the list has, stands. Good until the next change.
    func find(_ index: Int) -> Found {
        var node = root
        var first = 0
        while true {
            switch node {
            case .leaf(let leaf): return .leaf(leaf.record, first: first)
            case .inner(let inner):
                let place = inner.find(index - first, isEndIncluded: false)
                first += place.first
                guard let next = inner.node(at: place.child) else {
                    return .node(inner.id(at: place.child), first: first)
                }
                node = next
            }
        }
    }

    /// The leaf that holds the element at `index`, and the element's position there.
    func leaf(holding index: Int) throws -> (leaf: ListLeaf, position: Int) {
        try descend(to: index)
    }

    /// Gives a builder a copy of the element at `index`.
    func copyElement(at index: Int, to builder: RecordBuilder) throws {
        let (leaf, position) = try descend(to: index)
        builder.begin()
        builder.copySlots(position..<position + 1, of: leaf.record)
    }

    /// Takes the element at `source` out and puts it back so that it then stands at `destination`.
    func move(from source: Int, to destination: Int) throws {
        try copyElement(at: source, to: trees.inserting)
        try remove(source..<source + 1)
        try insert(trees.inserting, at: destination)
    }

    /// Exchanges two elements.
    func swap(_ first: Int, _ second: Int) throws {
        try copyElement(at: first, to: trees.inserting)
        try copyElement(at: second, to: trees.exchanged)
        try replace(with: trees.exchanged, at: first)
        try replace(with: trees.inserting, at: second)
    }

    // MARK: Inserting

    /// How the elements of a leaf that overflows are shared out.
    enum Sharing {
        /// Into halves, by bytes.
        case evenly
        /// The left leaf is filled: more elements come behind.
        case leftFull
        /// The right leaf is filled: more elements come before.
        case rightFull
    }

    /// Inserts all values that the builder was given since `begin`, at most what an empty leaf takes. At the list's ends
    /// leaves are filled.
    func insert(_ values: RecordBuilder, at index: Int, _ sharing: Sharing = .evenly) throws {
        let sharing: Sharing = index == count ? .leftFull : index == 0 ? .rightFull : sharing
        let (leaf, position) = try descend(to: index, isEndIncluded: true)
        if leaf.fits(values, 0..<values.slotCount) {
            leaf.insert(values, 0..<values.slotCount, at: position)
            addToPath(values.slotCount)
        } else {
            try prepareIDs()
            try overflow(leaf, inserting: values, at: position, index, sharing)
        }
    }

    /// Inserts values into a leaf to which the path leads and that cannot take them.
    private func overflow(
        _ leaf: ListLeaf, inserting values: RecordBuilder, at position: Int, _ index: Int, _ sharing: Sharing
    ) throws {
        if let cut = leaf.cut(inserting: values, at: position, sharing) {
            return split(leaf, inserting: values, at: position, cut: cut)
        }
        // Large elements on both sides: where a leaf ends at the position, two are always enough, and are in memory.
        split(leaf, at: position)
        try insert(values, at: index)
    }

    /// Makes a leaf end before the element at `index`, so that many can be inserted there.
    func part(at index: Int) throws {
        let (leaf, position) = try descend(to: index, isEndIncluded: true)
        guard position > 0, position < leaf.count else { return }
        try prepareIDs()
        split(leaf, at: position)
    }

    private func split(_ leaf: ListLeaf, at position: Int) {
        let right = takeElements(of: leaf, from: position)
        trees.didLoadNode()
        addSibling(.leaf(right), count: right.count, behind: path.count - 1)
    }

    /// Inserts values into a leaf that becomes two, the left one with `cut` elements.
    private func split(_ leaf: ListLeaf, inserting values: RecordBuilder, at position: Int, cut: Int) {
        let count = values.slotCount
        let right: ListLeaf
        if cut < position {
            right = takeElements(of: leaf, from: cut)
            right.insert(values, 0..<count, at: position - cut)
        } else if cut > position + count {
            right = takeElements(of: leaf, from: cut - count)
            leaf.insert(values, 0..<count, at: position)
        } else {
            right = takeElements(of: leaf, from: position)
            leaf.insert(values, 0..<cut - position, at: position)
            right.insert(values, cut - position..<count, at: 0)
        }
        addToPath(count)
        trees.didLoadNode()
        addSibling(.leaf(right), count: right.count, behind: path.count - 1)
    }

    private func takeElements(of leaf: ListLeaf, from position: Int) -> ListLeaf {
        let right = ListLeaf()
        right.append(contentsOf: leaf, from: position, with: trees.moving)
        leaf.remove(position..<leaf.count)
        return right
    }

    /// Puts a node behind the one to which the path leads at `level`, whose elements it took over. Splits parents that
    /// overflow, evenly but at the list's end.
    private func addSibling(_ sibling: ListNode, count: Int, behind level: Int) {
        last = nil
        guard level >= 0 else {
            // The root keeps its id: what it was becomes a child.
            let old = ListInner.Child(id: makeNodeID(), count: self.count, node: root)
            let new = ListInner.Child(id: makeNodeID(), count: count, node: sibling)
            root.markDirty()
            root = .inner(ListInner([old, new]))
            trees.didLoadNode()
            return
        }
        let new = ListInner.Child(id: makeNodeID(), count: count, node: sibling)
        let step = path[level]
        step.node.add(-count, at: step.child)
        step.node.insert(new, at: step.child + 1)
        guard step.node.isTooLarge else { return }
        let isAtEnd = step.child + 2 == step.node.count && (0..<level).allSatisfy { path[$0].isLast }
        let right = ListInner(step.node.removeChildren(from: isAtEnd ? step.child + 1 : step.node.count / 2))
        trees.didLoadNode()
        addSibling(.inner(right), count: right.elementCount, behind: level - 1)
    }

    // MARK: Replacing

    /// Gives the element at `index` another value, which a record may hold.
    func set(_ value: StoredValue, at index: Int) throws {
        let (leaf, position) = try descend(to: index)
        if leaf.patch(value, at: position) { return }
        let values = trees.inserting
        values.begin()
        values.add(value)
        try replace(with: values, at: index)
    }

    /// Puts the one value that the builder has in the place of an element.
    func replace(with values: RecordBuilder, at index: Int) throws {
        let (leaf, position) = try descend(to: index)
        if leaf.fits(values, 0..<1, replacing: position) {
            leaf.replace(position..<position + 1, with: values, 0..<1)
            return try mend(leaf)
        }
        // The leaf is nearly full, so it is neither empty nor low without the element.
        try prepareIDs()
        leaf.remove(position..<position + 1)
        addToPath(-1)
        try overflow(leaf, inserting: values, at: position, index, .evenly)
    }

    // MARK: Removing

    /// Removes elements of one leaf, which the caller found there.
    func remove(_ range: Range<Int>) throws {
        let (leaf, position) = try descend(to: range.lowerBound)
        leaf.remove(position..<position + range.count)
        addToPath(-range.count)
        try mend(leaf)
    }

    /// Looks after the leaf with the element at `index`, which may have too few.
    func mend(at index: Int) throws {
        guard index < count else { return }
        try mend(descend(to: index).leaf)
    }

    /// A node with less than this part of what it takes looks for a neighbour to merge with.
    private static var lowDivisor: Int { 3 }
    /// A merged node has room for this part of what it takes, so that the next insertion does not split it again.
    private static var slackDivisor: Int { 8 }

    /// Takes an empty node to which the path leads out of the tree, merges a low one with a neighbour, then looks at its
    /// parents. The tree is whole before and after each step.
    private func mend(_ leaf: ListLeaf) throws {
        guard leaf.byteCount < ListNodeView.byteLimit / ListTree.lowDivisor,
            leaf.count < ListNodeView.elementLimit / ListTree.lowDivisor
        else { return }
        last = nil
        var level = path.count - 1
        var isEmpty = leaf.count == 0
        var isLow = true
        while level >= 0, isLow {
            let step = path[level]
            if isEmpty {
                free(step.node.remove(at: step.child))
            } else {
                try mergeChild(of: step)
            }
            isEmpty = step.node.count == 0
            isLow = step.node.count < ListNodeView.childLimit / ListTree.lowDivisor
            level -= 1
        }
        try collapseRoot()
    }

    /// Merges a child with the one behind it, or before it, if they fit together.
    private func mergeChild(of step: Step) throws {
        let parent = step.node
        guard parent.count > 1 else { return }
        let left = step.child + 1 < parent.count ? step.child : step.child - 1
        switch (try load(parent, left), try load(parent, left + 1)) {
        case (.leaf(let leaf), .leaf(let next)):
            let byteLimit = ListNodeView.byteLimit - ListNodeView.byteLimit / ListTree.slackDivisor
            guard leaf.byteCount + next.byteCount <= byteLimit,
                leaf.count + next.count <= ListNodeView.elementLimit
            else { return }
            leaf.append(contentsOf: next, from: 0, with: trees.moving)
        case (.inner(let inner), .inner(let next)):
            let childLimit = ListNodeView.childLimit - ListNodeView.childLimit / ListTree.slackDivisor
            guard inner.count + next.count <= childLimit else { return }
            for child in next.removeChildren(from: 0) { inner.insert(child, at: inner.count) }
        default:
            throw StoreError.damagedList(id, "its leaves are not at one depth")
        }
        let merged = parent.remove(at: left + 1)
        parent.add(merged.count, at: left)
        free(merged)
    }

    /// Makes an only child the root, and a root without children an empty leaf.
    private func collapseRoot() throws {
        while case .inner(let inner) = root, inner.count <= 1 {
            if inner.count == 0 {
                root = .leaf(ListLeaf())
            } else {
                root = try load(inner, 0)
                root.markDirty()
                free(inner.remove(at: 0))
            }
        }
    }

    // MARK: Nodes

    /// The leaf that holds the element at `index`, and the element's position there. The place behind the last element of
    /// a leaf belongs to that leaf if `isEndIncluded`.
    private func descend(
        to index: Int, isEndIncluded: Bool = false
    ) throws -> (leaf: ListLeaf, position: Int) {
        precondition(index >= 0 && index < count + (isEndIncluded ? 1 : 0), "a list has the position that is changed")
        if let last, index >= last.first, index < last.first + last.leaf.count + (isEndIncluded ? 1 : 0) {
            return (last.leaf, index - last.first)
        }
        last = nil
        path.removeAll(keepingCapacity: true)
        var node = root
        var position = index
        while case .inner(let inner) = node {
            let place = inner.find(position, isEndIncluded: isEndIncluded)
            position -= place.first
            path.append(Step(node: inner, child: place.child))
            node = try load(inner, place.child)
            guard path.count < ListNodeView.depthLimit else { throw StoreError.damagedList(id, "it is too deep") }
        }
        guard case .leaf(let leaf) = node else { preconditionFailure("what is no inner node is a leaf") }
        last = (leaf, index - position)
        return (leaf, position)
    }

    private func load(_ parent: ListInner, _ child: Int) throws -> ListNode {
        if let node = parent.node(at: child) { return node }
        let nodeID = parent.id(at: child)
        let node = try trees.load(id, nodeID)
        guard node.elementCount == parent.elementCount(at: child) else {
            throw StoreError.damagedList(
                id,
                "node \(nodeID) has \(node.elementCount) elements, its parent counts \(parent.elementCount(at: child))")
        }
        parent.load(node, at: child)
        return node
    }

    /// Notes along the path that the leaf has more or fewer elements.
    private func addToPath(_ difference: Int) {
        for level in path.indices { path[level].node.add(difference, at: path[level].child) }
    }

    private func free(_ child: ListInner.Child) {
        freeIDs.append(child.id)
    }

    /// Finds what `makeNodeID` needs, so that this cannot fail in the midst of a change.
    private func prepareIDs() throws {
        let next = try nextNodeID ?? trees.lastNodeID(of: id) + 1
        guard next < .max - UInt32(2 * ListNodeView.depthLimit) else {
            throw StoreError.damagedList(id, "its nodes have used up all ids")
        }
        nextNodeID = next
    }

    private func makeNodeID() -> UInt32 {
        if let free = freeIDs.popLast() { return free }
        guard let next = nextNodeID else { preconditionFailure("ids are prepared before a node is made") }
        nextNodeID = next + 1
        return next
    }

    // MARK: Writing

    /// Gives LMDB what changed, in the order of keys.
    func flush(with writer: inout ListNodeWriter) throws {
        for nodeID in freeIDs { try writer.delete(id, nodeID) }
        freeIDs = []
        var changed: [(id: UInt32, node: ListNode)] = []
        var waiting = [(ListNodeView.rootID, root)]
        while let (nodeID, node) = waiting.popLast() {
            if node.isDirty { changed.append((nodeID, node)) }
            guard case .inner(let inner) = node else { continue }
            for child in 0..<inner.count {
                if let node = inner.node(at: child) { waiting.append((inner.id(at: child), node)) }
            }
        }
        changed.sort { $0.id < $1.id }
        for (nodeID, node) in changed { try writer.put(id, nodeID, node) }
    }
}

extension ListTree.Step {
    fileprivate var isLast: Bool { child == node.count - 1 }
}

extension ListNode {
    fileprivate var isDirty: Bool {
        switch self {
        case .leaf(let leaf): leaf.isDirty
        case .inner(let inner): inner.isDirty
        }
    }

    fileprivate var elementCount: Int {
        switch self {
        case .leaf(let leaf): leaf.count
        case .inner(let inner): inner.elementCount
        }
    }

    fileprivate func markDirty() {
        switch self {
        case .leaf(let leaf): leaf.isDirty = true
        case .inner(let inner): inner.isDirty = true
        }
    }
}
