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

    /// Takes the embedded objects that stand in a map under certain keys from their owner, so that they can be put under others.
    /// Nil stands in their place; what nobody takes goes at commit.
    package func mapTakeOut(_ place: CollectionPlace, _ keys: [String]) throws(StoreError) {
        for key in keys {
            _ = try changeEntries(place) { open, write in
                guard let id = open.id, case .here(let record) = try findEntry(.key(key), in: id, open.owner, write),
                    !record.isNull(EntryKey.valueSlot)
                else { return false }
                try giveBack(value(record, EntryKey.valueSlot), open.owner, write)
                let rebuilt = recordWriter.builder.rebuild(record, replacing: EntryKey.valueSlot, with: .null)
                try putEntry(try fitEntry(rebuilt, write), write)
                return true
            }
        }
    }

    // MARK: Changing entries

    /// Puts a value under an entry's name; false where that changes nothing.
    private func putEntry(
        _ place: CollectionPlace, _ name: EntryName, _ value: StoredValue
    ) throws(StoreError) -> Bool {
        try changeEntries(place) { open, write in
            if case .key(let key) = name { try EntryKey.validate(key) }
            let byteCount = max(value.variableByteCount, name.whole.value.variableByteCount)
            guard byteCount <= valueByteLimit else { throw StoreError.valueTooLarge(byteCount) }
            var isLast = false
            if let id = open.id {
                switch try findEntry(name, in: id, open.owner, write) {
                case .here(let record):
                    // A set's element is its own name.
                    if case .element = name { return false }
                    return try replaceEntryValue(record, value, open.owner, write)
                case .absent(let isBehindAll): isLast = isBehindAll
                }
            }
            let stored = try acquireEntryValue(value, open.owner, write)
            let id = try open.id ?? makeCollectionID(place, write)
            if open.id == nil, case .absent(let isBehindAll) = try findEntry(name, in: id, open.owner, write) {
                isLast = isBehindAll
            }
            open.id = id
            try insertEntry(name, stored, isLast: isLast, write)
            write.entryCounts[id] = entryCount(id) + 1
            return true
        }
    }

    private func acquireEntryValue(
        _ value: StoredValue, _ owner: ElementOwner, _ write: WriteState
    ) throws -> StoredValue {
        let stored = try acquire(value, owner, write)
        if case .blob = stored { dropPointers() }
        return stored
    }

    /// Finds an entry to change it; its whole key then is in `entryScratch`.
    private func findEntry(
        _ name: EntryName, in id: UInt64, _ owner: ElementOwner, _ write: WriteState
    ) throws -> EntrySite {
        makeEntryKey(id, name, owner.column)
        if entryScratch.isCut { try flushEntries(write) }
        return try findEntry(name)
    }

    /// Inserts the entry whose whole key is in `entryScratch`.
    private func insertEntry(_ name: EntryName, _ value: StoredValue, isLast: Bool, _ write: WriteState) throws {
        let builder = recordWriter.builder
        var keyBlob = StoredValue.null
        if entryScratch.isCut, case .key(let key) = name { keyBlob = try makeStorable(.string(key), write) }
        builder.begin()
        builder.add(value)
        if !keyBlob.isNull { builder.add(keyBlob) }
        try putEntry(try fitEntry(builder.finish(), write), isLast: isLast, write)
    }

    /// Gives the map's entry whose whole key is in `entryScratch` another value; false where it has that already.
    private func replaceEntryValue(
        _ record: RecordView, _ value: StoredValue, _ owner: ElementOwner, _ write: WriteState
    ) throws -> Bool {
        if isEqual(record, EntryKey.valueSlot, value) { return false }
        let stored = try acquireEntryValue(value, owner, write)
        var record = record
        if case .blob = stored {
            // Writing it may have moved the page.
            guard let moved = try entryRecord() else { throw StoreError.lostEntry() }
            record = moved
        }
        try release(record, EntryKey.valueSlot, owner, write)
        let rebuilt = recordWriter.builder.rebuild(record, replacing: EntryKey.valueSlot, with: stored)
        try putEntry(try fitEntry(rebuilt, write), write)
        return true
    }

    private func removeEntry(_ place: CollectionPlace, _ name: EntryName) throws(StoreError) -> Bool {
        try changeEntries(place) { open, write in try removeEntry(open, name, write) }
    }

    private func removeEntry(_ open: OpenEntries, _ name: EntryName, _ write: WriteState) throws -> Bool {
        guard let id = open.id, case .here(let record) = try findEntry(name, in: id, open.owner, write) else {
            return false
        }
        for slot in 0..<record.slotCount { try release(record, slot, open.owner, write) }
        try dropEntry(write)
        let count = entryCount(id) - 1
        if count == 0, open.place.nestedID == nil {
            try dropEmpty(.map, id, write)
            try dropCollectionID(open.place, write)
            open.id = nil
        } else {
            write.entryCounts[id] = count
        }
        return true
    }

    /// Takes the link to an object out of a set.
    func removeElement(
        linkingTo target: RowID, from place: CollectionPlace, _ column: StoredColumn, _ write: WriteState
    ) throws {
        let link: StoredValue =
            column.target == nil
            ? .typedLink(table: target.table.rawValue, key: target.key) : .link(target.key)
        let open = OpenEntries(place, ElementOwner(row: place.row, column: column), collectionID(place))
        if try removeEntry(open, .element(link), write) { try noteChange(open.owner, write) }
    }

    /// Makes null the values of a map that link to certain objects.
    func takeAwayValues(
        ofMap id: UInt64, _ owner: ElementOwner, _ targets: Set<RowID>, _ write: WriteState
    ) throws {
        try flushEntries(write)
        var keys: [[UInt8]] = []
        forEachEntry(id) { key, record in
            if let row = owner.column.linkedRow(record, EntryKey.valueSlot), targets.contains(row) {
                keys.append([UInt8](key))
            }
            return true
        }
        for key in keys {
            key.withUnsafeBytes { makeEntryKey($0) }
            guard let record = try entryRecord() else { throw StoreError.lostEntry() }
            _ = try replaceEntryValue(record, .null, owner, write)
            if write.entries.sizeInBytes > write.pendingByteLimit { try flushEntries(write) }
        }
    }

    /// A record in the record writer's builder, made smaller until its entry lies in LMDB's own pages with others.
    private func fitEntry(_ record: UnsafeRawBufferPointer, _ write: WriteState) throws -> UnsafeRawBufferPointer {
        var record = record
        while record.count > Connection.entryRecordByteLimit {
            record = try recordWriter.moveLargestToBlob(record, write: write)
            dropPointers()
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
