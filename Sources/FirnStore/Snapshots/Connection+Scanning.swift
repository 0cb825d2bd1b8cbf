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

    /// How many objects have keys in a range, or the limit where there are at least so many. Reads as many leaves as that takes; a
    /// range of fewer keys than the limit counts as full, and nothing is read.
    package func count(_ table: TableID, keys range: ClosedRange<ObjectKey>, atMost limit: Int) -> Int {
        let others = range.upperBound - range.lowerBound
        if others < UInt64(max(limit, 0)) { return Int(others) + 1 }
        var count = 0
        var iterator = RecordIterator(self, table: table, from: range.lowerBound)
        while count < limit, let (leaf, run) = iterator.nextRun() {
            guard leaf.key(at: run.upperBound - 1) <= range.upperBound else {
                let place = leaf.find(range.upperBound)
                count += place.index + (place.isFound ? 1 : 0) - run.lowerBound
                break
            }
            count += run.count
        }
        return min(count, limit)
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
