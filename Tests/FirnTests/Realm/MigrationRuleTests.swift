import Firn
import Foundation
import Testing

/// What a changed schema takes away goes by the rules of the new one: none that goes itself keeps anything.
@Suite struct MigrationRuleTests {
    enum Old {
        final class Person: Object {
            @Persisted(primaryKey: true) var id: Int
            @Persisted var home: Home?
            @Persisted var homes: List<Home>
            @Persisted var homesByName: Map<String, Home?>

            override class func className() -> String { "Person" }
            override class func shouldIncludeInDefaultSchema() -> Bool { false }
        }

        final class Home: EmbeddedObject {
            @Persisted var street = ""
            @Persisted(deleteRule: .deny) var contract: Contract?
            @Persisted(deleteRule: .cascade) var key: Key?
            @Persisted var annex: Home?

            override class func className() -> String { "Home" }
            override class func shouldIncludeInDefaultSchema() -> Bool { false }
        }

        final class Contract: Object {
            @Persisted(primaryKey: true) var id: Int
            override class func className() -> String { "Contract" }
            override class func shouldIncludeInDefaultSchema() -> Bool { false }
        }

        final class Key: Object {
            @Persisted(primaryKey: true) var id: Int
            override class func className() -> String { "Key" }
            override class func shouldIncludeInDefaultSchema() -> Bool { false }
        }
    }

    /// The same classes once a person has no homes any more.
    enum New {
        final class Person: Object {
            @Persisted(primaryKey: true) var id: Int
            override class func className() -> String { "Person" }
            override class func shouldIncludeInDefaultSchema() -> Bool { false }
        }

        /// Keeps its homes.
        final class Owner: Object {
            @Persisted(primaryKey: true) var id: Int
            @Persisted var home: Home?
            @Persisted var homes: List<Home>
            @Persisted var homesByName: Map<String, Home?>
            override class func className() -> String { "Person" }
            override class func shouldIncludeInDefaultSchema() -> Bool { false }
        }

        /// Owns its key no longer, and is no longer kept by a contract.
        final class Home: EmbeddedObject {
            @Persisted var street = ""
            @Persisted var key: Key?
            override class func className() -> String { "Home" }
            override class func shouldIncludeInDefaultSchema() -> Bool { false }
        }

        final class Contract: Object {
            @Persisted(primaryKey: true) var id: Int
            override class func className() -> String { "Contract" }
            override class func shouldIncludeInDefaultSchema() -> Bool { false }
        }

        final class Key: Object {
            @Persisted(primaryKey: true) var id: Int
            override class func className() -> String { "Key" }
            override class func shouldIncludeInDefaultSchema() -> Bool { false }
        }
    }

    final class Clash: Object {
        @Persisted(primaryKey: true) var id: String

        override class func className() -> String { "Contract" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private let directory: TemporaryRealm

    init() throws {
        directory = try TemporaryRealm()
        let types: [ObjectBase.Type] = [Old.Person.self, Old.Home.self, Old.Contract.self, Old.Key.self]
        try autoreleasepool { [directory] in
            let realm = try Realm(configuration: directory.configuration(types))
            try realm.write {
                let contract = realm.create(Old.Contract.self, value: ["id": 1])
                func home(_ number: Int) -> [String: Any] {
                    [
                        "street": "\(number)", "contract": contract, "key": ["id": number],
                        "annex": ["contract": contract, "key": ["id": -number], "annex": ["street": "inner"]],
                    ]
                }
                realm.create(
                    Old.Person.self,
                    value: ["id": 1, "home": home(1), "homes": [home(2), home(3)], "homesByName": ["x": home(4)]])
                realm.create(Old.Person.self, value: ["id": 2, "home": home(5)])
            }
        }
    }

    private func migrate(_ types: ObjectBase.Type...) throws -> Realm {
        let realm = try Realm(configuration: directory.configuration(types, schemaVersion: 1))
        expectIntact(realm)
        return realm
    }

    @Test func `a property goes though what it owns must not by the rules that go too`() throws {
        let realm = try migrate(New.Person.self, New.Home.self, New.Contract.self, New.Key.self)
        #expect(rowCount(New.Home.self, in: realm) == 0)
        #expect(realm.objects(New.Person.self).count == 2)
        #expect(realm.objects(New.Contract.self).count == 1)
        // No rule of the new schema takes them along.
        #expect(realm.objects(New.Key.self).count == 10)
    }

    @Test func `rules that stay decide what goes along, but keep nothing`() throws {
        let realm = try migrate(New.Person.self, Old.Home.self, Old.Contract.self, Old.Key.self)
        #expect(rowCount(Old.Home.self, in: realm) == 0)
        #expect(realm.objects(Old.Contract.self).count == 1)
        #expect(realm.objects(Old.Key.self).isEmpty)
    }

    @Test func `so do those of a class that the program no longer has`() throws {
        let realm = try migrate(New.Person.self)
        #expect(realm.objects(New.Person.self).count == 2)
        #expect(realm.dynamicObjects("Home").isEmpty)
        #expect(realm.dynamicObjects("Contract").count == 1)
        #expect(realm.dynamicObjects("Key").isEmpty)
    }

    @Test func `an embedded property within its own class goes`() throws {
        let realm = try migrate(New.Owner.self, New.Home.self, New.Contract.self, New.Key.self)
        #expect(rowCount(New.Home.self, in: realm) == 5)
        #expect(realm.objects(New.Contract.self).count == 1)
        #expect(realm.dynamicObjects("Person").count == 2)
    }

    @Test func `a refused migration changes no rule`() throws {
        expectError(.schemaMismatch) { _ = try migrate(New.Person.self, New.Home.self, Clash.self, New.Key.self) }
        let types: [ObjectBase.Type] = [Old.Person.self, Old.Home.self, Old.Contract.self, Old.Key.self]
        let realm = try Realm(configuration: directory.configuration(types))
        let person = try #require(realm.object(ofType: Old.Person.self, forPrimaryKey: 1))
        let message = expectError(.invalidInput) { try realm.write { realm.delete(person) } }
        #expect(message.contains("'contract'"))
        #expect(rowCount(Old.Home.self, in: realm) == 15)
    }
}
