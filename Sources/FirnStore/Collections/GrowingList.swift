/// A list that a write appends to, with all that one more element needs: good for one stamp.
///
/// All in it is constant, so that an append counts no references.
final class GrowingList {
    let place: CollectionPlace
    let stamp: UInt64
    private let tree: ListTree
    private let write: WriteState
    private let origin: ObjectKey
    private let column: ColumnID
    /// The table that links lead to; nil where they say so themselves.
    private let target: TableID?

    init(_ list: OpenList, _ tree: ListTree, _ write: WriteState, _ stamp: UInt64) {
        place = list.place
        self.stamp = stamp
        self.tree = tree
        self.write = write
        origin = list.owner.row.key
        column = list.owner.column.id
        target = list.owner.column.target
    }

    /// Puts a value, which is no more than its bytes or a link, into the list's last leaf; false where that does not take it,
    /// and where there is more to be done.
    ///
    /// The stamp stays: this calls nothing of LMDB, moves no element to another leaf, and the last leaf's record stays where
    /// it is (see `ListLeaf`). So everything that was lent is as good as before.
    func append(_ value: StoredValue) -> Bool {
        switch value {
        case .link(let key):
            guard let target else { return false }
            return append(value, linkingTo: target, key)
        case .typedLink(let table, let key): return append(value, linkingTo: TableID(rawValue: table), key)
        case .collection: return false
        default: return value.variableByteCount <= Blob.inlineByteLimit && tree.appendToLeaf(value)
        }
    }

    @inline(__always)
    private func append(_ value: StoredValue, linkingTo table: TableID, _ key: ObjectKey) -> Bool {
        guard write.hasRoom, tree.appendToLeaf(value) else { return false }
        write.noteLink(to: RowID(table: table, key: key), from: origin, column, delta: 1)
        return true
    }
}
