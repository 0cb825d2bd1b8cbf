import LMDB
import TestSupport
import Testing

@testable import FirnStore

/// Classes with collections, embedded objects and delete rules that change while their objects stay.
@Suite struct CollectionSchemaTests {
    private let directory = TemporaryDirectory()

    private func open(
        _ tables: [TableDefinition], version: UInt64 = 0, policy: SchemaPolicy = .migrate
    ) throws -> Connection {
        let connection = try Connection(
            store: Store.open(StoreOptions(path: directory.path("a.firn"), durability: .none)))
        try connection.prepare(tables, schemaVersion: version, policy: policy)
        #expect(IntegrityChecker.check(connection).isEmpty)
        return connection
    }

    private func owner(_ columns: ColumnDefinition...) -> TableDefinition {
        TableDefinition(
            name: "Owner", primaryKey: "id", columns: [ColumnDefinition(name: "id", type: .int)] + columns)
    }

    private func child(isEmbedded: Bool = true) -> TableDefinition {
        TableDefinition(
            name: "Child", isEmbedded: isEmbedded, columns: [ColumnDefinition(name: "name", type: .string)])
    }

    private static let columns = [
        ColumnDefinition(name: "list", type: .string, collection: .list),
        ColumnDefinition(name: "set", type: .string, collection: .set),
        ColumnDefinition(name: "any", type: .any),
        ColumnDefinition(name: "children", type: .link, isOptional: true, collection: .map, target: "Child"),
        ColumnDefinition(name: "links", type: .link, collection: .list, target: "Owner"),
    ]

    private var full: TableDefinition {
        TableDefinition(
            name: "Owner", primaryKey: "id",
            columns: [ColumnDefinition(name: "id", type: .int)] + CollectionSchemaTests.columns)
    }

    /// Ten owners with something in each collection, blobs among it.
    private func fill() throws {
        let connection = try open([full, child()])
        let owner = try #require(connection.schema["Owner"])
        let child = try #require(connection.schema["Child"])
        let long = String(repeating: "x", count: 3000)
        try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "test")))
        for id in 0..<10 as Range<Int64> {
            let key = try connection.insert(owner.id) { writer in
                writer.add(.int(id))
                for _ in 1..<owner.columns.count { writer.add(.null) }
            }
            func place(_ slot: Int, _ nestedID: UInt64? = nil) -> CollectionPlace {
                CollectionPlace(row: RowID(table: owner.id, key: key), slot: slot, nestedID: nestedID)
            }
            try connection.listInsert(place(1), [.string("a"), .string(long)], at: 0)
            for value in ["a", long] { try connection.setInsert(place(2), .string(value)) }
            let map = try connection.makeCollection(.map)
            try connection.set(owner.id, key, slot: 3, map)
            guard case .collection(_, let mapID) = map else { return }
            try connection.mapSet(place(3, mapID), long, .typedLink(table: owner.id.rawValue, key: key))
            let part = try connection.insert(child.id) { $0.addString(long) }
            try connection.mapSet(place(4), "child", .link(part))
            try connection.listInsert(place(5), [.link(key), .link(key)], at: 0)
        }
        try connection.commit()
        #expect(IntegrityChecker.check(connection).isEmpty)
    }

    private func expectNoPairs(_ connection: Connection) throws {
        let databases = connection.store.databases
        for database in [databases.lists, databases.entries, databases.blobs, databases.backlinks] {
            #expect(try connection.statistics(of: database).entryCount == 0)
        }
    }

    @Test func `columns of collections that go take all that they hold with them`() throws {
        try fill()
        let connection = try open([owner(), child()], version: 1)
        try expectNoPairs(connection)
        #expect(connection.count(try #require(connection.schema["Child"]).id) == 0)
        #expect(connection.count(try #require(connection.schema["Owner"]).id) == 10)
    }

    @Test func `a column that becomes another kind of collection loses what it held`() throws {
        try fill()
        let connection = try open(
            [
                owner(
                    ColumnDefinition(name: "list", type: .string, collection: .set),
                    ColumnDefinition(name: "set", type: .int, collection: .set),
                    ColumnDefinition(name: "any", type: .any, collection: .list),
                    ColumnDefinition(name: "children", type: .link, collection: .list, target: "Child"),
                    ColumnDefinition(name: "links", type: .link, isOptional: true, target: "Owner")), child(),
            ], version: 1)
        try expectNoPairs(connection)
    }

    @Test func `deleteIfNeeded drops collections too`() throws {
        try fill()
        let connection = try open([owner(), child()], version: 1, policy: .deleteIfNeeded)
        try expectNoPairs(connection)
    }

    @Test func `a delete rule changes without a version, and holds for whoever opens the file next`() throws {
        _ = try open([owner(ColumnDefinition(name: "link", type: .link, isOptional: true, target: "Owner"))])
        for rule in [StoredDeleteRule.cascade, .deny, .nullify, .deny] {
            let link = ColumnDefinition(
                name: "link", type: .link, isOptional: true, target: "Owner", deleteRule: rule)
            #expect(try open([owner(link)]).schema["Owner"]?["link"]?.deleteRule == rule)
        }
        let connection = try Connection(
            store: Store.open(StoreOptions(path: directory.path("a.firn"), durability: .none)))
        #expect(connection.schema["Owner"]?["link"]?.deleteRule == .deny)
    }

    @Test func `a class becomes embedded once each object has one owner`() throws {
        let links = [
            ColumnDefinition(name: "one", type: .link, isOptional: true, target: "Child"),
            ColumnDefinition(name: "list", type: .link, collection: .list, target: "Child"),
        ]
        let owner = owner(links[0], links[1])
        let before = try open([owner, child(isEmbedded: false)])
        let table = try #require(before.schema["Owner"])
        let children = try #require(before.schema["Child"])
        func write(_ body: () throws -> Void) throws {
            try before.beginWrite(WriteRequest(holder: WriterDescription(text: "test")))
            try body()
            try before.commit()
        }
        let row = RowID(table: table.id, key: objectKey(ofInteger: 1))
        let list = CollectionPlace(row: row, slot: 2)
        try write {
            let keys = try (0..<3).map { _ in try before.insert(children.id) { $0.addString("c") } }
            try before.insert(table.id) { writer in
                writer.add(.int(1))
                writer.add(.link(keys[0]))
                writer.add(.null)
            }
            try before.listInsert(list, [.link(keys[0]), .link(keys[1])], at: 0)
        }
        let error = #expect(throws: StoreError.self) { try open([owner, child()], version: 1) }
        #expect(error?.code == .schemaMismatch)
        #expect(error?.message.contains("1 have no owner and 1 have more than one link") == true)
        try write {
            try before.listRemove(list, 0..<1)
            try before.delete(children.id, 3)
        }
        #expect(throws: StoreError.self) { try open([owner, child()], version: 0) }
        let after = try open([owner, child()], version: 1)
        #expect(after.schema["Child"]?.isEmbedded == true)
        let back = try open([owner, child(isEmbedded: false)], version: 2)
        #expect(back.count(children.id) == 2)
    }
}
