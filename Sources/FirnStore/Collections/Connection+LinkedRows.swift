import LMDB

extension Connection {
    /// Calls `body` with each object that the value of a column in a record links to, through collections of any depth, in
    /// no particular order. The stack does not grow with the depth.
    func forEachLinkedRow(_ record: RecordView, _ column: StoredColumn, _ body: (RowID) -> Void) throws {
        if let row = column.linkedRow(record, column.slot) { return body(row) }
        guard record.tag(column.slot) == .collection else { return }
        var waiting = [record.collection(column.slot)]
        while let (kind, id) = waiting.popLast() {
            try forEachElement(of: id, isList: kind == CollectionKind.list.rawValue) { record, slot in
                if record.tag(slot) == .collection {
                    waiting.append(record.collection(slot))
                } else if let row = column.linkedRow(record, slot) {
                    body(row)
                }
            }
        }
    }

    /// Calls `body` with the record and slot of each element of a collection, in order. It must not change anything.
    func forEachElement(of id: UInt64, isList: Bool, _ body: (RecordView, Int) -> Void) throws {
        guard isList else {
            if let write, !write.isLost { try flushEntries(write) }
            return forEachEntry(id) { _, record in
                body(record, EntryKey.valueSlot)
                return true
            }
        }
        _ = try forEachListElement(id) { record, slot in
            body(record, slot)
            return true
        }
    }
}
