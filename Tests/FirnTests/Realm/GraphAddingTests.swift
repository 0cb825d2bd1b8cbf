import Firn
import Foundation
import Testing

/// Adding and updating objects that hold others in collections.
@Suite struct GraphAddingTests {
    final class Person: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name = "nobody"
        @Persisted var dog: Dog? = Dog(value: ["default"])
        @Persisted var dogs: List<Dog>
        @Persisted var friends: List<Person>
        @Persisted var family: MutableSet<Person>
        @Persisted var named: Map<String, Person?>
        @Persisted var numbers: List<Int>
        @Persisted var tags: MutableSet<String>
        @Persisted var scores: Map<String, Int>

        convenience init(_ id: Int) {
            self.init()
            self.id = id
            dog = nil
        }
    }

    final class Dog: Object {
        @Persisted var name = ""
        @Persisted var age: Int?
        @Persisted var owner: Person?
    }

    final class Node: Object {
        @Persisted var number = 0
        @Persisted var next: List<Node>

        convenience init(_ number: Int) {
            self.init()
            self.number = number
        }
    }

    private let directory: TemporaryRealm
    private let realm: Realm

    init() throws {
        directory = try TemporaryRealm()
        realm = try directory.open(Person.self, Dog.self)
    }

    private func person(_ id: Int) throws -> Person {
        try #require(realm.object(ofType: Person.self, forPrimaryKey: id))
    }

    @Test func `everything that collections lead to is added, and unmanaged collections become live`() throws {
        let person = Person(1)
        let friends = person.friends
        friends.append(objectsIn: [Person(2), Person(3)])
        person.dogs.append(objectsIn: [Dog(value: ["a"]), Dog(value: ["b"])])
        person.family.insert(Person(4))
        person.named["x"] = Person(5)
        person.named.updateValue(nil, forKey: "y")
        person.numbers.append(objectsIn: [3, 1, 2])
        person.tags.insert("t")
        person.scores["s"] = 7
        try realm.write { realm.add(person) }
        #expect(friends.realm == realm)
        #expect(friends == person.friends)
        #expect(realm.objects(Person.self).map(\.id) == [1, 2, 3, 4, 5])
        #expect(realm.objects(Dog.self).map(\.name) == ["a", "b"])
        #expect(friends.map(\.id) == [2, 3])
        #expect(person.named["x"]??.id == 5)
        #expect(person.named.keys == ["x", "y"])
        #expect(Array(person.numbers) == [3, 1, 2])
        try realm.write { friends.append(Person(6)) }
        #expect(person.friends.count == 3)
        expectIntact(realm)
    }

    @Test func `objects that lead to each other in circles are added once`() throws {
        let first = Person(1)
        let second = Person(2)
        first.friends.append(objectsIn: [second, first, second])
        second.family.insert(first)
        second.named["x"] = second
        first.dogs.append(Dog(value: ["name": "a", "owner": second]))
        try realm.write { realm.add([first, second, first]) }
        #expect(realm.objects(Person.self).count == 2)
        #expect(first.friends.map(\.id) == [2, 1, 2])
        #expect(second.family.contains(first))
        #expect(second.named["x"] == .some(second))
        #expect(first.dogs.first?.owner == second)
        expectIntact(realm)
    }

    @Test func `a chain of objects in lists is added through its first, however long it is`() throws {
        let realm = try TemporaryRealm().open(Node.self)
        let first = Node()
        var last = first
        for number in 1..<30_000 {
            let next = Node(number)
            last.next.append(next)
            last = next
        }
        try realm.write { realm.add(first) }
        #expect(realm.objects(Node.self).count == 30_000)
        #expect(first.next.first?.next.first?.number == 2)
    }

    // An object that a property declares was taken for nil, unless the property had been read before.
    @Test func `an object that a property declares as its default is added`() throws {
        try realm.write { realm.create(Person.self, value: ["id": 1]) }
        #expect(try person(1).dog?.name == "default")
    }

    @Test func `the policy holds for every object that is reached`() throws {
        try realm.write { realm.add(Person(2)) }
        let first = Person(1)
        first.friends.append(Person(2))
        let message = expectError(.duplicateValue) { try realm.write { realm.add(first) } }
        #expect(message.contains("primary key"))
        #expect(realm.objects(Person.self).count == 1)
        let other = Person(1)
        let friend = Person(2)
        friend.name = "updated"
        other.friends.append(friend)
        try realm.write { realm.add(other, update: .modified) }
        #expect(try person(2).name == "updated")
        expectIntact(realm)
    }

    @Test func `an update truncates a list and merges sets and maps, one with all replaces them`() throws {
        func update(_ number: Int, _ policy: Realm.UpdatePolicy) throws {
            let value: [String: Any] = [
                "id": 1, "numbers": [number], "tags": ["\(number)"], "scores": ["\(number)": number],
                "friends": [["id": number]], "family": [["id": number]], "named": ["\(number)": ["id": number]],
            ]
            try realm.write { realm.create(Person.self, value: value, update: policy) }
        }
        try update(2, .all)
        let person = try person(1)
        try realm.write { person.numbers.append(9) }
        try update(3, .modified)
        #expect(Array(person.numbers) == [3])
        #expect(person.friends.map(\.id) == [3])
        #expect(person.tags.sorted() == ["2", "3"])
        #expect(person.scores.keys == ["2", "3"])
        #expect(person.family.map(\.id) == [2, 3])
        #expect(person.named.keys == ["2", "3"])
        try update(4, .all)
        #expect(Array(person.tags) == ["4"])
        #expect(person.scores.keys == ["4"])
        #expect(person.family.map(\.id) == [4])
        #expect(person.named.keys == ["4"])
        expectIntact(realm)
    }

    @Test(arguments: [Realm.UpdatePolicy.modified, .all])
    func `what create is not given stays as it is, collections too`(policy: Realm.UpdatePolicy) throws {
        let person = Person(1)
        person.name = "x"
        person.dog = Dog(value: ["Rex"])
        person.numbers.append(1)
        person.friends.append(Person(2))
        person.scores["a"] = 1
        try realm.write { realm.add(person) }
        try realm.write { realm.create(Person.self, value: ["id": 1, "tags": ["t"]], update: policy) }
        #expect(person.name == "x")
        #expect(person.dog?.name == "Rex")
        #expect(Array(person.numbers) == [1])
        #expect(person.friends.map(\.id) == [2])
        #expect(person.scores["a"] == 1)
        #expect(person.tags.contains("t"))
        #expect(realm.objects(Dog.self).count == 1)
    }

    @Test func `add gives an update every property, empty collections too`() throws {
        let person = Person(1)
        person.numbers.append(1)
        person.tags.insert("a")
        try realm.write { realm.add(person) }
        try realm.write { realm.add(Person(1), update: .modified) }
        #expect(person.numbers.isEmpty)
        #expect(person.tags.contains("a"))
        try realm.write { realm.add(Person(1), update: .all) }
        #expect(person.tags.isEmpty)
    }

    @Test func `nil and NSNull empty a collection`() throws {
        let person = Person(1)
        person.numbers.append(1)
        person.friends.append(Person(2))
        person.named["x"] = Person(3)
        try realm.write { realm.add(person) }
        let nothing: [Person]? = nil
        try realm.write {
            let value: [String: Any] = [
                "id": 1, "numbers": NSNull(), "friends": nothing as Any, "named": NSNull(), "tags": NSNull(),
            ]
            realm.create(Person.self, value: value, update: .all)
        }
        #expect(person.numbers.isEmpty)
        #expect(person.friends.isEmpty)
        #expect(person.named.isEmpty)
    }

    @Test func `modified updates objects without primary key where they are, in lists too`() throws {
        let person = Person(1)
        person.dog = Dog(value: ["name": "Rex", "age": 3])
        person.dogs.append(objectsIn: [Dog(value: ["name": "a", "age": 1]), Dog(value: ["name": "b", "age": 2])])
        try realm.write { realm.add(person) }
        func update(_ policy: Realm.UpdatePolicy) throws {
            let value: [String: Any] = ["id": 1, "dog": ["name": "Max"], "dogs": [["name": "A"]]]
            try realm.write { realm.create(Person.self, value: value, update: policy) }
        }
        try update(.modified)
        #expect(realm.objects(Dog.self).map(\.name) == ["Max", "A", "b"])
        #expect(person.dog?.age == 3)
        #expect(person.dogs.map(\.age) == [1])
        try update(.all)
        #expect(realm.objects(Dog.self).count == 5)
        #expect(person.dog?.age == nil)
        expectIntact(realm)
    }

    // Two objects were written over one row, so that the first one's values were lost.
    @Test func `a row that a list has twice is updated by one object only`() throws {
        let dog = Dog(value: ["twice"])
        let person = Person(1)
        person.dogs.append(objectsIn: [dog, dog])
        try realm.write { realm.add(person) }
        try realm.write {
            realm.create(Person.self, value: ["id": 1, "dogs": [["name": "a"], ["name": "b"]]], update: .modified)
        }
        #expect(person.dogs.map(\.name) == ["a", "b"])
    }

    @Test func `create links to managed objects, and copies only the one that it is given`() throws {
        let person = Person(1)
        person.friends.append(Person(2))
        person.numbers.append(4)
        try realm.write { realm.add(person) }
        let copy = try realm.write {
            realm.create(Person.self, value: ["id": 3, "friends": person.friends, "numbers": person.numbers])
        }
        #expect(copy.friends.map(\.id) == [2])
        #expect(Array(copy.numbers) == [4])
        #expect(realm.objects(Person.self).count == 3)
    }

    @Test func `objects of another realm are copied from collections too, each once`() throws {
        let other = try TemporaryRealm()
        let source = try other.open(Person.self, Dog.self)
        let person = Person(1)
        let friend = Person(2)
        friend.friends.append(person)
        person.friends.append(objectsIn: [friend, friend])
        person.named["x"] = friend
        person.scores["s"] = 1
        try source.write { source.add(person) }
        let copy = try realm.write { realm.create(Person.self, value: person) }
        #expect(realm.objects(Person.self).count == 2)
        #expect(copy.friends.map(\.id) == [2, 2])
        #expect(copy.friends.first?.friends.first == copy)
        #expect(copy.named["x"]??.id == 2)
        #expect(copy.scores["s"] == 1)
        expectIntact(realm)
    }
}
