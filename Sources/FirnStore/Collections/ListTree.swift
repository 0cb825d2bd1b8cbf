import LMDB

/// A list that a write changes: as much of its counted tree as the write looked at, in memory, until `flush` gives LMDB
/// what changed. See `ListNodeView`.
///
/// Where a damaged node makes a change throw, the list may have lost an element, but its nodes still count what they have.
final class ListTree {
    /// An inner node on the way to a leaf, and which of its children leads there.
    struct Step {
        // SAFETY: the tree owns its nodes, and one that leaves it is on no path that is still used. Counting references would
        // be most of what a step costs.
        private let unretained: Unmanaged<ListInner>
        let child: Int

        init(_ node: ListInner, child: Int) {
            unretained = .passUnretained(node)
            self.child = child
        }

        var node: ListInner { unretained.takeUnretainedValue() }

        /// Notes that the elements below the child became more or fewer.
        func add(_ difference: Int) {
            unretained._withUnsafeGuaranteedRef { $0.add(difference, at: child) }
        }
    }

    let id: UInt64
    unowned let trees: ListTrees
    /// Takes the values that are to be inserted; all trees share it.
    let inserting: RecordBuilder
    @exclusivity(unchecked) var root: ListNode
    /// From the root down to the leaf that `descend` found last.
    @exclusivity(unchecked) var path: [Step] = []
    /// That leaf and how many elements stand before it, until nodes split or merge: changes often come side by side.
    @exclusivity(unchecked) var last: (leaf: ListLeaf, first: Int)? {
        didSet { hotLast = last.map { (.passUnretained($0.leaf), $0.first) } }
    }
    /// The same, read without counting a reference.
    @exclusivity(unchecked) private(set) var hotLast: (leaf: Unmanaged<ListLeaf>, first: Int)?
    /// Nodes that went; LMDB may have them.
    @exclusivity(unchecked) private var freeIDs: [UInt32] = []
    /// Above every node's id; nil while nobody asked.
    @exclusivity(unchecked) private var nextNodeID: UInt32?

    /// A list without elements.
    init(newList id: UInt64, _ trees: ListTrees) {
        self.id = id
        self.trees = trees
        inserting = trees.inserting
        root = .leaf(ListLeaf())
        nextNodeID = ListNodeView.rootID + 1
        trees.didLoadNode()
    }

    /// A list that LMDB has.
    init(_ id: UInt64, _ trees: ListTrees) throws {
        self.id = id
        self.trees = trees
        inserting = trees.inserting
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

    // MARK: Nodes

    /// The leaf that holds the element at `index`, and the element's position there. The place behind the last element of
    /// a leaf belongs to that leaf if `isEndIncluded`.
    func descend(
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
            path.append(Step(inner, child: place.child))
            node = try load(inner, place.child)
            guard path.count < ListNodeView.depthLimit else { throw StoreError.damagedList(id, "it is too deep") }
        }
        guard case .leaf(let leaf) = node else { preconditionFailure("what is no inner node is a leaf") }
        last = (leaf, index - position)
        return (leaf, position)
    }

    func load(_ parent: ListInner, _ child: Int) throws -> ListNode {
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
    func addToPath(_ difference: Int) {
        path.withUnsafeBufferPointer { path in
            for step in path { step.add(difference) }
        }
    }

    func free(_ child: ListInner.Child) {
        freeIDs.append(child.id)
    }

    /// Finds what `makeNodeID` needs, so that this cannot fail in the midst of a change.
    func prepareIDs() throws {
        let next = try nextNodeID ?? trees.lastNodeID(of: id) + 1
        guard next < .max - UInt32(2 * ListNodeView.depthLimit) else {
            throw StoreError.damagedList(id, "its nodes have used up all ids")
        }
        nextNodeID = next
    }

    func makeNodeID() -> UInt32 {
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
    /// Whether the path goes to the last child.
    var isLast: Bool { child == node.count - 1 }
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

    /// Has the next flush write the node.
    func markDirty() {
        switch self {
        case .leaf(let leaf): leaf.isDirty = true
        case .inner(let inner): inner.isDirty = true
        }
    }
}
