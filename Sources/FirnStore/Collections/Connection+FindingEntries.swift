import LMDB

/// What an entry is known by.
enum EntryName {
    case element(StoredValue)
    case key(String)

    /// What the entry's record holds of it where the key is cut, and in which slot.
    var whole: (value: StoredValue, slot: Int) {
        switch self {
        case .element(let value): (value, EntryKey.valueSlot)
        case .key(let key): (.string(key), EntryKey.keySlot)
        }
    }
}

/// Where an entry is, or would be.
enum EntrySite {
    /// Where the cursor stands.
    case here
    /// Not there; `isLast` where it would be the last of the database.
    case absent(isLast: Bool)
}

/// Entries by their names.
extension Connection {
    func makeEntryKey(_ id: UInt64, _ name: EntryName, _ column: StoredColumn) {
        switch name {
        case .element(let value): EntryKey.make(id, element: value, column.type, into: &entryScratch)
        case .key(let key): EntryKey.make(id, key: key, into: &entryScratch)
        }
    }

    /// Lends an entry; nil where there is none of that name.
    func findEntry<R>(
        _ place: CollectionPlace, _ name: EntryName, _ body: (_ key: UnsafeRawBufferPointer, RecordView) -> R
    ) -> R? {
        guard let id = collectionID(place), let column = column(of: place) else { return nil }
        do {
            makeEntryKey(id, name, column)
            let cursor = try entriesCursor()
            guard case .here = try seekEntry(name, cursor), let base = cursor.value.baseAddress else { return nil }
            return body(cursor.key, RecordView(base))
        } catch {
            unreadable(error)
        }
    }

    /// Lends the key of a set's element; nil where the set does not have that.
    func withElementKey<R>(
        _ place: CollectionPlace, _ value: StoredValue, _ body: (UnsafeRawBufferPointer) -> R
    ) -> R? {
        findEntry(place, .element(value)) { key, _ in body(key) }
    }

    /// Moves to the entry whose key, up to the cut, is in `entryScratch`. Where there is none, and the key is cut, what
    /// tells it from the others is appended.
    func seekEntry(_ name: EntryName, _ cursor: Cursor) throws -> EntrySite {
        guard entryScratch.isCut else {
            guard try cursor.seekRange(entryScratch.bytes) else { return .absent(isLast: true) }
            return cursor.key.elementsEqual(entryScratch.bytes) ? .here : .absent(isLast: false)
        }
        entryScratch.truncate(to: KeyBuffer.keyLimit)
        let whole = name.whole
        var next: UInt32 = 0
        var isThere = try cursor.seekRange(entryScratch.bytes)
        while isThere, EntryKey.isCut(cursor.key), cursor.key.starts(with: entryScratch.bytes),
            let base = cursor.value.baseAddress
        {
            if isEqual(RecordView(base), whole.slot, whole.value) { return .here }
            next = EntryKey.tieBreaker(of: cursor.key) + 1
            isThere = try cursor.next()
        }
        entryScratch.appendBehindCut(next)
        return .absent(isLast: !isThere)
    }

    /// A cursor over `entries` of the transaction that is read, for one look.
    func entriesCursor() throws -> Cursor {
        if let write, !write.isLost { return try write.cursor(store.databases.entries) }
        if let snapshotEntries { return snapshotEntries }
        let cursor = try snapshot.transaction.makeCursor(store.databases.entries)
        snapshotEntries = cursor
        return cursor
    }
}
