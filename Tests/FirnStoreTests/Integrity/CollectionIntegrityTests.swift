import LMDB
import TestSupport
import Testing

@testable import FirnStore

/// Damage that LMDB does not see, in collections and in who owns what: the checker names the invariant.
@Suite struct CollectionIntegrityTests {
    private let fixture: CollectionFixture
    private let row: RowID
    private let other: RowID
    private let part: RowID

    private var connection: Connection { fixture.connection }
    private var databases: Databases { connection.store.databases }

    init() throws {
        let fixture = try CollectionFixture()
        self.fixture = fixture
        (row, other, part) = try fixture.write {
            let row = try fixture.insertNode(1)
            let other = try fixture.insertNode(2)
            let part = try fixture.insertPart()
            try fixture.set(row, "part", part.link)
            try fixture.append(fixture.place(row, "list"), other.link, row.link, other.link)
            try fixture.append(fixture.place(row, "numbers"), .int(1), .int(2))
            for word in ["a", "b"] {
                try fixture.connection.setInsert(fixture.place(row, "words"), .string(word))
                try fixture.connection.mapSet(fixture.place(row, "texts"), word, .string(word))
            }
            return (row, other, part)
        }
    }

    /// Expects the checker to name an invariant after `damage`, which is then rolled back.
    private func expect(
        _ invariant: IntegrityProblem.Invariant, sourceLocation: SourceLocation = #_sourceLocation,
        after damage: (WriteState) throws -> Void
    ) throws {
        try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "damage")))
        defer { connection.rollback() }
        try connection.change { try damage($0) }
        let problems = IntegrityChecker.check(connection)
        #expect(problems.contains { $0.invariant == invariant }, "\(problems)", sourceLocation: sourceLocation)
    }

    private func id(_ column: String) throws -> UInt64 {
        try #require(try connection.collectionID(fixture.place(row, column)))
    }

    private func entryKey(_ column: String, _ text: String) throws -> [UInt8] {
        var buffer = KeyBuffer()
        if column == "words" {
            EntryKey.make(try id(column), element: .string(text), .string, into: &buffer)
        } else {
            EntryKey.make(try id(column), key: text, into: &buffer)
        }
        return [UInt8](buffer.bytes)
    }

    private func putEntry(_ key: [UInt8], _ value: StoredValue, _ write: WriteState) throws {
        let builder = RecordBuilder()
        builder.begin()
        builder.add(value)
        try key.withUnsafeBytes { key in
            try builder.finishedBytes().withUnsafeBytes { try write.cursor(databases.entries).put(key, $0) }
        }
    }

    @Test(arguments: ["words", "texts"])
    func `a wrong or missing number of entries is found`(column: String) throws {
        let count = ByteKey(try id(column))
        try expect(.entries) { try $0.cursor(databases.entries).put(count, ByteKey(7 as UInt64)) }
        try expect(.entries) { write in
            let cursor = try write.cursor(databases.entries)
            _ = try cursor.seek(count)
            try cursor.delete()
        }
    }

    @Test func `an entry under another's key is found`() throws {
        let key = try entryKey("words", "a")
        try expect(.entries) { try putEntry(key, .string("c"), $0) }
    }

    @Test func `an entry that is no record is found`() throws {
        let key = try entryKey("texts", "a")
        try expect(.entries) { write in
            try key.withUnsafeBytes { try write.cursor(databases.entries).put($0, ByteKey(3 as UInt32)) }
        }
    }

    @Test func `an element of another type is found`() throws {
        let key = try entryKey("texts", "a")
        try expect(.recordLayout) { try putEntry(key, .int(1), $0) }
    }

    @Test func `entries and nodes of no collection are found`() throws {
        let key = ByteKey(1000 as UInt64)
        try expect(.collections) { try $0.cursor(databases.entries).put(key, ByteKey(0 as UInt64)) }
        try expect(.collections) { write in
            let node = ByteKey(1000 as UInt64, 0 as UInt32)
            try RecordBuilder().finishedBytes().withUnsafeBytes { try write.cursor(databases.lists).put(node, $0) }
        }
    }

    @Test func `a list whose root is damaged or missing is found`() throws {
        let root = ByteKey(try id("numbers"), 0 as UInt32)
        try expect(.lists) { try $0.cursor(databases.lists).put(root, ByteKey(5 as UInt32)) }
        try expect(.lists) { write in
            let cursor = try write.cursor(databases.lists)
            _ = try cursor.seek(root)
            try cursor.delete()
        }
    }

    @Test func `a collection that its object forgot, or that has two, is found`() throws {
        let slot = try fixture.slot(fixture.node.id, "numbers")
        let collection = try fixture.value(row, "numbers")
        try expect(.collections) { _ in
            try connection.replaceValue(connection.tableWriter(row.table), row.key, slot, .null)
        }
        try expect(.collections) { _ in
            try connection.replaceValue(connection.tableWriter(row.table), other.key, slot, collection)
        }
    }

    @Test func `a collection of another kind than its property is found`() throws {
        let slot = try fixture.slot(fixture.node.id, "numbers")
        let id = try id("numbers")
        try expect(.collections) { _ in
            try connection.replaceValue(
                connection.tableWriter(row.table), row.key, slot, .collection(kind: 2, id: id))
        }
    }

    @Test func `backlinks with another number than the links of a list are found`() throws {
        let column = try #require(fixture.node["list"])
        try expect(.backlinks) { write in
            let owner = ElementOwner(row: row, column: column)
            connection.noteLink(to: other, owner, delta: 1, write)
        }
    }

    @Test func `an embedded object with two owners or none is found`() throws {
        let column = try #require(fixture.node["part"])
        for (owner, value) in [(other, part.link), (row, .null)] {
            try expect(.embedded) { write in
                try connection.replaceValue(connection.tableWriter(row.table), owner.key, column.slot, value)
                let delta: Int32 = value.isNull ? -1 : 1
                connection.noteLink(to: part, ElementOwner(row: owner, column: column), delta: delta, write)
            }
        }
    }

    @Test func `a link of a list to an object that is gone is found`() throws {
        try expect(.links) { write in
            try connection.removeRecord(connection.tableWriter(other.table), other.key)
        }
    }
}
