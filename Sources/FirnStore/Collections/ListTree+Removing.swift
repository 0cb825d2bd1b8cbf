extension ListTree {
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
    func mend(_ leaf: ListLeaf) throws {
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
}
