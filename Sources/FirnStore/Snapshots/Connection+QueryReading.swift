import LMDB

/// What a query reads beside records: collections by the ids that stand in them.
extension Connection {
    /// Makes ready for a query within a write: nothing waits any more, so that what is read next moves nothing that was lent.
    package func settleForQuery() {
        guard let write, !write.isLost else { return }
        do {
            try change { write in
                try settleLinks(write)
                try applyPending()
            }
        } catch {
            // A lost write is read as it was before it began.
            if !write.isLost { unreadable(error) }
        }
    }

    /// Lends the elements of the collection in a record's slot, in order, until `body` answers false; whether it never did.
    package func forEachElement(of record: RecordView, _ slot: Int, _ body: (RecordView, Int) -> Bool) -> Bool {
        guard record.tag(slot) == .collection else { return true }
        let (kind, id) = record.collection(slot)
        guard kind == CollectionKind.list.rawValue else {
            var isWhole = true
            forEachEntry(id) { _, record in
                isWhole = body(record, EntryKey.valueSlot)
                return isWhole
            }
            return isWhole
        }
        do {
            return try forEachListElement(id, body)
        } catch {
            unreadable(error)
        }
    }

    /// Lends the element at a position of the list in a record's slot, counted from the end where it is negative; nil where
    /// there is none.
    package func listElement(of record: RecordView, _ slot: Int, at index: Int) -> (record: RecordView, slot: Int)? {
        guard record.tag(slot) == .collection else { return nil }
        let (kind, id) = record.collection(slot)
        guard kind == CollectionKind.list.rawValue else { return nil }
        let index = index < 0 ? listCount(id) + index : index
        guard index >= 0 else { return nil }
        do {
            guard let (leaf, first) = try listLeaf(id, holding: index) else { return nil }
            return (leaf, index - first)
        } catch {
            unreadable(error)
        }
    }

    /// Lends the record whose slot 0 is the value for a key of the map in a record's slot; nil where there is none.
    package func mapEntry(of record: RecordView, _ slot: Int, key: String) -> RecordView? {
        guard record.tag(slot) == .collection else { return nil }
        let (kind, id) = record.collection(slot)
        guard kind == CollectionKind.map.rawValue else { return nil }
        do {
            EntryKey.make(id, key: key, into: &entryScratch)
            guard case .here(let record) = try findEntry(.key(key)) else { return nil }
            return record
        } catch {
            unreadable(error)
        }
    }

    /// Calls `body` with the keys of the map in a record's slot, in order, until it answers false; whether it never did.
    package func forEachMapKey(of record: RecordView, _ slot: Int, _ body: (String) -> Bool) -> Bool {
        guard record.tag(slot) == .collection else { return true }
        let (kind, id) = record.collection(slot)
        guard kind == CollectionKind.map.rawValue else { return true }
        var isWhole = true
        forEachEntry(id) { key, record in
            isWhole = body(mapKey(key, record))
            return isWhole
        }
        return isWhole
    }

    /// The number of elements of the collection in a record's slot.
    package func elementCount(of record: RecordView, _ slot: Int) -> Int {
        guard record.tag(slot) == .collection else { return 0 }
        let (kind, id) = record.collection(slot)
        return kind == CollectionKind.list.rawValue ? listCount(id) : entryCount(id)
    }
}
