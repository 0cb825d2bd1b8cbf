import FirnStore

extension BoundPredicate {
    /// The keys of the objects that match, in ascending order.
    ///
    /// Costs what the plan reads: one look-up, an index's entries, or about 10 ns for each object scanned; a large table
    /// is scanned on all processors.
    package func keys(in connection: Connection) -> [ObjectKey] {
        prepare(connection)
        if case .index(let column, let value) = plan, tests.isEmpty {
            return connection.keys(table, column: column, equals: value)
        }
        if case .scan = plan, tests.isEmpty { return connection.keys(in: table) }
        if case .scan = plan, let parts = scanWhole(connection, { $0.keys }) { return Array(parts.joined()) }
        var keys: [ObjectKey] = []
        forEachMatch(in: connection) { key in
            keys.append(key)
            return true
        }
        return keys
    }

    /// How many objects match. Costs what ``keys(in:)`` does, but where the store has the number itself.
    package func count(in connection: Connection) -> Int {
        prepare(connection)
        if tests.isEmpty {
            switch plan {
            case .scan: return connection.count(table)
            case .index(let column, let value): return connection.count(table, column: column, equals: value)
            case .nothing, .primaryKey, .keys: break
            }
        }
        if case .scan = plan, let parts = scanWhole(connection, { $0.count }) { return parts.reduce(0, +) }
        var count = 0
        forEachMatch(in: connection) { _ in
            count += 1
            return true
        }
        return count
    }

    /// The smallest key of an object that matches. Reads no further than that.
    package func firstKey(in connection: Connection) -> ObjectKey? {
        prepare(connection)
        var first: ObjectKey?
        forEachMatch(in: connection) { key in
            first = key
            return false
        }
        return first
    }

    /// Tests that read more than records need all that a write still keeps in memory where they look for it.
    private func prepare(_ connection: Connection) {
        if !tests.allSatisfy(\.staysInTable) { connection.settleForQuery() }
    }

    /// Calls `body` with the key of each match, in ascending order, until it answers false.
    @inline(__always)
    private func forEachMatch(in connection: Connection, _ body: (ObjectKey) -> Bool) {
        switch plan {
        case .nothing: return
        case .primaryKey(_, let value):
            guard let key = connection.find(table, primaryKey: value) else { return }
            check([key], in: connection, body)
        case .index(let column, let value):
            check(connection.keys(table, column: column, equals: value), in: connection, body)
        case .keys(_, let range):
            scan(
                connection, from: objectKey(ofInteger: range.lowerBound),
                through: objectKey(ofInteger: range.upperBound), body)
        case .scan: scan(connection, body)
        }
    }

    private func check(_ keys: [ObjectKey], in connection: Connection, _ body: (ObjectKey) -> Bool) {
        for key in keys {
            if !tests.isEmpty {
                guard let record = connection.record(table, key) else { continue }
                let scope = Scope(record, key)
                guard tests.allSatisfy({ $0.matches(scope, connection) }) else { continue }
            }
            guard body(key) else { return }
        }
    }

    private func scan(
        _ connection: Connection, from first: ObjectKey = 0, through last: ObjectKey = .max, _ body: (ObjectKey) -> Bool
    ) {
        forEachSelection(in: connection, from: first, through: last) { $0.forEachKey(body) }
    }

    /// Calls `body` with what of each leaf passes all tests, until it answers false.
    private func forEachSelection(
        in connection: Connection, from first: ObjectKey = 0, through last: ObjectKey = .max,
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
                for test in tests { test.narrow(&selection, connection) }
                guard body(selection), !isLastLeaf else { return }
            }
        }
    }
}
