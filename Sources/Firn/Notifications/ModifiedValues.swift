import FirnStore

/// Tells which of the values that stand where they stood have changed in themselves: lists and maps within them, and objects to which
/// they lead.
struct ModifiedValues {
    /// One of the values' collection at two versions.
    private let newer: ResultsSource
    private let older: ResultsSource
    private let changes: ChangeSet
    /// By table, what was asked for.
    private var objects: [TableID: ModifiedKeys] = [:]

    init(from older: ResultsSource, to newer: ResultsSource, _ changes: ChangeSet) {
        self.newer = newer
        self.older = older
        self.changes = changes
    }

    mutating func contains(_ value: StoredValue) -> Bool {
        guard let new = newer.origin.collection, let old = older.origin.collection else { return false }
        return contains(value, new, old)
    }

    private mutating func contains(_ value: StoredValue, _ new: CollectionHandle, _ old: CollectionHandle) -> Bool {
        switch value {
        case .typedLink(let table, let key):
            return modifiedObjects(TableID(rawValue: table)).contains(key)
        case .collection(let kind, let id):
            guard let kind = CollectionKind(rawValue: kind) else { return false }
            let (new, old) = (new.nested(id), old.nested(id))
            let values = new.storedElements(kind)
            if values != old.storedElements(kind) || kind == .map && new.keys() != old.keys() { return true }
            for value in values where contains(value, new, old) { return true }
            return false
        default: return false
        }
    }

    private mutating func modifiedObjects(_ table: TableID) -> ModifiedKeys {
        if let known = objects[table] { return known }
        var modified = ObservedPaths(table, depth: ObservedPaths.collectionDepth).modified(
            by: changes, in: newer.context.connection, old: older.context.connection)
        // One that was deleted and made anew is another one.
        modified.formUnion(changes.tables[table]?.inserted ?? [])
        objects[table] = modified
        return modified
    }
}

extension ResultsOrigin {
    /// The collection whose elements, or some of them, these are.
    fileprivate var collection: CollectionHandle? {
        switch self {
        case .collection(let handle, _): handle
        case .results(let source): source.origin.collection
        case .table, .linking: nil
        }
    }
}

extension CollectionHandle {
    /// A collection that stands in this one.
    fileprivate func nested(_ id: UInt64) -> CollectionHandle {
        CollectionHandle(owner: owner, slot: slot, nestedID: id, depth: depth + 1)
    }
}
