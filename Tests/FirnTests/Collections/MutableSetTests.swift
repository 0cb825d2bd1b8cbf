import Firn
import Foundation
import Testing

/// The members of MutableSet, unmanaged and in a write.
@Suite struct MutableSetTests {
    final class Holder: Object {
        @Persisted var numbers: MutableSet<Int>
        @Persisted var others: MutableSet<Int>
        @Persisted var names: MutableSet<String?>
        @Persisted var dogs: MutableSet<Dog>
    }

    final class Dog: Object {
        @Persisted(primaryKey: true) var id: Int
    }

    enum State: CaseIterable { case unmanaged, managed }

    /// Calls `body` with two sets of numbers in a state.
    private func withSets(
        _ first: [Int], _ second: [Int], _ state: State, _ body: (MutableSet<Int>, MutableSet<Int>) throws -> Void
    ) throws {
        guard state == .managed else { return try body(MutableSet(first), MutableSet(second)) }
        let directory = try TemporaryRealm()
        let realm = try directory.open(Holder.self, Dog.self)
        try realm.write {
            let holder = realm.create(Holder.self, value: ["numbers": first, "others": second])
            try body(holder.numbers, holder.others)
        }
    }

    @Test(arguments: State.allCases)
    func `an element is there once`(_ state: State) throws {
        try withSets([], [], state) { set, _ in
            set.insert(3)
            set.insert(1)
            set.insert(3)
            set.insert(objectsIn: [2, 2, 1])
            #expect(set.count == 3)
            #expect(set.contains(2))
            #expect(!set.contains(4))
            set.remove(4)
            set.remove(1)
            #expect(Set(set) == [2, 3])
            set.removeAll()
            #expect(set.isEmpty)
            set.removeAll()
        }
    }

    @Test func `an unmanaged set keeps the order of insertion, a managed one sorts by value`() throws {
        let directory = try TemporaryRealm()
        let realm = try directory.open(Holder.self, Dog.self)
        let numbers = [3, -1, 10, 2]
        let names = ["b", nil, "B", "", "aa"]
        #expect(Array(MutableSet(numbers)) == numbers)
        #expect(MutableSet(names)[1] == nil)
        let holder = try realm.write { realm.create(Holder.self, value: ["numbers": numbers, "names": names]) }
        #expect(Array(holder.numbers) == [-1, 2, 3, 10])
        #expect(holder.numbers[3] == 10)
        #expect(holder.numbers.first == -1)
        #expect(Array(holder.names) == [nil, "", "B", "aa", "b"])
    }

    @Test(arguments: State.allCases)
    func `sets are compared and combined`(_ state: State) throws {
        try withSets([1, 2, 3, 4], [3, 4, 5], state) { set, other in
            #expect(!set.isSubset(of: other))
            #expect(set.isSubset(of: set))
            #expect(set.intersects(other))
            set.formIntersection(other)
            #expect(Set(set) == [3, 4])
            #expect(set.isSubset(of: other))
            set.formUnion(other)
            #expect(Set(set) == [3, 4, 5])
            other.remove(4)
            set.subtract(other)
            #expect(Set(set) == [4])
            #expect(!set.intersects(other))
            #expect(!set.isSubset(of: other))
        }
    }

    @Test(arguments: State.allCases)
    func `a set is combined with itself`(_ state: State) throws {
        try withSets([1, 2], [], state) { set, empty in
            set.formUnion(set)
            set.formIntersection(set)
            #expect(set.intersects(set))
            #expect(Set(set) == [1, 2])
            #expect(empty.isSubset(of: set))
            #expect(!empty.intersects(set))
            set.subtract(set)
            #expect(set.isEmpty)
        }
    }

    @Test func `an unmanaged set can be combined with a managed one`() throws {
        let directory = try TemporaryRealm()
        let realm = try directory.open(Holder.self, Dog.self)
        let holder = try realm.write { realm.create(Holder.self, value: ["numbers": [1, 2]]) }
        let set = MutableSet([2, 3])
        #expect(set.intersects(holder.numbers))
        #expect(!set.isSubset(of: holder.numbers))
        set.formUnion(holder.numbers)
        #expect(Set(set) == [1, 2, 3])
        set.subtract(holder.numbers)
        #expect(Set(set) == [3])
        set.formIntersection(holder.numbers)
        #expect(set.isEmpty)
    }

    @Test func `objects are told apart by their rows`() throws {
        let directory = try TemporaryRealm()
        let realm = try directory.open(Holder.self, Dog.self)
        let holder = Holder()
        let dogs = [2, 1].map { Dog(value: ["id": $0]) }
        holder.dogs.insert(objectsIn: dogs)
        holder.dogs.insert(dogs[0])
        #expect(holder.dogs.count == 2)
        try realm.write {
            realm.add(holder)
            holder.dogs.insert(dogs[0])
            let again = try #require(realm.object(ofType: Dog.self, forPrimaryKey: 1))
            holder.dogs.insert(again)
            holder.dogs.insert(Dog(value: ["id": 3]))
        }
        #expect(holder.dogs.map(\.id) == [1, 2, 3])
        #expect(holder.dogs.contains(dogs[0]))
        #expect(!holder.dogs.contains(Dog(value: ["id": 1])))
        try realm.write {
            holder.dogs.remove(Dog(value: ["id": 1]))
            holder.dogs.remove(dogs[1])
            realm.delete(dogs[0])
        }
        #expect(holder.dogs.map(\.id) == [3])
        #expect(realm.objects(Dog.self).count == 2)
    }

    @Test func `sets are equal by what they are, or by what they hold`() throws {
        #expect(MutableSet([1, 2]) == MutableSet([2, 1]))
        #expect(MutableSet([1, 2]).hashValue == MutableSet([2, 1]).hashValue)
        #expect(MutableSet([1]) != MutableSet([2]))
        let directory = try TemporaryRealm()
        let realm = try directory.open(Holder.self, Dog.self)
        let holder = try realm.write { realm.create(Holder.self, value: ["numbers": [1, 2], "others": [1, 2]]) }
        #expect(holder.numbers == holder.numbers)
        #expect(holder.numbers != holder.others)
        #expect(holder.numbers != MutableSet([1, 2]))
        let literal: MutableSet<Int> = [1, 1]
        #expect(literal.count == 1)
    }
}
