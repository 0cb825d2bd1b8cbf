import Firn
import FirnStore
import Foundation
import TestSupport
import Testing

/// What a program or the world can do wrong while it writes: a typed error that says what to do, and a database that
/// holds what it held before and goes on working.
@Suite struct BadInputTests {
    private static let limit = 16_777_216
    private let file = RecoveryFile()

    private func open(reservation: Int? = nil) throws -> Realm {
        var configuration = file.configuration()
        if let reservation { configuration.reservationInBytes = reservation }
        return try Realm(configuration: configuration)
    }

    private func expectSound(_ realm: Realm, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let store = try Store.open(
            StoreOptions(path: file.path, reservation: realm.configuration.reservationInBytes))
        #expect(try IntegrityChecker.check(Connection(store: store)) == [], sourceLocation: sourceLocation)
    }

    // MARK: Values

    @Test func `a value of 16 MiB is stored, and one byte more is refused however it comes`() throws {
        let realm = try open()
        let largest = Data(repeating: 7, count: BadInputTests.limit)
        let item = RecoveryItem(1, byteCount: 3)
        try realm.write {
            realm.add(item)
            item.payload = largest
        }
        #expect(item.payload == largest)
        let before = Content(realm)
        let tooLarge = largest + [7]
        expectError(.invalidInput, "16777217", "ProbeItem.payload") { try realm.write { item.payload = tooLarge } }
        #expect(Content(realm) == before)
        expectError(.invalidInput, "16777217") {
            try realm.write {
                let other = RecoveryItem(2, byteCount: 3)
                other.payload = tooLarge
                realm.add(other)
                #expect(other.realm == nil)
            }
        }
        #expect(Content(realm) == before)
        expectError(.invalidInput, "16777217") {
            try realm.write {
                _ = realm.create(RecoveryItem.self, value: ["id": 3, "payload": tooLarge] as [String: Any])
            }
        }
        #expect(Content(realm) == before)
        try realm.write { item.payload = Data() }
        try expectSound(realm)
    }

    @Test func `text is measured in UTF-8`() throws {
        let realm = try open()
        let item = RecoveryItem(1, byteCount: 0)
        item.tag = String(repeating: "é", count: BadInputTests.limit / 2)
        try realm.write { realm.add(item) }
        #expect(item.tag.utf8.count == BadInputTests.limit)
        let before = item.tag
        expectError(.invalidInput, "ProbeItem.tag") { try realm.write { item.tag += "e" } }
        #expect(item.tag == before)
        try expectSound(realm)
    }

    // MARK: A store that is full

    @Test func `a full store keeps what it has, lets go of some, and takes more then`() throws {
        let realm = try open(reservation: 4 << 20)
        var count = 0
        expectError(.outOfDiskSpace, "4194304 bytes", "reservation") {
            while true {
                try realm.write {
                    for id in count..<(count + 20) { realm.add(RecoveryItem(id, byteCount: 8000)) }
                }
                count += 20
            }
        }
        #expect(count > 100)
        #expect(realm.objects(RecoveryItem.self).count == count)
        try expectSound(realm)
        let before = Content(realm)
        expectError(.outOfDiskSpace) {
            try realm.write {
                for id in count..<(count + 1000) { realm.add(RecoveryItem(id, byteCount: 8000)) }
            }
        }
        #expect(Content(realm) == before)
        // One at a time, as somebody would who makes room.
        for id in 0..<100 {
            try realm.write { realm.delete(realm.objects(RecoveryItem.self).filter("id == %d", id)) }
        }
        #expect(realm.objects(RecoveryItem.self).count == count - 100)
        try realm.write {
            for id in 0..<20 { realm.add(RecoveryItem(id, byteCount: 8000)) }
        }
        #expect(realm.objects(RecoveryItem.self).count == count - 80)
        try expectSound(realm)
    }

    @Test func `the rest of a block whose store is full does nothing, and reads what was before`() throws {
        let realm = try open(reservation: 4 << 20)
        let kept = RecoveryItem(0, byteCount: 10)
        try realm.write { realm.add(kept) }
        let large = RecoveryItem(1, byteCount: 10)
        expectError(.outOfDiskSpace) {
            try realm.write {
                kept.tag = "changed"
                realm.add(large)
                for id in 2..<2000 { realm.add(RecoveryItem(id, byteCount: 8000)) }
                #expect(kept.tag == "tag 0")
                kept.tag = "changed again"
                #expect(kept.tag == "tag 0")
                #expect(realm.objects(RecoveryItem.self).count == 1)
            }
        }
        #expect(large.isInvalidated)
        #expect(kept.tag == "tag 0")
        try realm.write { kept.tag = "new" }
        #expect(kept.tag == "new")
        try expectSound(realm)
    }

    @Test func `a reservation in which no store fits is refused`() throws {
        expectError(.outOfDiskSpace, "reservation") { _ = try open(reservation: 4096) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: file.directory.path).isEmpty)
        _ = try open()
    }
}
