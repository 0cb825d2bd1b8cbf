import Firn
import Foundation
import Testing

/// Assigning a collection to a property, and what adding and updating an object make of its collections.
@Suite struct CollectionAssignmentTests {
    final class Holder: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var numbers: List<Int>
        @Persisted var unique: MutableSet<Int>
        @Persisted var named: Map<String, Int>
        @Persisted var dogs: List<Dog>
        @Persisted var addresses: List<Address>
        @Persisted var defaults: List<Int> = [1, 2, 3]
    }

    final class Dog: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name = ""
    }

    final class Address: EmbeddedObject {
        @Persisted var street = ""
    }

    private func open(_ directory: TemporaryRealm) throws -> Realm {
        try directory.open(Holder.self, Dog.self, Address.self)
    }

    @Test func `assigning copies, unmanaged`() {
        let holder = Holder()
        let numbers = holder.numbers
        let list = List([1, 2])
        holder.numbers = list
        list.append(3)
        #expect(holder.numbers === numbers)
        #expect(Array(numbers) == [1, 2])
        let set = MutableSet([1])
        holder.unique = set
        set.insert(2)
        #expect(Set(holder.unique) == [1])
        let map: Map = ["a": 1]
        holder.named = map
        map["b"] = 2
        #expect(holder.named.count == 1)
        holder.numbers = holder.numbers
        #expect(holder.numbers.count == 2)
    }

    @Test func `assigning copies, managed`() throws {
        let directory = try TemporaryRealm()
        let realm = try open(directory)
        let holder = try realm.write { realm.create(Holder.self, value: ["numbers": [9]]) }
        let numbers = holder.numbers
        let list = List([1, 2])
        try realm.write {
            holder.numbers = list
            holder.unique = [1, 2]
            holder.named = ["a": 1, "b": 2]
            list.append(3)
        }
        #expect(Array(numbers) == [1, 2])
        #expect(list.realm == nil)
        try realm.write {
            holder.unique = [2, 3]
            holder.named = ["b": 3, "c": 4]
            let other = realm.create(Holder.self, value: ["id": 2])
            other.numbers = holder.numbers
            other.unique = holder.unique
            other.named = holder.named
            holder.numbers.removeAll()
        }
        #expect(Array(holder.unique) == [2, 3])
        #expect(holder.named.map { "\($0.key)\($0.value)" } == ["b3", "c4"])
        let other = try #require(realm.object(ofType: Holder.self, forPrimaryKey: 2))
        #expect(Array(other.numbers) == [1, 2])
        #expect(Array(other.unique) == [2, 3])
        #expect(other.named["c"] == 4)
    }

    @Test func `a managed collection is copied into an unmanaged object`() throws {
        let directory = try TemporaryRealm()
        let realm = try open(directory)
        let holder = try realm.write { realm.create(Holder.self, value: ["numbers": [1, 2]]) }
        let copy = Holder()
        copy.numbers = holder.numbers
        try realm.write { holder.numbers.removeAll() }
        #expect(Array(copy.numbers) == [1, 2])
        #expect(copy.numbers.realm == nil)
    }

    @Test func `assigning a collection to itself changes nothing, and what comes from it arrives`() throws {
        let directory = try TemporaryRealm()
        let realm = try open(directory)
        try realm.write {
            let holder = realm.create(
                Holder.self,
                value: [
                    "numbers": [1, 2, 3], "unique": [1, 2, 3], "named": ["a": 1, "b": 2],
                    "dogs": [["id": 1], ["id": 2]], "addresses": [["street": "A"], ["street": "B"], ["street": "C"]],
                ])
            holder.numbers = holder.numbers
            holder.unique = holder.unique
            holder.named = holder.named
            holder.dogs = holder.dogs
            holder.addresses = holder.addresses
            #expect(holder.numbers.count == 3 && holder.unique.count == 3 && holder.named.count == 2)
            #expect(holder.dogs.count == 2 && holder.addresses.count == 3)
            let first = holder.addresses[0]
            holder.numbers = List(holder.numbers.lazy.filter { $0 > 1 })
            holder.unique = MutableSet(holder.unique.lazy.map { $0 * 2 })
            holder.dogs = List(holder.dogs.reversed())
            holder.addresses = List(holder.addresses.reversed().dropFirst() + [Address(value: ["street": "D"])])
            #expect(Array(holder.numbers) == [2, 3])
            #expect(Array(holder.unique) == [2, 4, 6])
            #expect(holder.dogs.map(\.id) == [2, 1])
            #expect(holder.addresses.map(\.street) == ["B", "A", "D"])
            #expect(!first.isInvalidated)
        }
    }

    @Test func `adding keeps the instances, and takes defaults`() throws {
        let directory = try TemporaryRealm()
        let realm = try open(directory)
        let holder = Holder()
        let (numbers, unique, named) = (holder.numbers, holder.unique, holder.named)
        numbers.append(1)
        unique.insert(2)
        named["a"] = 3
        try realm.write { realm.add(holder) }
        try realm.write {
            numbers.append(10)
            unique.insert(20)
            named["b"] = 30
        }
        #expect(Array(holder.numbers) == [1, 10])
        #expect(Array(holder.unique) == [2, 20])
        #expect(holder.named.values == [3, 30])
        #expect(Array(holder.defaults) == [1, 2, 3])
        try realm.write { realm.delete(holder) }
        #expect(numbers.isInvalidated && unique.isInvalidated && named.isInvalidated)
    }

    @Test func `an update truncates lists and merges sets and maps, or replaces all three`() throws {
        let directory = try TemporaryRealm()
        let realm = try open(directory)
        let value: [String: Any] = [
            "id": 1, "numbers": [1, 2, 3], "unique": [1, 2], "named": ["a": 1, "b": 2],
            "dogs": [["id": 1, "name": "Rex"], ["id": 2]],
        ]
        let holder = try realm.write { realm.create(Holder.self, value: value) }
        let update: [String: Any] = [
            "id": 1, "numbers": [1, 5], "unique": [3], "named": ["b": 20, "c": 3], "dogs": [["id": 1, "name": "Max"]],
        ]
        try realm.write { _ = realm.create(Holder.self, value: update, update: .modified) }
        #expect(Array(holder.numbers) == [1, 5])
        #expect(Array(holder.unique) == [1, 2, 3])
        #expect(holder.named.map { "\($0.key)\($0.value)" } == ["a1", "b20", "c3"])
        #expect(holder.dogs.map(\.name) == ["Max"])
        try realm.write { realm.add(Holder(value: update), update: .all) }
        #expect(Array(holder.numbers) == [1, 5])
        #expect(Array(holder.unique) == [3])
        #expect(holder.named.map { "\($0.key)\($0.value)" } == ["b20", "c3"])
        #expect(realm.objects(Dog.self).count == 2)
        try realm.write { _ = realm.create(Holder.self, value: ["id": 1, "numbers": NSNull()], update: .modified) }
        #expect(holder.numbers.isEmpty)
        #expect(holder.unique.count == 1)
    }

    @Test func `a collection is set by name, from anything that fits`() throws {
        let directory = try TemporaryRealm()
        let realm = try open(directory)
        try realm.write {
            let holder = realm.create(Holder.self)
            holder["numbers"] = [1, 2]
            holder["unique"] = Set([3])
            holder["named"] = ["a": 4]
            #expect(Array(holder.numbers) == [1, 2])
            holder["numbers"] = holder.unique
            #expect(Array(holder.numbers) == [3])
            holder["numbers"] = nil
            holder["unique"] = NSArray(array: [5, 6])
            #expect(holder.numbers.isEmpty)
            #expect(Array(holder.unique) == [5, 6])
            #expect((holder["named"] as? Map<String, Int>)?["a"] == 4)
        }
        for bad: Any in [["x"], "12", 7, ["a": 1], Data([1])] {
            let message = expectError(.invalidInput) {
                try realm.write { realm.objects(Holder.self).first?["numbers"] = bad }
            }
            #expect(message.contains("Holder.numbers is of type List<Int>"))
        }
        expectError(.invalidInput) { try realm.write { realm.objects(Holder.self).first?["named"] = [1: 1] } }
    }

    @Test func `an element that is refused poisons the write`() throws {
        final class Poodle: Object {
            @Persisted var holder: Holder?
        }
        let directory = try TemporaryRealm()
        let realm = try open(directory)
        try realm.write { realm.add(Dog(value: ["id": 1])) }
        let message = expectError(.duplicateValue) {
            try realm.write {
                let holder = realm.create(Holder.self)
                holder.dogs.append(Dog(value: ["id": 1]))
                #expect(holder.dogs.isEmpty)
            }
        }
        #expect(message.contains("Dog"))
        #expect(realm.objects(Holder.self).isEmpty)
    }
}
