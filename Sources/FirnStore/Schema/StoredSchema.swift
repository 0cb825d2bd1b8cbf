/// The schema as the file holds it. It, and not the classes of this process, drives every write.
package struct StoredSchema: Equatable, Sendable {
    /// The version that the program gave when it last changed the schema.
    package internal(set) var schemaVersion: UInt64
    /// Moves with every change of the schema, so that others see that theirs is old.
    package internal(set) var counter: UInt64
    /// In the order of their ids.
    package internal(set) var tables: [StoredTable]
    /// The first ids that no table, column or index ever had. Each kind counts for itself, since an index's id stands
    /// in every one of its keys and is to be short.
    var nextTableID: UInt32 = 1
    var nextColumnID: UInt32 = 1
    var nextIndexID: UInt32 = 1

    static let empty = StoredSchema(schemaVersion: 0, counter: 0, tables: [])

    /// The table named `name`, in O(tables).
    package subscript(_ name: String) -> StoredTable? {
        tables.first { $0.name == name }
    }

    /// The table with `id`, in O(log tables).
    package subscript(_ id: TableID) -> StoredTable? {
        var low = 0
        var high = tables.count
        while low < high {
            let middle = (low + high) / 2
            if tables[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low < tables.count && tables[low].id == id ? tables[low] : nil
    }

    mutating func makeTableID() -> TableID {
        defer { nextTableID += 1 }
        return TableID(rawValue: nextTableID)
    }

    mutating func makeColumnID() -> ColumnID {
        defer { nextColumnID += 1 }
        return ColumnID(rawValue: nextColumnID)
    }

    mutating func makeIndexID() -> IndexID {
        defer { nextIndexID += 1 }
        return IndexID(rawValue: nextIndexID)
    }
}

/// A table of the stored schema.
package struct StoredTable: Equatable, Sendable {
    package let id: TableID
    package internal(set) var name: String
    package internal(set) var isEmbedded: Bool
    /// The column of the primary key.
    package internal(set) var primaryKeyID: ColumnID?
    /// In the order in which they were added. Retired slots have no column.
    package internal(set) var columns: [StoredColumn]
    /// In the order of their ids.
    package internal(set) var indexes: [StoredIndex] = [] {
        didSet { assignIndexes() }
    }
    /// How many slots were ever given out; records may be shorter.
    package internal(set) var slotCount: Int

    /// The primary key's column.
    package var primaryKey: StoredColumn? {
        primaryKeyID.flatMap { id in columns.first { $0.id == id } }
    }

    /// Whether an object's key is its primary key with the sign bit flipped, so that no index is needed.
    package var usesIntegerKey: Bool {
        guard let primaryKey else { return false }
        return primaryKey.type == .int && !primaryKey.isOptional
    }

    /// The column named `name`, in O(columns).
    package subscript(_ name: String) -> StoredColumn? {
        columns.first { $0.name == name }
    }

    /// The columns over which an index of the table is, in its order.
    package func columns(of index: StoredIndex) -> [StoredColumn] {
        index.columns.compactMap { id in columns.first { $0.id == id } }
    }

    /// Whether the keys of an index of the table have a column's values.
    package func hasIndex(with column: StoredColumn) -> Bool {
        indexes.contains { $0.columns.contains(column.id) }
    }

    /// An index as a program would declare it.
    func definition(of index: StoredIndex) -> IndexDefinition {
        IndexDefinition(columns(of: index).map(\.name), isUnique: index.isUnique)
    }

    /// Lets each column know the index over it alone.
    mutating func assignIndexes() {
        for position in columns.indices {
            let id = columns[position].id
            columns[position].index = indexes.first { $0.columns == [id] }
        }
    }
}

/// A column of the stored schema.
package struct StoredColumn: Equatable, Sendable {
    package let id: ColumnID
    package internal(set) var name: String
    /// The column's place in a record; never reused in its table.
    package let slot: Int
    package let type: ColumnType
    package internal(set) var isOptional: Bool
    package let collection: CollectionKind?
    /// The table that a link leads to.
    package let target: TableID?
    /// The index over this column alone; one of the table's.
    package fileprivate(set) var index: StoredIndex?
    /// What deleting an object does to those that this column links to.
    package internal(set) var deleteRule: StoredDeleteRule

    init(
        id: ColumnID, name: String, slot: Int, type: ColumnType, isOptional: Bool, collection: CollectionKind?,
        target: TableID?, deleteRule: StoredDeleteRule
    ) {
        self.id = id
        self.name = name
        self.slot = slot
        self.type = type
        self.isOptional = isOptional
        self.collection = collection
        self.target = target
        self.deleteRule = deleteRule
    }

    /// Whether look-ups by value go through an index.
    package var isIndexed: Bool { index != nil }

    /// What a record that has no value for this column reads as.
    package var zero: StoredValue {
        if isOptional || collection != nil { return .null }
        return switch type {
        case .bool: .bool(false)
        case .int: .int(0)
        case .float: .float(0)
        case .double: .double(0)
        case .decimal: .decimal(DecimalParts.zeroBits)
        case .date: .date(seconds: 0, nanoseconds: 0)
        case .string: .string("")
        case .data: .data(.init())
        case .objectID: .objectID(ObjectIDBytes.zero)
        case .uuid: .uuid(.init(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
        case .link, .any, .coded: .null
        }
    }
}

/// An index of the stored schema.
package struct StoredIndex: Equatable, Sendable {
    package let id: IndexID
    /// The columns by whose values it is ordered, those of the first one first.
    package let columns: [ColumnID]
    /// Whether no two objects may have the same values, unless one of these is nil.
    package let isUnique: Bool
    /// How its entries lie.
    package let layout: IndexLayout

    init(id: IndexID, over columns: [StoredColumn], isUnique: Bool) {
        self.id = id
        self.columns = columns.map(\.id)
        self.isUnique = isUnique
        layout = IndexLayout(columns.map(\.type))
    }
}

/// What a look-up by primary key needs: the column, and its index unless the key is the object key itself.
struct PrimaryKeyLookUp {
    let column: StoredColumn
    let index: StoredIndex?
}

extension StoredSchema {
    /// By the raw values of the tables' ids.
    var primaryKeys: [PrimaryKeyLookUp?] {
        var found = [PrimaryKeyLookUp?](repeating: nil, count: Int(nextTableID))
        for table in tables {
            guard let column = table.primaryKey else { continue }
            found[Int(table.id.rawValue)] = PrimaryKeyLookUp(column: column, index: column.index)
        }
        return found
    }

    /// All columns with their tables.
    var columnsByID: [ColumnID: (table: StoredTable, column: StoredColumn)] {
        var columns: [ColumnID: (table: StoredTable, column: StoredColumn)] = [:]
        for table in tables {
            for column in table.columns { columns[column.id] = (table, column) }
        }
        return columns
    }

    /// The tables of embedded objects.
    var embeddedTables: Set<TableID> { Set(tables.lazy.filter(\.isEmbedded).map(\.id)) }
}
