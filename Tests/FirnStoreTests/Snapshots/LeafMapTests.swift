import Foundation
import LMDB
import TestSupport
import Testing

@testable import FirnStore

/// Look-ups by key at random, which after some hundred no longer go through LMDB's tree.
@Suite struct LeafMapTests {
    private static let definition = TableDefinition(
        name: "Row", primaryKey: "id",
        columns: [ColumnDefinition(name: "id", type: .int), ColumnDefinition(name: "text", type: .string)])

    @Test(arguments: ["dense", "sparse", "clustered"])
    func `every key is found, and none that is not there`(_ spread: String) throws {
        let ids: [Int64] =
            switch spread {
            case "dense": Array(0..<5000)
            case "sparse": (0..<5000).map { ($0 - 2500) &* 3_689_348_814_741_911 }
            default: (0..<2500).map { $0 } + (0..<2500).map { .max - 5000 + 2 * $0 } + [.min, .max]
            }
        let directory = TemporaryDirectory()
        let store = try Store.open(StoreOptions(path: directory.path("map.firn"), durability: .none))
        let connection = try Connection(store: store)
        try connection.prepare([Self.definition], schemaVersion: 0, policy: .migrate)
        let table = try #require(connection.schema["Row"]).id
        try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "test")))
        for id in ids {
            try connection.insert(table) { writer in
                writer.addInt(id)
                writer.addString("row \(id)")
            }
        }
        try connection.commit()

        var random = SeededGenerator(seed: 7)
        let present = Set(ids)
        for id in ids.shuffled(using: &random) + ids.shuffled(using: &random) {
            let record = try #require(connection.record(table, objectKey(ofInteger: id)))
            #expect(record.int64(0) == id)
            for neighbour in [id &- 1, id &+ 1] {
                let isThere = connection.record(table, objectKey(ofInteger: neighbour)) != nil
                #expect(isThere == present.contains(neighbour))
            }
        }
        #expect(connection.leafMap != nil)

        // A commit moves leaves: the map is of the version before.
        try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "test")))
        try connection.delete(table, objectKey(ofInteger: ids[100]))
        #expect(connection.leafMap == nil)
        try connection.commit()
        #expect(connection.record(table, objectKey(ofInteger: ids[100])) == nil)
        #expect(connection.record(table, objectKey(ofInteger: ids[101]))?.int64(0) == ids[101])
    }
}
