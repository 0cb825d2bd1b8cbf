import Firn
import Foundation
import TestSupport
import Testing

/// Every trap of a collection, by what its message says.
@Suite struct CollectionMisuseTests {
    final class Holder: Object {
        @Persisted var numbers: List<Int>
        @Persisted var unique: MutableSet<Int>
        @Persisted var named: Map<String, Int>
        @Persisted var dogs: List<Dog>
    }

    final class Dog: Object {
        @Persisted var name = ""
    }

    /// A realm of its own with one object, for a process that is about to end.
    private static func makeHolder() throws -> (Realm, Holder) {
        let realm = try Realm(
            configuration: Realm.Configuration(
                inMemoryIdentifier: UUID().uuidString, objectTypes: [Holder.self, Dog.self]))
        let holder = try realm.write {
            realm.create(Holder.self, value: ["numbers": [1, 2], "unique": [1], "named": ["a": 1]])
        }
        return (realm, holder)
    }

    @Test func `a list changes in a write only`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try CollectionMisuseTests.makeHolder().1.numbers.append(1)
        }
        expect(result, says: "Holder.numbers was changed outside of a write transaction", "realm.write {")
    }

    @Test func `a set changes in a write only`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try CollectionMisuseTests.makeHolder().1.unique.removeAll()
        }
        expect(result, says: "Holder.unique was changed outside of a write transaction")
    }

    @Test func `a map changes in a write only`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try CollectionMisuseTests.makeHolder().1.named["a"] = nil
        }
        expect(result, says: "Holder.named was changed outside of a write transaction")
    }

    @Test func `a change that would change nothing traps outside of a write too`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try CollectionMisuseTests.makeHolder().1.numbers.swapAt(0, 0)
        }
        expect(result, says: "Holder.numbers was changed outside of a write transaction")
    }

    @Test func `assigning a collection traps outside of a write`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (_, holder) = try CollectionMisuseTests.makeHolder()
            holder.numbers = []
        }
        expect(result, says: "Holder.numbers was changed outside of a write transaction")
    }

    @Test func `a position that a managed list does not have traps with the count`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try CollectionMisuseTests.makeHolder().1.numbers[2]
        }
        expect(result, says: "Index 2 is out of bounds", "Holder.numbers has 2 elements")
    }

    @Test func `a negative position traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = List([1])[-1]
        }
        expect(result, says: "Index -1 is out of bounds", "List<Int> has 1 elements")
    }

    @Test func `inserting behind the end traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, holder) = try CollectionMisuseTests.makeHolder()
            try realm.write { holder.numbers.insert(1, at: 3) }
        }
        expect(result, says: "Index 3 is out of bounds", "has 2 elements")
    }

    @Test func `removing more than there is traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, holder) = try CollectionMisuseTests.makeHolder()
            try realm.write { holder.numbers.removeLast(3) }
        }
        expect(result, says: "3 elements cannot be removed", "has 2 elements")
    }

    @Test func `removing from an empty list traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            List<Int>().removeFirst()
        }
        expect(result, says: "1 elements cannot be removed", "has 0 elements")
    }

    @Test func `a range that a list does not have traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, holder) = try CollectionMisuseTests.makeHolder()
            try realm.write { holder.numbers.replaceSubrange(1..<3, with: []) }
        }
        expect(result, says: "The range 1..<3 is out of bounds", "has 2 elements")
    }

    @Test func `a position that a set does not have traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try CollectionMisuseTests.makeHolder().1.unique[1]
        }
        expect(result, says: "Index 1 is out of bounds", "Holder.unique has 1 elements")
    }

    @Test func `a list of a deleted object traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, holder) = try CollectionMisuseTests.makeHolder()
            let numbers = holder.numbers
            try realm.write { realm.delete(holder) }
            _ = numbers.count
        }
        expect(result, says: "Holder' (row 1) has been deleted or invalidated", "isInvalidated")
    }

    @Test func `a collection of a deleted object cannot be read from it`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, holder) = try CollectionMisuseTests.makeHolder()
            try realm.write { realm.delete(holder) }
            _ = holder.named
        }
        expect(result, says: "has been deleted or invalidated")
    }

    @Test func `a list on another thread traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            nonisolated(unsafe) let numbers = try CollectionMisuseTests.makeHolder().1.numbers
            try onAnotherThread { _ = numbers.first }
        }
        expect(result, says: "was used on thread", "belongs to thread")
    }

    @Test func `a deleted element traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, holder) = try CollectionMisuseTests.makeHolder()
            try realm.write {
                let dog = realm.create(Dog.self)
                realm.delete(realm.objects(Dog.self))
                holder.dogs.append(dog)
            }
        }
        expect(result, says: "Dog' (row 1) has been deleted or invalidated")
    }

    @Test func `an element of another realm traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, holder) = try CollectionMisuseTests.makeHolder()
            let (other, _) = try CollectionMisuseTests.makeHolder()
            let dog = try other.write { other.create(Dog.self) }
            try realm.write { holder.dogs.append(dog) }
        }
        expect(result, says: "belongs to another realm")
    }

    @Test func `the objects of a list are deleted in a write only`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, holder) = try CollectionMisuseTests.makeHolder()
            realm.delete(holder.dogs)
        }
        expect(result, says: "Holder.dogs were deleted outside of a write transaction", "realm.write {")
    }

    @Test func `the objects of a list are deleted by their own realm`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, _) = try CollectionMisuseTests.makeHolder()
            let (_, holder) = try CollectionMisuseTests.makeHolder()
            try realm.write { realm.delete(holder.dogs) }
        }
        expect(result, says: "Holder' belongs to another realm")
    }

    @Test func `a managed set is not combined with an unmanaged one`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, holder) = try CollectionMisuseTests.makeHolder()
            try realm.write { holder.unique.formUnion(MutableSet([1])) }
        }
        expect(result, says: "not of its realm", "insert(objectsIn:)")
    }

    @Test func `a set has no position of an element`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MutableSet([1]).index(of: 1)
        }
        expect(result, says: "contains(_:)")
    }

    @Test func `what is left of a deleted object's collections can be asked for`() throws {
        let (realm, holder) = try CollectionMisuseTests.makeHolder()
        let (numbers, unique, named) = (holder.numbers, holder.unique, holder.named)
        #expect(!numbers.isInvalidated && !numbers.isFrozen && numbers.realm == realm)
        try realm.write { realm.delete(holder) }
        #expect(numbers.isInvalidated && unique.isInvalidated && named.isInvalidated)
        #expect(numbers.description == "[invalid collection]")
        #expect(numbers == numbers)
        #expect(numbers.realm == nil)
    }
}
