import FirnStore

extension PlannedQuery {
    /// The keys of the objects of a table that match, in ascending order.
    func keys(_ table: TableID, _ connection: Connection) -> [ObjectKey] {
        switch plan {
        case .access(let access) where tests.isEmpty: return access.keys(connection)
        case .scan where tests.isEmpty: return connection.keys(in: table)
        case .scan:
            if let parts = foldWhole(table, connection, into: [ObjectKey](), { $1.appendKeys(to: &$0) }) {
                return parts.count == 1 ? parts[0] : Array(parts.joined())
            }
        default: break
        }
        var keys: [ObjectKey] = []
        forEachMatch(table, in: connection) { key in
            keys.append(key)
            return true
        }
        return keys
    }

    /// How many objects of a table match.
    func count(_ table: TableID, _ connection: Connection) -> Int {
        switch plan {
        case .scan where tests.isEmpty: return connection.count(table)
        case .access(let access) where tests.isEmpty: return access.count(connection)
        case .scan:
            if let parts = foldWhole(table, connection, into: 0, { $0 += $1.count }) { return parts.reduce(0, +) }
        default: break
        }
        var count = 0
        forEachMatch(table, in: connection) { _ in
            count += 1
            return true
        }
        return count
    }

    /// Calls `body` with the key of each match, in ascending order, until it answers false.
    @inline(__always)
    func forEachMatch(_ table: TableID, in connection: Connection, _ body: (ObjectKey) -> Bool) {
        switch plan {
        case .nothing: return
        case .primaryKey(_, let value):
            guard let key = connection.find(table, primaryKey: value) else { return }
            if passes(key, table, connection) { _ = body(key) }
        case .access(let access): access.forEachKey(connection) { !passes($0, table, connection) || body($0) }
        case .keys(_, let range):
            forEachSelection(
                table, in: connection, from: objectKey(ofInteger: range.lowerBound),
                through: objectKey(ofInteger: range.upperBound)
            ) { $0.forEachKey(body) }
        case .scan: forEachSelection(table, in: connection) { $0.forEachKey(body) }
        }
    }

    /// Whether all tests hold of an object.
    private func passes(_ key: ObjectKey, _ table: TableID, _ connection: Connection) -> Bool {
        if tests.isEmpty { return true }
        guard let record = connection.record(table, key) else { return false }
        let scope = Scope(record, key)
        return tests.allSatisfy { $0.matches(scope, connection) }
    }

    /// Calls `body` with what of each leaf passes all tests, until it answers false.
    private func forEachSelection(
        _ table: TableID, in connection: Connection, from first: ObjectKey = 0, through last: ObjectKey = .max,
        _ body: (LeafSelection) -> Bool
    ) {
        LeafSelection.withRoom { room in
            var iterator = RecordIterator(connection, table: table, from: first)
            while let (leaf, run) = iterator.nextRun() {
                var end = run.upperBound
                let isLastLeaf = last != .max && leaf.key(at: end - 1) >= last
                if isLastLeaf {
                    let place = leaf.find(last)
                    end = place.isFound ? place.index + 1 : place.index
                }
                let selection = select(leaf, run.lowerBound..<end, room, connection)
                guard body(selection), !isLastLeaf else { return }
            }
        }
    }

    /// What of a run of records passes all tests.
    @inline(__always)
    func select(
        _ leaf: LeafView, _ run: Range<Int>, _ room: UnsafeMutablePointer<UInt16>, _ connection: Connection
    ) -> LeafSelection {
        var selection = LeafSelection(leaf, run, in: room)
        for test in tests { test.narrow(&selection, connection) }
        return selection
    }
}
