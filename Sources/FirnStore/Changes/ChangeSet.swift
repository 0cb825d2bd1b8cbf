/// What one commit changed.
package struct ChangeSet: Equatable, Sendable {
    /// What changed in one table. An object that was deleted and inserted again stands in both.
    package struct Table: Equatable, Sendable {
        package var inserted: [ClosedRange<ObjectKey>] = []
        package var deleted: [ClosedRange<ObjectKey>] = []
        /// By column, the objects whose value changed and that were there before and are after.
        package var modified: [ColumnID: [ClosedRange<ObjectKey>]] = [:]

        package init() {}

        var isEmpty: Bool { inserted.isEmpty && deleted.isEmpty && modified.isEmpty }
    }

    /// By table. Where `isCoarse`, the tables say only that they were touched.
    package var tables: [TableID: Table] = [:]
    /// Whether the commit changed too much to say what.
    package var isCoarse = false

    package init() {}
}
