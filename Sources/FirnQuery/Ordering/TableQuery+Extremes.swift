import FirnStore

extension TableQuery {
    /// The object with the smallest or the largest value of a column, nil and NaN aside, by the column's index; nil where there
    /// is none. The outer nil says that no index tells, or too many objects failed on the way.
    package func extreme(of column: StoredColumn, isLargest: Bool, in connection: Connection) -> ObjectKey?? {
        guard column.type != .any, let range = IndexRange.values(of: column),
            var walk = IndexWalk(table, along: column, isAscending: !isLargest)
        else { return nil }
        walk.range = range
        var budget = Int.max
        if let planner = predicate?.planner {
            let query = plan(connection)
            let stretch = planner.stretch(of: walk.index)
            walk.range = range.intersection(stretch.range)
            walk.test(as: stretch.rest)
            switch query.plan {
            case .scan: if !walk.tests.isEmpty { budget = Self.budget(connection.count(table.id)) }
            case .access(.index(let way)) where way.index.id == column.index?.id: break
            default: return nil
            }
        }
        return keys(along: walk, connection, limit: 1, budget: budget).map(\.first)
    }
}
