/// Where the leaves of a table lie at one version: for random look-ups, which else would descend LMDB's tree each.
///
/// Bounds stand in one array and are searched by interpolation: keys are mostly dense. 16 bytes a leaf. Good for one stamp.
///
/// `@unchecked Sendable`: never changed once made, and the pointers lead into a snapshot, which does not change either.
final class LeafMap: @unchecked Sendable {
    let table: TableID
    /// The bounds of all leaves but the last, which is no bound to reckon with.
    private let bounds: AscendingNumbers
    private let lastBound: ObjectKey
    let bases: [UnsafeRawPointer]

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
        lastBound = bounds.popLast() ?? 0
        self.bounds = AscendingNumbers(bounds)
        self.bases = bases
    }

    /// The leaf in whose range `key` falls. O(1) where keys are evenly spread, never worse than O(log leaves).
    func leaf(holding key: ObjectKey) -> (base: UnsafeRawPointer, bound: ObjectKey)? {
        if bases.isEmpty { return nil }
        let index = bounds.firstIndex(notBelow: key)
        return (bases[index], index < bases.count - 1 ? bounds[index] : lastBound)
    }
}
