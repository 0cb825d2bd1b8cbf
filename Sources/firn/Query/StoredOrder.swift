import FirnQuery
import FirnStore

/// An order of objects by the values that key paths lead to.
struct StoredOrder {
    private struct Part {
        let keyPath: String
        let isAscending: Bool
        /// The links that lead to the value's object, and where they lead.
        let links: [(column: StoredColumn, target: StoredTable)]
        let column: StoredColumn
    }

    private let table: StoredTable
    private let parts: [Part]

    /// - Throws: `.unknownProperty`, or `.invalidComparison` for what has no order.
    init(
        _ keyPaths: [(keyPath: String, isAscending: Bool)], of table: StoredTable, in schema: StoredSchema
    ) throws(QueryError) {
        self.table = table
        var parts: [Part] = []
        for (keyPath, isAscending) in keyPaths {
            var links: [(column: StoredColumn, target: StoredTable)] = []
            var owner = table
            let names = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            for name in names.dropLast() {
                let column = try Self.column(name, of: owner)
                guard column.collection == nil, let target = column.target.flatMap({ schema[$0] }) else {
                    throw QueryError(.invalidComparison, "--sort: \(owner.name).\(name) is no link to one object")
                }
                links.append((column, target))
                owner = target
            }
            let column = try Self.column(names.last ?? "", of: owner)
            guard column.collection == nil, column.type != .coded else {
                throw QueryError(.invalidComparison, "--sort: \(owner.name).\(column.name) has no order")
            }
            parts.append(Part(keyPath: keyPath, isAscending: isAscending, links: links, column: column))
        }
        self.parts = parts
    }

    private static func column(_ name: String, of table: StoredTable) throws(QueryError) -> StoredColumn {
        if let column = table[name] { return column }
        let names = table.columns.map(\.name).joined(separator: ", ")
        throw QueryError(.unknownProperty, "--sort: \(table.name) has no property “\(name)”; it has \(names)")
    }

    /// Whether objects stay in the order of their keys.
    var isEmpty: Bool { parts.isEmpty }

    /// The order in words.
    var text: String { parts.map { $0.isAscending ? $0.keyPath : "\($0.keyPath) descending" }.joined(separator: ", ") }

    /// Keys that ascend, sorted; of objects with equal values those stay so.
    func sorted(_ keys: [ObjectKey], in connection: Connection) -> [ObjectKey] {
        guard !isEmpty else { return keys }
        let rows = keys.map { key in (key: key, values: parts.map { orderedValue(key, $0, connection) }) }
        return rows.sorted { left, right in
            for (index, part) in parts.enumerated() where left.values[index] != right.values[index] {
                return left.values[index].lexicographicallyPrecedes(right.values[index]) == part.isAscending
            }
            return left.key < right.key
        }.map(\.key)
    }

    private func orderedValue(_ key: ObjectKey, _ part: Part, _ connection: Connection) -> [UInt8] {
        var buffer = KeyBuffer(limit: .max)
        var value = StoredValue.null
        var row: RowID? = RowID(table: table.id, key: key)
        for link in part.links {
            guard let found = row, let record = connection.record(found.table, found.key) else { break }
            row = nil
            if case .link(let key) = connection.value(record, link.column) {
                row = RowID(table: link.target.id, key: key)
            }
        }
        if let row, let record = connection.record(row.table, row.key) { value = connection.value(record, part.column) }
        if part.column.type == .any {
            OrderedValue.appendAny(value, to: &buffer)
        } else {
            OrderedValue.append(value, to: &buffer)
        }
        return buffer.withBytes { Array($0) }
    }
}
