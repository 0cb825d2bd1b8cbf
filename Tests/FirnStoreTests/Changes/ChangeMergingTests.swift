import Foundation
import LMDB
import TestSupport
import Testing

@testable import FirnStore

/// What several commits did together: put together from the log, and found by comparing two versions.
@Suite struct ChangeMergingTests {
    private static let definition = TableDefinition(
        name: "Row", primaryKey: "id",
        columns: [
            ColumnDefinition(name: "id", type: .int), ColumnDefinition(name: "a", type: .int),
            ColumnDefinition(name: "b", type: .string),
            ColumnDefinition(name: "list", type: .int, collection: .list),
        ])

    private static func makeConnection(_ directory: TemporaryDirectory) throws -> Connection {
        let store = try Store.open(StoreOptions(path: directory.path("changes.firn"), durability: .none))
        let connection = try Connection(store: store)
        try connection.prepare([definition], schemaVersion: 0, policy: .migrate)
        return connection
    }

    private static func write(_ connection: Connection, _ body: () throws -> Void) throws {
        try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "test")))
        try body()
        _ = try connection.commit()
    }

    private static func insert(_ connection: Connection, _ table: TableID, _ key: ObjectKey, _ value: Int64) throws {
        try connection.insert(table) { writer in
            writer.addInt(Int64(bitPattern: key ^ 1 << 63))
            writer.addInt(value)
            writer.addString("text of \(value)")
            writer.add(.null)
        }
    }

    private func keys(_ runs: [ClosedRange<ObjectKey>]?) -> Set<ObjectKey> { Set((runs ?? []).joined()) }

    @Test func `runs are united and subtracted as sets are`() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            func make() -> Set<ObjectKey> {
                let count = Int.random(in: 0..<12, using: &random)
                return Set((0..<count).map { _ in ObjectKey.random(in: 0..<20, using: &random) })
            }
            let (left, right) = (make(), make())
            func runs(_ keys: Set<ObjectKey>) -> [ClosedRange<ObjectKey>] { keys.map { $0...$0 }.normalized() }
            #expect(runs(left).union(runs(right)) == runs(left.union(right)))
            #expect(runs(left).subtracting(runs(right)) == runs(left.subtracting(right)))
            #expect(runs(left).keyCount == left.count)
        }
        let all: [ClosedRange<ObjectKey>] = [0...ObjectKey.max]
        #expect(all.subtracting([5...ObjectKey.max]) == [0...4] && all.subtracting(all) == [])
        #expect(([3...9] as [ClosedRange<ObjectKey>]).subtracting([0...4, 7...7]) == [5...6, 8...9])
    }

    @Test func `merged changes and a comparison of the versions say what is different`() throws {
        try RandomRuns(1...6).run { seed in
            var random = SeededGenerator(seed: seed)
            let directory = TemporaryDirectory()
            let connection = try Self.makeConnection(directory)
            let table = try #require(connection.schema["Row"])
            var rows: [ObjectKey: [Int64]] = [:]
            let base = objectKey(ofInteger: 0)
            func change() throws {
                let key = base + ObjectKey.random(in: 0..<400, using: &random)
                let value = Int64.random(in: 0..<4, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0, 1:
                    if rows[key] != nil { return }
                    try Self.insert(connection, table.id, key, value)
                    rows[key] = [value]
                case 2:
                    if rows.removeValue(forKey: key) != nil { try connection.delete(table.id, key) }
                case 3:
                    if rows[key] == nil { return }
                    try connection.set(table.id, key, slot: 1, .int(value))
                    rows[key]?[0] = value
                default:
                    if rows[key] == nil { return }
                    let place = CollectionPlace(row: RowID(table: table.id, key: key), slot: 3)
                    try connection.listAppend(place, .int(value))
                    rows[key]?.append(value)
                }
            }
            for _ in 0..<6 {
                let oldRows = rows
                let old = try Connection(snapshot: connection.currentSnapshot, isFrozen: true)
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    try Self.write(connection) {
                        if Bool.random(using: &random) {
                            for _ in 0..<Int.random(in: 0...60, using: &random) { try change() }
                            return
                        }
                        for _ in 0..<Int.random(in: 1...4, using: &random) {
                            let before = rows
                            try connection.beginPart()
                            for _ in 0..<Int.random(in: 0...20, using: &random) { try change() }
                            if Int.random(in: 0..<4, using: &random) > 0 {
                                try connection.keepPart()
                            } else {
                                connection.dropPart()
                                rows = before
                            }
                        }
                    }
                }
                let log = try #require(connection.changes(since: old.version, schemaCounter: old.schemaCounter))
                let merged = log.tables[table.id] ?? ChangeSet.Table()
                let compared = connection.difference(from: old).tables[table.id] ?? ChangeSet.Table()
                let made = Set(rows.keys).subtracting(oldRows.keys)
                let gone = Set(oldRows.keys).subtracting(rows.keys)
                // The log also knows those that were deleted and made anew.
                let reborn = keys(merged.inserted).subtracting(made)
                try #require(keys(compared.inserted) == made && keys(compared.deleted) == gone)
                try #require(keys(merged.inserted).isSuperset(of: made))
                try #require(keys(merged.deleted) == gone.union(reborn))
                let changed = Set(rows.keys.filter { oldRows[$0].map { $0[0] } != rows[$0]?[0] }).subtracting(made)
                let a = try #require(table["a"]).id
                try #require(keys(compared.modified[a]) == changed)
                try #require(keys(merged.modified[a]).union(reborn).isSuperset(of: changed))
                try #require(keys(merged.modified[a]).isDisjoint(with: keys(merged.inserted)))
                let list = try #require(table["list"]).id
                let grown = Set(
                    rows.keys.filter { key in
                        oldRows[key].map { $0.dropFirst() != rows[key]?.dropFirst() } ?? false
                    })
                try #require(keys(compared.modified[list]) == grown)
                try #require(keys(merged.modified[list]).union(reborn).isSuperset(of: grown))
            }
        }
    }

    @Test func `the log does not tell of what it has dropped`() throws {
        let directory = TemporaryDirectory()
        let connection = try Self.makeConnection(directory)
        let table = try #require(connection.schema["Row"]?.id)
        let old = try Connection(snapshot: connection.currentSnapshot, isFrozen: true)
        try Self.write(connection) { try Self.insert(connection, table, objectKey(ofInteger: 1), 0) }
        for number in 0..<1200 as Range<Int64> {
            try Self.write(connection) {
                try connection.set(table, objectKey(ofInteger: 1), slot: 1, .int(number + 1))
            }
        }
        #expect(connection.changes(since: old.version, schemaCounter: old.schemaCounter) == nil)
        #expect(connection.changes(since: connection.version, schemaCounter: old.schemaCounter)?.tables.isEmpty == true)
        #expect(connection.changes(since: connection.version - 5, schemaCounter: old.schemaCounter)?.tables.count == 1)
        #expect(connection.difference(from: old).tables[table]?.inserted.count == 1)
    }
}
