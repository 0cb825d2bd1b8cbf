extension ListTree {
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
        if position == leaf.count, leaf.append(values) {
            addToPath(values.slotCount)
        } else if leaf.fits(values, 0..<values.slotCount) {
            leaf.insert(values, 0..<values.slotCount, at: position)
            addToPath(values.slotCount)
        } else {
            try prepareIDs()
            try overflow(leaf, inserting: values, at: position, index, sharing)
        }
    }

    /// Puts a value, which a record may hold, behind the last element, if the leaf that was changed last is the list's last
    /// one and takes it.
    func appendToLeaf(_ value: StoredValue) -> Bool {
        guard let last = hotLast else { return false }
        // SAFETY: `last` keeps the leaf, and nothing here changes that.
        let isAppended = last.leaf._withUnsafeGuaranteedRef { leaf in
            guard last.first + leaf.count == count else { return false }
            inserting.begin()
            inserting.add(value)
            return leaf.append(inserting)
        }
        if isAppended { addToPath(1) }
        return isAppended
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
}
