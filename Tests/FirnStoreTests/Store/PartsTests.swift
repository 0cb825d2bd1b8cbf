import Foundation
import LMDB
import TestSupport
import Testing

@testable import FirnStore

/// Parts of a write: each is kept or dropped by itself. What random ones do is compared in `StoreModelTests`.
@Suite struct PartsTests {
    private let directory = TemporaryDirectory()
    private let connection: Connection
    private let table: StoredTable

    init() throws {
        connection = try Self.open(directory, reservation: nil)
        table = try #require(connection.schema["Row"])
    }

    private static func open(_ directory: TemporaryDirectory, reservation: Int?) throws -> Connection {
        let store = try Store.open(
            StoreOptions(path: directory.path("parts.firn"), durability: .none, reservation: reservation))
        let connection = try Connection(store: store)
        let definition = TableDefinition(
            name: "Row", primaryKey: "id",
            columns: [
                ColumnDefinition(name: "id", type: .uuid),
                ColumnDefinition(name: "name", type: .string, isIndexed: true),
                ColumnDefinition(name: "data", type: .data),
            ], indexes: [IndexDefinition(["name"], isUnique: true)])
        try connection.prepare([definition], schemaVersion: 0, policy: .migrate)
        return connection
    }

    private func begin() throws {
        try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "test")))
    }

    private func insert(_ name: String, dataOf byteCount: Int = 0) throws {
        try connection.insert(table.id) { writer in
            writer.add(.uuid(UUID()))
            writer.addString(name)
            writer.add(.data(Data(repeating: 7, count: byteCount)))
        }
    }

    /// Inserts rows in a part, which is dropped where that fails.
    private func part(_ names: String..., dataOf byteCount: Int = 0) throws {
        try connection.beginPart()
        do {
            for name in names { try insert(name, dataOf: byteCount) }
        } catch {
            connection.dropPart()
            throw error
        }
        try connection.keepPart()
    }

    private func names() throws -> [String] {
        var names: [String] = []
        connection.forEachRecord(in: table.id) { _, record in
            names.append(connection.string(record, 1))
            return true
        }
        try #require(IntegrityChecker.check(connection).isEmpty)
        return names
    }

    @Test func `parts share one version, and each sees those before`() throws {
        let version = connection.version
        try begin()
        try part("a", "b")
        #expect(try names() == ["a", "b"])
        try connection.beginPart()
        try insert("c")
        #expect(try names() == ["a", "b", "c"])
        connection.dropPart()
        try part("d")
        let changes = try connection.commit()
        #expect(connection.version == version + 1)
        #expect(try names() == ["a", "b", "d"])
        #expect(changes.tables[table.id]?.inserted.keyCount == 3)
        #expect(connection.changes(since: version, schemaCounter: connection.schemaCounter) == changes)
    }

    @Test func `a write of which no part changed anything makes no version`() throws {
        let version = connection.version
        try begin()
        try part()
        try connection.beginPart()
        try insert("a")
        connection.dropPart()
        try connection.commit()
        #expect(connection.version == version)
        #expect(try names() == [])
    }

    @Test func `a rollback drops the open part and those that were kept`() throws {
        try begin()
        try part("a")
        try connection.beginPart()
        try insert("b")
        connection.rollback()
        #expect(!connection.isWriting)
        #expect(try names() == [])
    }

    @Test func `a value that is not unique costs its own part alone`() throws {
        try begin()
        try part("a")
        let error = #expect(throws: StoreError.self) { try part("b", "a") }
        #expect(error?.code == .duplicateValue)
        try part("c")
        try connection.commit()
        #expect(try names() == ["a", "c"])
    }

    @Test func `what the store has no room for costs its own part alone`() throws {
        let directory = TemporaryDirectory()
        let tests = try PartsTests(in: directory, reservation: 4 << 20)
        try tests.begin()
        try tests.part("a", dataOf: 1 << 20)
        // Refused at the end of the part, and in its midst.
        for byteCount in [2_300_000, 16 << 20] {
            let error = #expect(throws: StoreError.self) { try tests.part("b", dataOf: byteCount) }
            #expect(error?.environment?.code == .storeFull)
        }
        try tests.part("c", dataOf: 1000)
        try tests.connection.commit()
        #expect(try tests.names() == ["a", "c"])
    }

    private init(in directory: TemporaryDirectory, reservation: Int) throws {
        connection = try Self.open(directory, reservation: reservation)
        table = try #require(connection.schema["Row"])
    }

    @Test func `every failing call costs a part or the whole, and nothing is half done`() throws {
        var isDone = false
        var outcomes: Set<[String]> = []
        try Faults.failingEachCall(returnCode: 5, onlyChanges: true) {
            var failure: (any Error)?
            func attempt(_ body: () throws -> Void) {
                do {
                    try body()
                } catch {
                    failure = failure ?? error
                }
            }
            try begin()
            attempt { try part("a", String(repeating: "b", count: 3000)) }
            attempt { try part("c", dataOf: 10_000) }
            attempt { try connection.commit() }
            #expect(!connection.isWriting)
            if let failure { throw failure }
            isDone = true
        } check: { _, _ in
            outcomes.insert(try names().map { String($0.prefix(1)) })
        }
        #expect(isDone)
        #expect(outcomes == [[], ["a", "b", "c"]])
    }
}
