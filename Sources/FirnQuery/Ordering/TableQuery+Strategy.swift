import FirnStore

extension TableQuery {
    /// How objects come in order.
    enum Strategy {
        /// They are found in the order of their keys, and that is it.
        case keys
        /// The same, from the last key to the first.
        case keysBackwards
        /// An index has the order. The second is how many objects may be looked at in vain before all are sorted after all.
        case walk(IndexWalk, budget: Int)
        /// They are found, and then sorted.
        case sort
    }

    /// While one object is fetched by its key, a scan looks at about so many.
    private static var scannedPerFetched: Int { 64 }
    /// So many objects are always looked at along an index.
    private static var alwaysFetched: Int { 256 }

    /// How many of a table's objects may be fetched in vain before a scan of all is cheaper.
    static func budget(_ count: Int) -> Int { max(alwaysFetched, count / scannedPerFetched) }

    /// The cheapest way for a query that gives so many objects at most.
    func strategy(_ query: PlannedQuery, _ connection: Connection, limit: Int) -> Strategy {
        guard let first = order.terms.first else { return .keys }
        if first.path.isDirect, table.usesIntegerKey, first.path.column.id == table.primaryKeyID {
            return first.isAscending ? .keys : .keysBackwards
        }
        switch query.plan {
        case .nothing, .primaryKey, .keys: return .sort
        case .access, .scan: break
        }
        guard let walk = bestWalk else { return .sort }
        let count = connection.count(table.id)
        // Objects that are alike are gathered first: when they are many, that costs more than it saves.
        let leastBudget = walk.isGrouped && limit != .max ? Self.budget(count) : .max
        if walk.tests.isEmpty { return .walk(walk, budget: leastBudget) }
        guard case .access(let access) = query.plan else {
            return limit == .max ? .sort : .walk(walk, budget: Self.budget(count))
        }
        if walk.isAlong(access) { return .walk(walk, budget: leastBudget) }
        let found = query.estimate ?? access.estimate(connection, atMost: count)
        guard limit < found else { return .sort }
        // So few entries that the first ones are likely to be reached before so many objects were looked at.
        let bound = min(count, found * found / max(limit, 1) + 1)
        let entryCount =
            walk.constantCount == 0
            ? count : connection.indexEntryCount(table.id, walk.index, in: walk.range, atMost: bound)
        let lookedAt = Double(limit) * Double(entryCount) / Double(max(found, 1))
        return lookedAt < Double(found) ? .walk(walk, budget: found) : .sort
    }

    /// The way along an index that has the order, or its beginning, and leads to the fewest objects.
    private var bestWalk: IndexWalk? {
        var best = columnWalk
        for index in table.indexes where index.columns.count > 1 {
            guard let walk = IndexWalk(table, along: index, for: order, where: predicate?.planner) else { continue }
            if best.map({ walk.isBetter(than: $0) }) ?? true { best = walk }
        }
        return best
    }

    /// The way along the index of the first column alone.
    private var columnWalk: IndexWalk? {
        guard let first = order.terms.first, first.path.isDirect,
            var walk = IndexWalk(
                table, along: first.path.column, isAscending: first.isAscending,
                rest: ObjectOrder(Array(order.terms.dropFirst())))
        else { return nil }
        // What the index has both the order and the objects of needs no test.
        if let stretch = predicate?.planner.stretch(of: walk.index) {
            walk.range = stretch.range
            walk.rangeConditions = stretch.conditions
            walk.test(as: stretch.rest)
        }
        return walk
    }
}

extension TableQuery {
    /// The first keys along an index; nil where too many objects were looked at in vain, or the index has values that it cut.
    func keys(along walk: IndexWalk, _ connection: Connection, limit: Int, budget: Int) -> [ObjectKey]? {
        if walk.isGrouped { return keys(inGroupsAlong: walk, connection, limit: limit, budget: budget) }
        var keys: [ObjectKey] = []
        keys.reserveCapacity(min(limit, Self.alwaysFetched))
        let isDone = self.walk(walk, connection, budget: budget) { _, key in
            keys.append(key)
            return keys.count < limit
        }
        return isDone ? keys : nil
    }

    /// The same, where objects that are alike must be put in order.
    private func keys(
        inGroupsAlong walk: IndexWalk, _ connection: Connection, limit: Int, budget: Int
    ) -> [ObjectKey]? {
        var keys: [ObjectKey] = []
        var group: [ObjectKey] = []
        var groupValue: [UInt8] = []
        // Of those that are alike, more may have to be gathered than are asked for.
        var left = budget
        func endGroup() {
            // Further values may stand between the order's and the keys.
            group.sort()
            keys += walk.rest.isEmpty ? group : walk.rest.sorted(group, of: table.id, connection)
            group.removeAll(keepingCapacity: true)
        }
        let isDone = self.walk(walk, connection, budget: budget) { values, key in
            guard let value = walk.group(of: values) else {
                left = 0
                return false
            }
            if !value.elementsEqual(groupValue) {
                endGroup()
                if keys.count >= limit { return false }
                groupValue = Array(value)
            }
            group.append(key)
            if keys.count + group.count > limit { left -= 1 }
            return left > 0
        }
        guard isDone, left > 0 else { return nil }
        endGroup()
        return keys.count > limit ? Array(keys.prefix(limit)) : keys
    }

    /// The last key along an index; the outer nil as in `keys(along:)`.
    func lastKey(along walk: IndexWalk, _ connection: Connection, budget: Int) -> ObjectKey?? {
        let backwards = walk.reversed
        var last: ObjectKey?
        var group: [UInt8]?
        var isReadable = true
        let isDone = self.walk(backwards, connection, budget: budget) { values, key in
            guard let value = backwards.group(of: values) else {
                isReadable = false
                return false
            }
            if let group, !value.elementsEqual(group) { return false }
            if group == nil { group = Array(value) }
            last = max(last ?? key, key)
            return true
        }
        return isDone && isReadable ? .some(last) : nil
    }

    /// Calls `body` with what passes along an index, until it answers false. False where more objects than the budget failed,
    /// or a value was cut.
    private func walk(
        _ walk: IndexWalk, _ connection: Connection, budget: Int,
        _ body: (UnsafeRawBufferPointer, ObjectKey) -> Bool
    ) -> Bool {
        var left = budget
        var isDone = true
        let table = table.id
        let tests = walk.tests
        let byteLimit = walk.byteLimit
        // The plan may answer by other means what this tests.
        connection.settle(for: tests)
        connection.forEachIndexEntry(table, walk.index, in: walk.range, backwards: walk.isBackwards) { values, key in
            guard values.count < byteLimit else {
                isDone = false
                return false
            }
            if !tests.isEmpty {
                guard let record = connection.record(table, key) else { return true }
                let scope = Scope(record, key)
                guard tests.allSatisfy({ $0.matches(scope, connection) }) else {
                    left -= 1
                    isDone = left > 0
                    return isDone
                }
            }
            return body(values, key)
        }
        return isDone
    }
}
