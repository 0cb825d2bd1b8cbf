import FirnQuery
import FirnStore

extension ObjectOrder {
    /// The order of a table's objects by the values that key paths lead to.
    /// - Throws: `.unknownProperty`, or `.invalidComparison` for what has no order.
    init(
        _ keyPaths: [(keyPath: String, isAscending: Bool)], of table: StoredTable, in schema: StoredSchema
    ) throws(QueryError) {
        var terms: [Term] = []
        for (keyPath, isAscending) in keyPaths {
            terms.append(Term(try ColumnPath(keyPath, from: table, in: schema), isAscending: isAscending))
        }
        self.init(terms)
    }
}

extension ColumnPath {
    /// The way that a dotted key path names.
    fileprivate init(_ keyPath: String, from table: StoredTable, in schema: StoredSchema) throws(QueryError) {
        var links: [(slot: Int, target: TableID)] = []
        var owner = table
        let names = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        for name in names.dropLast() {
            let column = try Self.column(name, of: owner)
            guard column.collection == nil, let target = column.target.flatMap({ schema[$0] }) else {
                throw QueryError(.invalidComparison, "--sort: \(owner.name).\(name) is no link to one object")
            }
            links.append((column.slot, target.id))
            owner = target
        }
        let column = try Self.column(names.last ?? "", of: owner)
        guard column.collection == nil, column.type != .coded else {
            throw QueryError(.invalidComparison, "--sort: \(owner.name).\(column.name) has no order")
        }
        self.init(links: links, to: column)
    }

    private static func column(_ name: String, of table: StoredTable) throws(QueryError) -> StoredColumn {
        if let column = table[name] { return column }
        let names = table.columns.map(\.name).joined(separator: ", ")
        throw QueryError(.unknownProperty, "--sort: \(table.name) has no property “\(name)”; it has \(names)")
    }
}
