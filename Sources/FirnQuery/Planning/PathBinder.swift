import FirnStore

/// What stands at the end of a path.
///
/// A class, so that it is handed on without a copy of all that is in it.
final class PathTarget: Sendable {
    /// How it is read.
    let path: BoundPath
    let name: PathName
    let type: Kind
    /// Whether the path leads through a collection or incoming links, so that there are as many values as there are.
    let isMany: Bool
    /// Whether there may be no value because a link on the way is nil or a key is not there.
    let mayBeNothing: Bool
    /// The column, where the path is one property of the object that the predicate is about.
    let ownColumn: StoredColumn?
    /// The column at the end, and its table; nil where the path ends at anything but the column's value, or its elements.
    let column: StoredColumn?
    let table: StoredTable?
    /// The column at the end, where an index of its table has its values.
    let indexed: StoredColumn?
    /// The tables that the steps begin at.
    let tables: [StoredTable]
    /// What the path leads through.
    let dependencies: [QueryDependency]

    fileprivate init(_ walk: Walk) {
        path = walk.path
        name = walk.name
        type = walk.type
        isMany = walk.isMany
        mayBeNothing = walk.mayBeNothing
        ownColumn = walk.ownColumn
        column = walk.column
        table = walk.columnTable
        indexed = walk.column.flatMap { walk.columnTable?.hasIndex(with: $0) == true ? $0 : nil }
        tables = walk.tables
        dependencies = walk.dependencies
    }

    enum Kind: Sendable {
        /// A value of a column's type.
        case value(ColumnType, isOptional: Bool, target: TableID?)
        /// An object that needs no link.
        case object(TableID)
        /// The name of an `any`'s type.
        case typeName
        /// The name of a `Codable` enum's case.
        case caseName
    }
}

/// What a path is called in messages: a class, and what of its objects.
struct PathName: CustomStringConvertible, Sendable {
    let table: String
    /// The property that was reached last; nil for the object.
    var property: String?
    /// What was asked of the property.
    var rest = ""

    var description: String { "\(table)\(property.map { ".\($0)" } ?? "")\(rest)" }
}

/// Finds the slots that the names of a path stand for.
struct PathBinder {
    let catalog: QueryCatalog
    /// The objects that the names are those of, the innermost last.
    let scopes: [PredicateBinder.Variable]
    /// The position of the comparison, for errors.
    let position: Int?

    /// Throws `.unknownProperty` or `.invalidComparison`.
    func bind(_ path: QueryPath) throws(QueryError) -> PathTarget {
        var walk = try Walk(path, self)
        while let step = walk.next() { try walk.take(step) }
        return PathTarget(walk)
    }

    fileprivate func error(_ code: QueryError.Code, _ message: String) -> QueryError {
        QueryError(code, message, position: position)
    }

    fileprivate func start(_ path: QueryPath) throws(QueryError) -> (depth: Int, table: StoredTable) {
        let index = path.variable.map { variable in scopes.lastIndex { $0.name == variable } } ?? 0
        guard let index else { throw error(.malformed, "No SUBQUERY names a variable $\(path.variable ?? "")") }
        return (scopes.count - 1 - index, scopes[index].table)
    }
}

/// A path under way.
private struct Walk {
    private let binder: PathBinder
    private let steps: [QueryPath.Step]
    private var index = 0
    private(set) var path: BoundPath
    private(set) var name: PathName
    private(set) var type: PathTarget.Kind
    /// Where the walk is; nil where it is at a value.
    private var table: StoredTable?
    /// The collection of objects or values that was reached last, of which nothing has been said yet.
    private var collection: StoredColumn?
    private(set) var isMany = false
    private(set) var mayBeNothing = false
    private(set) var ownColumn: StoredColumn?
    private(set) var column: StoredColumn?
    private(set) var columnTable: StoredTable?
    /// The tables that the steps begin at.
    private(set) var tables: [StoredTable] = []
    private(set) var dependencies: [QueryDependency] = []
    /// The table of the object at which the walk was last.
    private var lastTable: StoredTable

    init(_ path: QueryPath, _ binder: PathBinder) throws(QueryError) {
        let start = try binder.start(path)
        self.binder = binder
        steps = path.steps
        self.path = BoundPath(depth: start.depth, steps: [], end: .object)
        table = start.table
        lastTable = start.table
        name = PathName(table: start.table.name)
        type = .object(start.table.id)
    }

    mutating func next() -> QueryPath.Step? {
        guard index < steps.count else { return nil }
        defer { index += 1 }
        return steps[index]
    }

    mutating func take(_ step: QueryPath.Step) throws(QueryError) {
        ownColumn = nil
        column = nil
        columnTable = nil
        switch step {
        case .property(let property): try takeProperty(property)
        case .links(let origin, let property):
            let table = try enterObject(".@links")
            guard case .links(let from, let column) = binder.catalog.links(from: origin, property: property, to: table)
            else {
                throw binder.error(.unknownProperty, "\(origin).\(property) does not link to \(table.name)")
            }
            takeLinks(from, column, to: table)
            name = PathName(table: table.name, property: "@links.\(origin).\(property)")
        case .key(let key): try takeKey(key)
        case .index(let position): try takeIndex(position)
        case .elements: try takeElements()
        case .keys: try takeKeys()
        case .values:
            guard collection?.collection == .map else { throw wrong("@allValues is for maps") }
        case .type:
            guard case .value(.any, _, _) = type else { throw wrong("@type is for values of any type") }
            type = .typeName
            name.rest += ".@type"
        case .caseName:
            guard case .value(.coded, _, _) = type else { throw wrong("@case is for Codable values") }
            type = .caseName
            name.rest += ".@case"
        case .allLinks: throw wrong("@links alone can only be counted")
        case .argument: throw binder.error(.invalidArgument, "An argument of the key path was not given")
        }
    }

    // MARK: Properties

    private mutating func takeProperty(_ property: String) throws(QueryError) {
        let table = try enterObject(".\(property)")
        guard let found = binder.catalog.property(property, of: table) else {
            let near = NearNames.of(property, among: binder.catalog.propertyNames(of: table))
            let hint = near.isEmpty ? "" : "; did you mean \(near.joined(separator: " or "))?"
            throw binder.error(.unknownProperty, "\(table.name) has no property “\(property)”\(hint)")
        }
        name = PathName(table: table.name, property: property)
        switch found {
        case .links(let from, let column): takeLinks(from, column, to: table)
        case .column(let column):
            dependencies.append(QueryDependency(table: table.id, slot: column.slot))
            type = .value(column.type, isOptional: column.isOptional || column.type == .link, target: column.target)
            self.table = nil
            self.column = column
            columnTable = table
            lastTable = table
            if path.steps.isEmpty, path.depth == 0, binder.scopes.count == 1 { ownColumn = column }
            guard column.collection != nil else {
                path.end = .slot(column.slot, within: [])
                break
            }
            collection = column
            path.end = .elements(slot: column.slot, within: [])
            isMany = true
        }
    }

    private mutating func takeLinks(_ from: StoredTable, _ column: StoredColumn, to goal: StoredTable) {
        dependencies.append(QueryDependency(table: from.id, slot: column.slot))
        dependencies.append(QueryDependency(table: from.id, slot: nil))
        tables.append(goal)
        path.steps.append(.origins(column: column.id, table: from.id, to: goal.id))
        path.end = .object
        table = from
        type = .object(from.id)
        isMany = true
    }

    /// The table of the objects that the walk is at: goes over the link, or the collection of links, that was reached.
    private mutating func enterObject(_ what: String) throws(QueryError) -> StoredTable {
        if let table { return table }
        guard case .value(.link, _, let target?) = type, let table = binder.catalog.schema[target] else {
            throw wrong("\(what) was asked of it, but it holds no objects of a class")
        }
        if case .object = path.end {} else { tables.append(lastTable) }
        switch path.end {
        case .slot(let slot, within: _):
            path.steps.append(.link(slot: slot, table: target))
            mayBeNothing = true
        case .elements(let slot, within: _):
            path.steps.append(.elements(slot: slot, table: target))
            mayBeNothing = mayBeNothing || collection?.collection == .map
        case .entry(let slot, let key, within: _):
            path.steps.append(.entry(slot: slot, key: key, table: target))
        case .element(let slot, let index, within: _):
            path.steps.append(.element(slot: slot, index: index, table: target))
        case .object, .keys: break
        }
        path.end = .object
        collection = nil
        self.table = table
        return table
    }

    // MARK: What stands in collections and in any

    private mutating func takeKey(_ key: String) throws(QueryError) {
        defer { name.rest += "[\(Constant.quoted(key))]" }
        mayBeNothing = true
        if let collection, collection.collection == .map, case .elements(let slot, let within) = path.end,
            within.isEmpty
        {
            leaveCollection()
            path.end = .entry(slot: slot, key: key, within: [])
        } else {
            try takeStep(.key(key), "a key")
        }
    }

    private mutating func takeIndex(_ index: Int) throws(QueryError) {
        defer { name.rest += "[\(index)]" }
        mayBeNothing = true
        if let collection, collection.collection == .list, case .elements(let slot, let within) = path.end,
            within.isEmpty
        {
            leaveCollection()
            path.end = .element(slot: slot, index: index, within: [])
        } else {
            try takeStep(.index(index), "a position")
        }
    }

    /// One element of the collection was named, so that there are no more than before it.
    private mutating func leaveCollection() {
        collection = nil
        isMany = path.steps.contains { step in
            switch step {
            case .elements, .origins: true
            case .link, .entry, .element: false
            }
        }
    }

    private mutating func takeElements() throws(QueryError) {
        defer { name.rest += "[*]" }
        if collection != nil { return }
        try takeStep(.elements, "[*]")
        isMany = true
    }

    private mutating func takeStep(_ step: BoundPath.AnyStep, _ what: String) throws(QueryError) {
        guard case .value(.any, _, _) = type else { throw wrong("it takes no \(what) in brackets") }
        collection = nil
        switch path.end {
        case .slot(let slot, let steps): path.end = .slot(slot, within: steps + [step])
        case .elements(let slot, let steps): path.end = .elements(slot: slot, within: steps + [step])
        case .entry(let slot, let key, let steps): path.end = .entry(slot: slot, key: key, within: steps + [step])
        case .element(let slot, let index, let steps):
            path.end = .element(slot: slot, index: index, within: steps + [step])
        case .object, .keys: break
        }
    }

    private mutating func takeKeys() throws(QueryError) {
        guard let collection, collection.collection == .map, case .elements(let slot, let within) = path.end,
            within.isEmpty
        else {
            throw wrong("@allKeys is for maps")
        }
        self.collection = nil
        path.end = .keys(slot: slot)
        type = .value(.string, isOptional: false, target: nil)
        name.rest += ".@allKeys"
    }

    private func wrong(_ message: String) -> QueryError {
        binder.error(.invalidComparison, "\(name): \(message)")
    }
}
