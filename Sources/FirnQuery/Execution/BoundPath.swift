import FirnStore

/// A path whose names have become slots: how to get from an object to values.
struct BoundPath: Sendable {
    /// One step from objects to objects.
    enum Step: Sendable {
        /// To the object that a slot links to.
        case link(slot: Int, table: TableID)
        /// To each object that a collection in a slot holds.
        case elements(slot: Int, table: TableID)
        /// To the object that a map in a slot has for a key.
        case entry(slot: Int, key: String, table: TableID)
        /// To the object at a position of a list in a slot.
        case element(slot: Int, index: Int, table: TableID)
        /// To each object that links here by a column, as often as it does.
        case origins(column: ColumnID, table: TableID, to: TableID)
    }

    /// What the objects are asked for in the end.
    enum End: Sendable {
        /// The objects themselves.
        case object
        /// The value in a slot, and from there into what an `any` holds.
        case slot(Int, within: [AnyStep])
        /// The values that a collection in a slot holds, and from there into what an `any` holds.
        case elements(slot: Int, within: [AnyStep])
        /// The value that a map in a slot has for a key, and from there into what an `any` holds.
        case entry(slot: Int, key: String, within: [AnyStep])
        /// The element at a position of a list in a slot.
        case element(slot: Int, index: Int, within: [AnyStep])
        /// The keys of a map in a slot.
        case keys(slot: Int)
    }

    /// One step within an `any`.
    enum AnyStep: Sendable {
        case key(String)
        case index(Int)
        case elements
    }

    /// How many subqueries further out the object is at which the path begins.
    var depth: Int
    var steps: [Step]
    var end: End

    /// What a path leads to.
    enum Site {
        /// A value: a slot of a record, or of what lends elements like one.
        case value(RecordView, Int)
        /// An object.
        case object(ObjectKey)
        /// The key of a map.
        case key(String)
        /// Nothing: a link on the way is nil, or the map has no such key.
        case nothing
    }

    /// Lends each place the path leads to until `body` answers false; whether it never did.
    @discardableResult
    func forEachSite(_ scope: Scope, _ connection: Connection, _ body: (Site) -> Bool) -> Bool {
        let start = scope.object(depth)
        return walk(from: 0, start.record, start.key, connection, body)
    }

    /// Lends each object at the end of the steps, with nil for a link on the way that is nil.
    @discardableResult
    func forEachObject(_ scope: Scope, _ connection: Connection, _ body: (RecordView, ObjectKey) -> Bool) -> Bool {
        let start = scope.object(depth)
        return walkSteps(from: 0, start.record, start.key, connection) { object in
            object.map { body($0.record, $0.key) } ?? true
        }
    }

    /// Calls `body` for a link that is nil, or a key that is not there: it leads to nothing, and through a collection behind
    /// it to no elements at all.
    private func end(at number: Int, _ body: ((record: RecordView, key: ObjectKey)?) -> Bool) -> Bool {
        isMany(after: number) || body(nil)
    }

    private func isMany(after number: Int) -> Bool {
        if case .elements = end { return true }
        if case .keys = end { return true }
        return steps[(number + 1)...].contains { step in
            switch step {
            case .elements, .origins: true
            case .link, .entry, .element: false
            }
        }
    }

    private func walk(
        from step: Int, _ record: RecordView, _ key: ObjectKey, _ connection: Connection, _ body: (Site) -> Bool
    ) -> Bool {
        walkSteps(from: step, record, key, connection) { object in
            guard let (record, key) = object else { return body(.nothing) }
            return reachEnd(record, key, connection, body)
        }
    }

    private func walkSteps(
        from number: Int, _ record: RecordView, _ key: ObjectKey, _ connection: Connection,
        _ body: ((record: RecordView, key: ObjectKey)?) -> Bool
    ) -> Bool {
        guard number < steps.count else { return body((record, key)) }

        func goOn(_ table: TableID, _ key: ObjectKey) -> Bool {
            guard let record = connection.record(table, key) else { return end(at: number, body) }
            return walkSteps(from: number + 1, record, key, connection, body)
        }
        switch steps[number] {
        case .link(let slot, let table):
            guard record.tag(slot) == .link else { return end(at: number, body) }
            return goOn(table, record.link(slot))
        case .elements(let slot, let table):
            return connection.forEachElement(of: record, slot) { record, slot in
                record.tag(slot) == .link ? goOn(table, record.link(slot)) : end(at: number, body)
            }
        case .entry(let slot, let key, let table):
            guard let entry = connection.mapEntry(of: record, slot, key: key), entry.tag(0) == .link else {
                return end(at: number, body)
            }
            return goOn(table, entry.link(0))
        case .element(let slot, let index, let table):
            guard let element = connection.listElement(of: record, slot, at: index),
                element.record.tag(element.slot) == .link
            else { return end(at: number, body) }
            return goOn(table, element.record.link(element.slot))
        case .origins(let column, let table, let goal):
            for (origin, count) in connection.backlinks(to: RowID(table: goal, key: key), column: column) {
                for _ in 0..<count {
                    guard goOn(table, origin) else { return false }
                }
            }
            return true
        }
    }

    private func reachEnd(
        _ record: RecordView, _ key: ObjectKey, _ connection: Connection, _ body: (Site) -> Bool
    ) -> Bool {
        switch end {
        case .object: return body(.object(key))
        case .slot(let slot, let steps): return Self.descend(record, slot, steps[...], connection, body)
        case .elements(let slot, let steps):
            return connection.forEachElement(of: record, slot) { record, slot in
                Self.descend(record, slot, steps[...], connection, body)
            }
        case .entry(let slot, let key, let steps):
            guard let entry = connection.mapEntry(of: record, slot, key: key) else { return body(.nothing) }
            return Self.descend(entry, 0, steps[...], connection, body)
        case .element(let slot, let index, let steps):
            guard let element = connection.listElement(of: record, slot, at: index) else { return body(.nothing) }
            return Self.descend(element.record, element.slot, steps[...], connection, body)
        case .keys(let slot): return connection.forEachMapKey(of: record, slot) { body(.key($0)) }
        }
    }

    /// Into what an `any` holds.
    private static func descend(
        _ record: RecordView, _ slot: Int, _ steps: ArraySlice<AnyStep>, _ connection: Connection,
        _ body: (Site) -> Bool
    ) -> Bool {
        guard let step = steps.first else { return body(.value(record, slot)) }
        let rest = steps.dropFirst()
        switch step {
        case .key(let key):
            guard let entry = connection.mapEntry(of: record, slot, key: key) else { return body(.nothing) }
            return descend(entry, 0, rest, connection, body)
        case .index(let index):
            guard let element = connection.listElement(of: record, slot, at: index) else { return body(.nothing) }
            return descend(element.record, element.slot, rest, connection, body)
        case .elements:
            return connection.forEachElement(of: record, slot) { record, slot in
                descend(record, slot, rest, connection, body)
            }
        }
    }
}
