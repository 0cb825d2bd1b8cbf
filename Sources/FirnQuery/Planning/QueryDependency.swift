import FirnStore

/// Something that the answer of a predicate depends on.
package struct QueryDependency: Hashable, Sendable {
    /// The table.
    package let table: TableID
    /// The column's slot; nil for the table's objects coming and going.
    package let slot: Int?

    package init(table: TableID, slot: Int?) {
        self.table = table
        self.slot = slot
    }
}

/// Takes note of what paths lead through while a predicate is bound.
final class DependencyLog {
    private(set) var dependencies: Set<QueryDependency> = []

    func note(_ dependency: QueryDependency) {
        dependencies.insert(dependency)
    }
}
