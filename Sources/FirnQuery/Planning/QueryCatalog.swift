import FirnStore
import Synchronization

/// What the names in a predicate mean: the columns of the file, and other names that classes have for them.
///
/// A class, so that it is handed on without a copy of all that is in it.
package final class QueryCatalog: Sendable {
    /// A name that is no column's.
    package enum Name: Sendable {
        /// Another name of a column.
        case column(String)
        /// The objects that link here by a column of a table.
        case links(from: TableID, column: ColumnID)
    }

    /// What no other catalog of this process has, so that what was bound by one is known again.
    package let id = QueryCatalog.lastID.add(1, ordering: .relaxed).newValue
    private static let lastID = Atomic<UInt64>(0)

    let schema: StoredSchema
    private let targets = Mutex<[TargetKey: PathTarget]>([:])
    private let names: [TableID: [String: Name]]

    /// The tables of a schema, with further names for what is in them.
    package init(_ schema: StoredSchema, names: [TableID: [String: Name]] = [:]) {
        self.schema = schema
        self.names = names
    }

    /// What a name of a table means.
    enum Property {
        case column(StoredColumn)
        case links(from: StoredTable, column: StoredColumn)
    }

    func property(_ name: String, of table: StoredTable) -> Property? {
        switch names[table.id]?[name] {
        case .column(let column): table[column].map { .column($0) }
        case .links(let origin, let column): links(from: schema[origin], column: { $0.id == column })
        case nil: table[name].map { .column($0) }
        }
    }

    /// The links of one column to a table, by names.
    func links(from origin: String, property: String, to table: StoredTable) -> Property? {
        guard let origin = schema[origin] else { return nil }
        var name = property
        if case .column(let column) = names[origin.id]?[property] { name = column }
        return links(from: origin) { $0.name == name && ($0.target == table.id || $0.type == .any) }
    }

    private func links(from origin: StoredTable?, column isWanted: (StoredColumn) -> Bool) -> Property? {
        guard let origin, let column = origin.columns.first(where: isWanted) else { return nil }
        return .links(from: origin, column: column)
    }

    /// The column whose links a step follows, and its table; nil for a step that follows others.
    func link(of step: BoundPath.Step, from table: StoredTable) -> StoredColumn? {
        switch step {
        case .link(let slot, _), .elements(let slot, _): table.columns.first { $0.slot == slot }
        case .entry, .element, .origins: nil
        }
    }

    // MARK: Paths

    private struct TargetKey: Hashable {
        let table: TableID
        let path: QueryPath
    }

    /// How many paths are remembered.
    private static var memory: Int { 256 }

    /// What stands at the end of a path that begins at an object of a table: what `bind` finds, which is remembered, since a program
    /// asks by the same paths over and over.
    func target(
        of path: QueryPath, from table: TableID, _ bind: () throws(QueryError) -> PathTarget
    ) throws(QueryError) -> PathTarget {
        let key = TargetKey(table: table, path: path)
        if let known = targets.withLock({ $0[key] }) { return known }
        let target = try bind()
        targets.withLock { targets in
            if targets.count == Self.memory { targets.removeAll() }
            targets[key] = target
        }
        return target
    }

    /// All names of a table.
    func propertyNames(of table: StoredTable) -> [String] {
        guard let others = names[table.id] else { return table.columns.map(\.name) }
        let renamed = Set(others.values.compactMap { if case .column(let name) = $0 { name } else { nil } })
        return table.columns.map(\.name).filter { !renamed.contains($0) } + others.keys
    }
}
