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

    @Test func `a commit that throws has kept nothing, and one that returns all, whichever call fails`() throws {
        let directory = TemporaryDirectory()
        let connection = try open(directory)
        let table = try #require(connection.schema["Person"])
        var added = 0
        var wasBehind = false
        for number in 1... {
            try begin(connection)
            try connection.insert(table.id) { writer in
                writer.addInt(Int64(number))
                writer.addString("name")
                writer.add(.uuid(UUID()))
                writer.add(.null)
                writer.addInt(0)
            }
            let (hasFired, outcome) = Faults.withFailure(ofCall: number, returnCode: EIO) {
                _ = try connection.commit()
            }
            if case .success = outcome { added += 1 }
            #expect(!connection.isWriting)
            wasBehind = wasBehind || connection.count(table.id) < added
            _ = try connection.refresh()
            #expect(connection.count(table.id) == added)
            #expect(try Connection(store: connection.store).count(table.id) == added)
            if !hasFired { break }
        }
        // The call that failed was one of those that look at the new version.
        #expect(wasBehind)
    }

    @Test func `a commit for which no reader has a place left keeps nothing and says so`() throws {
        let connection = try open(TemporaryDirectory())
        let table = try #require(connection.schema["Person"])
        try begin(connection)
        try connection.insert(table.id) { writer in
            writer.addInt(1)
            writer.addString("name")
            writer.add(.uuid(UUID()))
            writer.add(.null)
            writer.addInt(0)
        }
        var readers: [ReadTransaction] = []
        while let reader = try? connection.store.environment.beginRead() { readers.append(reader) }
        let error = #expect(throws: StoreError.self) { try connection.commit() }
        #expect(error?.environment?.code == .readersFull)
        readers = []
        #expect(connection.count(table.id) == 0)
        #expect(try Connection(store: connection.store).count(table.id) == 0)
    }

    @Test func `a schema that was prepared fits, whichever call fails`() throws {
        let directory = TemporaryDirectory()
        for number in 1... {
            let connection = try open(directory)
            let name = "More\(number)"
            let definitions = [
                ConnectionTests.people, TableDefinition(name: name, columns: [ColumnDefinition(name: "a", type: .int)]),
            ]
            let (hasFired, outcome) = Faults.withFailure(ofCall: number, returnCode: EIO) {
                try connection.prepare(definitions, schemaVersion: 0, policy: .migrate)
            }
            if case .success = outcome { #expect(connection.schema[name] != nil && connection.fitsSchema) }
            try connection.prepare(definitions, schemaVersion: 0, policy: .migrate)
            #expect(connection.schema[name] != nil)
            if !hasFired { break }
        }
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
