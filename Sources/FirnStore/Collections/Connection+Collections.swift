import LMDB

extension Connection {
    /// Whether the object is there and, for a collection nested in an `any`, whether that still is.
    package func exists(_ place: CollectionPlace) -> Bool {
        guard contains(place.row.table, place.row.key) else { return false }
        guard let id = place.nestedID else { return true }
        return kind(ofNested: id) != nil
    }

    /// The number of elements: 0 for a collection that is not there.
    package func count(_ place: CollectionPlace) -> Int {
        if let count = openListCount(place) { return count }
        if let open = openEntries(place) { return open.id.map { entryCount($0) } ?? 0 }
        guard let id = collectionID(place), let kind = kind(of: place) else { return 0 }
        return kind == .list ? listCount(id) : entryCount(id)
    }

    /// Removes all elements. Embedded objects among them are deleted.
    package func removeAll(_ place: CollectionPlace) throws(StoreError) {
        try change { write in
            let owner = try owner(of: place)
            guard count(place) > 0, let id = collectionID(place), let kind = kind(of: place) else { return }
            try drop(Releases.Collection(kind: kind, id: id, row: place.row, slot: place.slot), write)
            if place.nestedID == nil { try dropCollectionID(place, write) } else { try putEmpty(kind, id, write) }
            try noteChange(owner, write)
        }
    }

    /// Makes an empty list or map, which the caller puts into an `any` column, or into a collection in one. One that
    /// nobody took goes at commit.
    package func makeCollection(_ kind: CollectionKind) throws(StoreError) -> StoredValue {
        precondition(kind != .set, "a set cannot be a value in an any")
        return try change { write in
            let id = write.makeID()
            try putEmpty(kind, id, write)
            write.looseCollections[id] = LooseCollection(kind: kind)
            return .collection(kind: kind.rawValue, id: id)
        }
    }

    /// What kind of collection hangs at a place; nil for a nested one that is not there.
    func kind(of place: CollectionPlace) -> CollectionKind? {
        if let id = place.nestedID { return kind(ofNested: id) }
        return column(of: place)?.collection
    }

    /// The column in which a collection stands.
    func column(of place: CollectionPlace) -> StoredColumn? {
        if let newestColumn, newestColumn.table == place.row.table, newestColumn.column.slot == place.slot {
            return newestColumn.column
        }
        guard let column = schema[place.row.table]?.columns.first(where: { $0.slot == place.slot }) else { return nil }
        newestColumn = (place.row.table, column)
        return column
    }

    private func kind(ofNested id: UInt64) -> CollectionKind? {
        do {
            if listExists(id) { return .list }
            if let write, !write.isLost, write.entryCounts[id] != nil { return .map }
            return try storedEntryCount(id) == nil ? nil : .map
        } catch {
            unreadable(error)
        }
    }

    /// Stores what marks an empty nested collection as there.
    private func putEmpty(_ kind: CollectionKind, _ id: UInt64, _ write: WriteState) throws {
        if kind == .list {
            try makeList(id, write)
        } else {
            write.entryCounts[id] = 0
        }
    }

    func dropEmpty(_ kind: CollectionKind, _ id: UInt64, _ write: WriteState) throws {
        guard kind == .map else { return try dropList(id, write) }
        write.entryCounts[id] = nil
        let cursor = try write.cursor(store.databases.entries)
        if try cursor.seek(ByteKey(id)) { try cursor.delete() }
        dropPointers()
    }

    // MARK: Counting

    /// The number of a set's or map's entries.
    func entryCount(_ id: UInt64) -> Int {
        if let write, !write.isLost, let count = write.entryCounts[id] { return count }
        do {
            return try storedEntryCount(id) ?? 0
        } catch {
            unreadable(error)
        }
    }

    private func storedEntryCount(_ id: UInt64) throws -> Int? {
        guard let bytes = try transaction.get(store.databases.entries, ByteKey(id)), bytes.count == 8 else {
            return nil
        }
        return Int(truncatingIfNeeded: UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)))
    }

    // MARK: Entries

    /// The record of a set's or map's entry; nil for the one that holds the count.
    func record(ofEntry key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> RecordView? {
        guard let base = value.baseAddress, key.count > 8 else { return nil }
        return RecordView(base)
    }

    // MARK: Dropping

    /// Takes a collection out of the file; what its elements owned is released.
    func drop(_ collection: Releases.Collection, _ write: WriteState) throws {
        guard let column = try tableWriter(collection.row.table).column(slot: collection.slot)?.column else { return }
        let owner = ElementOwner(row: collection.row, column: column)
        let mayOwn = collection.kind == .map || column.type.mayOwn
        if collection.kind == .list {
            return try dropList(
                collection.id, write, releasing: mayOwn ? { try self.release($0, $1, owner, write) } : nil)
        }
        try flushEntries(write)
        let cursor = try write.cursor(store.databases.entries)
        // Each step seeks anew: where a cursor stands after a deletion differs between versions of LMDB.
        while try cursor.seekRange(ByteKey(collection.id)), EntryKey.collectionID(of: cursor.key) == collection.id {
            if mayOwn, let record = record(ofEntry: cursor.key, cursor.value) {
                for slot in 0..<record.slotCount { try release(record, slot, owner, write) }
            }
            try cursor.delete()
        }
        write.entryCounts[collection.id] = nil
        dropPointers()
    }
}

extension ColumnType {
    /// Whether a value of this type can own something beside its record: a blob, a link, a collection.
    var mayOwn: Bool {
        switch self {
        case .string, .data, .link, .any, .coded: true
        case .bool, .int, .float, .double, .decimal, .date, .objectID, .uuid: false
        }
    }
}
