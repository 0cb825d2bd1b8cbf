import FirnQuery
import FirnStore

/// What tells how results follow changes. For frozen results.
extension ResultsSource {
    /// The order of the elements, where these are objects of a class of which each one's own values say whether and where it
    /// stands; nil where that takes more.
    var localOrder: ObjectOrder? {
        guard case .table = origin, !query.isLimited, query.steps.count <= 1, !query.isDistinct,
            currentPredicate?.staysInTable ?? true
        else { return nil }
        let order = currentOrder?.first ?? ObjectOrder()
        return order.isDirect && (query.steps.isEmpty || !order.isEmpty) ? order : nil
    }

    /// Whether a column of the elements' class says which of the objects are elements, or in which order.
    func looks(at column: ColumnID) -> Bool {
        guard let binding, let slot = binding.table.columns.first(where: { $0.id == column })?.slot else { return true }
        return looks(at: slot, ofTable: binding.table.id)
    }

    /// Whether a table's slot says which elements there are, or in which order; nil for its objects coming and going.
    private func looks(at slot: Int?, ofTable table: TableID) -> Bool {
        if currentPredicate?.dependencies.contains(QueryDependency(table: table, slot: slot)) ?? false { return true }
        return slot.map { currentOrder?.looks(at: $0, ofTable: table) ?? false } ?? false
    }

    /// Whether changes may have added or taken away elements, or changed their order or their values.
    func isTouched(by changes: ChangeSet) -> Bool {
        switch origin {
        case .table(let binding):
            if changes.touchesRows(of: binding.table.id) { return true }
        case .collection(let handle, _):
            // Whoever has a collection within a value does not know which of the changes are its own.
            if handle.nestedID != nil { return !changes.isEmpty }
            if changes.touches(handle.slot, of: handle.owner) { return true }
            // What is deleted leaves the collections that hold it.
            if let target = handle.target, changes.deletes(from: target.table.id) { return true }
        case .linking(let handle):
            let table = handle.origin.table
            let column = table.columns.first { $0.slot == handle.slot }
            if changes.touchesRows(of: table.id) { return true }
            if let column, changes.tables[table.id]?.modified[column.id] != nil { return true }
        case .results(let source):
            if source.isTouched(by: changes) { return true }
        }
        return changes.tables.contains { id, change in
            guard let table = context.connection.schema[id] else { return true }
            if changes.touchesRows(of: id), looks(at: nil, ofTable: id) { return true }
            return table.columns.contains { change.modified[$0.id] != nil && looks(at: $0.slot, ofTable: id) }
        }
    }

    /// Whether the elements may be values that change in themselves: see `ModifiedValues`.
    var holdsAnyValues: Bool { binding == nil && (origin.column?.type ?? .any) == .any }

    /// The objects of the elements' class that changes have made.
    func made(_ changes: ChangeSet) -> [ClosedRange<ObjectKey>] {
        binding.flatMap { changes.tables[$0.table.id]?.inserted } ?? []
    }

    /// Those of some objects of the elements' class that are elements, apart from their order.
    func matching(_ keys: [ObjectKey]) -> [ObjectKey] {
        guard let binding else { return [] }
        let connection = context.connection
        return currentPredicate?.matching(keys, in: connection)
            ?? keys.filter { connection.contains(binding.table.id, $0) }
    }

    /// Whether the elements stand where they were put.
    var isList: Bool {
        if case .collection(_, .list) = origin { query.steps.isEmpty && query.condition == nil } else { false }
    }

    /// The elements, where these are values, as they are stored.
    func storedValues() -> [StoredValue] {
        let values = origin.storedValues(in: context)
        return query.steps.isEmpty && !query.isLimited ? values : allKeys().map { values[Int($0)] }
    }
}

extension ChangeSet {
    fileprivate var isEmpty: Bool { tables.isEmpty }

    /// Whether objects of a table came or went.
    fileprivate func touchesRows(of table: TableID) -> Bool {
        guard let change = tables[table] else { return false }
        return !change.inserted.isEmpty || !change.deleted.isEmpty
    }

    fileprivate func deletes(from table: TableID) -> Bool { !(tables[table]?.deleted.isEmpty ?? true) }

    /// Whether the value of an object's slot changed, or the object was made anew.
    fileprivate func touches(_ slot: Int, of object: ObjectBase) -> Bool {
        let table = object.binding.table
        guard let change = tables[table.id] else { return false }
        if change.inserted.containsKey(object.key) { return true }
        guard let column = table.columns.first(where: { $0.slot == slot }) else { return false }
        return change.modified[column.id]?.containsKey(object.key) ?? false
    }
}

extension RealmContext {
    /// What has changed in this frozen realm since an older one: from the change log, or, where that does not go back so far or say so
    /// much, by comparing both.
    func changes(since older: RealmContext) -> ChangeSet {
        let version = older.connection.version
        if let known = knownChanges, known.version == version { return known.changes }
        let changes =
            connection.changes(since: version, schemaCounter: older.connection.schemaCounter)
            ?? connection.difference(from: older.connection)
        knownChanges = (version, changes)
        return changes
    }
}
