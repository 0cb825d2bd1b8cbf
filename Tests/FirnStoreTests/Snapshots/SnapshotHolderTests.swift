import Foundation
import LMDB
import TestSupport
import Testing

@testable import FirnStore

@Suite struct SnapshotHolderTests {
    private let directory = TemporaryDirectory()

    private func open(_ name: String = "a.firn") throws -> Store {
        try Store.open(StoreOptions(path: directory.path(name), reservation: 1 << 34))
    }

    /// A connection with a table, `name` being who it is.
    private func connect(_ store: Store, _ name: String) throws -> Connection {
        let connection = try Connection(store: store) { name }
        try connection.prepare([ConnectionTests.people], schemaVersion: 0, policy: .migrate)
        return connection
    }

    private func commit(_ connection: Connection, id: Int64) throws {
        let table = try #require(connection.schema["Person"])
        try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "test")))
        try connection.insert(table.id) { writer in
            writer.addInt(id)
            writer.addString("")
            writer.add(.uuid(UUID()))
            writer.add(.null)
            writer.addInt(0)
        }
        try connection.commit()
    }

    @Test func `connections of one file are found by any of its stores, in the order of their coming`() throws {
        let first = try connect(open(), "first")
        let second = try connect(open(), "second")
        let nameless = try Connection(store: first.store)
        #expect(first.store !== second.store)
        let version = first.version
        for store in [first.store, second.store] {
            let pinned = store.pinnedVersions()
            #expect(pinned.map(\.version) == [version])
            #expect(pinned.map(\.holders) == [["first", "second", "a connection"]])
        }
        #expect(try open("b.firn").pinnedVersions().isEmpty)
        withExtendedLifetime((first, second, nameless)) {}
    }

    @Test func `a connection is found at the version that it reads`() throws {
        let writer = try connect(open(), "writer")
        let reader = try connect(open(), "reader")
        let version = reader.version
        try commit(writer, id: 1)
        let found = writer.store.pinnedVersions()
        #expect(found.map(\.version) == [version, version + 1])
        #expect(found.map(\.holders) == [["reader"], ["writer"]])
        #expect(found[0].since <= found[1].since)
        #expect(try reader.refresh())
        #expect(writer.store.pinnedVersions().map(\.holders) == [["writer", "reader"]])
        try writer.beginWrite(WriteRequest(holder: WriterDescription(text: "test")))
        writer.rollback()
        #expect(writer.store.pinnedVersions().map(\.version) == [version + 1])
    }

    @Test func `a frozen connection is found until it goes`() throws {
        let writer = try connect(open(), "writer")
        var frozen: Connection? = try Connection(snapshot: writer.currentSnapshot, isFrozen: true) { "frozen" }
        let version = writer.version
        try commit(writer, id: 1)
        #expect(writer.store.pinnedVersions().map(\.holders) == [["frozen"], ["writer"]])
        #expect(frozen?.version == version)
        frozen = nil
        #expect(writer.store.pinnedVersions().map(\.holders) == [["writer"]])
    }

    @Test func `whoever is behind is reported once`() throws {
        let writer = try connect(open(), "writer")
        let reader = try connect(open(), "reader")
        let version = reader.version
        try commit(writer, id: 1)
        #expect(writer.store.reportHolders(before: version).isEmpty)
        let reported = writer.store.reportHolders(before: version + 1)
        #expect(reported.map(\.holders) == [["reader"]])
        #expect(reported.map(\.version) == [version])
        #expect(reported.map(\.since) == [writer.store.pinnedVersions()[0].since])
        #expect(writer.store.reportHolders(before: version + 1).isEmpty)
        let other = try Connection(snapshot: reader.currentSnapshot, isFrozen: true) { "other" }
        #expect(writer.store.reportHolders(before: version + 1).map(\.holders) == [["other"]])
        #expect(other.version == version)
    }
}
