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
        guard first.path.isDirect else { return .sort }
        if table.usesIntegerKey, first.path.column.id == table.primaryKeyID {
            return first.isAscending ? .keys : .keysBackwards
        }
        guard first.path.column.index != nil else { return .sort }
        var walk = IndexWalk(table: table.id, column: first.path.column, isAscending: first.isAscending)
        walk.rest = ObjectOrder(Array(order.terms.dropFirst()))
        // What the index has both the order and the objects of needs no test.
        if let (range, text, rest) = predicate?.planner.range(of: walk.column) {
            walk.range = range
            walk.rangeText = text
            walk.test(as: rest)
        } else if let predicate {
            walk.test(as: predicate.planner.scan)
        }
        switch query.plan {
        case .access(.index(let way)) where way.index.id == walk.column.index?.id && walk.rangeText != nil:
            return .walk(walk, budget: .max)
        case .access(let access):
            let count = connection.count(table.id)
            let found = query.estimate ?? access.estimate(connection, atMost: count)
            let lookedAt = Double(limit) * Double(count) / Double(max(found, 1))
            return lookedAt < Double(found) ? .walk(walk, budget: found) : .sort
        case .scan:
            if walk.tests.isEmpty { return .walk(walk, budget: .max) }
            if limit == .max { return .sort }
            return .walk(walk, budget: Self.budget(connection.count(table.id)))
        case .nothing, .primaryKey, .keys: return .sort
        }
    }
}

/// A way along an index, which has the order that is asked for.
struct IndexWalk {
    let table: TableID
    let column: StoredColumn
    let isAscending: Bool
    var range = IndexRange.all
    var rangeText: String?
    /// What is asked of each object on the way.
    var tests: [RecordTest] = []
    var testTexts: [String] = []
    /// What objects with the same value are sorted by.
    var rest = ObjectOrder()

    /// Asks what a query asks.
    mutating func test(as query: PlannedQuery) {
        tests = query.tests
        testTexts = query.testTexts
    }

    /// The way in words, for plans.
    var explanation: String {
        var text = "walk index \(column.name)"
        if !isAscending { text += " backwards" }
        if let rangeText { text += ": \(rangeText)" }
        if !testTexts.isEmpty { text += ", test \(testTexts.joined(separator: ", "))" }
        if !rest.isEmpty { text += ", \(rest.explanation) within each" }
        return text
    }

    /// Whether a value stands whole in the index: where it is cut, others may sort before it that come behind.
    func isWhole(_ value: UnsafeRawBufferPointer) -> Bool { value.count < wholeByteCount }

    private var wholeByteCount: Int { column.index.map { IndexRange.byteLimit(of: $0) } ?? 0 }
}

extension TableQuery {
    /// The first keys along an index; nil where too many objects were looked at in vain, or the index has values that it cut.
    func keys(along walk: IndexWalk, _ connection: Connection, limit: Int, budget: Int) -> [ObjectKey]? {
        var keys: [ObjectKey] = []
        var group: [ObjectKey] = []
        var groupValue: [UInt8] = []
        func endGroup() {
            keys += walk.rest.sorted(group, of: table.id, connection)
            group.removeAll(keepingCapacity: true)
        }
        let isDone = self.walk(walk, connection, budget: budget) { value, key in
            if walk.rest.isEmpty {
                keys.append(key)
            } else {
                if !value.elementsEqual(groupValue) {
                    endGroup()
                    if keys.count >= limit { return false }
                    groupValue = Array(value)
                }
                group.append(key)
            }
            return keys.count < limit
        }
        guard isDone else { return nil }
        endGroup()
        return keys.count > limit ? Array(keys.prefix(limit)) : keys
    }

    /// The keys of the last value along an index, in order, as far as they pass; nil as in `keys(along:)`.
    func lastKeys(along walk: IndexWalk, _ connection: Connection, budget: Int) -> [ObjectKey]? {
        var backwards = IndexWalk(table: walk.table, column: walk.column, isAscending: !walk.isAscending)
        backwards.range = walk.range
        backwards.tests = walk.tests
        var keys: [ObjectKey] = []
        var last: [UInt8]?
        let isDone = self.walk(backwards, connection, budget: budget) { value, key in
            if let last, !value.elementsEqual(last) { return false }
            if last == nil { last = Array(value) }
            keys.append(key)
            return true
        }
        return isDone ? keys : nil
    }

    /// Calls `body` with what passes along an index, until it answers false. False where more objects than the budget failed,
    /// or a value was cut.
    func walk(
        _ walk: IndexWalk, _ connection: Connection, budget: Int,
        _ body: (UnsafeRawBufferPointer, ObjectKey) -> Bool
    ) -> Bool {
        var left = budget
        var isDone = true
        connection.forEachIndexEntry(walk.table, walk.column, in: walk.range, backwards: !walk.isAscending) {
            value, key in
            guard walk.isWhole(value) else {
                isDone = false
                return false
            }
            if !walk.tests.isEmpty {
                guard let record = connection.record(walk.table, key) else { return true }
                let scope = Scope(record, key)
                guard walk.tests.allSatisfy({ $0.matches(scope, connection) }) else {
                    left -= 1
                    isDone = left > 0
                    return isDone
                }
            }
            return body(value, key)
        }
        return isDone
    }
}
