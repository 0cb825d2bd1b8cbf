import Foundation
import LMDB
import TestSupport
import Testing

@testable import FirnStore

/// A store in a directory of its own whose class `Node` has properties of every kind, with an embedded class `Part`.
struct CollectionFixture {
    let directory: TemporaryDirectory
    let connection: Connection
    let node: StoredTable
    let part: StoredTable

    static let tables = [
        TableDefinition(
            name: "Node", primaryKey: "id",
            columns: [
                ColumnDefinition(name: "id", type: .int),
                ColumnDefinition(name: "one", type: .link, isOptional: true, target: "Node"),
                ColumnDefinition(
                    name: "owned", type: .link, isOptional: true, target: "Node", deleteRule: .cascade),
                ColumnDefinition(name: "kept", type: .link, isOptional: true, target: "Node", deleteRule: .deny),
                ColumnDefinition(name: "list", type: .link, collection: .list, target: "Node"),
                ColumnDefinition(
                    name: "ownedList", type: .link, collection: .list, target: "Node", deleteRule: .cascade),
                ColumnDefinition(name: "set", type: .link, collection: .set, target: "Node"),
                ColumnDefinition(name: "map", type: .link, isOptional: true, collection: .map, target: "Node"),
                ColumnDefinition(name: "any", type: .any, isIndexed: true),
                ColumnDefinition(name: "anyList", type: .any, collection: .list),
                ColumnDefinition(name: "anySet", type: .any, collection: .set),
                ColumnDefinition(name: "anyMap", type: .any, collection: .map),
                ColumnDefinition(name: "part", type: .link, isOptional: true, target: "Part"),
                ColumnDefinition(name: "parts", type: .link, collection: .list, target: "Part"),
                ColumnDefinition(name: "partMap", type: .link, isOptional: true, collection: .map, target: "Part"),
                ColumnDefinition(name: "words", type: .string, isOptional: true, collection: .set),
                ColumnDefinition(name: "texts", type: .string, collection: .map),
                ColumnDefinition(name: "numbers", type: .int, collection: .list),
            ], indexes: [IndexDefinition(["any", "one"]), IndexDefinition(["kept", "part", "any"])]),
        TableDefinition(
            name: "Part", isEmbedded: true,
            columns: [
                ColumnDefinition(name: "name", type: .string, isIndexed: true),
                ColumnDefinition(name: "part", type: .link, isOptional: true, target: "Part"),
                ColumnDefinition(name: "node", type: .link, isOptional: true, target: "Node"),
                ColumnDefinition(name: "nodes", type: .link, collection: .list, target: "Node"),
            ], indexes: [IndexDefinition(["name", "node"])]),
    ]

    init(at directory: TemporaryDirectory = TemporaryDirectory()) throws {
        self.directory = directory
        connection = try Connection(
            store: Store.open(StoreOptions(path: directory.path("a.firn"), durability: .none, reservation: 1 << 32)))
        try connection.prepare(CollectionFixture.tables, schemaVersion: 0, policy: .migrate)
        node = try #require(connection.schema["Node"])
        part = try #require(connection.schema["Part"])
    }

    // MARK: Writing

    /// Runs a write, commits it and checks every invariant.
    @discardableResult
    func write<R>(_ body: () throws -> R) throws -> R {
        try commit(body).result
    }

    /// What a write changes.
    func changes(_ body: () throws -> Void) throws -> ChangeSet {
        try commit(body).changes
    }

    private func commit<R>(_ body: () throws -> R) throws -> (result: R, changes: ChangeSet) {
        try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "test")))
        do {
            let result = try body()
            let changes = try connection.commit()
            try check()
            return (result, changes)
        } catch {
            if connection.isWriting { connection.rollback() }
            throw error
        }
    }

    func check() throws {
        let problems = IntegrityChecker.check(connection)
        try #require(problems.isEmpty, "\(problems)")
    }

    /// Adds a node without values.
    @discardableResult
    func insertNode(_ id: Int64) throws -> RowID {
        let columnCount = node.columns.count
        let key = try connection.insert(node.id) { writer in
            writer.add(.int(id))
            for _ in 1..<columnCount { writer.add(.null) }
        }
        return RowID(table: node.id, key: key)
    }

    /// Adds a part that nobody owns yet.
    func insertPart(_ name: String = "") throws -> RowID {
        let columnCount = part.columns.count
        let key = try connection.insert(part.id) { writer in
            writer.add(.string(name))
            for _ in 1..<columnCount { writer.add(.null) }
        }
        return RowID(table: part.id, key: key)
    }

    func set(_ row: RowID, _ column: String, _ value: StoredValue) throws {
        try connection.set(row.table, row.key, slot: slot(row.table, column), value)
    }

    // MARK: Reading

    func slot(_ table: TableID, _ column: String) throws -> Int {
        try #require(connection.schema[table]?[column]).slot
    }

    func place(_ row: RowID, _ column: String, nested: StoredValue? = nil) throws -> CollectionPlace {
        let slot = try slot(row.table, column)
        guard case .collection(_, let id) = nested else { return CollectionPlace(row: row, slot: slot) }
        return CollectionPlace(row: row, slot: slot, nestedID: id)
    }

    func value(_ row: RowID, _ column: String) throws -> StoredValue {
        let record = try #require(connection.record(row.table, row.key))
        return connection.value(record, try slot(row.table, column))
    }

    func exists(_ row: RowID) -> Bool {
        connection.contains(row.table, row.key)
    }

    /// The elements of a set, or the values of a map.
    func entries(_ place: CollectionPlace) -> [StoredValue] {
        var values: [StoredValue] = []
        connection.forEachEntry(place) { record, _ in
            values.append(connection.value(record, 0))
            return true
        }
        return values
    }

    func keys(_ place: CollectionPlace) -> [String] {
        var keys: [String] = []
        connection.forEachEntry(place) { _, key in
            keys.append(key())
            return true
        }
        return keys
    }

    func elements(_ place: CollectionPlace) -> [StoredValue] {
        (0..<connection.count(place)).map { connection.listElement(place, at: $0) }
    }

    func append(_ place: CollectionPlace, _ values: StoredValue...) throws {
        try connection.listInsert(place, values, at: connection.count(place))
    }

    /// How many pairs the databases of collections and blobs have.
    func pairCounts() throws -> [Int] {
        let databases = connection.store.databases
        return try [databases.lists, databases.entries, databases.blobs].map {
            try connection.statistics(of: $0).entryCount
        }
    }
}

extension RowID {
    var link: StoredValue { .link(key) }
    var typedLink: StoredValue { .typedLink(table: table.rawValue, key: key) }
}
