import LMDB

/// Where the entries of a set or map lie, in order; good for one stamp.
struct EntryPositions {
    let id: UInt64
    let stamp: UInt64
    let entries: [(key: UnsafeRawBufferPointer, record: RecordView)]

    /// The position of an entry by its key.
    func position(of key: UnsafeRawBufferPointer) -> Int? {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].key.order(against: key) < 0 { low = middle + 1 } else { high = middle }
        }
        return low < entries.count && entries[low].key.elementsEqual(key) ? low : nil
    }
}

extension Connection {
    /// The key at a position that the map has, in the order of the keys' bytes. The positions of a collection are found
    /// once a stamp, in O(entries).
    package func mapKey(_ place: CollectionPlace, at position: Int) -> String {
        let entry = entry(place, at: position)
        return mapKey(entry.key, entry.record)
    }

    /// Lends the record whose slot 0 is the element or value at a position that the set or map has. See `mapKey`.
    package func withEntry<R>(_ place: CollectionPlace, at position: Int, _ body: (RecordView) -> R) -> R {
        body(entry(place, at: position).record)
    }

    /// The position of a value in a set; nil where the set does not have that.
    package func setPosition(_ place: CollectionPlace, of value: StoredValue) -> Int? {
        guard let id = collectionID(place) else { return nil }
        let positions = positions(id)
        return findEntry(place, .element(value)) { key, _ in positions.position(of: key) } ?? nil
    }

    /// Lends the records of a set or map from a position on, in order, until `body` answers false. Slot 0 is the element
    /// or value; `key` makes a map's key.
    package func forEachEntry(
        _ place: CollectionPlace, from position: Int = 0, _ body: (_ record: RecordView, _ key: () -> String) -> Bool
    ) {
        guard let id = collectionID(place) else { return }
        settleEntries()
        guard position == 0 else {
            for entry in positions(id).entries.dropFirst(position) {
                guard body(entry.record, { mapKey(entry.key, entry.record) }) else { return }
            }
            return
        }
        forEachEntry(id) { key, record in body(record) { mapKey(key, record) } }
    }

    private func entry(_ place: CollectionPlace, at position: Int) -> (key: UnsafeRawBufferPointer, record: RecordView)
    {
        guard let id = collectionID(place) else { preconditionFailure("an empty collection has no positions") }
        return positions(id).entries[position]
    }

    private func positions(_ id: UInt64) -> EntryPositions {
        settleEntries()
        if let entryPositions, entryPositions.id == id, entryPositions.stamp == stamp { return entryPositions }
        var entries: [(key: UnsafeRawBufferPointer, record: RecordView)] = []
        entries.reserveCapacity(entryCount(id))
        forEachEntry(id) { key, record in
            entries.append((key, record))
            return true
        }
        let positions = EntryPositions(id: id, stamp: stamp, entries: entries)
        entryPositions = positions
        return positions
    }

    /// Walks the entries of a set or map by its id, until `body` answers false. Nothing may wait.
    func forEachEntry(_ id: UInt64, _ body: (_ key: UnsafeRawBufferPointer, _ record: RecordView) -> Bool) {
        do {
            let cursor = try transaction.makeCursor(store.databases.entries)
            var isThere = try cursor.seekRange(ByteKey(id))
            while isThere, EntryKey.collectionID(of: cursor.key) == id {
                if let record = record(ofEntry: cursor.key, cursor.value) {
                    guard body(cursor.key, record) else { return }
                }
                isThere = try cursor.next()
            }
        } catch {
            unreadable(error)
        }
    }

    func mapKey(_ key: UnsafeRawBufferPointer, _ record: RecordView) -> String {
        EntryKey.isCut(key) ? string(record, EntryKey.keySlot) : EntryKey.text(of: key)
    }
}
