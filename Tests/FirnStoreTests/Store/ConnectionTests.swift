import Foundation
import LMDB
import TestSupport
import Testing

@testable import FirnStore

@Suite struct ConnectionTests {
    static let people = TableDefinition(
        name: "Person", primaryKey: "id",
        columns: [
            ColumnDefinition(name: "id", type: .int), ColumnDefinition(name: "name", type: .string, isIndexed: true),
            ColumnDefinition(name: "token", type: .uuid, isIndexed: true),
            ColumnDefinition(name: "friend", type: .link, isOptional: true, target: "Person"),
            ColumnDefinition(name: "age", type: .int),
        ])

    func open(_ directory: TemporaryDirectory) throws -> Connection {
        let store = try Store.open(StoreOptions(path: directory.path + "/a.firn"))
        let connection = try Connection(store: store)
        try connection.prepare([ConnectionTests.people], schemaVersion: 0, policy: .migrate)
        return connection
    }

    func begin(_ connection: Connection) throws {
        try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "test")))
    }

    @Test func objectsComeBackByKeyIndexAndIteration() throws {
        let directory = TemporaryDirectory()
        let connection = try open(directory)
        let table = try #require(connection.schema["Person"])
        try begin(connection)
        let uuids = (0..<10_000).map { _ in UUID() }
        for id in 0..<10_000 {
            try connection.insert(table.id) { writer in
                writer.addInt(Int64(id))
                writer.addString("name \(id % 100)")
                writer.add(.uuid(uuids[id]))
                writer.add(id == 0 ? .null : .link(objectKey(ofInteger: Int64(id - 1))))
                writer.addInt(Int64(id % 7))
            }
        }
        #expect(connection.count(table.id) == 10_000)
        try connection.commit()
        #expect(connection.count(table.id) == 10_000)
        let name = try #require(table["name"])
        #expect(connection.keys(table.id, column: name, equals: .string("name 7")).count == 100)
        let key = try #require(connection.find(table.id, primaryKey: .int(4321)))
        let record = try #require(connection.record(table.id, key))
        #expect(connection.string(record, 1) == "name 21")
        #expect(
            connection.keys(table.id, column: try #require(table["token"]), equals: .uuid(uuids[55])) == [
                objectKey(ofInteger: 55)
            ])
        var seen: Int64 = 0
        connection.forEachRecord(in: table.id) { key, record in
            #expect(record.int64(0) == seen)
            seen += 1
            return true
        }
        #expect(seen == 10_000)
        try begin(connection)
        try connection.set(table.id, key, slot: 1, .string(String(repeating: "x", count: 5000)))
        try connection.delete(table.id, objectKey(ofInteger: 5))
        #expect(connection.record(table.id, objectKey(ofInteger: 6)).map { $0.isNull(3) } == true)
        try connection.commit()
        #expect(connection.string(try #require(connection.record(table.id, key)), 1).count == 5000)
        #expect(connection.record(table.id, objectKey(ofInteger: 6)).map { $0.isNull(3) } == true)
    }

    // The index lost the object's entry before the value was refused: until the write ended, queries missed the object.
    @Test func aRefusedValueLeavesTheIndexAsItIs() throws {
        let directory = TemporaryDirectory()
        let connection = try open(directory)
        let table = try #require(connection.schema["Person"])
        let name = try #require(table["name"])
        try begin(connection)
        let key = try connection.insert(table.id) { writer in
            for value: StoredValue in [.int(1), .string("a"), .uuid(UUID()), .null, .int(0)] { writer.add(value) }
        }
        let error = #expect(throws: StoreError.self) {
            try connection.set(
                table.id, key, slot: name.slot, .string(String(repeating: "x", count: valueByteLimit + 1)))
        }
        #expect(error?.code == .valueTooLarge)
        #expect(connection.keys(table.id, column: name, equals: .string("a")) == [key])
        try connection.commit()
        #expect(IntegrityChecker.check(connection).isEmpty)
    }
}
