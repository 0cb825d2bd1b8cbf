import Foundation
import LMDB
import TestSupport
import Testing

@testable import FirnStore

@Suite struct ChangeLogTests {
    private static let definition = TableDefinition(
        name: "Row", primaryKey: "id",
        columns: [
            ColumnDefinition(name: "id", type: .int), ColumnDefinition(name: "a", type: .int),
            ColumnDefinition(name: "b", type: .string, isIndexed: true),
        ])

    private struct Fixture {
        let directory = TemporaryDirectory()
        let connection: Connection
        let table: StoredTable

        init() throws {
            let store = try Store.open(StoreOptions(path: directory.path("log.firn"), durability: .none))
            connection = try Connection(store: store)
            try connection.prepare([ChangeLogTests.definition], schemaVersion: 0, policy: .migrate)
            table = try #require(connection.schema["Row"])
        }

        /// What a write changed: as the commit answers, which must be what the log says.
        func write(_ body: () throws -> Void) throws -> ChangeSet {
            try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "test")))
            try body()
            let changes = try connection.commit()
            let logged = try ChangeLog.read(
                connection.version, in: connection.transaction, databases: connection.store.databases)
            if !changes.tables.isEmpty { #expect(logged == changes) }
            return changes
        }

        func insert(_ id: Int64) throws {
            try connection.insert(table.id) { writer in
                writer.addInt(id)
                writer.addInt(0)
                writer.addString("")
            }
        }

        func set(_ id: Int64, _ slot: Int, _ value: StoredValue) throws {
            try connection.set(table.id, objectKey(ofInteger: id), slot: slot, value)
        }

        func delete(_ id: Int64) throws { try connection.delete(table.id, objectKey(ofInteger: id)) }
    }

    private func key(_ id: Int64) -> ObjectKey { objectKey(ofInteger: id) }

    @Test func `runs of insertions are ranges, and a new object is not modified too`() throws {
        let fixture = try Fixture()
        let changes = try fixture.write {
            for id in [5, 6, 7, 1, 2] as [Int64] { try fixture.insert(id) }
            try fixture.set(6, 1, .int(9))
        }
        let table = try #require(changes.tables[fixture.table.id])
        #expect(table.inserted == [key(1)...key(2), key(5)...key(7)])
        #expect(table.deleted.isEmpty && table.modified.isEmpty)
    }

    @Test func `a modification names its column, and an equal value is none`() throws {
        let fixture = try Fixture()
        _ = try fixture.write { for id in 0..<10 as Range<Int64> { try fixture.insert(id) } }
        let changes = try fixture.write {
            for id in [3, 4, 8, 3] as [Int64] { try fixture.set(id, 1, .int(1)) }
            try fixture.set(2, 2, .string("x"))
            try fixture.set(1, 2, .string(""))
        }
        let table = try #require(changes.tables[fixture.table.id])
        #expect(table.modified[fixture.table.columns[1].id] == [key(3)...key(4), key(8)...key(8)])
        #expect(table.modified[fixture.table.columns[2].id] == [key(2)...key(2)])
        #expect(table.inserted.isEmpty && table.deleted.isEmpty)
    }

    @Test func `only what is different between before and after counts`() throws {
        let fixture = try Fixture()
        _ = try fixture.write { for id in 0..<10 as Range<Int64> { try fixture.insert(id) } }
        let changes = try fixture.write {
            try fixture.insert(20)
            try fixture.set(20, 1, .int(1))
            try fixture.delete(20)  // came and went
            try fixture.set(1, 1, .int(1))
            try fixture.delete(1)  // modified in vain
            try fixture.delete(2)
            try fixture.insert(2)  // went and came back
            try fixture.insert(30)
            try fixture.delete(30)
            try fixture.insert(30)  // new after all
        }
        let table = try #require(changes.tables[fixture.table.id])
        #expect(table.inserted == [key(2)...key(2), key(30)...key(30)])
        #expect(table.deleted == [key(1)...key(2)])
        #expect(table.modified.isEmpty)
    }

    @Test func `a write that changes nothing makes no version`() throws {
        let fixture = try Fixture()
        _ = try fixture.write { try fixture.insert(1) }
        let version = fixture.connection.version
        let changes = try fixture.write { try fixture.set(1, 1, .int(0)) }
        #expect(changes.tables.isEmpty && fixture.connection.version == version)
    }

    @Test func `too many changes leave only the names of the tables`() throws {
        var changes = ChangeSet()
        var table = ChangeSet.Table()
        table.inserted = (0..<600_000).map { UInt64($0) * 3...UInt64($0) * 3 }
        changes.tables[TableID(rawValue: 4)] = table
        let bytes = ChangeLog.encode(changes)
        #expect(bytes.count < 16)
        let decoded = try bytes.withUnsafeBytes { try ChangeLog.decode($0) }
        #expect(decoded.isCoarse && Array(decoded.tables.keys) == [TableID(rawValue: 4)])
    }

    @Test func `the oldest entries go, the newest stay`() throws {
        let fixture = try Fixture()
        for id in 0..<1200 as Range<Int64> { _ = try fixture.write { try fixture.insert(id) } }
        let connection = fixture.connection
        #expect(IntegrityChecker.check(connection).isEmpty)
        let oldest = connection.stateInSight.oldestLogVersion
        #expect(connection.version - oldest >= ChangeLog.entryLimit - 1)
        #expect(connection.version - oldest <= ChangeLog.entryLimit + 64)
        let databases = connection.store.databases
        #expect(try ChangeLog.read(oldest, in: connection.transaction, databases: databases) != nil)
        #expect(try ChangeLog.read(oldest - 1, in: connection.transaction, databases: databases) == nil)
    }
}
