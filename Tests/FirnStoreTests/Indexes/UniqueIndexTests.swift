import FirnStore
import Foundation
import LMDB
import TestSupport
import Testing

/// Unique indexes beside the primary key, over one column and several.
@Suite struct UniqueIndexTests {
    private let directory = TemporaryDirectory()
    private let connection: Connection
    private let table: StoredTable
    private let mail: Int
    private let room: Int
    private let number: Int

    private static let definition = TableDefinition(
        name: "Guest", primaryKey: "id",
        columns: [
            ColumnDefinition(name: "id", type: .int),
            ColumnDefinition(name: "mail", type: .string, isOptional: true, isUnique: true),
            ColumnDefinition(name: "room", type: .any),
            ColumnDefinition(name: "number", type: .int, isOptional: true),
        ], indexes: [IndexDefinition(["room", "number"], isUnique: true)])

    init() throws {
        connection = try Connection(
            store: Store.open(StoreOptions(path: directory.path("a.firn"), durability: .none)))
        try connection.prepare([Self.definition], schemaVersion: 0, policy: .migrate)
        table = try #require(connection.schema["Guest"])
        (mail, room, number) = (table.columns[1].slot, table.columns[2].slot, table.columns[3].slot)
    }

    private func begin() throws {
        try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "test")))
    }

    private func insert(
        _ id: Int64, mail: String? = nil, room: StoredValue = .null, number: Int64? = nil
    ) throws {
        try connection.insert(table.id) { writer in
            writer.addInt(id)
            writer.add(mail.map { .string($0) } ?? .null)
            writer.add(room)
            writer.add(number.map { .int($0) } ?? .null)
        }
    }

    private func set(_ id: Int64, _ slot: Int, _ value: StoredValue) throws {
        try connection.set(table.id, objectKey(ofInteger: id), slot: slot, value)
    }

    private func expectDuplicate(_ parts: String..., sourceLocation: SourceLocation = #_sourceLocation) {
        let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) { try connection.commit() }
        #expect(error?.code == .duplicateValue, sourceLocation: sourceLocation)
        for part in parts {
            #expect(
                error?.message.contains(part) == true, "\(part)\nis not in\n\(error?.message ?? "")",
                sourceLocation: sourceLocation)
        }
        #expect(!connection.isWriting, sourceLocation: sourceLocation)
        #expect(IntegrityChecker.check(connection).isEmpty, sourceLocation: sourceLocation)
    }

    @Test func `a value that two objects have is an error of the commit that names both, and keeps nothing`() throws {
        try begin()
        try insert(1, mail: "a")
        try insert(2, mail: "b")
        try connection.commit()
        try begin()
        try insert(3, mail: "a")
        expectDuplicate("class 'Guest' have mail = \"a\"", "id = 1 and 3", "mail is unique")
        #expect(connection.count(table.id) == 2)
        try begin()
        try set(2, mail, .string("a"))
        expectDuplicate("id = 1 and 2")
        try begin()
        try insert(4, mail: "c")
        try insert(5, mail: "c")
        expectDuplicate("id = 4 and 5")
    }

    @Test func `nil is no one's value`() throws {
        try begin()
        try insert(1)
        try insert(2)
        try insert(3, room: .int(1))
        try insert(4, room: .int(1))
        try insert(5, number: 1)
        try insert(6, number: 1)
        try connection.commit()
        #expect(IntegrityChecker.check(connection).isEmpty)
    }

    @Test func `two objects may exchange their values in one write`() throws {
        try begin()
        try insert(1, mail: "a", room: .string("x"), number: 1)
        try insert(2, mail: "b", room: .string("x"), number: 2)
        try connection.commit()
        try begin()
        try set(1, mail, .string("b"))
        // Whoever looks has everything applied meanwhile.
        #expect(connection.count(table.id, column: table.columns[1], equals: .string("b")) == 2)
        try set(2, mail, .string("a"))
        try set(1, number, .int(2))
        try set(2, number, .int(1))
        try connection.commit()
        #expect(IntegrityChecker.check(connection).isEmpty)
    }

    @Test func `what came and went within a write is no duplicate`() throws {
        try begin()
        try insert(1, mail: "a")
        try connection.commit()
        try begin()
        try insert(2, mail: "a")
        try connection.delete(table.id, objectKey(ofInteger: 2))
        try insert(3, mail: "a")
        try connection.delete(table.id, objectKey(ofInteger: 1))
        try connection.commit()
        #expect(connection.count(table.id) == 1)
    }

    @Test func `several columns are unique together, numbers of all kinds by what they are`() throws {
        try begin()
        try insert(1, room: .int(1), number: 1)
        try insert(2, room: .int(1), number: 2)
        try insert(3, room: .string("1"), number: 1)
        try connection.commit()
        try begin()
        try insert(4, room: .double(1), number: 2)
        expectDuplicate("room = 1, number = 2", "id = 2 and 4", "room, number together are unique")
        try begin()
        try set(3, room, .double(1))
        expectDuplicate("id = 1 and 3")
    }

    @Test func `long texts are told apart behind the place where keys are cut`() throws {
        let long = String(repeating: "long", count: 1000)
        try begin()
        try insert(1, mail: long + "a", room: .string(long), number: 1)
        try insert(2, mail: long + "b", room: .string(long), number: 2)
        try connection.commit()
        #expect(IntegrityChecker.check(connection).isEmpty)
        try begin()
        try insert(3, mail: long + "b")
        expectDuplicate("id = 2 and 3")
        try begin()
        try insert(3, room: .string(long), number: 2)
        expectDuplicate("id = 2 and 3")
        try begin()
        try insert(3, room: .string(long))
        try insert(4, room: .string(long))
        try connection.commit()
    }

    @Test func `a table that is emptied and filled in one write has no duplicates`() throws {
        try begin()
        for id in 0..<100 as Range<Int64> { try insert(id, mail: "m\(id)", room: .int(id), number: id) }
        try connection.commit()
        try begin()
        for id in 100..<110 as Range<Int64> { try insert(id, mail: "m\(id - 100)") }
        try connection.deleteAll(table.id)
        for id in 0..<100 as Range<Int64> { try insert(id, mail: "m\(99 - id)", room: .int(id), number: id) }
        try connection.commit()
        #expect(IntegrityChecker.check(connection).isEmpty)
    }
}
