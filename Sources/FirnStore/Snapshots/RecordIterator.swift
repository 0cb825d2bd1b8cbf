import LMDB

/// Walks a table in the order of its keys, leaf by leaf, one leaf ahead of what it gives: by the time a leaf is read, its
/// bytes are on their way.
///
/// Tolerates changes between two steps: it then seeks anew behind the last key it gave.
@usableFromInline
package struct RecordIterator: IteratorProtocol {
    @usableFromInline
    package typealias Element = (key: ObjectKey, record: RecordView)

    /// A leaf and the upper bound of its keys.
    @usableFromInline
    struct Place {
        @usableFromInline let leaf: LeafView
        @usableFromInline let bound: ObjectKey
    }

    @usableFromInline let connection: Connection
    @usableFromInline let table: TableID
    @usableFromInline var current: Place?
    @usableFromInline var index = 0
    @usableFromInline var count = 0
    @usableFromInline var stamp: UInt64 = 0
    /// The smallest key that was not given yet, but within a leaf; nil at the end.
    @usableFromInline package internal(set) var nextKey: ObjectKey?
    private var cursor: Cursor?
    private var following: Place?

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
        guard let leaf = current?.leaf else { return nil }
        let key = leaf.key(at: index)
        let record = leaf.record(at: index)
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
        guard let current else { return nil }
        let indices = index..<count
        index = count
        nextKey = current.bound == .max ? nil : current.bound + 1
        return (current.leaf, indices)
    }

    /// Moves to the leaf that holds `nextKey` or the first behind it.
    @usableFromInline
    mutating func advance() -> Bool {
        guard let key = nextKey else { return false }
        do {
            try connection.flushTails()
            if let cursor, stamp == connection.stamp {
                current = following
                index = 0
                following = current == nil ? nil : try step(cursor, isThere: cursor.next())
            } else {
                let fresh = try connection.transaction.makeCursor(connection.store.databases.objects)
                cursor = fresh
                stamp = connection.stamp
                current = try step(fresh, isThere: fresh.seekRange(LeafKey.make(table, key)))
                index = current?.leaf.find(key).index ?? 0
                following = current == nil ? nil : try step(fresh, isThere: fresh.next())
            }
        } catch {
            connection.unreadable(error)
        }
        count = current?.leaf.count ?? 0
        if index < count { return true }
        // The first leaf of a walk may have nothing behind the key where it began; no other is empty.
        guard current != nil else {
            nextKey = nil
            return false
        }
        nextKey = current.flatMap { $0.bound == .max ? nil : $0.bound + 1 }
        return advance()
    }

    /// The leaf at which the cursor stands, if it is one of the table.
    private func step(_ cursor: Cursor, isThere: Bool) throws -> Place? {
        guard isThere, LeafKey.table(of: cursor.key) == table, let base = cursor.value.baseAddress else { return nil }
        let leaf = LeafView(base)
        leaf.prefetch()
        return Place(leaf: leaf, bound: LeafKey.bound(of: cursor.key))
    }
}
