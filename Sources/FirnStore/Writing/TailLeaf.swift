/// The last leaf of a table while a write appends to it: a copy in memory, so that appending an object does not
/// descend the tree. It owns every key from `lowest` on; what LMDB holds in its place is stale while `isDirty`.
final class TailLeaf {
    let base: UnsafeMutableRawPointer
    /// The smallest key that belongs here: one above the bound of the leaf before it, or 0.
    @exclusivity(unchecked) var lowest: ObjectKey
    /// Whether LMDB does not have this content yet.
    @exclusivity(unchecked) var isDirty = false

    init(lowest: ObjectKey) {
        base = UnsafeMutableRawPointer.allocate(byteCount: Leaf.byteCount, alignment: 16)
        self.lowest = lowest
    }

    deinit {
        base.deallocate()
    }
}
