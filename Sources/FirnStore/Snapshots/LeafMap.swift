/// Where the leaves of a table lie at one version: for random look-ups, which else would descend LMDB's tree each.
///
/// Bounds stand in one array and are searched by interpolation: keys are mostly dense, so that the first guess is at
/// most a few leaves off. 16 bytes a leaf. Good for one stamp.
///
/// `@unchecked Sendable`: never changed once made, and the pointers lead into a snapshot, which does not change either.
final class LeafMap: @unchecked Sendable {
    let table: TableID
    private let bounds: [ObjectKey]
    let bases: [UnsafeRawPointer]
    /// Leaves per key, between the first bound and the last but one (the last leaf's is no bound to reckon with).
    private let density: Double

    /// Walks the table's leaves. The connection must not be writing.
    init(_ connection: Connection, table: TableID) {
        self.table = table
        var bounds: [ObjectKey] = []
        var bases: [UnsafeRawPointer] = []
        do {
            let cursor = try connection.transaction.makeCursor(connection.store.databases.objects)
            var isThere = try cursor.seekRange(LeafKey.make(table, 0))
            while isThere, LeafKey.table(of: cursor.key) == table, let base = cursor.value.baseAddress {
                bounds.append(LeafKey.bound(of: cursor.key))
                bases.append(base)
                isThere = try cursor.next()
            }
        } catch {
            connection.unreadable(error)
        }
        self.bounds = bounds
        self.bases = bases
        if bounds.count > 2, let first = bounds.first {
            density = Double(bounds.count - 2) / Double(bounds[bounds.count - 2] - first)
        } else {
            density = 0
        }
    }

    /// The leaf in whose range `key` falls. O(1) where keys are evenly spread, never worse than O(log leaves).
    func leaf(holding key: ObjectKey) -> (base: UnsafeRawPointer, bound: ObjectKey)? {
        let count = bounds.count
        return bounds.withUnsafeBufferPointer { bounds in
            guard count > 0 else { return nil }
            // The first bound that is not below the key lies in low...high.
            var low = 0
            var high = count - 1
            let first = bounds[0]
            if count > 1, key > bounds[count - 2] {
                low = high
            } else if count > 2, key > first {
                let guess = min(Int(Double(key - first) * density), count - 2)
                var step = 1
                if bounds[guess] >= key {
                    high = guess
                    while high - step > 0, bounds[high - step] >= key {
                        high -= step
                        step *= 2
                    }
                    low = max(high - step, 0)
                } else {
                    low = guess + 1
                    while low + step < count, bounds[low + step] < key {
                        low += step + 1
                        step *= 2
                    }
                    high = min(low + step, count - 1)
                }
            }
            while low < high {
                let middle = (low + high) / 2
                if bounds[middle] < key { low = middle + 1 } else { high = middle }
            }
            return (bases[low], bounds[low])
        }
    }
}
