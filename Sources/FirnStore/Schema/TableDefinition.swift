/// A table as a program declares it, before the store has given it ids and slots.
package struct TableDefinition: Equatable, Sendable {
    /// The class's name, unique in a schema.
    package var name: String
    /// Whether its rows belong to exactly one owner and go with it.
    package var isEmbedded: Bool
    /// The name of the primary key's column.
    package var primaryKey: String?
    /// In declaration order.
    package var columns: [ColumnDefinition]

    package init(name: String, isEmbedded: Bool = false, primaryKey: String? = nil, columns: [ColumnDefinition]) {
        self.name = name
        self.isEmbedded = isEmbedded
        self.primaryKey = primaryKey
        self.columns = columns
    }
}

/// A column as a program declares it.
package struct ColumnDefinition: Equatable, Sendable {
    package var name: String
    package var type: ColumnType
    package var isOptional: Bool
    /// What kind of collection of `type` it is; nil for a single value.
    package var collection: CollectionKind?
    /// The name of the table that a link leads to.
    package var target: String?
    /// Whether look-ups by value go through an index. A primary key needs no such flag.
    package var isIndexed: Bool
    /// What deleting an object does to those that the column links to.
    package var deleteRule: StoredDeleteRule

    package init(
        name: String, type: ColumnType, isOptional: Bool = false, collection: CollectionKind? = nil,
        target: String? = nil, isIndexed: Bool = false, deleteRule: StoredDeleteRule = .nullify
    ) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.collection = collection
        self.target = target
        self.isIndexed = isIndexed
        self.deleteRule = deleteRule
    }
}
