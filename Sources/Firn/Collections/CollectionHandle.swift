import FirnStore

/// Where a managed collection is: a property of an object, or a value nested in an `AnyRealmValue` of it.
struct CollectionHandle {
    /// An accessor of the object that owns the collection; it knows realm, thread and version, and when it is gone.
    let owner: ObjectBase
    let slot: Int
    /// The id of a nested collection; nil where the property is the collection.
    let nestedID: UInt64?
    /// How many collections deep a nested one is: 1 where it stands in the property itself, 0 where it is the property.
    let depth: Int

    init(owner: ObjectBase, slot: Int, nestedID: UInt64? = nil, depth: Int? = nil) {
        self.owner = owner
        self.slot = slot
        self.nestedID = nestedID
        self.depth = depth ?? (nestedID == nil ? 0 : 1)
    }

    var place: CollectionPlace {
        let table = owner.withBinding { $0.table.id }
        return CollectionPlace(row: RowID(table: table, key: owner.key), slot: slot, nestedID: nestedID)
    }

    /// The class of the collection's objects, where it holds some of one class. The owner's realm's view of it.
    var target: TableBinding? { nestedID == nil ? owner.withBinding { $0.targets[slot] } : nil }

    /// The same collection in another context of the realm that the owner belongs to.
    func moved(to context: RealmContext) -> CollectionHandle {
        if owner.context === context { return self }
        return CollectionHandle(owner: context.accessor(of: owner), slot: slot, nestedID: nestedID, depth: depth)
    }

    /// Whether the property is a set.
    var isSet: Bool {
        nestedID == nil && owner.binding.table.columns.contains { $0.slot == slot && $0.collection == .set }
    }

    /// The collection as messages name it.
    var name: String {
        let property = "\(owner.binding.info.name).\(owner.binding.propertyName(slot))"
        return nestedID == nil ? property : "A collection nested in \(property)"
    }
}

extension CollectionHandle: Hashable {
    /// Whether both are one collection of one realm.
    static func == (left: CollectionHandle, right: CollectionHandle) -> Bool {
        left.place == right.place && right.owner.context.map { left.owner.context?.showsSame(as: $0) ?? false } ?? false
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(place)
    }
}

/// A collection's two lives: values of its own, or a place in a realm.
enum CollectionState<Contents> {
    case unmanaged(Contents)
    case managed(CollectionHandle)

    /// Where a managed collection is.
    var handle: CollectionHandle? {
        if case .managed(let handle) = self { handle } else { nil }
    }
}

extension CollectionState: Equatable where Contents: Equatable {
    /// Managed: whether both are one collection. Unmanaged: whether they hold the same. A managed one and an unmanaged one
    /// are never equal.
    static func == (left: CollectionState, right: CollectionState) -> Bool {
        switch (left, right) {
        case (.managed(let left), .managed(let right)): left == right
        case (.unmanaged(let left), .unmanaged(let right)): left == right
        default: false
        }
    }
}

extension CollectionState: Hashable where Contents: Hashable {}
