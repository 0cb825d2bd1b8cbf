import FirnStore

extension BoundPredicate {
    /// The keys of the objects that match, in ascending order.
    ///
    /// Costs what the plan reads: a look-up, the entries of an index, or about 10 ns for each object scanned; a large table is
    /// scanned on all processors.
    package func keys(in connection: Connection) -> [ObjectKey] {
        let query = prepare(connection)
        switch query.plan {
        case .access(let access) where query.tests.isEmpty: return access.keys(connection)
        case .scan where query.tests.isEmpty: return connection.keys(in: table)
        case .scan:
            if let parts = query.scanWhole(table, connection, { $0.keys }) { return Array(parts.joined()) }
        default: break
        }
        var keys: [ObjectKey] = []
        forEachMatch(query, in: connection) { key in
            keys.append(key)
            return true
        }
        return keys
    }

    /// How many objects match. Costs what ``keys(in:)`` does, but where the store has the number itself.
    package func count(in connection: Connection) -> Int {
        let query = prepare(connection)
        switch query.plan {
        case .scan where query.tests.isEmpty: return connection.count(table)
        case .access(let access) where query.tests.isEmpty: return access.count(connection)
        case .scan:
            if let parts = query.scanWhole(table, connection, { $0.count }) { return parts.reduce(0, +) }
        default: break
        }
        var count = 0
        forEachMatch(query, in: connection) { _ in
            count += 1
            return true
        }
        return count
    }

    /// The smallest key of an object that matches. Reads no further than that.
    package func firstKey(in connection: Connection) -> ObjectKey? {
        var first: ObjectKey?
        forEachMatch(prepare(connection), in: connection) { key in
            first = key
            return false
        }
        return first
    }

    /// The plan. Tests that read more than records need all that a write still keeps in memory where they look for it.
    private func prepare(_ connection: Connection) -> PlannedQuery {
        let query = planner.plan(connection)
        if !query.tests.allSatisfy(\.staysInTable) { connection.settleForQuery() }
        return query
    }

    /// Calls `body` with the key of each match, in ascending order, until it answers false.
    @inline(__always)
    private func forEachMatch(_ query: PlannedQuery, in connection: Connection, _ body: (ObjectKey) -> Bool) {
        switch query.plan {
        case .nothing: return
        case .primaryKey(_, let value):
            guard let key = connection.find(table, primaryKey: value) else { return }
            check([key], query, in: connection, body)
        case .access(let access): check(access.keys(connection), query, in: connection, body)
        case .keys(_, let range):
            scan(
                query, connection, from: objectKey(ofInteger: range.lowerBound),
                through: objectKey(ofInteger: range.upperBound), body)
        case .scan: scan(query, connection, body)
        }
    }

    private func check(
        _ keys: [ObjectKey], _ query: PlannedQuery, in connection: Connection, _ body: (ObjectKey) -> Bool
    ) {
        for key in keys {
            if !query.tests.isEmpty {
                guard let record = connection.record(table, key) else { continue }
                let scope = Scope(record, key)
                guard query.tests.allSatisfy({ $0.matches(scope, connection) }) else { continue }
            }
            guard body(key) else { return }
        }
    }

    private func scan(
        _ query: PlannedQuery, _ connection: Connection, from first: ObjectKey = 0, through last: ObjectKey = .max,
        _ body: (ObjectKey) -> Bool
    ) {
        forEachSelection(query, in: connection, from: first, through: last) { $0.forEachKey(body) }
    }

    /// Calls `body` with what of each leaf passes all tests, until it answers false.
    private func forEachSelection(
        _ query: PlannedQuery, in connection: Connection, from first: ObjectKey = 0, through last: ObjectKey = .max,
        _ body: (LeafSelection) -> Bool
    ) {
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: LeafSelection.capacity) { buffer in
            guard let room = buffer.baseAddress else { return }
            var iterator = RecordIterator(connection, table: table, from: first)
            while let (leaf, run) = iterator.nextRun() {
                var end = run.upperBound
                let isLastLeaf = last != .max && leaf.key(at: end - 1) >= last
                if isLastLeaf {
                    let place = leaf.find(last)
                    end = place.isFound ? place.index + 1 : place.index
                }
                var selection = LeafSelection(leaf, run.lowerBound..<end, in: room)
                for test in query.tests { test.narrow(&selection, connection) }
                guard body(selection), !isLastLeaf else { return }
            }
        }
    }
}
