import FirnStore

/// What an observer of objects looks at: which changes, of these or of what they link to, are modifications of an object.
struct ObservedPaths {
    private let table: TableID
    private let paths: Paths

    private enum Paths {
        /// All properties of the objects, and of those that they lead to through links, one after the other, at most so many.
        case all(depth: Int)
        /// Just these, each from the object on.
        case these([[Step]])
    }

    /// One property of a path.
    fileprivate enum Step {
        /// A column; what it links to comes next.
        case column(StoredColumn, of: TableID)
        /// The objects that link here by a column come next.
        case origins(StoredColumn, of: TableID)
    }

    /// How many links are followed where no key paths are given. As many as Realm follows.
    static let collectionDepth = 4

    /// Just the properties that dotted key paths name, through links, collections of links and linking objects; each property on
    /// the way counts. No key paths stand for all, as deep as `depth`. Traps for an unknown property.
    init(_ binding: TableBinding, _ keyPaths: [String]?, depth: Int) {
        table = binding.table.id
        let keyPaths = keyPaths ?? []
        paths = keyPaths.isEmpty ? .all(depth: depth) : .these(keyPaths.map { Self.steps($0, from: binding) })
    }

    /// All properties of a table's objects, and of those that they lead to, as deep as `depth`.
    init(_ table: TableID, depth: Int) {
        self.table = table
        paths = .all(depth: depth)
    }

    private static func steps(_ keyPath: String, from root: TableBinding) -> [Step] {
        var steps: [Step] = []
        var binding: TableBinding? = root
        for name in keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init) {
            guard let current = binding else {
                misuse(
                    "'\(root.info.name)' cannot be observed along '\(keyPath)': what stands before '\(name)' has no properties"
                )
            }
            if let index = current.info.index(of: name), let column = current.column(of: index) {
                steps.append(.column(column, of: current.table.id))
                binding = current.targets[column.slot]
            } else if let index = current.info.incomingLinks.firstIndex(where: { $0.name == name }) {
                let (origin, slot) = current.linkOrigins[index]
                guard let column = origin.table.columns.first(where: { $0.slot == slot }) else { continue }
                steps.append(.origins(column, of: origin.table.id))
                binding = origin
            } else {
                let names = current.info.properties.map(\.name) + current.info.incomingLinks.map(\.name)
                misuse(
                    "'\(root.info.name)' cannot be observed along '\(keyPath)': '\(current.info.name)' has no property '\(name)'; "
                        + "it has " + names.joined(separator: ", "))
            }
        }
        return steps
    }

    /// The objects that changes modify, in a version that has these changes; `old` reads the one before. Objects that are new or
    /// gone may be among them. Costs a look-up for each link from a changed object back to the observed ones.
    func modified(by changes: ChangeSet, in connection: Connection, old: Connection) -> ModifiedKeys {
        switch paths {
        case .all(let depth): everything(changes, depth, connection)
        case .these(let paths): along(paths, changes, connection, old)
        }
    }

    // MARK: All properties

    private func everything(_ changes: ChangeSet, _ depth: Int, _ connection: Connection) -> ModifiedKeys {
        var modified = ModifiedKeys(changes.tables[table]?.modifiedKeys ?? [])
        let reach = Reach(from: table, depth: depth, connection.schema)
        // Breadth first, so that a row is met first on its shortest way.
        var seen: Set<RowID> = []
        var frontier: [RowID] = []
        for (id, change) in changes.tables where reach.leadsBack(from: id) {
            for range in change.modifiedKeys {
                for key in range { frontier.append(RowID(table: id, key: key)) }
            }
        }
        seen.formUnion(frontier)
        var length = 0
        while !frontier.isEmpty, length < depth {
            length += 1
            var next: [RowID] = []
            for row in frontier {
                for column in reach.columns(to: row.table, length: length) {
                    for link in connection.backlinks(to: row, column: column.id) {
                        let origin = RowID(table: column.table, key: link.origin)
                        guard seen.insert(origin).inserted else { continue }
                        if origin.table == table { modified.insert(origin.key) }
                        next.append(origin)
                    }
                }
            }
            frontier = next
        }
        return modified
    }

    // MARK: Key paths

    private func along(
        _ paths: [[Step]], _ changes: ChangeSet, _ connection: Connection, _ old: Connection
    ) -> ModifiedKeys {
        var modified = ModifiedKeys()
        for path in paths {
            for (length, step) in path.enumerated() {
                if length == 0, case .column(let column, let table) = step {
                    modified.formUnion(changes.tables[table]?.modified[column.id] ?? [])
                    continue
                }
                var keys = changedKeys(step, changes, connection, old)
                for step in path[..<length].reversed() where !keys.isEmpty {
                    keys = Set(keys.flatMap { key in Self.before(key, step, connection) })
                }
                for key in keys { modified.insert(key) }
            }
        }
        return modified
    }

    /// The objects whose property has changed.
    private func changedKeys(
        _ step: Step, _ changes: ChangeSet, _ connection: Connection, _ old: Connection
    ) -> Set<ObjectKey> {
        switch step {
        case .column(let column, let table):
            return Set((changes.tables[table]?.modified[column.id] ?? []).joined())
        case .origins(let column, let table):
            guard let change = changes.tables[table] else { return [] }
            var targets: Set<ObjectKey> = []
            let origins = (change.modified[column.id] ?? []) + change.inserted + change.deleted
            for key in origins.joined() {
                // Whoever one origin links to more often or less has other linking objects than before.
                var links: [ObjectKey: Int] = [:]
                let row = RowID(table: table, key: key)
                for target in connection.linkedRows(row, slot: column.slot) { links[target.key, default: 0] += 1 }
                for target in old.linkedRows(row, slot: column.slot) { links[target.key, default: 0] -= 1 }
                targets.formUnion(links.lazy.filter { $0.value != 0 }.map(\.key))
            }
            return targets
        }
    }

    /// The objects from which a step leads to one.
    private static func before(_ key: ObjectKey, _ step: Step, _ connection: Connection) -> [ObjectKey] {
        switch step {
        case .column(let column, _):
            guard let target = column.target else { return [] }
            return connection.backlinks(to: RowID(table: target, key: key), column: column.id).map(\.origin)
        case .origins(let column, let table):
            return connection.linkedRows(RowID(table: table, key: key), slot: column.slot).map(\.key)
        }
    }
}

/// Which columns lead from the objects of a table to those of others, through a number of links.
private struct Reach {
    private let depth: Int
    /// How many links away each table is at least.
    private var distances: [TableID: Int]
    private var incoming: [TableID: [(id: ColumnID, table: TableID)]] = [:]

    init(from table: TableID, depth: Int, _ schema: StoredSchema) {
        self.depth = depth
        distances = [table: 0]
        var frontier = [table]
        for distance in 1..<max(depth + 1, 1) {
            var next: [TableID] = []
            for id in frontier {
                for column in schema[id]?.columns ?? [] {
                    for target in Self.targets(of: column, schema) {
                        incoming[target, default: []].append((column.id, id))
                        guard distances[target] == nil else { continue }
                        distances[target] = distance
                        next.append(target)
                    }
                }
            }
            frontier = next
        }
    }

    private static func targets(of column: StoredColumn, _ schema: StoredSchema) -> [TableID] {
        if let target = column.target { return [target] }
        return column.type == .any ? schema.tables.filter { !$0.isEmbedded }.map(\.id) : []
    }

    /// Whether some link leads to a table.
    func leadsBack(from table: TableID) -> Bool { incoming[table] != nil }

    /// The columns that link to a table and are so near that the whole way is not too long; `length` counts the links back to
    /// and with these.
    func columns(to table: TableID, length: Int) -> [(id: ColumnID, table: TableID)] {
        (incoming[table] ?? []).filter { length + (distances[$0.table] ?? .max / 2) <= depth }
    }
}

/// The keys of modified objects: long runs of them, and single ones.
struct ModifiedKeys {
    private var runs: [ClosedRange<ObjectKey>]
    private var others: Set<ObjectKey> = []

    init(_ runs: [ClosedRange<ObjectKey>] = []) {
        self.runs = runs
    }

    var isEmpty: Bool { runs.isEmpty && others.isEmpty }

    func contains(_ key: ObjectKey) -> Bool { runs.containsKey(key) || others.contains(key) }

    mutating func insert(_ key: ObjectKey) {
        if !runs.containsKey(key) { others.insert(key) }
    }

    mutating func formUnion(_ keys: [ClosedRange<ObjectKey>]) {
        runs = runs.union(keys)
        others = others.filter { !keys.containsKey($0) }
    }

    /// How many keys there are.
    var count: Int { runs.keyCount + others.count }

    /// All keys, in no order.
    var all: [ObjectKey] { Array(runs.joined()) + others }
}

extension ChangeSet.Table {
    /// The objects of which some value changed.
    fileprivate var modifiedKeys: [ClosedRange<ObjectKey>] {
        modified.values.reduce([]) { $0.union($1) }
    }
}

extension PartialKeyPath where Root: ObjectBase {
    /// The dotted name of what is to be observed. Traps where it has none.
    var observedName: String {
        guard let name = PropertyTracer.name(of: self) else {
            misuse("'\(Root.className())' was observed along \(self), which is no path of persisted properties")
        }
        return name
    }
}
