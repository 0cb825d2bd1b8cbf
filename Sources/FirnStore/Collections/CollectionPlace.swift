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
    /// Whether the value stands in a collection that is itself a value of an `any` column.
    let isNested: Bool
}

extension Connection {
    /// The owner of a collection's elements; throws `.noSuchObject` where the object is gone.
    func owner(of place: CollectionPlace) throws -> ElementOwner {
        fatalError("not built")
    }

    /// The id of a collection; nil for an empty one that has none. Takes away links that wait to be first.
    func collectionID(_ place: CollectionPlace) -> UInt64? {
        fatalError("not built")
    }

    /// The id of a collection that is about to get its first element, which its object's record then holds.
    func makeCollectionID(_ place: CollectionPlace, _ write: WriteState) throws -> UInt64 {
        fatalError("not built")
    }

    /// Takes the id of a collection that lost its last element out of its object's record. A nested one keeps its own.
    func dropCollectionID(_ place: CollectionPlace, _ write: WriteState) throws {
        fatalError("not built")
    }

    /// Does what storing a value entails: a blob is written, a link is noted, an embedded object gets its owner. Answers
    /// what a record may hold. Throws `.alreadyOwned`, `.valueTooLarge`.
    func acquire(_ value: StoredValue, _ owner: ElementOwner, _ write: WriteState) throws -> StoredValue {
        fatalError("not built")
    }

    /// Undoes what storing the value in a record's slot entailed: drops a blob, a link, a nested collection with all in
    /// it, an embedded object. The record is about to lose the slot; the values are read before anything is written.
    func release(_ record: RecordView, _ slot: Int, _ owner: ElementOwner, _ write: WriteState) throws {
        fatalError("not built")
    }

    /// Notes that a collection of the column has changed.
    func noteChange(_ owner: ElementOwner, _ write: WriteState) throws {
        fatalError("not built")
    }
}
