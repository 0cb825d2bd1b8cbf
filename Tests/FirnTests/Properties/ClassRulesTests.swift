import Firn
import Foundation
import Testing

/// What a class may not declare, and how the error says so.
@Suite struct ClassRulesTests {
    final class Dog: Object {
        @Persisted var name = ""
    }

    final class Address: EmbeddedObject {
        @Persisted var street = ""
    }

    final class Broken: Object {
        @Persisted var list: List<Dog?>
        @Persisted var set: MutableSet<Dog?>
        @Persisted var map: Map<String, Dog>
        @Persisted var embeddedList: List<Address?>
        @Persisted var embeddedSet: MutableSet<Address>
        @Persisted var embeddedMap: Map<String, Address>
        @Persisted var stranger: List<Stranger>
        @Persisted var numbers: List<Int>
        override class func primaryKey() -> String? { "numbers" }
        override class func indexedProperties() -> [String] { ["embeddedList"] }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Stranger: Object {
        @Persisted var name = ""
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class KeyedAddress: EmbeddedObject {
        @Persisted(primaryKey: true) var id: Int
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    @Test func `all problems of a class stand in one error`() throws {
        let directory = try TemporaryRealm()
        let message = expectError(.schemaMismatch) {
            _ = try directory.open(Broken.self, KeyedAddress.self, Dog.self, Address.self)
        }
        let name = "ClassRulesTests.Broken"
        for text in [
            "\(name).list of type List<Optional<Dog>> cannot be stored: an object that is deleted leaves the list; use "
                + "List<ClassRulesTests.Dog>",
            "\(name).set of type",
            "use MutableSet<ClassRulesTests.Dog>",
            "\(name).map of type",
            "use Map<String, ClassRulesTests.Dog?>",
            "\(name).embeddedList of type",
            "\(name).embeddedSet of type",
            "use List<ClassRulesTests.Address>",
            "use Map<String, ClassRulesTests.Address?>",
            "\(name).numbers cannot be the primary key: a List<Int> is not allowed",
            "\(name).embeddedList cannot be indexed",
            "\(name).stranger links to 'ClassRulesTests.Stranger', which is not one of the realm's classes",
            "ClassRulesTests.KeyedAddress.id cannot be a primary key",
        ] {
            #expect(message.contains(text), "\(text)")
        }
    }

    final class Plain: Object {
        dynamic var name = ""
        var numbers = List<Int>()
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    @Test func `a plain class's collection is a constant`() throws {
        let directory = try TemporaryRealm()
        let message = expectError(.schemaMismatch) { _ = try directory.open(Plain.self) }
        #expect(message.contains("ClassRulesTests.Plain.numbers is a variable of type List<Int>"))
        #expect(message.contains("write `let`"))
    }

    @Test func `the classes that models derive from are no models`() throws {
        let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString))
        #expect(realm.schema["EmbeddedObject"] == nil)
        #expect(realm.schema["ClassRulesTests.Address"] != nil)
    }
}
