import LMDB

/// Changes of sets and maps wait in memory (`EntryChanges`). Whoever reads `entries` otherwise than by one key has LMDB
/// given them first.
extension Connection {
    /// Stores the record of the entry whose whole key is in `entryScratch`, `isLast` where that is behind all that LMDB has.
    func putEntry(_ record: UnsafeRawBufferPointer, isLast: Bool = false, _ write: WriteState) throws {
        guard entryScratch.isCut else {
            write.uncheckedChanges += 1
            return write.entries.append(entryScratch.bytes, record)
        }
        defer { dropPointers() }
        // What is inserted in order fills its pages.
        try write.cursor(store.databases.entries).put(entryScratch.bytes, record, isLast ? .append : [])
    }

    /// Removes the entry whose whole key is in `entryScratch`, and which is there.
    func dropEntry(_ write: WriteState) throws {
        guard entryScratch.isCut else {
            write.uncheckedChanges += 1
            return write.entries.append(entryScratch.bytes, nil)
        }
        defer { dropPointers() }
        let cursor = try write.cursor(store.databases.entries)
        if try cursor.seek(entryScratch.bytes) { try cursor.delete() }
    }

    /// Gives LMDB the entries that wait, for a reader. Moves the stamp where there are any.
    func settleEntries() {
        guard let write, !write.isLost, !write.entries.isEmpty else { return }
        do {
            try change { try flushEntries($0) }
        } catch {
            // A lost write is read as it was before it began.
            if !write.isLost { unreadable(error) }
        }
    }

    /// Gives LMDB the entries that wait, with the numbers of entries. Costs nothing where none wait, and else no more than
    /// they do.
    func flushEntries(_ write: WriteState) throws {
        if !write.entries.isEmpty { try storeEntries(write) }
    }

    /// Gives LMDB the entries that wait, and the numbers of entries that the write changed.
    func storeEntries(_ write: WriteState) throws {
        for (id, count) in write.entryCounts {
            withUnsafeBytes(of: id.bigEndian) { key in
                withUnsafeBytes(of: UInt64(count).littleEndian) { write.entries.append(key, $0) }
            }
        }
        write.entryCounts.removeAll(keepingCapacity: true)
        guard !write.entries.isEmpty else { return }
        try write.entries.apply(with: write.cursor(store.databases.entries), nextID: write.state.nextID)
        dropPointers()
    }

    // MARK: The collection that was changed last

    /// What is known of a set or map, if it is the one that was changed last and nothing was changed since.
    func openEntries(_ place: CollectionPlace) -> OpenEntries? {
        guard let write, !write.isLost, let open = write.openEntries, open.stamp == stamp, open.place == place else {
            return nil
        }
        return open
    }

    /// Runs a change of a set or map, which answers whether it did anything.
    ///
    /// Of the collection that was changed last everything is known, and what only waits moves no pointer: the stamp stays
    /// unless `body` moves it, so that owners need not be looked up anew.
    func changeEntries(
        _ place: CollectionPlace, _ body: (OpenEntries, WriteState) throws -> Bool
    ) throws(StoreError) -> Bool {
        if let open = openEntries(place) {
            return try attempt { write in
                appendCount &+= 1
                let didChange = try run(body, open, write)
                guard !write.released.isEmpty || !write.hasRoom else {
                    open.stamp = stamp
                    return didChange
                }
                try settleReleases(write)
                try limitPending(write)
                dropPointers()
                return didChange
            }
        }
        let (open, didChange) = try change { write in
            let open = OpenEntries(place, try owner(of: place), collectionID(place))
            write.openEntries = open
            let didChange = try run(body, open, write)
            // What was released may take other objects along, even the owner.
            return (write.released.isEmpty ? open : nil, didChange)
        }
        open?.stamp = stamp
        return didChange
    }

    private func run(
        _ body: (OpenEntries, WriteState) throws -> Bool, _ open: OpenEntries, _ write: WriteState
    ) throws -> Bool {
        guard try body(open, write) else { return false }
        if !open.isNoted {
            try noteChange(open.owner, write)
            open.isNoted = true
        }
        return true
    }
}

/// The set or map that a write changed last. While the stamp stays, so does all this.
final class OpenEntries {
    let place: CollectionPlace
    let owner: ElementOwner
    /// nil of a collection that is empty and nowhere.
    @exclusivity(unchecked) var id: UInt64?
    /// Whether the change log has it.
    @exclusivity(unchecked) var isNoted = false
    /// Of the moment after the last change; 0 before that has succeeded.
    @exclusivity(unchecked) var stamp: UInt64 = 0

    init(_ place: CollectionPlace, _ owner: ElementOwner, _ id: UInt64?) {
        self.place = place
        self.owner = owner
        self.id = id
    }
}
