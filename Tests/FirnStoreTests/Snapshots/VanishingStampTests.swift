import Foundation
import LMDB
import TestSupport
import Testing

@testable import FirnStore

/// By what a connection knows that rows which it found are still there.
@Suite struct VanishingStampTests {
    private static let definition = TableDefinition(
        name: "Row", primaryKey: "id",
        columns: [ColumnDefinition(name: "id", type: .int), ColumnDefinition(name: "text", type: .string)])

    private let directory = TemporaryDirectory()
    private let store: Store
    private let connection: Connection
    private let table: TableID

    init() throws {
        store = try Store.open(StoreOptions(path: directory.path("rows.firn"), durability: .none))
        connection = try Connection(store: store)
        try connection.prepare([Self.definition], schemaVersion: 0, policy: .migrate)
        table = try #require(connection.schema["Row"]).id
        try Self.insert(1...9, into: table, connection)
    }

    private static func insert(_ ids: ClosedRange<Int64>, into table: TableID, _ connection: Connection) throws {
        try begin(connection)
        for id in ids {
            try connection.insert(table) { writer in
                writer.addInt(id)
                writer.addString("row")
            }
        }
        try connection.commit()
    }

    private static func begin(_ connection: Connection) throws {
        try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "test")))
    }

    /// Whether all that was found before something happens counts as found afterwards.
    private func keepsRows(_ body: () throws -> Void) rethrows -> Bool {
        let stamp = connection.stamp
        try body()
        return stamp >= connection.vanishingStamp
    }

    @Test func `rows stay found while they change, and others come`() throws {
        let keepsRows = try keepsRows {
            try Self.begin(connection)
            try connection.set(table, objectKey(ofInteger: 1), slot: 1, .string("changed"))
            try connection.commit()
            try Self.insert(10...99, into: table, connection)
            _ = try connection.refresh()
        }
        #expect(keepsRows)
    }

    @Test func `a deletion, and a write that is dropped, may take rows away`() throws {
        try Self.begin(connection)
        let deletionKeepsRows = try keepsRows { try connection.delete(table, objectKey(ofInteger: 1)) }
        #expect(!deletionKeepsRows)
        let rollbackKeepsRows = keepsRows { connection.rollback() }
        #expect(!rollbackKeepsRows)
        #expect(connection.record(table, objectKey(ofInteger: 1)) != nil)
    }

    @Test func `what another connection committed may have taken rows away`() throws {
        let other = try Connection(store: store)
        try Self.begin(other)
        try other.delete(table, objectKey(ofInteger: 1))
        let othersCommitKeepsRows = try keepsRows { try other.commit() }
        #expect(othersCommitKeepsRows, "it is not seen yet")
        let refreshKeepsRows = try keepsRows { _ = try connection.refresh() }
        #expect(!refreshKeepsRows)

        try Self.begin(other)
        try other.delete(table, objectKey(ofInteger: 2))
        try other.commit()
        let writeKeepsRows = try keepsRows { try Self.begin(connection) }
        #expect(!writeKeepsRows, "a write begins at the newest version")
        connection.rollback()
    }

    @Test func `invalidation takes away all rows`() throws {
        let keepsRows = try keepsRows { try connection.invalidate() }
        #expect(!keepsRows)
    }
}
