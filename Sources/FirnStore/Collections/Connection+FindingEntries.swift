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
    /// Good until the next change.
    case here(RecordView)
    /// Not there; `isLast` where it would be behind all that LMDB has.
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

    /// Puts the whole key of an entry into `entryScratch`.
    func makeEntryKey(_ key: UnsafeRawBufferPointer) {
        entryScratch.removeAll()
        entryScratch.append(key)
        if EntryKey.isCut(key) { entryScratch.appendBehindCut(EntryKey.tieBreaker(of: key)) }
    }

    /// Lends an entry and its key; nil where there is none of that name. The key is good until the next one is made.
    func findEntry<R>(
        _ place: CollectionPlace, _ name: EntryName, _ body: (_ key: UnsafeRawBufferPointer, RecordView) -> R
    ) -> R? {
        do {
            if let open = openEntries(place) {
                guard let id = open.id else { return nil }
                makeEntryKey(id, name, open.owner.column)
            } else {
                guard let id = collectionID(place), let column = column(of: place) else { return nil }
                makeEntryKey(id, name, column)
            }
            if entryScratch.isCut { settleEntries() }
            guard case .here(let record) = try findEntry(name) else { return nil }
            return body(entryScratch.bytes, record)
        } catch {
            unreadable(error)
        }
    }

    /// Finds the entry whose key, up to the cut, is in `entryScratch`; its whole key then is. Where the key is cut, nothing
    /// may wait.
    func findEntry(_ name: EntryName) throws -> EntrySite {
        if entryScratch.isCut { return try findCutEntry(name) }
        return try entryRecord().map(EntrySite.here) ?? .absent(isLast: false)
    }

    /// The record of the entry whose whole key is in `entryScratch`, which waits or is LMDB's.
    func entryRecord() throws -> RecordView? {
        if let write, !write.isLost, !entryScratch.isCut {
            switch write.entries.find(entryScratch.bytes) {
            case .record(let record): return record
            case .gone: return nil
            case nil: if !write.entries.mayBeStored(entryScratch.bytes) { return nil }
            }
        }
        let cursor = try cursor(store.databases.entries)
        guard try cursor.seek(entryScratch.bytes), let base = cursor.value.baseAddress else { return nil }
        return RecordView(base)
    }

    /// As `findEntry` of a key that is cut: asks each entry whose key is cut to the same bytes for its whole name. Where
    /// none has this one, what tells it from the others is appended.
    private func findCutEntry(_ name: EntryName) throws -> EntrySite {
        entryScratch.truncate(to: KeyBuffer.keyLimit)
        let whole = name.whole
        let cursor = try cursor(store.databases.entries)
        var next: UInt32 = 0
        var isThere = try cursor.seekRange(entryScratch.bytes)
        while isThere, EntryKey.isCut(cursor.key), cursor.key.starts(with: entryScratch.bytes),
            let base = cursor.value.baseAddress
        {
            let tieBreaker = EntryKey.tieBreaker(of: cursor.key)
            if isEqual(RecordView(base), whole.slot, whole.value) {
                entryScratch.appendBehindCut(tieBreaker)
                return .here(RecordView(base))
            }
            next = tieBreaker + 1
            isThere = try cursor.next()
        }
        entryScratch.appendBehindCut(next)
        return .absent(isLast: !isThere)
    }
}
