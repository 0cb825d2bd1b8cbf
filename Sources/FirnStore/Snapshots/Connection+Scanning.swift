extension Connection {
    /// Calls `body` with each object from the first key not below `key`, in the order of keys, until it answers false.
    @inlinable
    package func forEachRecord(
        in table: TableID, from key: ObjectKey = 0, _ body: (ObjectKey, RecordView) throws -> Bool
    ) rethrows {
        var iterator = RecordIterator(self, table: table, from: key)
        while let (leaf, indices) = iterator.nextRun() {
            var index = indices.lowerBound
            while index < indices.upperBound {
                guard try body(leaf.key(at: index), leaf.record(at: index)) else { return }
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
        var iterator = RecordIterator(self, table: table)
        return iterator.next()?.key
    }

    /// The largest key of `table`. One descent.
    package func lastKey(_ table: TableID) -> ObjectKey? {
        guard let leaf = leaf(table, holding: .max), leaf.count > 0 else { return nil }
        return leaf.lastKey
    }
}
