/// Where a collection hangs: a column of an object, or a value within an `any` column of it.
package struct CollectionPlace: Hashable, Sendable {
    package let row: RowID
    package let slot: Int
    /// The id of a collection that is a value in an `any` column; nil for the one that the column itself is.
    package let nestedID: UInt64?

    package init(row: RowID, slot: Int, nestedID: UInt64? = nil) {
        self.row = row
        self.slot = slot
        self.nestedID = nestedID
    }
}

/// The column of an object in which a value stands, at whatever depth of collections: what its links, its embedded
/// objects and its changes are noted for.
struct ElementOwner {
    let row: RowID
    let column: StoredColumn

    /// Whether a place is in the owner's column.
    func stands(at place: CollectionPlace) -> Bool {
        row == place.row && column.slot == place.slot
    }
}

extension Connection {
    /// The owner of a collection's elements; throws `.noSuchObject` where the object or a nested collection is gone. Takes away links that wait
    /// to be first.
    func owner(of place: CollectionPlace) throws -> ElementOwner {
        let write = try openWrite()
        let writer = try tableWriter(place.row.table)
        guard let entry = writer.column(slot: place.slot) else {
            preconditionFailure("slot \(place.slot) belongs to a column of \(writer.table.name)")
        }
        try takeAwayWaitingLinks(place, write)
        if record(place.row.table, place.row.key) == nil {
            throw StoreError.noSuchObject(place.row.table, place.row.key)
        }
        if let id = place.nestedID, kind(of: place) == nil { throw StoreError.noSuchCollection(id) }
        let owner = ElementOwner(row: place.row, column: entry.column)
        if !write.looseCollections.isEmpty, let id = place.nestedID {
            write.looseCollections[id]?.owner = owner
        }
        return owner
    }

    /// The id of a collection; nil for an empty one that has none. Takes away links that wait to be first.
    func collectionID(_ place: CollectionPlace) -> UInt64? {
        if let write, !write.waitingLinks.isEmpty { settleWaitingLinks(place) }
        if let nestedID = place.nestedID { return nestedID }
        guard let record = record(place.row.table, place.row.key), record.tag(place.slot) == .collection else {
            return nil
        }
        return record.collectionID(place.slot)
    }

    /// The id of a collection that is about to get its first element, which its object's record then holds.
    func makeCollectionID(_ place: CollectionPlace, _ write: WriteState) throws -> UInt64 {
        if let id = collectionID(place) { return id }
        let writer = try tableWriter(place.row.table)
        guard let kind = writer.column(slot: place.slot)?.column.collection else {
            preconditionFailure("slot \(place.slot) of \(writer.table.name) holds a collection")
        }
        let id = write.makeID()
        write.grows = true
        try replaceValue(writer, place.row.key, place.slot, .collection(kind: kind.rawValue, id: id))
        dropPointers()
        return id
    }

    /// Takes the id of a collection that lost its last element out of its object's record. A nested one keeps its own.
    func dropCollectionID(_ place: CollectionPlace, _ write: WriteState) throws {
        guard place.nestedID == nil else { return }
        try replaceValue(tableWriter(place.row.table), place.row.key, place.slot, .null)
        dropPointers()
    }

    /// Notes that a collection of the column has changed.
    func noteChange(_ owner: ElementOwner, _ write: WriteState) throws {
        try tableWriter(owner.row.table).changes.noteModification(owner.row.key, of: owner.column.id)
    }
}
