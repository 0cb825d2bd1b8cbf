import LMDB

/// Look-ups by ranges of values, through a column's index.
extension Connection {
    /// Calls `body` with the ordered value, cut at 480 bytes with the index's id, and the key of each object whose value is in a
    /// range, until it answers false: values ascending, or descending, and the keys of one value ascending. Costs one search
    /// and then what is read.
    package func forEachIndexEntry(
        _ table: TableID, _ column: StoredColumn, in range: IndexRange, backwards isBackwards: Bool = false,
        _ body: (_ value: UnsafeRawBufferPointer, ObjectKey) -> Bool
    ) {
        if range.isEmpty { return }
        do {
            let entries = try settledEntries(table, column)
            try isBackwards ? entries.forEachBackwards(in: range, body) : entries.forEach(in: range, body)
        } catch {
            unreadable(error)
        }
    }

    /// How many objects have a value in a range, or the limit where there are at least so many.
    package func indexEntryCount(
        _ table: TableID, _ column: StoredColumn, in range: IndexRange, atMost limit: Int
    ) -> Int {
        if range.isEmpty { return 0 }
        do {
            return try settledEntries(table, column).count(in: range, atMost: limit)
        } catch {
            unreadable(error)
        }
    }

    /// The column's entries, with nothing waiting. Traps where there is no index.
    private func settledEntries(_ table: TableID, _ column: StoredColumn) throws -> IndexEntries {
        guard let index = column.index else {
            preconditionFailure("a look-up by a range of values needs an index; scan the table instead")
        }
        if let write, !write.isLost, let pending = write.existingTable(table)?.index(of: column) { try apply(pending) }
        return entries(of: index, column, try indexCursor())
    }
}
