import LMDB

/// Walks the leaves of a table in the order of their keys.
package struct LeafWalker {
    private let connection: Connection
    private let table: TableID
    private let cursor: Cursor
    private var isThere: Bool

    /// Starts at the leaf in whose range `key` falls. The store must not change while it walks.
    package init(_ connection: Connection, table: TableID, from key: ObjectKey = 0) {
        self.connection = connection
        self.table = table
        do {
            try connection.flushTails()
            cursor = try connection.transaction.makeCursor(connection.store.databases.objects)
            isThere = try cursor.seekRange(LeafKey.make(table, key))
        } catch {
            connection.unreadable(error)
        }
    }

    /// The next leaf.
    package mutating func next() -> LeafView? {
        guard isThere, LeafKey.table(of: cursor.key) == table, let base = cursor.value.baseAddress else { return nil }
        do {
            isThere = try cursor.next()
        } catch {
            connection.unreadable(error)
        }
        return LeafView(base)
    }
}

extension Connection {
    /// Calls `body` with each object from the first key not below `key`, in the order of keys, until it answers false.
    /// `body` must not change the store.
    @inlinable
    package func forEachRecord(
        in table: TableID, from key: ObjectKey = 0, _ body: (ObjectKey, RecordView) throws -> Bool
    ) rethrows {
        var walker = LeafWalker(self, table: table, from: key)
        var start = key
        while let leaf = walker.next() {
            let count = leaf.count
            // The width and the base are read once a leaf: the compiler cannot know that `body` leaves them alone.
            let width = leaf.deltaWidth
            let baseKey = leaf.baseKey
            var index = start == 0 ? 0 : leaf.find(start).index
            start = 0
            while index < count {
                let offset = leaf.entryOffset(at: index, width: width)
                let record = RecordView(leaf.base + Int(leaf.base.littleEndian(at: offset &+ width, as: UInt16.self)))
                guard try body(baseKey &+ leaf.delta(at: index, width: width), record) else { return }
                index &+= 1
            }
        }
    }

    /// All keys of `table`, in order; O(objects).
    package func keys(in table: TableID) -> [ObjectKey] {
        var keys: [ObjectKey] = []
        keys.reserveCapacity(count(table))
        forEachRecord(in: table) { key, _ in
            keys.append(key)
            return true
        }
        return keys
    }

    /// The smallest key of `table`.
    package func firstKey(_ table: TableID) -> ObjectKey? {
        var walker = LeafWalker(self, table: table)
        return walker.next()?.firstKey
    }

    /// The largest key of `table`. One descent.
    package func lastKey(_ table: TableID) -> ObjectKey? {
        guard let leaf = leaf(table, holding: .max), leaf.count > 0 else { return nil }
        return leaf.lastKey
    }
}
