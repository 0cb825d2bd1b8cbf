import Foundation
import LMDB
import Synchronization
import TestSupport
import Testing

@testable import FirnStore

/// Indexes that are built over objects that were there before them.
@Suite struct IndexBuildingTests {
    private let directory = TemporaryDirectory()
    private var path: String { directory.path("a.firn") }

    private static let types: [ColumnType] = [.bool, .int, .double, .decimal, .date, .string, .data, .uuid, .any]

    private static func definition(_ indexes: [IndexDefinition] = []) -> TableDefinition {
        let columns = types.map { ColumnDefinition(name: $0.name, type: $0, isOptional: $0 != .any) }
        return TableDefinition(name: "Row", columns: columns, indexes: indexes)
    }

    private func open(
        _ definition: TableDefinition, _ indexing: IndexBuilding = IndexBuilding()
    ) throws -> Connection {
        let connection = try Connection(store: Store.open(StoreOptions(path: path, durability: .none)))
        try connection.prepare([definition], schemaVersion: 0, policy: .migrate, indexing: indexing)
        return connection
    }

    private func fill(count: Int) throws {
        let connection = try open(Self.definition())
        let table = try #require(connection.schema["Row"])
        var random = SeededGenerator(seed: 7)
        try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "test")))
        for _ in 0..<count {
            try connection.insert(table.id) { writer in
                for type in Self.types { writer.add(random.value(of: type)) }
            }
        }
        try connection.commit()
    }

    private static let indexes =
        types.map { IndexDefinition([$0.name]) } + [
            IndexDefinition(["string", "int"]), IndexDefinition(["bool", "any", "double"]),
            IndexDefinition(["decimal128", "data", "uuid"]),
        ]

    @Test(arguments: [2_000, 16 << 20])
    func `an index is the same whether it was there before its objects or came later`(runByteLimit: Int) throws {
        try fill(count: 1500)
        var indexing = IndexBuilding()
        indexing.runByteLimit = runByteLimit
        let connection = try open(Self.definition(Self.indexes), indexing)
        #expect(IntegrityChecker.check(connection).isEmpty)
        #expect(connection.schema["Row"]?.indexes.count == Self.indexes.count)
        // A change of every object finds each of its entries.
        try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "test")))
        let table = try #require(connection.schema["Row"])
        for key in connection.keys(in: table.id) {
            try connection.set(table.id, key, slot: 1, .int(Int64(key)))
            try connection.set(table.id, key, slot: 8, .null)
        }
        try connection.commit()
        #expect(IntegrityChecker.check(connection).isEmpty)
    }

    @Test func `indexes that go take their entries along`() throws {
        try fill(count: 300)
        var connection = try open(Self.definition(Self.indexes))
        connection = try open(Self.definition([IndexDefinition(["string", "int"])]))
        #expect(connection.schema["Row"]?.indexes.count == 1)
        #expect(IntegrityChecker.check(connection).isEmpty)
        connection = try open(Self.definition())
        #expect(try connection.transaction.statistics(connection.store.databases.index).entryCount == 0)
    }

    @Test func `progress begins with nothing, grows, and ends with everything`() throws {
        try fill(count: 500)
        let reports = Mutex<[IndexProgress]>([])
        _ = try open(
            Self.definition([IndexDefinition(["string", "int"])]),
            IndexBuilding { progress in reports.withLock { $0.append(progress) } })
        let all = reports.withLock { $0 }
        #expect(all.first?.stepCount == 0)
        #expect(all.last?.stepCount == 1000)
        #expect(all.allSatisfy { $0.table == "Row" && $0.columns == ["string", "int"] && $0.totalStepCount == 1000 })
        #expect(all.count == 101)
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.stepCount < $1.stepCount })
    }

    @Test func `a unique index over values that are not is refused, and the file stays as it was`() throws {
        let long = String(repeating: "x", count: 600)
        for text in ["twice", long] {
            try? FileManager.default.removeItem(atPath: path)
            let before = try open(Self.definition())
            let table = try #require(before.schema["Row"])
            try before.beginWrite(WriteRequest(holder: WriterDescription(text: "test")))
            for value in [.string(text), .null, .null, .string(long + "y"), .string(text)] as [StoredValue] {
                try before.insert(table.id) { writer in
                    for type in Self.types { writer.add(type == .string ? value : .null) }
                }
            }
            try before.commit()
            let error = #expect(throws: StoreError.self) {
                try open(Self.definition([IndexDefinition(["string"], isUnique: true)]))
            }
            #expect(error?.code == .duplicateValue)
            #expect(error?.message.contains("two objects of class 'Row' have string = \"\(text.prefix(10))") == true)
            _ = try before.refresh()
            #expect(before.schema["Row"]?.indexes == [])
            #expect(IntegrityChecker.check(before).isEmpty)
        }
    }

    @Test func `an index that becomes unique is built anew`() throws {
        try fill(count: 20)
        _ = try open(Self.definition([IndexDefinition(["uuid"])]))
        let connection = try open(Self.definition([IndexDefinition(["uuid"], isUnique: true)]))
        #expect(connection.schema["Row"]?["uuid"]?.index?.isUnique == true)
        #expect(IntegrityChecker.check(connection).isEmpty)
    }

    /// Files from before indexes over several columns have their ids in the columns.
    @Test func `a schema of the first form is read`() throws {
        var bytes: [UInt8] = [1, 3, 9, 5, 12, 4, 1]
        bytes += [4, 3] + Array("Dog".utf8) + [0, 7, 3, 2]
        bytes += [7, 2] + Array("id".utf8) + [0, 7, 6, 0, 0, 2]
        bytes += [9, 4] + Array("link".utf8) + [2, 11, 9, 0, 4, 0]
        let schema = try bytes.withUnsafeBytes { try StoredSchema(decoding: $0) }
        let dog = try #require(schema["Dog"])
        #expect(dog.indexes == [StoredIndex(id: IndexID(rawValue: 2), over: [dog.columns[0]], isUnique: true)])
        #expect(dog.primaryKey?.index == dog.indexes[0])
        #expect(dog["link"]?.deleteRule == .cascade)
        #expect(dog["link"]?.index == nil)
        let again = try schema.encoded().withUnsafeBytes { try StoredSchema(decoding: $0) }
        #expect(again == schema)
    }
}

extension SeededGenerator {
    /// A value of a type, nil at times; texts long ones at times.
    fileprivate mutating func value(of type: ColumnType) -> StoredValue {
        if UInt8.random(in: 0...9, using: &self) == 0 { return .null }
        let textByteCount = UInt8.random(in: 0...9, using: &self) == 0 ? 2000 : 12
        return switch type {
        case .bool: .bool(Bool.random(using: &self))
        case .int: .int(integer())
        case .double: .double(double())
        case .decimal: .decimal(decimal())
        case .date: .date(seconds: integer() >> 24, nanoseconds: 0)
        case .string: .string(String(repeating: "s\(integer() % 50)", count: textByteCount / 2))
        case .data: .data(Data(bytes(upTo: textByteCount)))
        case .uuid: .uuid(UUID())
        default: value(of: [.bool, .int, .double, .string, .date].randomElement(using: &self) ?? .int)
        }
    }
}
