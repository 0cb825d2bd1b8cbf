import LMDB

/// What a connection remembers of the lists it reads, so that reading on in a leaf does not search the tree again.
final class ListReading {
    /// The leaf that was read last, good for one stamp.
    struct Leaf {
        let place: CollectionPlace
        let record: RecordView
        /// The position of its first element, and of the one behind its last.
        let elements: Range<Int>
        let stamp: UInt64
    }

    /// An inner node that was read, good for one stamp.
    private struct Inner {
        let list: UInt64
        let node: UInt32
        let children: ListChildren
        let stamp: UInt64
    }

    @exclusivity(unchecked) var leaf: Leaf?
    /// By the lowest bits of their ids. Of a large list in a snapshot, these are most of what a search goes through.
    @exclusivity(unchecked) private var inner: [Inner?] = []

    private static var innerCount: Int { 256 }

    /// A node of a list; nil where there is none.
    func node(_ list: UInt64, _ node: UInt32, _ connection: Connection) throws -> ListNodeView? {
        let slot = Int(truncatingIfNeeded: node) & (ListReading.innerCount - 1)
        if !inner.isEmpty, let known = inner[slot], known.node == node, known.list == list,
            known.stamp == connection.stamp
        {
            return .inner(known.children)
        }
        let cursor = try connection.cursor(connection.store.databases.lists)
        guard try cursor.seek(ListNodeView.key(list, node)) else { return nil }
        let view: ListNodeView
        do {
            view = try ListNodeView(cursor.value)
        } catch {
            throw StoreError.damagedList(list, "node \(node): \(error)")
        }
        // A write may move nodes while the stamp stays.
        if case .inner(let children) = view, connection.write == nil {
            if inner.isEmpty { inner = Array(repeating: nil, count: ListReading.innerCount) }
            inner[slot] = Inner(list: list, node: node, children: children, stamp: connection.stamp)
        }
        return view
    }
}
