import LMDB
import TestSupport
import Testing

@testable import FirnStore

/// A store with one object that has lists of several types.
struct ListFixture {
    let directory = TemporaryDirectory()
    let connection: Connection
    let row: RowID

    /// The columns, which are lists of that type.
    enum Column: Int, CaseIterable {
        case numbers, texts, values, links
    }

    init() throws {
        connection = try ListFixture.open(directory.path("lists.firn"))
        let table = try #require(connection.schema["Owner"]).id
        try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "test")))
        let key = try connection.insert(table) { writer in for _ in Column.allCases { writer.add(.null) } }
        try connection.commit()
        row = RowID(table: table, key: key)
    }

    static func open(_ path: String) throws -> Connection {
        let connection = try Connection(store: Store.open(StoreOptions(path: path, durability: .none)))
        let columns = [
            ColumnDefinition(name: "numbers", type: .int, collection: .list),
            ColumnDefinition(name: "texts", type: .string, isOptional: true, collection: .list),
            ColumnDefinition(name: "values", type: .any, isOptional: true, collection: .list),
            ColumnDefinition(name: "links", type: .link, collection: .list, target: "Owner"),
        ]
        try connection.prepare([TableDefinition(name: "Owner", columns: columns)], schemaVersion: 0, policy: .migrate)
        return connection
    }

    func place(_ column: Column) -> CollectionPlace {
        CollectionPlace(row: row, slot: column.rawValue)
    }

    func write(_ body: () throws -> Void) throws {
        try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "test")))
        do {
            try body()
            try connection.commit()
        } catch {
            connection.rollback()
            throw error
        }
    }

    /// All elements, read leaf by leaf.
    func elements(_ column: Column, _ connection: Connection? = nil) -> [StoredValue] {
        let connection = connection ?? self.connection
        var elements: [StoredValue] = []
        while true {
            let more = connection.withListElements(place(column), from: elements.count) { record, slots in
                slots.map { connection.value(record, $0) }
            }
            guard let more else { return elements }
            elements += more
        }
    }

    /// What is wrong with the nodes, and the numbers of elements that the leaves have, in order.
    func check(_ column: Column) throws -> (problems: [String], leaves: [Int]) {
        guard let id = connection.collectionID(place(column)) else { return ([], []) }
        var leaves: [Int] = []
        if connection.isWriting { try connection.applyPending() }
        let cursor = try connection.transaction.makeCursor(connection.store.databases.lists)
        let problems = try ListTree.check(id, with: cursor) { leaves.append($0.slotCount) }
        return (problems, leaves)
    }

    /// How many nodes there are of all lists.
    func nodeCount() throws -> Int {
        try connection.statistics(of: connection.store.databases.lists).entryCount
    }
}
