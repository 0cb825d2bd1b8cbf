import FirnStore

/// Where a managed collection is: a property of an object, or a value nested in an `AnyRealmValue` of it.
struct CollectionHandle {
    /// An accessor of the object that owns the collection; it knows realm, thread and version, and when it is gone.
    let owner: ObjectBase
    let slot: Int
    /// The id of a nested collection; nil where the property is the collection.
    let nestedID: UInt64?

    init(owner: ObjectBase, slot: Int, nestedID: UInt64? = nil) {
        self.owner = owner
        self.slot = slot
        self.nestedID = nestedID
    }

    var place: CollectionPlace {
        CollectionPlace(row: RowID(table: owner.binding.table.id, key: owner.key), slot: slot, nestedID: nestedID)
    }

    /// The class of the collection's objects, where it holds some of one class.
    var target: TableBinding? { nestedID == nil ? owner.binding.targets[slot] : nil }
}

/// A collection's two lives: values of its own, or a place in a realm.
enum CollectionState<Contents> {
    case unmanaged(Contents)
    case managed(CollectionHandle)
}
