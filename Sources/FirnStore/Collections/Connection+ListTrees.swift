/// Lists by their ids. Positions are the caller's to check; those that change something run within `change`.
extension Connection {
    // MARK: Reading

    /// Whether a list has a root.
    func listExists(_ id: UInt64) -> Bool {
        if openLists?.existing(id) != nil { return true }
        return reading { try listReading.node(id, ListNodeView.rootID, self) } != nil
    }

    /// The number of elements: 0 for a list that is not there. One look-up.
    func listCount(_ id: UInt64) -> Int {
        if let tree = openLists?.existing(id) { return tree.count }
        return switch reading({ try listReading.node(id, ListNodeView.rootID, self) }) {
        case .leaf(let record): record.slotCount
        case .inner(let children): children.elementCount
        case nil: 0
        }
    }

    /// The leaf that holds the element at `index`, and the position of its first element; nil where the list ends before.
    /// Good for the current stamp, and until the list's next change. O(log n).
    func listLeaf(_ id: UInt64, holding index: Int) throws -> (record: RecordView, first: Int)? {
        var node = ListNodeView.rootID
        var first = 0
        if let tree = openLists?.existing(id) {
            guard index < tree.count else { return nil }
            switch tree.find(index) {
            case .leaf(let record, let first): return (record, first)
            case .node(let unread, let before): (node, first) = (unread, before)
            }
        }
        for _ in 0..<ListNodeView.depthLimit {
            switch try listReading.node(id, node, self) {
            case .leaf(let record):
                if index - first < record.slotCount { return (record, first) }
                if node == ListNodeView.rootID { return nil }
                throw StoreError.damagedList(id, "leaf \(node) has fewer elements than its parent counts")
            case .inner(let children):
                guard let place = children.find(index - first) else {
                    if node == ListNodeView.rootID { return nil }
                    throw StoreError.damagedList(id, "node \(node) has fewer elements than its parent counts")
                }
                first += place.first
                node = children.id(at: place.child)
            case nil:
                if node == ListNodeView.rootID { return nil }
                throw StoreError.damagedList(id, "node \(node) is missing")
            }
        }
        throw StoreError.damagedList(id, "it is too deep")
    }

    /// Lends the elements of a list in order, as slots of records, until `body` answers false; whether it never did. It must
    /// not change anything.
    func forEachListElement(_ id: UInt64, _ body: (RecordView, Int) -> Bool) throws -> Bool {
        var index = 0
        while let (leaf, first) = try listLeaf(id, holding: index) {
            for slot in 0..<leaf.slotCount {
                guard body(leaf, slot) else { return false }
            }
            index = first + leaf.slotCount
        }
        return true
    }

    private func reading<R>(_ body: () throws -> R) -> R {
        do {
            return try body()
        } catch {
            unreadable(error)
        }
    }

    private var openLists: ListTrees? {
        guard let write, !write.isLost else { return nil }
        return write.lists
    }

    // MARK: Changing

    /// Makes a list without elements under a new id.
    func makeList(_ id: UInt64, _ write: WriteState) throws {
        try write.lists.make(id)
        dropPointers()
    }

    /// Removes a list with all its elements. Lends those first that may own something outside the list, in any order; the
    /// closure must not write. O(nodes).
    func dropList(
        _ id: UInt64, _ write: WriteState, releasing release: ((RecordView, Int) throws -> Void)? = nil
    ) throws {
        defer { dropPointers() }
        try write.lists.drop(id, releasing: release)
    }

    /// Inserts a value, which a record may hold, at the end for nil.
    func insertIntoList(_ id: UInt64, _ value: StoredValue, at index: Int?, _ write: WriteState) throws {
        let builder = write.lists.inserting
        builder.begin()
        builder.add(value)
        let tree = try write.lists.tree(id)
        try tree.insert(builder, at: index ?? tree.count)
    }

    /// Inserts values, which a record may hold.
    func insertIntoList(_ id: UInt64, _ values: [StoredValue], at index: Int, _ write: WriteState) throws {
        defer { dropPointers() }
        let lists = write.lists
        let builder = lists.inserting
        let isLong = values.count > ListNodeView.elementLimit
        if isLong { try lists.tree(id).part(at: index) }
        var next = 0
        while next < values.count {
            let start = next
            builder.begin()
            while next < values.count, builder.takesInLeaf(values[next]) {
                builder.add(values[next])
                next += 1
            }
            try lists.tree(id).insert(builder, at: index + start, isLong ? .leftFull : .evenly)
        }
        if isLong { try lists.tree(id).mend(at: index + next) }
    }

    /// Gives an element another value, which a record may hold.
    func setInList(
        _ id: UInt64, _ value: StoredValue, at index: Int, _ write: WriteState,
        releasing release: (RecordView, Int) throws -> Void
    ) throws {
        defer { dropPointers() }
        let tree = try write.lists.tree(id)
        let (leaf, position) = try tree.leaf(holding: index)
        if leaf.record.mayOwn(position) { try release(leaf.record, position) }
        try tree.set(value, at: index)
    }

    /// Removes elements. Lends those first that may own something outside the list; the closure must not write.
    /// O(leaves · log n).
    func removeFromList(
        _ id: UInt64, _ range: Range<Int>, _ write: WriteState, releasing release: (RecordView, Int) throws -> Void
    ) throws {
        defer { dropPointers() }
        var remaining = range.count
        while remaining > 0 {
            let tree = try write.lists.tree(id)
            let (leaf, position) = try tree.leaf(holding: range.lowerBound)
            let slots = position..<min(position + remaining, leaf.count)
            for slot in slots where leaf.record.mayOwn(slot) { try release(leaf.record, slot) }
            try tree.remove(range.lowerBound..<range.lowerBound + slots.count)
            remaining -= slots.count
        }
    }
}

extension RecordBuilder {
    /// Whether the values added since `begin` still fit into an empty leaf with another one.
    fileprivate func takesInLeaf(_ value: StoredValue) -> Bool {
        let largestFixedByteCount = 16
        let byteCount =
            ListLeaf.frameByteCount + byteCount(of: 0..<slotCount) + 2
            + max(largestFixedByteCount, value.variableByteCount)
        return slotCount < ListNodeView.elementLimit && byteCount <= ListNodeView.byteLimit
    }
}
