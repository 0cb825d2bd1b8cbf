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
    /// The indexes that no column declares for itself.
    package var indexes: [IndexDefinition]

    package init(
        name: String, isEmbedded: Bool = false, primaryKey: String? = nil, columns: [ColumnDefinition],
        indexes: [IndexDefinition] = []
    ) {
        self.name = name
        self.isEmbedded = isEmbedded
        self.primaryKey = primaryKey
        self.columns = columns
        self.indexes = indexes
    }

    /// All indexes that the table is to have, each list of columns once.
    var allIndexes: [IndexDefinition] {
        var all: [IndexDefinition] = []
        for column in columns {
            if column.name == primaryKey {
                // A required integer is the object's key itself.
                if column.type != .int || column.isOptional {
                    all.append(IndexDefinition([column.name], isUnique: true))
                }
            } else if column.isIndexed || column.isUnique {
                all.append(IndexDefinition([column.name], isUnique: column.isUnique))
            }
        }
        for index in indexes where index.columns != [primaryKey] {
            if let position = all.firstIndex(where: { $0.columns == index.columns }) {
                all[position].isUnique = all[position].isUnique || index.isUnique
            } else {
                all.append(index)
            }
        }
        return all
    }
}

/// An index as a program declares it.
package struct IndexDefinition: Hashable, Sendable {
    /// The names of its columns, in its order.
    package var columns: [String]
    /// Whether no two objects may have the same values, unless one of these is nil.
    package var isUnique: Bool

    package init(_ columns: [String], isUnique: Bool = false) {
        self.columns = columns
        self.isUnique = isUnique
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
    /// Whether no two objects may have the same value, nil aside; it has an index then.
    package var isUnique: Bool
    /// What deleting an object does to those that the column links to.
    package var deleteRule: StoredDeleteRule

    package init(
        name: String, type: ColumnType, isOptional: Bool = false, collection: CollectionKind? = nil,
        target: String? = nil, isIndexed: Bool = false, isUnique: Bool = false,
        deleteRule: StoredDeleteRule = .nullify
    ) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.collection = collection
        self.target = target
        self.isIndexed = isIndexed
        self.isUnique = isUnique
        self.deleteRule = deleteRule
    }
}
