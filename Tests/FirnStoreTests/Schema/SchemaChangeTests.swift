import Foundation
import LMDB
import TestSupport
import Testing

@testable import FirnStore

/// Classes that change while their objects stay.
@Suite struct SchemaChangeTests {
    private let directory = TemporaryDirectory()

    private func open(
        _ tables: [TableDefinition], version: UInt64 = 0, policy: SchemaPolicy = .migrate
    ) throws -> Connection {
        let connection = try Connection(
            store: Store.open(StoreOptions(path: directory.path("a.firn"), durability: .none)))
        try connection.prepare(tables, schemaVersion: version, policy: policy)
        return connection
    }

    private func table(_ columns: ColumnDefinition..., key: String? = "id") -> TableDefinition {
        TableDefinition(name: "Row", primaryKey: key, columns: [ColumnDefinition(name: "id", type: .int)] + columns)
    }

    private static let big = String(repeating: "b", count: 3000)

    /// A table of 300 rows with a text (every third in a blob), an indexed number and a link to the row before.
    private func fill() throws -> Connection {
        let connection = try open([
            table(
                ColumnDefinition(name: "text", type: .string),
                ColumnDefinition(name: "number", type: .int, isIndexed: true),
                ColumnDefinition(name: "link", type: .link, isOptional: true, target: "Row"))
        ])
        let id = try #require(connection.schema["Row"]).id
        try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "test")))
        for row in 0..<300 as Range<Int64> {
            try connection.insert(id) { writer in
                writer.addInt(row)
                writer.addString(row % 3 == 0 ? SchemaChangeTests.big : "t")
                writer.addInt(row % 7)
                writer.add(row == 0 ? .null : .link(objectKey(ofInteger: row - 1)))
            }
        }
        try connection.commit()
        return connection
    }

    @Test func `columns that go take their blobs, index entries and backlinks with them`() throws {
        _ = try fill()
        let connection = try open([table(ColumnDefinition(name: "other", type: .double))], version: 1)
        let row = try #require(connection.schema["Row"])
        #expect(IntegrityChecker.check(connection).isEmpty)
        #expect(row.columns.map(\.name) == ["id", "other"])
        let record = try #require(connection.record(row.id, objectKey(ofInteger: 3)))
        #expect(connection.value(record, row.columns[1]) == .double(0))
        #expect(connection.count(row.id) == 300)
        for database in [
            connection.store.databases.blobs, connection.store.databases.index, connection.store.databases.backlinks,
        ] {
            #expect(try connection.transaction.statistics(database).entryCount == 0)
        }
    }

    @Test func `a changed column without a raised version is an error that names it and changes nothing`() throws {
        let before = try fill()
        let error = #expect(throws: StoreError.self) {
            try open([table(ColumnDefinition(name: "number", type: .string))])
        }
        #expect(error?.code == .schemaMismatch)
        for part in [
            "'Row.text' was removed", "'Row.number' has type string, was int", "schemaVersion", "drops the values",
        ] {
            #expect(error?.message.contains(part) == true, "\(part)")
        }
        let harmless = #expect(throws: StoreError.self) {
            try open([
                table(
                    ColumnDefinition(name: "text", type: .string),
                    ColumnDefinition(name: "number", type: .int, isIndexed: true),
                    ColumnDefinition(name: "link", type: .link, isOptional: true, target: "Row"),
                    ColumnDefinition(name: "new", type: .int))
            ])
        }
        #expect(harmless?.message.contains("raise `schemaVersion`, or") == true)
        _ = try before.refresh()
        #expect(before.schema["Row"]?.columns.count == 4)
        #expect(IntegrityChecker.check(before).isEmpty)
    }

    @Test func `an index is built over what is there, and removed, without a version`() throws {
        _ = try fill()
        func columns(textIndexed: Bool, numberIndexed: Bool) -> TableDefinition {
            table(
                ColumnDefinition(name: "text", type: .string, isIndexed: textIndexed),
                ColumnDefinition(name: "number", type: .int, isIndexed: numberIndexed),
                ColumnDefinition(name: "link", type: .link, isOptional: true, target: "Row"))
        }
        let connection = try open([columns(textIndexed: true, numberIndexed: false)])
        let row = try #require(connection.schema["Row"])
        #expect(IntegrityChecker.check(connection).isEmpty)
        #expect(row["number"]?.index == nil)
        let text = try #require(row["text"])
        #expect(connection.keys(row.id, column: text, equals: .string(Self.big)).count == 100)
        #expect(connection.count(row.id, column: text, equals: .string("t")) == 200)
    }

    @Test func `required becomes optional with its values, optional becomes required without`() throws {
        _ = try fill()
        func columns(isOptional: Bool) -> TableDefinition {
            table(
                ColumnDefinition(name: "text", type: .string),
                ColumnDefinition(name: "number", type: .int, isOptional: isOptional, isIndexed: true),
                ColumnDefinition(name: "link", type: .link, isOptional: true, target: "Row"))
        }
        var connection = try open([columns(isOptional: true)], version: 1)
        var row = try #require(connection.schema["Row"])
        #expect(connection.count(row.id, column: try #require(row["number"]), equals: .int(3)) == 43)
        connection = try open([columns(isOptional: false)], version: 2)
        row = try #require(connection.schema["Row"])
        #expect(connection.count(row.id, column: try #require(row["number"]), equals: .int(0)) == 300)
        #expect(IntegrityChecker.check(connection).isEmpty)
    }

    @Test func `a lower version is refused`() throws {
        _ = try open([table()], version: 5)
        let error = #expect(throws: StoreError.self) { try open([table()], version: 4) }
        #expect(error?.code == .schemaVersionTooLow)
    }

    @Test func `the primary key of a table with rows stays, of an empty one may change`() throws {
        _ = try fill()
        let error = #expect(throws: StoreError.self) {
            try open(
                [
                    table(
                        ColumnDefinition(name: "text", type: .string),
                        ColumnDefinition(name: "number", type: .int, isIndexed: true),
                        ColumnDefinition(name: "link", type: .link, isOptional: true, target: "Row"), key: "number")
                ], version: 1)
        }
        #expect(error?.code == .schemaMismatch && error?.message.contains("primary key") == true)

        let empty = TableDefinition(name: "Empty", columns: [ColumnDefinition(name: "id", type: .string)])
        var keyed = empty
        keyed.primaryKey = "id"
        _ = try open([empty], version: 1)
        let connection = try open([keyed], version: 2)
        #expect(connection.schema["Empty"]?.primaryKey?.index?.isUnique == true)
    }

    @Test func `starting anew drops everything, but ids go on`() throws {
        let before = try #require(try fill().schema["Row"])
        let connection = try open([table(ColumnDefinition(name: "x", type: .bool))], policy: .deleteIfNeeded)
        let after = try #require(connection.schema["Row"])
        #expect(connection.count(after.id) == 0)
        #expect(after.id != before.id)
        #expect(IntegrityChecker.check(connection).isEmpty)
    }

    @Test func `a connection whose classes no longer fit reads on and refuses to write`() throws {
        let old = try fill()
        _ = try open([table(ColumnDefinition(name: "number", type: .int))], version: 1)
        #expect(old.count(try #require(old.schema["Row"]).id) == 300)
        let error = #expect(throws: StoreError.self) {
            try old.beginWrite(WriteRequest(holder: WriterDescription(text: "test")))
        }
        #expect(error?.code == .schemaChanged)
        #expect(!old.isWriting)
    }
}
