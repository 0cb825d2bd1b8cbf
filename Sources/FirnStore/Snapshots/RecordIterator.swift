import LMDB

/// Walks a table in the order of its keys, leaf by leaf.
///
/// Tolerates changes between two steps: it then seeks anew behind the last key it gave.
@usableFromInline
package struct RecordIterator: IteratorProtocol {
    @usableFromInline
    package typealias Element = (key: ObjectKey, record: RecordView)

    @usableFromInline let connection: Connection
    @usableFromInline let table: TableID
    @usableFromInline var leaf: UnsafeRawPointer?
    @usableFromInline var index = 0
    @usableFromInline var count = 0
    @usableFromInline var stamp: UInt64 = 0
    /// The smallest key that was not given yet; nil at the end.
    @usableFromInline var nextKey: ObjectKey?
    private var cursor: Cursor?

    /// Starts at the first key not below `key`.
    @usableFromInline
    package init(_ connection: Connection, table: TableID, from key: ObjectKey = 0) {
        self.connection = connection
        self.table = table
        nextKey = key
    }

    /// The next object; its record is good for the connection's current stamp.
    @inlinable
    package mutating func next() -> Element? {
        if index == count || stamp != connection.stamp {
            guard advance() else { return nil }
        }
        guard let leaf else { return nil }
        let view = LeafView(leaf)
        let key = view.key(at: index)
        let record = view.record(at: index)
        index += 1
        nextKey = key == .max ? nil : key + 1
        return (key, record)
    }

    /// What is left of a leaf: the fastest way to walk many objects. The records are good for the connection's current
    /// stamp, and their keys ascend.
    @inlinable
    package mutating func nextRun() -> (leaf: LeafView, indices: Range<Int>)? {
        if index == count || stamp != connection.stamp {
            guard advance() else { return nil }
        }
        guard let leaf else { return nil }
        let view = LeafView(leaf)
        let indices = index..<count
        let lastKey = view.lastKey
        index = count
        nextKey = lastKey == .max ? nil : lastKey + 1
        return (view, indices)
    }

    /// Finds the leaf that holds `nextKey` or the first behind it.
    @usableFromInline
    mutating func advance() -> Bool {
        guard let key = nextKey else { return false }
        do {
            try connection.flushTails()
            var isThere: Bool
            if let cursor, stamp == connection.stamp {
                isThere = try cursor.next()
            } else {
                let fresh = try connection.transaction.makeCursor(connection.store.databases.objects)
                cursor = fresh
                stamp = connection.stamp
                isThere = try fresh.seekRange(LeafKey.make(table, key))
            }
            while isThere, let cursor, LeafKey.table(of: cursor.key) == table, let base = cursor.value.baseAddress {
                let view = LeafView(base)
                index = view.find(key).index
                count = view.count
                leaf = base
                if index < count { return true }
                isThere = try cursor.next()
            }
        } catch {
            connection.unreadable(error)
        }
        nextKey = nil
        leaf = nil
        index = 0
        count = 0
        return false
    }
}
