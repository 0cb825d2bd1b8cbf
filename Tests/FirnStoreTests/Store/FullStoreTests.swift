import Foundation
import LMDB
import TestSupport
import Testing

@testable import FirnStore

/// A store at its size limit. Elsewhere users could then neither add nor remove, because a deletion needs pages too.
@Suite struct FullStoreTests {
    @Test func `a full store refuses to grow, keeps what it has, and lets go of it in small writes`() throws {
        let directory = TemporaryDirectory()
        let store = try Store.open(
            StoreOptions(path: directory.path("full.firn"), durability: .none, reservation: 4 << 20))
        let connection = try Connection(store: store)
        let definition = TableDefinition(
            name: "Row", primaryKey: "id",
            columns: [
                ColumnDefinition(name: "id", type: .int), ColumnDefinition(name: "token", type: .uuid, isIndexed: true),
                ColumnDefinition(name: "data", type: .data),
            ])
        try connection.prepare([definition], schemaVersion: 0, policy: .migrate)
        let table = try #require(connection.schema["Row"]).id
        func write(_ body: () throws -> Void) throws {
            try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "test")))
            do {
                try body()
            } catch {
                connection.rollback()
                throw error
            }
            try connection.commit()
        }
        var count: Int64 = 0
        var refusal: StoreError?
        while refusal == nil, count < 100_000 {
            do {
                try write {
                    for id in count..<count + 50 {
                        try connection.insert(table) { writer in
                            writer.addInt(id)
                            writer.add(.uuid(UUID()))
                            writer.add(.data(Data(repeating: 7, count: 700)))
                        }
                    }
                }
                count += 50
            } catch {
                refusal = error as? StoreError
            }
        }
        #expect(refusal?.environment?.code == .storeFull)
        #expect(refusal?.message.contains("larger reservation") == true, "\(refusal?.message ?? "")")
        #expect(connection.count(table) == Int(count))
        #expect(IntegrityChecker.check(connection).isEmpty)

        // A pinned snapshot keeps every freed page; deletions get through all the same, as far as the headroom of this
        // small store (a quarter) goes.
        var pinned: Snapshot? = connection.currentSnapshot
        for id in 0..<10 as Range<Int64> { try write { try connection.delete(table, objectKey(ofInteger: id)) } }
        #expect(try #require(pinned).version < connection.version)
        pinned = nil
        while connection.count(table) > 0 {
            let keys = connection.keys(in: table).prefix(100)
            try write { for key in keys { try connection.delete(table, key) } }
        }
        #expect(IntegrityChecker.check(connection).isEmpty)
        try write {
            try connection.insert(table) { writer in
                writer.addInt(1)
                writer.add(.uuid(UUID()))
                writer.add(.data(Data()))
            }
        }
        #expect(connection.count(table) == 1)
    }
}
