import Firn
import Foundation
import TestSupport
import Testing

@Suite struct DiagnosticsTests {
    final class Item: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var payload = Data()

        convenience init(_ id: Int, byteCount: Int = 0) {
            self.init()
            self.id = id
            payload = Data(count: byteCount)
        }

        override static func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private let directory: TemporaryRealm
    private let configuration: Realm.Configuration

    init() throws {
        directory = try TemporaryRealm()
        configuration = directory.configuration([Item.self])
    }

    /// Has another thread commit, with a realm that is gone when this returns.
    private func commitElsewhere(_ ids: Range<Int>) throws {
        try onAnotherThread { [configuration] in
            let realm = try Realm(configuration: configuration)
            for id in ids {
                try realm.write { realm.add(Item(id)) }
            }
        }
    }

    private func pinned() throws -> [Realm.Diagnostics.PinnedVersion] {
        try Realm.diagnostics(for: configuration).pinnedVersions
    }

    // MARK: Versions

    @Test func `a realm keeps the version that it shows, and is named by its thread and the line that opened it first`()
        throws
    {
        let before = Date()
        let line: UInt = #line + 1
        let realm = try Realm(configuration: configuration)
        let again = try Realm(configuration: configuration)
        let after = Date()
        let found = try Realm.diagnostics(for: configuration)
        let pinned = try #require(found.pinnedVersions.first)
        #expect(found.pinnedVersions.count == 1)
        #expect(pinned.version == found.newestVersion)
        #expect(pinned.versionsBehind == 0)
        #expect(pinned.since >= before && pinned.since <= after)
        #expect(pinned.holders.count == 1)
        #expect(pinned.holders[0].hasPrefix("the realm of thread "))
        #expect(pinned.holders[0].hasSuffix(", opened at FirnTests/DiagnosticsTests.swift:\(line)"), "\(found)")
        withExtendedLifetime((realm, again)) {}
    }

    @Test func `every way to open a realm names its line`() throws {
        func lines(_ realm: Realm) throws -> [String] {
            try Realm.diagnostics(for: realm.configuration).pinnedVersions.flatMap(\.holders)
                .map { String($0.split(separator: ":").last ?? "") }
        }
        // Not in `#expect`, which has lines of its own.
        let url = directory.directory.appendingPathComponent("other.realm")
        let first = #line
        let byConfiguration = try lines(Realm(configuration: configuration))
        let byRepository = try lines(Repository<Item>(configuration: configuration).realm)
        let byURL = try lines(Realm(fileURL: url))
        #expect([byConfiguration, byRepository, byURL] == (1...3).map { ["\(first + $0)"] })
    }

    @Test func `a realm that is not refreshed falls behind, until it is`() throws {
        let realm = try Realm(configuration: configuration)
        let first = try #require(pinned().first)
        try commitElsewhere(0..<3)
        let found = try Realm.diagnostics(for: configuration)
        #expect(found.newestVersion == first.version + 3)
        #expect(found.pinnedVersions.map(\.version) == [first.version])
        #expect(found.pinnedVersions.map(\.versionsBehind) == [3])
        #expect(found.pinnedVersions.map(\.since) == [first.since])
        #expect(found.pinnedVersions.map(\.holders) == [first.holders])
        let time = Date()
        realm.refresh()
        let last = try #require(pinned().first)
        #expect(try pinned().count == 1)
        #expect(last.version == first.version + 3 && last.versionsBehind == 0 && last.holders == first.holders)
        #expect(last.since >= time)
        try commitElsewhere(3..<4)
        try realm.write { realm.add(Item(4)) }
        #expect(try pinned().map(\.version) == [first.version + 5])
        try commitElsewhere(5..<6)
        realm.invalidate()
        #expect(try pinned().map(\.version) == [first.version + 6])
    }

    @Test func `an open write keeps the version that it began at`() throws {
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.add(Item(0)) }
        realm.beginWrite()
        realm.add(Item(1))
        let found = try Realm.diagnostics(for: configuration)
        #expect(found.pinnedVersions.map(\.version) == [found.newestVersion])
        try realm.commitWrite()
        #expect(try pinned().map(\.version) == [found.newestVersion + 1])
    }

    @Test func `frozen things keep their versions until they are let go of, the oldest first`() throws {
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.add(Item(0)) }
        let version = try #require(pinned().first).version
        var frozen: Realm? = realm.freeze()
        #expect(try pinned().map(\.holders.count) == [2])
        try realm.write { realm.add(Item(1)) }
        var item: Item? = realm.object(ofType: Item.self, forPrimaryKey: 1)?.freeze()
        try realm.write { realm.add(Item(2)) }

        let found = try pinned()
        #expect(found.map(\.version) == [version, version + 1, version + 2])
        #expect(found.map(\.versionsBehind) == [2, 1, 0])
        #expect(found[0].since <= found[1].since && found[1].since <= found[2].since)
        let thread = try #require(found[2].holders.first?.firstMatch(of: /thread \d+/)).output
        #expect(found[0].holders == ["a frozen realm of \(thread)"])
        #expect(found[1].holders == ["a frozen realm of \(thread)"])
        #expect(found[2].holders.count == 1 && found[2].holders[0].hasPrefix("the realm of \(thread), opened at "))

        #expect(frozen?.objects(Item.self).count == 1 && item?.id == 1)
        frozen = nil
        #expect(try pinned().map(\.version) == [version + 1, version + 2])
        item = nil
        #expect(try pinned().map(\.version) == [version + 2])
        withExtendedLifetime(realm) {}
    }

    @Test func `what is frozen on a thread and read on another names both`() async throws {
        var frozen: Frozen<Results<Item>>? = try await onNewThread { [configuration] in
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.add(Item(0)) }
            return Frozen(realm.objects(Item.self))
        }
        let maker = try #require(pinned().first?.holders.first)
        #expect(maker.wholeMatch(of: /a frozen realm of thread \d+/) != nil)
        #expect(try pinned().map(\.holders) == [[maker]])
        let copy = frozen
        try await onNewThread { #expect(copy?.value.count == 1) }
        let holders = try pinned().flatMap(\.holders)
        #expect(holders.count == 2 && holders.first == maker)
        #expect(holders.last?.hasPrefix(maker + ", read on thread ") == true)
        try commitElsewhere(1..<2)
        #expect(try pinned().map(\.versionsBehind) == [1])
        frozen = nil
    }

    @Test func `what threads let go of is gone`() async throws {
        try await onNewThread { [configuration] in
            let realm = try Realm(configuration: configuration)
            let frozen = realm.freeze()
            try realm.write { realm.add(Item(0)) }
            #expect(try Realm.diagnostics(for: configuration).pinnedVersions.count == 2)
            withExtendedLifetime(frozen) {}
        }
        #expect(try pinned().isEmpty)
    }

    @Test func `the realm of a queue is named as that`() throws {
        let queue = DispatchQueue(label: "diagnostics")
        try queue.sync {
            let realm = try Realm(configuration: configuration, queue: queue)
            let holders = try pinned().flatMap(\.holders)
            #expect(holders.count == 1 && holders[0].hasPrefix("the realm of queue "), "\(holders)")
            withExtendedLifetime(realm) {}
        }
    }

    @Test func `other files have their own diagnostics`() throws {
        let realm = try Realm(configuration: configuration)
        var other = configuration
        other.fileURL = directory.directory.appendingPathComponent("other.realm")
        let otherRealm = try Realm(configuration: other)
        try otherRealm.write { otherRealm.add(Item(0)) }
        let versions = try Realm.diagnostics(for: other).pinnedVersions.map(\.version)
        #expect(try versions == [pinned()[0].version + 1])
        #expect(try pinned().flatMap(\.holders).count == 1)
        withExtendedLifetime(realm) {}
    }

    @Test func `threads that open, move, freeze and close are looked at meanwhile`() async throws {
        try await onThreads(4) { [configuration] number in
            for round in 0..<20 {
                let realm = try Realm(configuration: configuration)
                let frozen = realm.freeze()
                try realm.write { realm.add(Item(number * 100 + round)) }
                let found = try Realm.diagnostics(for: configuration)
                let versions = found.pinnedVersions.map(\.version)
                #expect(versions == Set(versions).sorted())
                #expect(versions.allSatisfy { $0 <= found.newestVersion })
                #expect(found.pinnedVersions.allSatisfy { !$0.holders.isEmpty })
                withExtendedLifetime((realm, frozen)) {}
            }
        }
        #expect(try pinned().isEmpty)
        #expect(try Realm.diagnostics(for: configuration).otherProcesses.isEmpty)
    }

    // MARK: Bytes

    @Test func `what an old version needs is pinned, and free when that is let go of`() throws {
        let realm = try Realm(configuration: configuration)
        try realm.write { for id in 0..<100 { realm.add(Item(id, byteCount: 8000)) } }
        let full = try Realm.diagnostics(for: configuration).bytes
        #expect(full.live > 800_000 && full.pinned == 0)
        var frozen: Realm? = realm.freeze()
        try realm.write { realm.deleteAll() }
        let pinned = try Realm.diagnostics(for: configuration).bytes
        #expect(pinned.pinned > 800_000 && pinned.live < 200_000 && pinned.free < 200_000)
        #expect(frozen?.objects(Item.self).count == 100)
        frozen = nil
        let free = try Realm.diagnostics(for: configuration).bytes
        #expect(free.pinned == 0 && free.live == pinned.live && free.free == pinned.free + pinned.pinned)

        let attributes = try FileManager.default.attributesOfItem(atPath: directory.fileURL.path)
        #expect(attributes[.size] as? Int == free.file)
        #expect(free.file >= full.file)
        #expect(free.limit == 1 << 34)
        try realm.write { realm.add(Item(0, byteCount: 8000)) }
        try realm.write { for id in 1..<50 { realm.add(Item(id, byteCount: 8000)) } }
        let reused = try Realm.diagnostics(for: configuration).bytes
        // The first write could not use what the one before it had freed.
        #expect(reused.file < free.file + 100_000 && reused.live > 400_000)
    }

    // MARK: Where there is no realm

    @Test func `a file that nobody has open is looked at, and left closed`() throws {
        try commitElsewhere(0..<4)
        let found = try Realm.diagnostics(for: configuration)
        #expect(found.pinnedVersions.isEmpty && found.otherProcesses.isEmpty)
        #expect(found.bytes.live > 0 && found.bytes.limit == 1 << 34)
        let realm = try Realm(configuration: configuration)
        #expect(try pinned().map(\.version) == [found.newestVersion])
        try onAnotherThread { [configuration] in
            // Not by these settings could a realm be opened now.
            var other = configuration
            other.readOnly = true
            other.schemaVersion = 7
            other.durability = .relaxed
            let found = try Realm.diagnostics(for: other)
            #expect(found.pinnedVersions.count == 1)
        }
        withExtendedLifetime(realm) {}
    }

    @Test func `a look leaves nothing open`() throws {
        try commitElsewhere(0..<1)
        _ = try Realm.diagnostics(for: configuration)
        #expect(try Realm.deleteFiles(for: configuration))
    }

    @Test func `a file must be there, and one of Firn's`() throws {
        #expect(expectError(.fileNotFound) { _ = try Realm.diagnostics(for: configuration) }.contains("does not exist"))
        #expect(!Realm.fileExists(for: configuration))
        let nowhere = Realm.Configuration(fileURL: directory.directory.appendingPathComponent("a/b/c.realm"))
        expectError(.fileNotFound) { _ = try Realm.diagnostics(for: nowhere) }
        expectError(.fileNotFound) {
            _ = try Realm.diagnostics(for: Realm.Configuration(inMemoryIdentifier: UUID().uuidString))
        }
        try Data(repeating: 7, count: 9000).write(to: directory.fileURL)
        expectError(.invalidDatabase) { _ = try Realm.diagnostics(for: configuration) }
    }

    @Test func `a store in memory has diagnostics too`() throws {
        let configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Item.self])
        let realm = try Realm(configuration: configuration)
        let frozen = realm.freeze()
        try realm.write { realm.add(Item(0)) }
        let found = try Realm.diagnostics(for: configuration)
        #expect(found.pinnedVersions.map(\.versionsBehind) == [1, 0])
        #expect(found.bytes.file >= found.bytes.live && found.bytes.live > 0)
        withExtendedLifetime((realm, frozen)) {}
    }

    // MARK: For people

    @Test func `the description tells all of it`() throws {
        let realm = try Realm(configuration: configuration)
        let frozen = realm.freeze()
        try realm.write { realm.add(Item(0)) }
        let found = try Realm.diagnostics(for: configuration)
        let (old, new) = (found.pinnedVersions[0], found.pinnedVersions[1])
        let bytes = found.bytes
        #expect(
            found.description == """
                newest version: \(new.version)
                versions kept by this process:
                  \(old.version) (1 behind), since \(old.since.ISO8601Format()), by
                    \(old.holders[0])
                  \(new.version) (the newest), since \(new.since.ISO8601Format()), by
                    \(new.holders[0])
                other processes that read: none
                bytes: file \(bytes.file), live \(bytes.live), free \(bytes.free), pinned \(bytes.pinned), limit 17179869184
                """)
        withExtendedLifetime((realm, frozen)) {}
    }
}
