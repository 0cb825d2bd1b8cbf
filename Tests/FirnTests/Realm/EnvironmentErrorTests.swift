import Firn
import Foundation
import Testing

@Suite struct EnvironmentErrorTests {
    final class Note: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var text = ""
        @Persisted var size: Int = 5
    }

    @Test func `a full store ends the write, and the realm goes on as before`() throws {
        let directory = try TemporaryRealm()
        var configuration = directory.configuration([Note.self])
        configuration.reservationInBytes = 1 << 20
        let realm = try Realm(configuration: configuration)
        let first = Note(value: [1, "first"])
        try realm.write { realm.add(first) }
        var added: Note?
        var later: Note?
        let message = expectError(.outOfDiskSpace) {
            try realm.write {
                first.text = "changed"
                added = realm.create(Note.self, value: [2, "second"])
                let text = String(repeating: "x", count: 100_000)
                for id in 3..<100 { realm.add(Note(value: [id, text])) }
                #expect(throws: Realm.Error.self) { try realm.checkWrite() }
                #expect(first.text == "first")
                #expect(added?.isInvalidated == false)
                #expect(added?.text == "")
                first.text = "ignored"
                later = realm.create(Note.self, value: [200, "later"])
                #expect(later?.realm == nil)
                #expect(realm.objects(Note.self).count == 1)
            }
        }
        #expect(!message.isEmpty)
        #expect(added?.isInvalidated == true)
        #expect(later?.isInvalidated == false)
        #expect(first.text == "first")
        #expect(realm.objects(Note.self).count == 1)
        try realm.write { first.text = "works again" }
        #expect(first.text == "works again")
    }
}
