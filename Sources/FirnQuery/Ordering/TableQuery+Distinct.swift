import FirnStore

extension TableQuery {
    /// The first object of each value of a column, in order, by the column's index: one search a value, whatever the number of
    /// objects. Nil where no index tells, a predicate leaves objects out, or they are sorted by something else.
    package func firstKeys(ofEach column: StoredColumn, in connection: Connection) -> [ObjectKey]? {
        guard predicate == nil, column.collection == nil, let index = column.index, order.terms.count <= 1 else {
            return nil
        }
        if let term = order.terms.first, !term.path.isDirect || term.path.column.id != column.id { return nil }
        var keys: [ObjectKey] = []
        var isWhole = true
        let limit = IndexRange.byteLimit(of: index)
        connection.forEachIndexValue(table.id, index) { value, key in
            isWhole = value.count < limit
            // Objects that lead nowhere are not among those that lead to different ones.
            if column.type != .link || value.count > 1 { keys.append(key) }
            return isWhole
        }
        guard isWhole else { return nil }
        guard let term = order.terms.first else { return keys.sorted() }
        return term.isAscending ? keys : keys.reversed()
    }
}
