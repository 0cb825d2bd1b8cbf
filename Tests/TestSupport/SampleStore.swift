import FirnStore
import Foundation
import LMDB

/// A store with something in every part of a file: trees of several levels, indexes, links, lists, sets and maps, blobs,
/// a log.
package enum SampleStore {
    /// How many objects it has.
    package static let objectCount = 2004
    /// The databases that have pages.
    package static let databaseNames = [
        "meta", "objects", "index", "backlinks", "lists", "entries", "blobs", "log",
    ]

    private static let townCount = 2000
    private static let tables = [
        TableDefinition(
            name: "Town", primaryKey: "name",
            columns: [
                ColumnDefinition(name: "name", type: .string),
                ColumnDefinition(name: "code", type: .int, isIndexed: true),
                ColumnDefinition(name: "note", type: .string, isOptional: true),
                ColumnDefinition(name: "country", type: .link, isOptional: true, target: "Country"),
            ]),
        TableDefinition(
            name: "Country", primaryKey: "id",
            columns: [
                ColumnDefinition(name: "id", type: .int),
                ColumnDefinition(name: "towns", type: .link, collection: .list, target: "Town", deleteRule: .deny),
                ColumnDefinition(name: "names", type: .string, collection: .set),
                ColumnDefinition(name: "notes", type: .any, collection: .map),
            ]),
    ]

    /// Makes it at `path`, where there must be no file, and closes it.
    package static func make(at path: String) throws {
        let connection = try Connection(store: Store.open(StoreOptions(path: path, reservation: 1 << 34)))
        try connection.prepare(tables, schemaVersion: 3, policy: .migrate)
        let schema = connection.schema
        guard let town = schema["Town"], let country = schema["Country"] else { fatalError("the schema has both") }
        for commit in 0..<4 {
            try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "the sample store")))
            let key = try connection.insert(country.id) { writer in
                writer.add(.int(Int64(commit)))
                for _ in 1..<country.columns.count { writer.add(.null) }
            }
            let row = RowID(table: country.id, key: key)
            let places = country.columns.map { CollectionPlace(row: row, slot: $0.slot) }
            for index in stride(from: commit, to: townCount, by: 4) {
                let townKey = try connection.insert(town.id) { writer in
                    writer.add(.string("town \(index * 7919 % townCount)"))
                    writer.add(.int(Int64(index % 10)))
                    writer.add(index % 50 == 0 ? .string(String(repeating: "note \(index) ", count: 500)) : .null)
                    writer.add(.link(key))
                }
                try connection.listInsert(places[1], [.link(townKey)], at: connection.count(places[1]) / 2)
                try connection.setInsert(places[2], .string("the town of number \(index)"))
                let note: StoredValue =
                    index % 2 == 0
                    ? .typedLink(table: town.id.rawValue, key: townKey) : try connection.makeCollection(.list)
                try connection.mapSet(places[3], "note \(index)", note)
            }
            try connection.commit()
        }
    }

    /// Its bytes, made once in a process.
    package static let bytes: [UInt8] = {
        let directory = TemporaryDirectory()
        let path = directory.path("sample.firn")
        do {
            try make(at: path)
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            fatalError("the sample store cannot be made: \(error)")
        }
    }()

    /// The numbers of each database's pages, in `bytes`.
    package static let pages: [String: [Int]] = {
        let directory = TemporaryDirectory()
        let path = directory.path("sample.firn")
        nonisolated(unsafe) var pages: [String: [Int]] = [:]
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            let problems = try PageCheck.check(path) { pages[$0, default: []].append(Int($1)) }
            guard problems?.isEmpty == true else { fatalError("the sample store is damaged") }
            return pages
        } catch {
            fatalError("the sample store cannot be read: \(error)")
        }
    }()
}
