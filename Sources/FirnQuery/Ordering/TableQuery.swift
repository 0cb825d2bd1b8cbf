import FirnStore

/// What is asked of a whole table: which of its objects, and in which order.
package struct TableQuery: Sendable {
    package let table: StoredTable
    /// What must hold of an object; nil for all.
    package let predicate: BoundPredicate?
    /// Without it, objects come in the order of their keys.
    package let order: ObjectOrder

    package init(_ table: StoredTable, where predicate: BoundPredicate? = nil, order: ObjectOrder = ObjectOrder()) {
        self.table = table
        self.predicate = predicate
        self.order = order
    }

    /// The keys of the objects, in order; with a limit only the first so many.
    ///
    /// Costs what the plan reads, and O(n log limit) where it sorts. A limit is worth giving: an index that has the order is
    /// read until so many objects passed, and else no more than about twice as many are kept while the rest is looked at.
    package func keys(in connection: Connection, limit: Int = .max) -> [ObjectKey] {
        guard limit > 0 else { return [] }
        let query = plan(connection)
        switch strategy(query, connection, limit: limit) {
        case .keys: return keys(query, connection, limit: limit)
        case .keysBackwards: return keysBackwards(query, connection, limit: limit)
        case .walk(let walk, let budget):
            return self.keys(along: walk, connection, limit: limit, budget: budget)
                ?? sorted(query, connection, limit: limit)
        case .sort: return sorted(query, connection, limit: limit)
        }
    }

    /// Calls `body` with the keys of the objects, in order, until it answers false. Where they come in the order of their keys, no
    /// list of them is made.
    package func forEachKey(in connection: Connection, limit: Int = .max, _ body: (ObjectKey) -> Bool) {
        guard limit > 0 else { return }
        let query = plan(connection)
        guard case .keys = strategy(query, connection, limit: limit) else {
            for key in keys(in: connection, limit: limit) {
                guard body(key) else { return }
            }
            return
        }
        var left = limit
        query.forEachMatch(table.id, in: connection) { key in
            left -= 1
            return body(key) && left > 0
        }
    }

    /// The key of the last object. What it costs is what the first one costs in the other direction.
    package func lastKey(in connection: Connection) -> ObjectKey? {
        let query = plan(connection)
        switch strategy(query, connection, limit: 1) {
        case .keys: return keysBackwards(query, connection, limit: 1).first
        case .keysBackwards: return keys(query, connection, limit: 1).first
        case .walk(let walk, let budget) where walk.rest.isEmpty:
            if let key = lastKey(along: walk, connection, budget: budget) { return key }
        default: break
        }
        return keys(in: connection).last
    }

    /// How the objects are found and put in order, in words; pinned by tests.
    package func explanation(in connection: Connection, limit: Int = .max) -> String {
        let query = plan(connection)
        switch strategy(query, connection, limit: limit) {
        case .keys: return query.explanation
        case .keysBackwards: return "\(query.explanation), backwards"
        case .walk(let walk, _): return walk.explanation
        case .sort: return "\(query.explanation), \(order.explanation)"
        }
    }

    func plan(_ connection: Connection) -> PlannedQuery {
        predicate?.prepare(connection) ?? PlannedQuery(.scan, [])
    }

    // MARK: In the order of keys

    private func keys(_ query: PlannedQuery, _ connection: Connection, limit: Int) -> [ObjectKey] {
        if limit == .max { return query.keys(table.id, connection) }
        var keys: [ObjectKey] = []
        query.forEachMatch(table.id, in: connection) { key in
            keys.append(key)
            return keys.count < limit
        }
        return keys
    }

    private func keysBackwards(_ query: PlannedQuery, _ connection: Connection, limit: Int) -> [ObjectKey] {
        guard case .scan = query.plan, limit != .max, let leaves = connection.leaves(of: table.id) else {
            return Array(query.keys(table.id, connection).reversed().prefix(limit))
        }
        var keys: [ObjectKey] = []
        query.forEachSelectionBackwards(leaves, connection) { selection in
            keys += selection.keys.reversed()
            return keys.count < limit
        }
        return Array(keys.prefix(limit))
    }

    // MARK: Sorting

    private func sorted(_ query: PlannedQuery, _ connection: Connection, limit: Int) -> [ObjectKey] {
        if case .scan = query.plan, let key = order.shortKey,
            let parts = query.foldWhole(
                table.id, connection, into: Sorter(limit: limit),
                { sorter, selection in selection.forEachRecord { sorter.add($1, shortKey: key.key(of: $0)) } })
        {
            guard var sorter = parts.first else { return [] }
            for part in parts.dropFirst() { sorter.add(part) }
            return sorter.numbers()
        }
        return order.sorted(query.keys(table.id, connection), of: table.id, limit: limit, connection)
    }
}
