import LMDB

/// The lists that a write has changed, or looked at to change them. LMDB gets what changed when `flush` is called: at
/// commit, before anything that reads the database `lists` itself, and when much waits.
final class ListTrees {
    private unowned let write: WriteState
    @exclusivity(unchecked) private var trees: [UInt64: ListTree] = [:]
    @exclusivity(unchecked) private var newest: ListTree?
    @exclusivity(unchecked) private var nodeCount = 0
    /// Takes the values that are to be inserted.
    let inserting = RecordBuilder()
    /// Takes the second of two elements that change places.
    private(set) lazy var exchanged = RecordBuilder()
    /// Takes elements that go from one leaf to another.
    private(set) lazy var moving = RecordBuilder()

    init(_ write: WriteState) {
        self.write = write
    }

    /// So many nodes may wait in memory, 2,000 bytes each.
    private static var nodeLimit: Int { 16_384 }

    /// The list, if the write has looked at it.
    func existing(_ id: UInt64) -> ListTree? {
        if let newest, newest.id == id { return newest }
        guard let tree = trees[id] else { return nil }
        newest = tree
        return tree
    }

    /// Whether so many nodes are in memory that the next change has LMDB take them all.
    private var isFull: Bool { nodeCount > ListTrees.nodeLimit }

    /// The list, to be changed. Makes room in memory first, so no other list may be in use.
    func tree(_ id: UInt64) throws -> ListTree {
        if isFull { try flushAndForget() }
        if let tree = existing(id) { return tree }
        return add(try ListTree(id, self))
    }

    /// A list without elements, under an id that is new.
    @discardableResult
    func make(_ id: UInt64) throws -> ListTree {
        if isFull { try flushAndForget() }
        return add(ListTree(newList: id, self))
    }

    private func add(_ tree: ListTree) -> ListTree {
        trees[tree.id] = tree
        newest = tree
        return tree
    }

    /// Removes a list with all its nodes. Lends first the elements that may own something outside the list, in any order.
    func drop(_ id: UInt64, releasing release: ((RecordView, Int) throws -> Void)?) throws {
        if let tree = existing(id) {
            if release != nil { try flush([tree]) }
            trees[id] = nil
            newest = nil
        }
        let cursor = try cursor
        while try cursor.seekRange(ListNodeView.key(id, 0)), ListNodeView.ids(ofKey: cursor.key)?.list == id {
            if let release, case .leaf(let leaf) = try node(at: cursor, of: id) {
                for slot in 0..<leaf.slotCount where leaf.mayOwn(slot) { try release(leaf, slot) }
            }
            try cursor.delete()
        }
    }

    // MARK: Flushing

    /// Gives LMDB all changes, and keeps the nodes.
    func flush() throws {
        guard !trees.isEmpty else { return }
        try flush(trees.values.sorted { $0.id < $1.id })
    }

    private func flush(_ trees: [ListTree]) throws {
        var writer = try ListNodeWriter(cursor)
        for tree in trees { try tree.flush(with: &writer) }
    }

    private func flushAndForget() throws {
        try flush()
        trees = [:]
        newest = nil
        nodeCount = 0
    }

    // MARK: Nodes

    /// Counts a node that came into memory.
    func didLoadNode() { nodeCount += 1 }

    /// A node from LMDB, copied.
    func load(_ id: UInt64, _ nodeID: UInt32) throws -> ListNode {
        let cursor = try cursor
        guard try cursor.seek(ListNodeView.key(id, nodeID)) else {
            throw StoreError.damagedList(id, "node \(nodeID) is missing")
        }
        didLoadNode()
        switch try node(at: cursor, of: id) {
        case .leaf(let record): return .leaf(ListLeaf(copying: record))
        case .inner(let children): return .inner(ListInner(copying: children))
        }
    }

    /// The highest id of a node that LMDB has of a list.
    func lastNodeID(of id: UInt64) throws -> UInt32 {
        let cursor = try cursor
        let isFound = try cursor.seekRange(ListNodeView.key(id + 1, 0)) ? try cursor.previous() : try cursor.last()
        guard isFound, let ids = ListNodeView.ids(ofKey: cursor.key), ids.list == id else {
            throw StoreError.damagedList(id, "it has no root")
        }
        return ids.node
    }

    private var cursor: Cursor {
        get throws { try write.cursor(write.databases.lists) }
    }

    private func node(at cursor: Cursor, of id: UInt64) throws -> ListNodeView {
        do {
            return try ListNodeView.validate(cursor.value)
        } catch {
            throw StoreError.damagedList(id, "\(error)")
        }
    }
}

/// Puts nodes into LMDB. Those that sort behind everything are appended, which leaves pages full.
struct ListNodeWriter {
    private let cursor: Cursor
    private var last: (list: UInt64, node: UInt32)?

    init(_ cursor: Cursor) throws {
        self.cursor = cursor
        if try cursor.last() { last = ListNodeView.ids(ofKey: cursor.key) }
    }

    mutating func put(_ list: UInt64, _ nodeID: UInt32, _ node: ListNode) throws {
        let isLast = last.map { $0 < (list, nodeID) } ?? true
        if isLast { last = (list, nodeID) }
        let key = ListNodeView.key(list, nodeID)
        let flags: PutFlags = isLast ? .append : []
        switch node {
        case .leaf(let leaf):
            try cursor.put(key, leaf.bytes, flags)
            leaf.isDirty = false
        case .inner(let inner):
            try inner.withBytes { try cursor.put(key, $0, flags) }
            inner.isDirty = false
        }
    }

    mutating func delete(_ list: UInt64, _ nodeID: UInt32) throws {
        guard try cursor.seek(ListNodeView.key(list, nodeID)) else { return }
        try cursor.delete()
        // What is last now is only learnt by asking; a put without `append` is right everywhere.
        if let last, last == (list, nodeID) { self.last = (.max, .max) }
    }
}
