import Foundation
import LMDB
import TestSupport
import Testing

@testable import FirnStore

/// Look-ups by value, many of them, which after some hundred no longer descend LMDB's tree.
@Suite struct IndexMapTests {
    private static let columns: [(name: String, type: ColumnType)] = [
        ("text", .string), ("fewTexts", .string), ("alikeTexts", .string), ("uuid", .uuid), ("objectID", .objectID),
        ("number", .double), ("fewNumbers", .double), ("integer", .int), ("value", .any),
    ]

    private static let rowCount = 8000

    private let directory = TemporaryDirectory()
    private let connection: Connection
    private let table: StoredTable

    /// Rows with a common beginning of their texts, values of their own and values that hundreds share.
    init() throws {
        let definition = TableDefinition(
            name: "Row", primaryKey: nil,
            columns: Self.columns.map {
                ColumnDefinition(name: $0.name, type: $0.type, isOptional: true, isIndexed: true)
            })
        let store = try Store.open(StoreOptions(path: directory.path("map.firn"), durability: .none))
        connection = try Connection(store: store)
        try connection.prepare([definition], schemaVersion: 0, policy: .migrate)
        table = try #require(connection.schema["Row"])
        var random = SeededGenerator(seed: 11)
        try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "test")))
        for number in 0..<Self.rowCount {
            let values = Self.columns.map { Self.value($0.name, number, &random) }
            try connection.insert(table.id) { writer in for value in values { writer.add(value) } }
        }
        try connection.commit()
    }

    private static func value(_ column: String, _ number: Int, _ random: inout SeededGenerator) -> StoredValue {
        if number.isMultiple(of: 97) { return .null }
        switch column {
        case "text": return .string("a common beginning \(Int.random(in: 0..<1_000_000, using: &random))")
        case "fewTexts": return .string("\(number % 7 == 0 ? number % 700 : number % 3)")
        // The pages of each half differ far behind where they differ from the other half's.
        case "alikeTexts": return .string("\(number.isMultiple(of: 2) ? "left" : "right") and so far alike \(number)")
        case "uuid":
            var bytes = [UInt8](repeating: 0, count: 16)
            for index in bytes.indices { bytes[index] = .random(in: 0...255, using: &random) }
            return .uuid(bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
        case "objectID":
            return .objectID(ObjectIDBytes(high: UInt64(number) << 20, low: UInt32(truncatingIfNeeded: number)))
        case "number": return .double(.random(in: -1...1, using: &random))
        case "fewNumbers": return .double(Double(number % 5))
        case "integer": return .int(Int64(number) * 3)
        default: return number.isMultiple(of: 2) ? .int(Int64(number)) : .string("any \(number)")
        }
    }

    /// A value that hardly any row has.
    private static func strangers(to value: StoredValue) -> [StoredValue] {
        switch value {
        case .string(let text): [.string(text + "0"), .string(String(text.dropLast())), .string(""), .string("z")]
        case .double(let number): [.double(number.nextUp), .double(-number), .double(.infinity), .double(-.infinity)]
        case .int(let number): [.int(number + 1), .int(.min), .int(.max)]
        case .uuid(let uuid):
            [.uuid(UUID(uuid: (uuid.uuid.0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))]
        default: []
        }
    }

    @Test(arguments: columns.map(\.name))
    func `a map finds the objects that LMDB finds, and no others`(_ name: String) throws {
        let column = try #require(table[name])
        let index = try #require(column.index)
        let map = try #require(try IndexMap(index, in: connection.currentSnapshot))
        let entries = connection.entries(of: index, try connection.cursor(connection.store.databases.index))
        var answered = 0
        for key in connection.keys(in: table.id) {
            let record = try #require(connection.record(table.id, key))
            let value = connection.value(record, column.slot)
            for sought in [value] + Self.strangers(to: value) {
                let range = IndexRange(column, equal: sought)
                let expected = try entries.first(ofValueIn: range)
                #expect(sought != value || expected != nil)
                guard let found = IndexKey.withEntryKey(index.id, range.lower, { map.first($0) }) else { continue }
                answered += 1
                #expect(found == expected, "\(sought)")
            }
        }
        // What hundreds share is a tree of its own, of which only LMDB knows.
        if !name.hasPrefix("few") || name == "fewNumbers" { #expect(answered >= Self.rowCount) }
    }

    @Test func `many look-ups make a map, which goes with the version`() throws {
        let column = try #require(table["text"])
        let index = try #require(column.index)
        let records = connection.keys(in: table.id).prefix(2000)
        func lookUpAll() throws {
            for key in records {
                let record = try #require(connection.record(table.id, key))
                let range = IndexRange(column, equal: connection.value(record, column.slot))
                let first = connection.firstIndexKey(table.id, index, ofValueIn: range)
                #expect(try #require(first) <= key)
            }
        }
        try lookUpAll()
        #expect(connection.indexMaps.map(\.id) == [index.id])
        try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "test")))
        #expect(connection.indexMaps.isEmpty)
        try connection.set(table.id, records[records.startIndex + 1], slot: column.slot, .string("changed"))
        try lookUpAll()
        try connection.commit()
        try lookUpAll()
        let changed = IndexRange(column, equal: .string("changed"))
        #expect(
            connection.firstIndexKey(table.id, index, ofValueIn: changed) == records[records.startIndex + 1])
    }
}
