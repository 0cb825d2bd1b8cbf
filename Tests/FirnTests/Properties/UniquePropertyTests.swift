import Foundation
import Testing

@testable import Firn

/// Unique properties, alone and together, and the indexes that classes declare.
@Suite struct UniquePropertyTests {
    final class Account: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted(unique: true) var mail: String?
        @Persisted(wrappedValue: 0, unique: true) var number: Int
        @Persisted var house: House?
        @Persisted var room: Int?

        override static var indexes: [ObjectIndex] {
            [ObjectIndex(\Account.house, \Account.room, unique: true), ObjectIndex("room", "mail")]
        }
    }

    final class House: Object {
        @Persisted(indexed: true) var street: String
        @Persisted(unique: true) var plot: Double?
    }

    private let temporary: TemporaryRealm
    private let realm: Realm

    init() throws {
        temporary = try TemporaryRealm()
        realm = try temporary.open(Account.self, House.self)
        try realm.write {
            for id in 1...3 { realm.add(Account(value: ["id": id, "mail": "m\(id)", "number": id])) }
        }
    }

    private func account(_ id: Int) throws -> Account {
        try #require(realm.object(ofType: Account.self, forPrimaryKey: id))
    }

    /// Expects that a write is refused because of `parts`, and that everything is as it was before.
    private func expectDuplicate(
        _ parts: String..., sourceLocation: SourceLocation = #_sourceLocation, _ block: () throws -> Void
    ) {
        let before = realm.objects(Account.self).map { "\($0)" } as [String]
        let message = expectError(.duplicateValue, sourceLocation: sourceLocation) { try realm.write(block) }
        for part in parts {
            #expect(message.contains(part), "\(part)\nis not in\n\(message)", sourceLocation: sourceLocation)
        }
        #expect(realm.objects(Account.self).map { "\($0)" } == before, sourceLocation: sourceLocation)
        expectIntact(realm, sourceLocation: sourceLocation)
    }

    @Test func `a value of two objects makes the write throw what they are`() throws {
        let second = try account(2)
        expectDuplicate("class 'UniquePropertyTests.Account' have mail = \"m1\"", "id = 1 and 4", "mail is unique") {
            realm.add(Account(value: ["id": 4, "mail": "m1", "number": 4]))
        }
        expectDuplicate("id = 1 and 2") { second.mail = "m1" }
        #expect(second.mail == "m2")
        expectDuplicate("id = 1 and 2") { second.setValue("m1", forKey: "mail") }
        expectDuplicate("number = 3", "id = 1 and 2") { realm.objects(Account.self).setValue(3, forKey: "number") }
        expectDuplicate("id = 1 and 3") {
            realm.add(Account(value: ["id": 3, "mail": "m1", "number": 3]), update: .modified)
        }
        expectDuplicate("id = 1 and 3") {
            realm.create(Account.self, value: ["id": 3, "mail": "m1"], update: .all)
        }
        expectDuplicate("id = 1 and 2") {
            realm.dynamicObjects("UniquePropertyTests.Account")[1]["mail"] = "m1"
        }
    }

    @Test func `what is unique at the end of a write counts`() throws {
        let (first, second) = (try account(1), try account(2))
        try realm.write { (first.mail, second.mail) = (second.mail, first.mail) }
        #expect(first.mail == "m2")
        try realm.write {
            let other = Account(value: ["id": 9, "mail": "m2", "number": 9])
            realm.add(other)
            #expect(realm.objects(Account.self).filter("mail == 'm2'").count == 2)
            realm.delete(other)
        }
        try realm.write {
            realm.delete(first)
            realm.add(Account(value: ["id": 5, "mail": "m2", "number": 5]))
        }
        expectIntact(realm)
    }

    @Test func `any number of objects may have nil`() throws {
        try realm.write {
            for account in realm.objects(Account.self) { account.mail = nil }
            for _ in 0..<3 { realm.add(House()) }
        }
        #expect(realm.objects(Account.self).filter("mail == nil").count == 3)
    }

    @Test func `several properties are unique together, a link too`() throws {
        let house = House(value: ["street": "Main Street", "plot": Double.nan] as [String: Any])
        let (first, second) = (try account(1), try account(2))
        try realm.write {
            (first.house, first.room) = (house, 1)
            (second.house, second.room) = (house, 2)
        }
        expectDuplicate("house = ", "room = 1", "house, room together are unique") { second.room = 1 }
        expectDuplicate("plot = nan", "plot is unique") { realm.add(House(value: ["plot": -Double.nan])) }
        #expect(realm.objects(Account.self).filter("house == %@ AND room == 2", house).map(\.id) == [2])
        // Without the house the two are no longer in each other's way.
        try realm.write {
            second.room = 1
            realm.delete(house)
        }
        #expect(realm.objects(Account.self).filter("house == nil AND room == 1").count == 2)
        expectIntact(realm)
    }

    @Test func `the schema says what is unique`() throws {
        let schema = try #require(realm.schema["UniquePropertyTests.Account"])
        #expect(["id", "mail", "number"].allSatisfy { schema[$0]?.isUnique == true && schema[$0]?.isIndexed == true })
        #expect(schema["room"]?.isUnique == false)
    }

    /// The same class as `Loose`, with unique mails.
    final class Strict: Object {
        @Persisted(unique: true) var mail: String
        override class func className() -> String { "UniquePropertyTests.Loose" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Loose: Object {
        @Persisted var mail: String
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    @Test func `what is not unique cannot be made so, and the file stays as it was`() throws {
        let temporary = try TemporaryRealm()
        func fill(_ mails: [String]) throws {
            let realm = try temporary.open(Loose.self)
            try realm.write { for mail in mails { realm.add(Loose(value: ["mail": mail])) } }
        }
        try fill(["a", "b", "a"])
        let message = expectError(.duplicateValue) { _ = try temporary.open(Strict.self) }
        #expect(message.contains("mail = \"a\""))
        try autoreleasepool {
            let realm = try temporary.open(Loose.self)
            #expect(realm.objects(Loose.self).count == 3)
            #expect(realm.schema["UniquePropertyTests.Loose"]?["mail"]?.isUnique == false)
            try realm.write { realm.delete(realm.objects(Loose.self)[2]) }
        }
        let realm = try temporary.open(Strict.self)
        expectError(.duplicateValue) { try realm.write { realm.add(Strict(value: ["mail": "b"])) } }
        expectIntact(realm)
    }

    final class Wrong: Object {
        @Persisted var name: String
        @Persisted(wrappedValue: "", indexed: true) var mapped: String
        @Persisted var names: List<String>
        @Persisted var house: House?
        override class func propertiesMapping() -> [String: String] { ["mapped": "stored"] }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
        override class var indexes: [ObjectIndex] {
            [
                ObjectIndex("nmae"), ObjectIndex("name", "names"), ObjectIndex("name", "name"), ObjectIndex("stored"),
                ObjectIndex("name", "mapped"), ObjectIndex(\Wrong.name, \Wrong.mapped),
                ObjectIndex(\Wrong.house?.street),
            ]
        }
    }

    @Test func `indexes over what has none are an error that says so`() throws {
        let temporary = try TemporaryRealm()
        let message = expectError(.schemaMismatch) { _ = try temporary.open(Wrong.self, House.self) }
        let place = "UniquePropertyTests.Wrong.indexes has an index over"
        for text in [
            "\(place) nmae: 'nmae' is no persisted property", "\(place) name, names: a List<String> has no index",
            "\(place) name, name, which names a property twice", "\(place) stored: 'stored' is no persisted property",
            "\(place) name, mapped twice; keep one", "'house.street' is no persisted property",
        ] {
            #expect(message.contains(text), "\(text)\nis not in\n\(message)")
        }
    }
}
