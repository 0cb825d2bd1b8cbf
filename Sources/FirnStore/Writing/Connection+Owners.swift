extension Connection {
    /// Deletes objects with all that goes with them: embedded objects, and what their columns cascade to. Links that lead to
    /// any of them are taken away: single links, map values and links within an `any` become null, elements of lists and
    /// sets go.
    ///
    /// Answers the tables that lost objects. Throws `.deletionDenied`, with nothing deleted, where a column with that rule
    /// still links to an object that would stay. Objects that are gone already are no error.
    @discardableResult
    package func delete(_ rows: [RowID]) throws(StoreError) -> Set<TableID> {
        fatalError("not built")
    }

    /// Deletes all objects of tables: as `delete(_:)` for all of them at once.
    @discardableResult
    package func deleteAll(_ tables: [TableID]) throws(StoreError) -> Set<TableID> {
        fatalError("not built")
    }

    /// Deletes those objects, with all that goes with them, to which no column links any more that cascades.
    @discardableResult
    package func deleteOrphans(_ rows: [RowID]) throws(StoreError) -> Set<TableID> {
        fatalError("not built")
    }

    /// All objects that a column of an object links to, through collections too; an object linked twice stands twice.
    package func linkedRows(_ row: RowID, slot: Int) -> [RowID] {
        fatalError("not built")
    }

    /// The column and the object that own an embedded object; nil for one that nobody owns.
    package func owner(of row: RowID) throws(StoreError) -> (column: ColumnID, owner: RowID)? {
        fatalError("not built")
    }

    /// The objects whose `column` links to an object, in the order of their keys, each with its number of links.
    package func backlinks(to row: RowID, column: ColumnID) throws(StoreError) -> [(origin: ObjectKey, count: Int)] {
        fatalError("not built")
    }

    /// The objects that the open write has deleted, by whatever call; empty outside a write.
    package var deletedRows: Set<RowID> {
        fatalError("not built")
    }
}
