import Foundation
import LMDB
import TestSupport
import Testing

@testable import FirnStore

/// Random writes against a store and against plain dictionaries, compared after each transaction, with every invariant
/// checked.
@Suite struct StoreModelTests {
    @Test func aStoreIsWhatPlainDictionariesAre() throws {
        try RandomRuns(1...3).run { seed in
            let directory = TemporaryDirectory()
            var model = try StoreModel(path: directory.path + "/model.firn", seed: seed)
            for _ in 0..<24 { try model.runTransaction() }
            try model.reopen()
            try model.compare()
        }
    }
}

/// A store of four tables (integer, UUID, long string and no primary key) beside what it must hold.
struct StoreModel {
    struct Row: Equatable {
        var values: [StoredValue]
    }

    static let tables = [
        TableDefinition(name: "Int", primaryKey: "key", columns: columns(key: .int), indexes: indexes),
        TableDefinition(name: "UUID", primaryKey: "key", columns: columns(key: .uuid), indexes: indexes),
        TableDefinition(name: "Text", primaryKey: "key", columns: columns(key: .string, isOptional: true)),
        TableDefinition(name: "Free", columns: columns(key: .int)),
    ]

    static let indexes = [
        IndexDefinition(["text", "number"]), IndexDefinition(["number", "link", "real"]),
        IndexDefinition(["link", "key"], isUnique: true),
    ]

    static func columns(key: ColumnType, isOptional: Bool = false) -> [ColumnDefinition] {
        [
            ColumnDefinition(name: "key", type: key, isOptional: isOptional),
            ColumnDefinition(name: "number", type: .int, isOptional: true, isIndexed: true),
            ColumnDefinition(name: "text", type: .string, isIndexed: true),
            ColumnDefinition(name: "data", type: .data, isOptional: true),
            ColumnDefinition(name: "link", type: .link, isOptional: true, target: "UUID"),
            ColumnDefinition(name: "real", type: .double),
        ]
    }

    let path: String
    var random: SeededGenerator
    var connection: Connection
    var rows: [[ObjectKey: Row]] = [[:], [:], [:], [:]]

    init(path: String, seed: UInt64) throws {
        self.path = path
        random = SeededGenerator(seed: seed)
        connection = try StoreModel.open(path)
    }

    static func open(_ path: String) throws -> Connection {
        let connection = try Connection(store: Store.open(StoreOptions(path: path, durability: .none)))
        try connection.prepare(tables, schemaVersion: 0, policy: .migrate)
        return connection
    }

    mutating func reopen() throws {
        connection = try StoreModel.open(path)
    }

    func table(_ index: Int) throws -> StoredTable {
        try #require(connection.schema[StoreModel.tables[index].name])
    }

    /// Up to 40 random changes, or some parts of fewer, then a commit, or a rollback one time in five.
    mutating func runTransaction() throws {
        let before = rows
        try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "model test")))
        if chance(3) {
            for _ in 0..<Int.random(in: 1...6, using: &random) { try runPart() }
        } else {
            for _ in 0..<Int.random(in: 1...40, using: &random) { try change() }
            if chance(4) { try compare() }
        }
        if chance(5) {
            connection.rollback()
            rows = before
        } else {
            try connection.commit()
        }
        try compare()
    }

    /// Up to 12 random changes, which are kept or, one time in four, dropped.
    private mutating func runPart() throws {
        let before = rows
        try connection.beginPart()
        for _ in 0..<Int.random(in: 0...12, using: &random) { try change() }
        if chance(4) { try compare() }
        if chance(4) {
            connection.dropPart()
            rows = before
        } else {
            try connection.keepPart()
        }
        if chance(4) { try compare() }
    }

    private mutating func change() throws {
        let index = Int.random(in: 0..<4, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<40: try insert(index)
        case 40..<45: for _ in 0..<Int.random(in: 1...80, using: &random) { try insert(index) }
        case 45..<75: try set(index)
        case 75..<97: try delete(index)
        case 97..<99: for _ in 0..<Int.random(in: 1...80, using: &random) { try delete(index) }
        default: try deleteAll(index)
        }
    }

    private mutating func insert(_ index: Int) throws {
        let table = try table(index)
        let row = Row(values: try (0..<6).map { try value($0, table: index) })
        let isTaken = index < 3 && rows[index].values.contains { $0.values[0] == row.values[0] }
        do {
            let key = try connection.insert(table.id) { writer in
                for value in row.values { writer.add(value) }
            }
            try #require(!isTaken)
            try #require(rows[index][key] == nil)
            rows[index][key] = row
        } catch let error as StoreError {
            try #require(error.code == .duplicateKey)
            try #require(isTaken)
        }
    }

    private mutating func set(_ index: Int) throws {
        guard let key = rows[index].keys.sorted().randomElement(using: &random) else { return }
        let slot = Int.random(in: 1..<6, using: &random)
        let value = try value(slot, table: index)
        try connection.set(table(index).id, key, slot: slot, value)
        rows[index][key]?.values[slot] = value
    }

    private mutating func delete(_ index: Int) throws {
        guard let key = rows[index].keys.sorted().randomElement(using: &random) else { return }
        try connection.delete(table(index).id, key)
        forget(index, key)
    }

    private mutating func deleteAll(_ index: Int) throws {
        try connection.deleteAll(table(index).id)
        for key in rows[index].keys { forget(index, key) }
    }

    private mutating func forget(_ index: Int, _ key: ObjectKey) {
        rows[index][key] = nil
        guard index == 1 else { return }
        for table in 0..<4 {
            for (other, row) in rows[table] where row.values[4] == .link(key) { rows[table][other]?.values[4] = .null }
        }
    }

    // MARK: Values

    private mutating func value(_ slot: Int, table: Int) throws -> StoredValue {
        switch slot {
        case 0: return primaryKey(table)
        case 1:
            return chance(4)
                ? .null : .int(Int64.random(in: -20...20, using: &random) << Int64.random(in: 0...50, using: &random))
        case 2: return .string(text())
        case 3: return chance(3) ? .null : .data(Data(text().utf8))
        case 4:
            guard !chance(3), let key = rows[1].keys.sorted().randomElement(using: &random) else { return .null }
            return .link(key)
        default: return .double(Double(Int.random(in: -5...5, using: &random)) / 2)
        }
    }

    private mutating func primaryKey(_ table: Int) -> StoredValue {
        switch table {
        case 0:
            return .int(
                chance(3)
                    ? Int64.random(in: .min ... .max, using: &random) : Int64.random(in: -300...300, using: &random))
        case 1:
            return .uuid(
                UUID(
                    uuid: (
                        UInt8.random(in: 0...9, using: &random), 1, UInt8.random(in: 0...255, using: &random), 0, 0, 0,
                        0, 0, 0, 0, 0, 0, 0, 0, 0, 0
                    )))
        case 2:
            if chance(20) { return .null }
            let length = chance(3) ? 600 : 3
            return .string(String(repeating: "k", count: length) + String(Int.random(in: 0...200, using: &random)))
        default: return .int(7)
        }
    }

    private mutating func text() -> String {
        let unit = ["a", "é", "\0", "日", "🙂"][Int.random(in: 0..<5, using: &random)]
        let lengths = [0, 1, 5, 30, 200, 478, 479, 480, 900, 1024, 1025, 5000, 9000]
        let length =
            chance(6)
            ? lengths[Int.random(in: 0..<lengths.count, using: &random)] : Int.random(in: 0...12, using: &random)
        return String(repeating: unit, count: length / unit.utf8.count) + String(Int.random(in: 0...9, using: &random))
    }

    private mutating func chance(_ oneIn: Int) -> Bool {
        Int.random(in: 0..<oneIn, using: &random) == 0
    }

    // MARK: Comparing

    func compare() throws {
        let problems = IntegrityChecker.check(connection)
        try #require(problems.isEmpty, "\(problems)")
        for index in 0..<4 {
            let table = try table(index)
            let expected = rows[index]
            try #require(connection.count(table.id) == expected.count)
            var keys: [ObjectKey] = []
            connection.forEachRecord(in: table.id) { key, _ in
                keys.append(key)
                return true
            }
            try #require(keys == expected.keys.sorted())
            var iterator = RecordIterator(connection, table: table.id)
            var walked: [ObjectKey] = []
            while let (key, _) = iterator.next() { walked.append(key) }
            try #require(walked == keys)
            for (key, row) in expected {
                let record = try #require(connection.record(table.id, key))
                let values = table.columns.map { connection.value(record, $0) }
                try #require(values == row.values)
                if index < 3 { try #require(connection.find(table.id, primaryKey: row.values[0]) == key) }
            }
            try compareIndexes(table, expected)
        }
    }

    private func compareIndexes(_ table: StoredTable, _ expected: [ObjectKey: Row]) throws {
        for slot in [1, 2] {
            let groups = Dictionary(grouping: expected.keys) { expected[$0]?.values[slot] ?? .null }
            for (value, keys) in groups.prefix(10) {
                let found = connection.keys(table.id, column: table.columns[slot], equals: value)
                try #require(found == keys.sorted())
                try #require(connection.count(table.id, column: table.columns[slot], equals: value) == keys.count)
            }
        }
        let uuids = try #require(connection.schema["UUID"])
        let groups = Dictionary(grouping: expected.keys) { expected[$0]?.values[4] ?? .null }
        for (target, origins) in groups.prefix(5) {
            guard case .link(let key) = target else { continue }
            let found = connection.backlinks(to: RowID(table: uuids.id, key: key), column: table.columns[4].id)
            try #require(found.map(\.origin) == origins.sorted())
        }
    }
}
