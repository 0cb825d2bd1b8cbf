import Firn
import Foundation
import TestSupport
import Testing

/// Every trap, by what its message says. The classes are top-level: an exit test runs in a process of its own.
@Suite struct MisuseTests {
    final class Dog: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name = ""
        @Persisted var friend: Dog?
        @Persisted var size: Size?
        @Persisted var mood: Size
    }

    final class Toy: Object {
        @Persisted var name = ""
    }

    enum Size: Int, PersistableEnum { case small, large }

    /// A realm of its own with one dog, for a process that is about to end.
    private static func makeRealm() throws -> (Realm, Dog) {
        let realm = try Realm(
            configuration: Realm.Configuration(
                inMemoryIdentifier: UUID().uuidString, objectTypes: [Dog.self, Toy.self]))
        let dog = Dog(value: ["id": 1, "name": "Rex"])
        try realm.write { realm.add(dog) }
        return (realm, dog)
    }

    @Test func `a change outside a write traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (_, dog) = try MisuseTests.makeRealm()
            dog.name = "Max"
        }
        expect(result, says: "Dog.name was set outside of a write transaction", "realm.write {")
    }

    @Test func `adding outside a write traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, _) = try MisuseTests.makeRealm()
            realm.add(Dog())
        }
        expect(result, says: "was added outside of a write transaction")
    }

    @Test func `reading on another thread traps, naming both threads, class and key`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (_, dog) = try MisuseTests.makeRealm()
            nonisolated(unsafe) let other = dog
            try onAnotherThread { _ = other.name }
        }
        expect(
            result, says: "MisuseTests.Dog' (primary key 1) was used on thread", "belongs to thread",
            "by its primary key",
            "ThreadSafeReference")
    }

    @Test func `using a realm on another thread traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, _) = try MisuseTests.makeRealm()
            try onAnotherThread { _ = realm.objects(Dog.self).count }
        }
        expect(result, says: "A realm was used on thread")
    }

    @Test func `a realm opened for a queue outside of it traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try Realm(configuration: .init(inMemoryIdentifier: "q"), queue: DispatchQueue(label: "other"))
        }
        expect(result, says: "opened for a queue from outside of it")
    }

    @Test func `a deleted object's property traps and names isInvalidated`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, dog) = try MisuseTests.makeRealm()
            try realm.write { realm.delete(dog) }
            _ = dog.name
        }
        expect(result, says: "MisuseTests.Dog' (primary key 1) has been deleted", "isInvalidated")
    }

    @Test func `setting a deleted object's property traps and names isInvalidated`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, dog) = try MisuseTests.makeRealm()
            let again = realm.objects(Dog.self).first
            try realm.write {
                realm.delete(dog)
                again?.name = "Max"
            }
        }
        expect(result, says: "of a deleted object (primary key 1) was set", "isInvalidated")
    }

    @Test func `deleting twice traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, dog) = try MisuseTests.makeRealm()
            try realm.write {
                realm.delete(dog)
                realm.delete(dog)
            }
        }
        expect(result, says: "has been deleted or invalidated")
    }

    @Test func `an object of another realm traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, _) = try MisuseTests.makeRealm()
            let (_, other) = try MisuseTests.makeRealm()
            try realm.write { realm.add(other) }
        }
        expect(result, says: "belongs to another realm", "realm.create(")
    }

    @Test func `deleting an unmanaged object traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, _) = try MisuseTests.makeRealm()
            try realm.write { realm.delete(Dog()) }
        }
        expect(result, says: "An unmanaged object of class 'MisuseTests.Dog' was deleted")
    }

    @Test func `a commit outside a write traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, _) = try MisuseTests.makeRealm()
            try realm.commitWrite()
        }
        expect(result, says: "A commit was asked for outside of a write transaction")
    }

    @Test func `beginWrite in a write traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, _) = try MisuseTests.makeRealm()
            try realm.write { realm.beginWrite() }
        }
        expect(result, says: "beginWrite was called in a write transaction")
    }

    @Test func `an index out of bounds traps with the count`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, _) = try MisuseTests.makeRealm()
            _ = realm.objects(Dog.self)[1]
        }
        expect(result, says: "Index 1 is out of bounds", "have 1 objects")
    }

    @Test func `a class of another realm traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try Realm(configuration: .init(inMemoryIdentifier: "x", objectTypes: [Toy.self]))
            _ = realm.objects(Dog.self)
        }
        expect(result, says: "'MisuseTests.Dog' is not part of this realm", "objectTypes")
    }

    @Test func `an update of a class without primary key traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, _) = try MisuseTests.makeRealm()
            try realm.write { realm.add(Toy(), update: .modified) }
        }
        expect(result, says: "'MisuseTests.Toy' has no primary key to update by")
    }

    @Test func `a primary key of another type traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, _) = try MisuseTests.makeRealm()
            _ = realm.object(ofType: Dog.self, forPrimaryKey: "1")
        }
        expect(result, says: "has a primary key of type Int", "\"1\" of type String was looked up")
    }

    @Test func `a predicate that does not fit traps where it cannot be thrown`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, _) = try MisuseTests.makeRealm()
            _ = realm.objects(Dog.self).filter("nme == 'x'")
        }
        expect(result, says: "nme")
    }

    @Test func `sorting by an unknown property traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, _) = try MisuseTests.makeRealm()
            _ = realm.objects(Dog.self).sorted(byKeyPath: "friend.age")
        }
        expect(result, says: "cannot be sorted by 'friend.age'", "has no property 'age'")
    }

    @Test func `a repository on another thread traps and says so`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, _) = try MisuseTests.makeRealm()
            let dogs = Repository<Dog>(realm: realm)
            try onAnotherThread { _ = dogs.count }
        }
        expect(result, says: "A repository of 'MisuseTests.Dog' was used on thread", "make a Repository on each thread")
    }

    @Test func `an unknown property name traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Dog()["nope"]
        }
        expect(result, says: "'MisuseTests.Dog' has no persisted property 'nope'")
    }
}

/// A stored raw value that no case has: the same class, once with an integer and once with an enum.
@Suite struct UnknownCaseTests {
    enum Wide: Int, PersistableEnum {
        case one = 1
        case two
    }
    enum Narrow: Int, PersistableEnum { case one = 1 }

    final class WideRow: Object {
        @Persisted var required = Wide.two
        @Persisted var optional: Wide?
        override class func className() -> String { "UnknownCaseRow" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class NarrowRow: Object {
        @Persisted var required: Narrow
        @Persisted var optional: Narrow?
        override class func className() -> String { "UnknownCaseRow" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private static func makeRow() throws -> NarrowRow? {
        let name = UUID().uuidString
        let wide = try Realm(configuration: .init(inMemoryIdentifier: name, objectTypes: [WideRow.self]))
        try wide.write { wide.add(WideRow(value: ["optional": 2])) }
        return try Realm(configuration: .init(inMemoryIdentifier: name, objectTypes: [NarrowRow.self]))
            .objects(NarrowRow.self).first
    }

    @Test func `a stored value that no case has reads as nil from an optional property`() throws {
        let row = try #require(try Self.makeRow())
        #expect(row.optional == nil)
    }

    @Test func `a stored value that no case has traps at the read of a required property`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try UnknownCaseTests.makeRow()?.required
        }
        expect(result, says: "UnknownCaseRow.required holds 2 of type Int, which no case of Narrow has")
    }
}
