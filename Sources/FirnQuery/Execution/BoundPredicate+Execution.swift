import FirnStore

extension BoundPredicate {
    /// The keys of the objects that match, in ascending order.
    ///
    /// Costs what the plan reads: one look-up, an index's entries, or about 10 ns for each object scanned.
    package func keys(in connection: Connection) -> [ObjectKey] {
        if case .index(let column, let value) = plan, tests.isEmpty {
            return connection.keys(table, column: column, equals: value)
        }
        if case .scan = plan, tests.isEmpty { return connection.keys(in: table) }
        var keys: [ObjectKey] = []
        forEachMatch(in: connection) { key in
            keys.append(key)
            return true
        }
        return keys
    }

    /// How many objects match. Costs what ``keys(in:)`` does, but where the store has the number itself.
    package func count(in connection: Connection) -> Int {
        if tests.isEmpty {
            switch plan {
            case .scan: return connection.count(table)
            case .index(let column, let value): return connection.count(table, column: column, equals: value)
            case .nothing, .primaryKey, .keys: break
            }
        }
        var count = 0
        forEachMatch(in: connection) { _ in
            count += 1
            return true
        }
        return count
    }

    /// The smallest key of an object that matches. Reads no further than that.
    package func firstKey(in connection: Connection) -> ObjectKey? {
        var first: ObjectKey?
        forEachMatch(in: connection) { key in
            first = key
            return false
        }
        return first
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
                Conjunction(tests: tests), in: connection, from: objectKey(ofInteger: range.lowerBound),
                through: objectKey(ofInteger: range.upperBound), body)
        case .scan: scan(connection, body)
        }
    }

    private func check(_ keys: [ObjectKey], in connection: Connection, _ body: (ObjectKey) -> Bool) {
        let matcher = Conjunction(tests: tests)
        for key in keys {
            if !tests.isEmpty {
                guard let record = connection.record(table, key), matcher.matches(record, connection) else { continue }
            }
            guard body(key) else { return }
        }
    }

    /// Asks every record, in a loop compiled for the kind of test where there is only one.
    @inline(__always)
    private func scan(_ connection: Connection, _ body: (ObjectKey) -> Bool) {
        guard tests.count == 1 else { return scan(Conjunction(tests: tests), in: connection, body) }
        switch tests[0] {
        case .integer(let test): scan(test, in: connection, body)
        case .floatingPoint(let test): scan(test, in: connection, body)
        case .bool(let test): scan(test, in: connection, body)
        case .text(let test): scan(test, in: connection, body)
        case .absence, .link, .wide, .decimal: scan(Conjunction(tests: tests), in: connection, body)
        }
    }

    @inline(__always)
    private func scan<Matcher: RecordMatcher>(
        _ matcher: Matcher, in connection: Connection, from first: ObjectKey = 0, through last: ObjectKey = .max,
        _ body: (ObjectKey) -> Bool
    ) {
        var iterator = RecordIterator(connection, table: table, from: first)
        while let (leaf, indices) = iterator.nextRun() {
            var end = indices.upperBound
            let isLastLeaf = leaf.key(at: end - 1) >= last
            if isLastLeaf {
                let place = leaf.find(last)
                end = place.isFound ? place.index + 1 : place.index
            }
            var index = indices.lowerBound
            while index < end {
                if matcher.matches(leaf.record(at: index), connection), !body(leaf.key(at: index)) { return }
                index += 1
            }
            if isLastLeaf { return }
        }
    }
}
