import LMDB

/// Look-ups by ranges of values, through an index over one column or several.
extension Connection {
    /// Calls `body` with the ordered value, cut at 480 bytes with the index's id, and the key of each object whose value is in a
    /// range, until it answers false: values ascending, or descending, and the keys of one value ascending. Costs one search
    /// and then what is read.
    package func forEachIndexEntry(
        _ table: TableID, _ column: StoredColumn, in range: IndexRange, backwards isBackwards: Bool = false,
        _ body: (_ value: UnsafeRawBufferPointer, ObjectKey) -> Bool
    ) {
        forEachIndexEntry(table, index(over: column), in: range, backwards: isBackwards, body)
    }

    /// The same through any index of a table: the ordered values of its columns stand one after the other.
    package func forEachIndexEntry(
        _ table: TableID, _ index: StoredIndex, in range: IndexRange, backwards isBackwards: Bool = false,
        _ body: (_ values: UnsafeRawBufferPointer, ObjectKey) -> Bool
    ) {
        if range.isEmpty { return }
        do {
            let entries = try settledEntries(table, index)
            try isBackwards ? entries.forEachBackwards(in: range, body) : entries.forEach(in: range, body)
        } catch {
            unreadable(error)
        }
    }

    /// The smallest key of an object whose value is the one of a range that has one alone. Costs one search.
    package func firstIndexKey(_ table: TableID, _ index: StoredIndex, ofValueIn range: IndexRange) -> ObjectKey? {
        precondition(range.isOneValue, "the first key is that of one value; walk the entries of a range")
        do {
            if write == nil, let map = try indexMap(index),
                let first = IndexKey.withEntryKey(index.id, range.lower, { map.first($0) })
            {
                return first
            }
            return try settledEntries(table, index).first(ofValueIn: range)
        } catch {
            unreadable(error)
        }
    }

    /// Calls `body` with each value that objects have, as it stands in an index, and the smallest key of those objects, until it
    /// answers false: values ascending. Costs one search a value; of values of which most objects have their own, a step each.
    package func forEachIndexValue(
        _ table: TableID, _ index: StoredIndex, _ body: (_ value: UnsafeRawBufferPointer, ObjectKey) -> Bool
    ) {
        do {
            try settledEntries(table, index).forEachValue(body)
        } catch {
            unreadable(error)
        }
    }

    /// How many objects have a value in a range, or the limit where there are at least so many.
    package func indexEntryCount(
        _ table: TableID, _ column: StoredColumn, in range: IndexRange, atMost limit: Int
    ) -> Int {
        indexEntryCount(table, index(over: column), in: range, atMost: limit)
    }

    /// The same through any index of a table.
    package func indexEntryCount(
        _ table: TableID, _ index: StoredIndex, in range: IndexRange, atMost limit: Int
    ) -> Int {
        if range.isEmpty { return 0 }
        do {
            return try settledEntries(table, index).count(in: range, atMost: limit)
        } catch {
            unreadable(error)
        }
    }

    /// The index's map, made once so many look-ups went through LMDB that it pays.
    @inline(__always)
    private func indexMap(_ index: StoredIndex) throws -> IndexMap? {
        for map in indexMaps where map.id == index.id { return map }
        indexDescents &+= 1
        return indexDescents & 255 == 0 ? try makeIndexMap(index) : nil
    }

    @inline(never)
    private func makeIndexMap(_ index: StoredIndex) throws -> IndexMap? {
        // Making it costs about 10 ns a page, each look-up without it about 500 ns.
        guard indexDescents >= (try snapshot.transaction.statistics(store.databases.index).pageCount) / 64,
            let map = try IndexMap(index, in: snapshot)
        else { return nil }
        indexMaps.append(map)
        return map
    }

    private func index(over column: StoredColumn) -> StoredIndex {
        guard let index = column.index else {
            preconditionFailure("a look-up by a range of values needs an index; scan the table instead")
        }
        return index
    }

    /// An index's entries, with nothing waiting.
    private func settledEntries(_ table: TableID, _ index: StoredIndex) throws -> IndexEntries {
        if let write, !write.isLost, let pending = write.existingTable(table)?.index(index.id) { try apply(pending) }
        return entries(of: index, try cursor(store.databases.index))
    }
}
