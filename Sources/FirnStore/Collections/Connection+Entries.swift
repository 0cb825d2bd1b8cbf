import LMDB

extension Connection {
    // MARK: Sets

    /// Whether a set has a value, by the equality of ordered values: in an `any`, numbers of all types compare.
    package func setContains(_ place: CollectionPlace, _ value: StoredValue) -> Bool {
        findEntry(place, .element(value)) { _, _ in true } ?? false
    }

    /// Adds a value to a set; false where it has that already.
    @discardableResult
    package func setInsert(_ place: CollectionPlace, _ value: StoredValue) throws(StoreError) -> Bool {
        if case .collection = value { preconditionFailure("a set does not hold collections") }
        return try putEntry(place, .element(value), value)
    }

    /// Removes a value from a set; false where it does not have that.
    @discardableResult
    package func setRemove(_ place: CollectionPlace, _ value: StoredValue) throws(StoreError) -> Bool {
        try removeEntry(place, .element(value))
    }

    // MARK: Maps

    /// Lends the record whose slot 0 is the value for a key; nil where the map does not have that.
    package func withMapValue<R>(_ place: CollectionPlace, _ key: String, _ body: (RecordView) -> R) -> R? {
        findEntry(place, .key(key)) { _, record in body(record) }
    }

    /// The value for a key; nil where the map does not have that.
    package func mapValue(_ place: CollectionPlace, _ key: String) -> StoredValue? {
        withMapValue(place, key) { value($0, EntryKey.valueSlot) }
    }

    /// Puts a value under a key. An equal one is no change; an embedded object that goes is deleted. Throws
    /// `.invalidMapKey` for a key with `.` or `$`.
    package func mapSet(_ place: CollectionPlace, _ key: String, _ value: StoredValue) throws(StoreError) {
        _ = try putEntry(place, .key(key), value)
    }

    /// Removes a key; false where the map does not have that. An embedded object that goes is deleted.
    @discardableResult
    package func mapRemove(_ place: CollectionPlace, _ key: String) throws(StoreError) -> Bool {
        try removeEntry(place, .key(key))
    }

    // MARK: Changing entries

    /// Puts a value under an entry's name; false where that changes nothing.
    private func putEntry(
        _ place: CollectionPlace, _ name: EntryName, _ value: StoredValue
    ) throws(StoreError) -> Bool {
        try change { write in
            let owner = try owner(of: place)
            if case .key(let key) = name { try EntryKey.validate(key) }
            let byteCount = max(value.variableByteCount, name.whole.value.variableByteCount)
            guard byteCount <= valueByteLimit else { throw StoreError.valueTooLarge(byteCount) }
            let cursor = try write.cursor(store.databases.entries)
            let oldID = collectionID(place)
            if let oldID {
                makeEntryKey(oldID, name, owner.column)
                if case .here = try seekEntry(name, cursor), let base = cursor.value.baseAddress {
                    // A set's element is its own name.
                    if case .element = name { return false }
                    return try replaceEntryValue(RecordView(base), value, owner, cursor, write)
                }
            }
            let stored = try acquire(value, owner, write)
            let id = try oldID ?? makeCollectionID(place, write)
            makeEntryKey(id, name, owner.column)
            try insertEntry(name, stored, cursor, write)
            write.entryCounts[id] = entryCount(id) + 1
            try noteChange(owner, write)
            return true
        }
    }

    /// Inserts an entry whose key, up to the cut, is in `entryScratch`.
    private func insertEntry(
        _ name: EntryName, _ value: StoredValue, _ cursor: Cursor, _ write: WriteState
    ) throws {
        let builder = recordWriter.builder
        var keyBlob = StoredValue.null
        if entryScratch.isCut, case .key(let key) = name { keyBlob = try makeStorable(.string(key), write) }
        builder.begin()
        builder.add(value)
        if !keyBlob.isNull { builder.add(keyBlob) }
        let record = try fitEntry(builder.finish(), write)
        guard case .absent(let isLast) = try seekEntry(name, cursor) else {
            preconditionFailure("an entry is inserted where none is")
        }
        // What is inserted in order fills its pages.
        try cursor.put(entryScratch.bytes, record, isLast ? .append : [])
    }

    /// Gives the map's entry on which the cursor stands another value; false where it has that already.
    private func replaceEntryValue(
        _ record: RecordView, _ value: StoredValue, _ owner: ElementOwner, _ cursor: Cursor, _ write: WriteState
    ) throws -> Bool {
        if isEqual(record, EntryKey.valueSlot, value) { return false }
        var key = KeyBuffer(limit: .max)
        key.append(cursor.key)
        let stored = try acquire(value, owner, write)
        // A blob that was written may have moved the page.
        guard try cursor.seek(key.bytes), let base = cursor.value.baseAddress else { throw StoreError.lostEntry() }
        try release(RecordView(base), EntryKey.valueSlot, owner, write)
        let rebuilt = recordWriter.builder.rebuild(RecordView(base), replacing: EntryKey.valueSlot, with: stored)
        try cursor.put(key.bytes, try fitEntry(rebuilt, write))
        dropPointers()
        try noteChange(owner, write)
        return true
    }

    private func removeEntry(_ place: CollectionPlace, _ name: EntryName) throws(StoreError) -> Bool {
        try change { write in try removeEntry(place, name, owner(of: place), write) }
    }

    private func removeEntry(
        _ place: CollectionPlace, _ name: EntryName, _ owner: ElementOwner, _ write: WriteState
    ) throws -> Bool {
        guard let id = collectionID(place) else { return false }
        let cursor = try write.cursor(store.databases.entries)
        makeEntryKey(id, name, owner.column)
        guard case .here = try seekEntry(name, cursor), let base = cursor.value.baseAddress else { return false }
        let record = RecordView(base)
        for slot in 0..<record.slotCount { try release(record, slot, owner, write) }
        try cursor.delete()
        dropPointers()
        let count = entryCount(id) - 1
        if count == 0, place.nestedID == nil {
            try dropEmpty(.map, id, write)
            try dropCollectionID(place, write)
        } else {
            write.entryCounts[id] = count
        }
        try noteChange(owner, write)
        return true
    }

    /// Takes the link to an object out of a set.
    func removeElement(
        linkingTo target: RowID, from place: CollectionPlace, _ column: StoredColumn, _ write: WriteState
    ) throws {
        let link: StoredValue =
            column.target == nil
            ? .typedLink(table: target.table.rawValue, key: target.key) : .link(target.key)
        _ = try removeEntry(place, .element(link), ElementOwner(row: place.row, column: column), write)
    }

    /// Makes null the values of a map that link to certain objects.
    func takeAwayValues(
        ofMap id: UInt64, _ owner: ElementOwner, _ targets: Set<RowID>, _ write: WriteState
    ) throws {
        var keys: [[UInt8]] = []
        forEachEntry(id) { key, record in
            if let row = owner.column.linkedRow(record, EntryKey.valueSlot), targets.contains(row) {
                keys.append([UInt8](key))
            }
            return true
        }
        let cursor = try write.cursor(store.databases.entries)
        for key in keys {
            guard try key.withUnsafeBytes({ try cursor.seek($0) }), let base = cursor.value.baseAddress else {
                throw StoreError.lostEntry()
            }
            _ = try replaceEntryValue(RecordView(base), .null, owner, cursor, write)
        }
    }

    /// A record in the record writer's builder, made smaller until its entry lies in LMDB's own pages with others.
    private func fitEntry(_ record: UnsafeRawBufferPointer, _ write: WriteState) throws -> UnsafeRawBufferPointer {
        var record = record
        while record.count > Connection.entryRecordByteLimit {
            record = try recordWriter.moveLargestToBlob(record, write: write)
        }
        return record
    }

    /// With the largest key an entry so takes less than half a page, as LMDB demands of what lies among others.
    private static var entryRecordByteLimit: Int { 1500 }
}

extension StoreError {
    static func noSuchCollection(_ id: UInt64) -> StoreError {
        StoreError(.noSuchObject, "collection \(id) is not there any more")
    }

    static func lostEntry() -> StoreError {
        StoreError(.corrupted, "an entry of a set or map is not where its key says; run `firn check`")
    }
}
