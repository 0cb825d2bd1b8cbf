import Firn
import Foundation
import TestSupport
import Testing

@Suite struct PlainObjectTests {
    class User: Object {
        dynamic var id = 0
        dynamic var name = ""
        dynamic private var hidden: Int? = 3
        dynamic var image: NSData?
        dynamic var title: NSString = "none"
        dynamic var born: NSDate? = nil
        dynamic var data: Data!
        dynamic var at = Date()
        dynamic var token: UUID?
        var cache: [Int] = []
        lazy var lazily = 3
        let constant = 4
        var doubled: Int { id * 2 }

        override static func primaryKey() -> String? { "id" }
        override static func ignoredProperties() -> [String] { ["cache"] }

        func setHidden(_ value: Int?) { hidden = value }
        func getHidden() -> Int? { hidden }
    }

    private struct Stop: Error {}

    private let directory: TemporaryRealm
    private let realm: Realm

    init() throws {
        directory = try TemporaryRealm()
        realm = try directory.open(User.self)
    }

    private func addUser(_ id: Int, _ name: String) throws -> User {
        let user = User()
        user.id = id
        user.name = name
        try realm.write { realm.add(user) }
        return user
    }

    @Test func `plain properties are stored and come back`() throws {
        try autoreleasepool {
            let user = User()
            user.id = 1
            user.name = "name"
            user.image = NSData(data: Data([1, 2]))
            user.title = "Dr."
            user.born = NSDate(timeIntervalSinceReferenceDate: 100)
            user.data = Data([9])
            user.setHidden(nil)
            user.cache = [1]
            try realm.write { realm.add(user) }
            #expect(user.realm == realm)
        }
        let names = ["id", "name", "hidden", "image", "title", "born", "data", "at", "token"]
        #expect(realm.schema["PlainObjectTests.User"]?.properties.map(\.name) == names)
        let user = try #require(realm.object(ofType: User.self, forPrimaryKey: 1))
        #expect(user.name == "name")
        #expect(user.image == NSData(data: Data([1, 2])))
        #expect(user.title == "Dr.")
        #expect(user.born == NSDate(timeIntervalSinceReferenceDate: 100))
        #expect(user.data == Data([9]))
        #expect(user.getHidden() == nil)
        #expect(user.cache.isEmpty)
        #expect(user.token == nil)
        #expect(user["name"] as? String == "name")
        #expect(user.description.contains("name = name;"))
    }

    /// A `let` used to be stored, and filled from the row: optimised code read its constant, other code the row's value.
    @Test func `a constant is not stored and keeps its value`() throws {
        try realm.write { realm.create(User.self, value: ["id": 8, "constant": 9]) }
        let user = try #require(realm.object(ofType: User.self, forPrimaryKey: 8))
        #expect(user.constant == 4)
        #expect(realm.schema["PlainObjectTests.User"]?["constant"] == nil)
    }

    @Test func `a row has one live object`() throws {
        let user = try addUser(1, "a")
        #expect(realm.objects(User.self).first === user)
        #expect(realm.objects(User.self)[0] === user)
    }

    @Test func `changes are written at the end of a write and before a query in one`() throws {
        let user = try addUser(1, "a")
        try realm.write {
            user.name = "b"
            #expect(realm.objects(User.self).filter("name == 'b'").count == 1)
            #expect(realm.objects(User.self).filter("name == 'a'").isEmpty)
            user.name = "c"
        }
        try onAnotherThread { [configuration = realm.configuration] in
            let other = try Realm(configuration: configuration)
            #expect(other.objects(User.self).map(\.name) == ["c"])
        }
    }

    @Test func `a change is kept though its object goes before the write ends`() throws {
        _ = try addUser(1, "a")
        try realm.write {
            for user in realm.objects(User.self) { user.name = "b" }
        }
        try realm.write {
            for id in 2..<10_000 { realm.create(User.self, value: ["id": id]) }
            for user in realm.objects(User.self) { user.name = "user \(user.id)" }
        }
        #expect(realm.objects(User.self).filter("name BEGINSWITH 'user '").count == 9999)
        #expect(realm.objects(User.self).last?.name == "user 9999")
    }

    @Test func `a write that throws gives the fields their old values back`() throws {
        let user = try addUser(1, "a")
        let added = User(value: ["id": 2])
        #expect(throws: Stop.self) {
            try realm.write {
                user.name = "b"
                realm.add(added)
                #expect(realm.objects(User.self).count == 2)
                throw Stop()
            }
        }
        #expect(user.name == "a")
        #expect(added.isInvalidated)
    }

    @Test func `a changed primary key poisons`() throws {
        let user = try addUser(1, "a")
        expectError(.invalidInput) { try realm.write { user.id = 2 } }
        #expect(user.id == 1)
        #expect(realm.objects(User.self).map(\.id) == [1])
    }

    @Test func `objects are refilled when their realm moves`() throws {
        let user = try addUser(1, "a")
        try onAnotherThread { [configuration = realm.configuration] in
            let other = try Realm(configuration: configuration)
            try other.write { other.object(ofType: User.self, forPrimaryKey: 1)?.name = "elsewhere" }
        }
        #expect(user.name == "a")
        realm.refresh()
        #expect(user.name == "elsewhere")
    }

    @Test func `an update over a live object refills it`() throws {
        let user = try addUser(1, "a")
        try realm.write { realm.add(User(value: ["id": 1, "name": "b"]), update: true) }
        #expect(user.name == "b")
        try realm.write { realm.create(User.self, value: ["id": 1, "name": "c"], update: .modified) }
        #expect(user.name == "c")
        try realm.write { user["name"] = "d" }
        #expect(realm.objects(User.self).filter("name == 'd'").count == 1)
        try realm.write { realm.delete(user) }
        #expect(user.isInvalidated)
    }

    @Test func `a change outside a write traps at the next look in a debug build`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try Realm(configuration: .init(inMemoryIdentifier: "plain", objectTypes: [User.self]))
            let user = User()
            try realm.write { realm.add(user) }
            user.name = "stray"
            realm.refresh()
            #if !DEBUG
            // A release build drops the value.
            precondition(user.name != "")
            #endif
        }
        #if DEBUG
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("PlainObjectTests.User.name (primary key 0) was set outside of a write transaction"))
        #endif
    }

    final class Unstorable: Object {
        dynamic var friend: User?
        dynamic var list: [Int] = []
        override static func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    @Test func `links and other types in a plain class are schema errors that say what to do`() throws {
        let message = expectError(.schemaMismatch) { _ = try directory.open(Unstorable.self, User.self) }
        #expect(
            message.contains("Unstorable.friend links to an object, which a plain property cannot; write `@Persisted"))
        #expect(message.contains("Unstorable.list is of type Array<Int>, which cannot be stored"))
    }
}
