import FirnStore

extension BoundPredicate {
    /// The keys of the objects that match, in ascending order.
    ///
    /// Costs what the plan reads: a look-up, the entries of an index, or about 10 ns for each object scanned; a large table is
    /// scanned on all processors.
    package func keys(in connection: Connection) -> [ObjectKey] {
        prepare(connection).keys(table, connection)
    }

    /// How many objects match. Costs what ``keys(in:)`` does, but where the store has the number itself.
    package func count(in connection: Connection) -> Int {
        if let lookUp { return lookUp.count(connection) }
        return prepare(connection).count(table, connection)
    }

    /// The smallest key of an object that matches. Reads no further than that.
    package func firstKey(in connection: Connection) -> ObjectKey? {
        if let lookUp { return lookUp.firstKey(connection) }
        var first: ObjectKey?
        prepare(connection).forEachMatch(table, in: connection) { key in
            first = key
            return false
        }
        return first
    }

    /// The plan, with its tests ready to be made.
    func prepare(_ connection: Connection) -> PlannedQuery {
        let query = planner.plan(connection)
        connection.settle(for: query.tests)
        return query
    }
}

extension Connection {
    /// What comes before tests are made: those that read more than records need all that a write still keeps in memory where they
    /// look for it, and what they were lent must stay where it is.
    func settle(for tests: [RecordTest]) {
        if !tests.allSatisfy(\.staysInTable) { settleForQuery() }
    }
}
