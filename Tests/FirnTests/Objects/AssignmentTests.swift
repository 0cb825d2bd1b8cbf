import Firn
import Foundation
import Testing

/// What `init(value:)` and `create` make of untyped values for links and collections.
@Suite struct AssignmentTests {
    final class Person: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var best: Dog?
        @Persisted var dogs: List<Dog>
        @Persisted var pack: MutableSet<Dog>
        @Persisted var named: Map<String, Dog?>
        @Persisted var numbers: List<Int?>
        @Persisted var words: MutableSet<String>
        @Persisted var dates: Map<String, Date>
        @Persisted var home: Address?
    }

    final class Dog: Object {
        @Persisted var name = ""
        @Persisted var age: Int
    }

    final class Address: EmbeddedObject {
        @Persisted var street = ""
    }

    final class Puppy: Object {
        @Persisted var name = ""
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private func error(_ value: Any) throws -> String {
        let directory = try TemporaryRealm()
        let realm = try directory.open(Person.self, Dog.self, Address.self)
        let message = expectError(.invalidInput) { try realm.write { _ = realm.create(Person.self, value: value) } }
        #expect(realm.isEmpty)
        #expect(expectError(.invalidInput) { try realm.write { realm.add(Person(value: value)) } } == message)
        return message
    }

    @Test func `an element may be an object, a dictionary or an array`() {
        let dog = Dog(value: ["a"])
        let person = Person(value: ["dogs": [dog, ["name": "b"], ["c", 3]] as [Any], "best": dog])
        #expect(person.dogs.map(\.name) == ["a", "b", "c"])
        #expect(person.dogs[0] === dog)
        #expect(person.best === dog)
        #expect(person.dogs[2].age == 3)
    }

    @Test func `collections come from arrays, sets, dictionaries, their Foundation classes and each other`() {
        let first = Person(value: [
            "dogs": NSArray(array: [["name": "a"]]), "pack": [Dog(value: ["b"])], "named": ["x": ["name": "c"]],
            "numbers": [1, nil, 3], "words": Set(["w", "v"]),
            "dates": NSDictionary(dictionary: ["d": Date.distantPast]),
        ])
        #expect(first.dogs.map(\.name) == ["a"])
        #expect(first.pack.map(\.name) == ["b"])
        #expect(first.named["x"]??.name == "c")
        #expect(Array(first.numbers) == [1, nil, 3])
        #expect(first.words.sorted() == ["v", "w"])
        #expect(first.dates["d"] == .distantPast)
        let second = Person(value: [
            "dogs": first.pack, "pack": first.dogs, "named": first.named, "numbers": first.numbers,
            "words": first.words.map { $0 }, "dates": first.dates,
        ])
        #expect(second.dogs.map(\.name) == ["b"])
        #expect(second.pack.map(\.name) == ["a"])
        #expect(second.named["x"]??.name == "c")
        #expect(Array(second.numbers) == [1, nil, 3])
        #expect(second.words.sorted() == ["v", "w"])
        #expect(second.dates["d"] == .distantPast)
        #expect(second.numbers !== first.numbers)
    }

    @Test func `an embedded object comes from a dictionary, an array or an object`() {
        #expect(Person(value: ["home": ["street": "a"]]).home?.street == "a")
        #expect(Person(value: ["home": ["b"]]).home?.street == "b")
        let home = Address(value: ["c"])
        #expect(Person(value: ["home": home]).home === home)
    }

    @Test func `an object of another class gives the properties that it shares`() {
        let person = Person(value: ["best": Puppy(value: ["p"]), "dogs": [Puppy(value: ["q"])]])
        #expect(person.best?.name == "p")
        #expect(person.dogs.map(\.name) == ["q"])
    }

    @Test func `a value that does not fit is named with class and property`() throws {
        #expect(try error(["dogs": 5]).contains("AssignmentTests.Person.dogs is of type List<Dog>"))
        #expect(try error(["numbers": ["x"]]).contains("AssignmentTests.Person.numbers"))
        #expect(try error(["dates": ["x": 5]]).contains("AssignmentTests.Person.dates"))
        #expect(try error(["named": [["name": "x"]]]).contains("AssignmentTests.Person.named"))
        #expect(try error(["home": 5]).contains("AssignmentTests.Person.home: 5 of type Int"))
        let message = try error(["dogs": [["name": "a"], ["name": 5]]])
        #expect(message.contains("AssignmentTests.Person.dogs: "))
        #expect(message.contains("AssignmentTests.Dog.name is of type String and cannot hold 5 of type Int"))
    }

    @Test func `assigning an unmanaged object's collection copies into the one that is there`() {
        let person = Person()
        let dogs = person.dogs
        let other = List([Dog(value: ["a"])])
        person.dogs = other
        #expect(person.dogs === dogs)
        #expect(dogs.map(\.name) == ["a"])
        other.removeAll()
        #expect(dogs.count == 1)
        person["dogs"] = [Dog(value: ["b"]), Dog(value: ["c"])]
        #expect(dogs.map(\.name) == ["b", "c"])
    }
}
