import Firn
import Foundation
import Testing

/// Collections that classes without `@Persisted` hold in constants.
@Suite struct ConstantCollectionTests {
    final class Person: Object {
        dynamic var name = ""
        let dogs = List<Dog>()
        let tags = MutableSet<String>()
        let scores = Map<String, Int>()
    }

    final class Dog: Object {
        dynamic var name = ""
    }

    @Test func `a constant's collection is managed with its object`() throws {
        let directory = try TemporaryRealm()
        let realm = try directory.open(Person.self, Dog.self)
        let person = Person()
        let dogs = person.dogs
        person.name = "Ann"
        person.dogs.append(Dog(value: ["name": "Rex"]))
        person.tags.insert("t")
        person.scores["s"] = 1
        try realm.write { realm.add(person) }
        #expect(dogs.realm != nil)
        #expect(person.dogs.map(\.name) == ["Rex"])
        try realm.write {
            dogs.append(Dog(value: ["name": "Max"]))
            person.tags.insert("u")
            person.scores["t"] = 2
        }
        let found = try #require(realm.objects(Person.self).first)
        #expect(found.dogs.map(\.name) == ["Rex", "Max"])
        #expect(Array(found.tags) == ["t", "u"])
        #expect(found.scores.values == [1, 2])
        #expect(realm.objects(Dog.self).count == 2)
    }

    @Test func `a constant's collection shows what its row holds`() throws {
        let directory = try TemporaryRealm()
        do {
            let realm = try directory.open(Person.self, Dog.self)
            try realm.write {
                _ = realm.create(Person.self, value: ["name": "Ann", "tags": ["a"], "dogs": [["name": "Rex"]]])
            }
        }
        let realm = try directory.open(Person.self, Dog.self)
        let person = try #require(realm.objects(Person.self).first)
        #expect(person.dogs.first?.name == "Rex")
        #expect(Array(person.tags) == ["a"])
        try realm.write { realm.delete(person) }
        #expect(person.dogs.isInvalidated)
    }

    @Test func `an object and its collections do not keep each other`() throws {
        let directory = try TemporaryRealm()
        let realm = try directory.open(Person.self, Dog.self)
        weak var person: Person?
        weak var dogs: List<Dog>?
        do {
            let added = Person()
            try realm.write { realm.add(added) }
            person = added
            dogs = added.dogs
            #expect(person != nil && dogs != nil)
        }
        #expect(person == nil)
        #expect(dogs == nil)
    }

    @Test func `a rolled back write takes the collections with it`() throws {
        let directory = try TemporaryRealm()
        let realm = try directory.open(Person.self, Dog.self)
        let person = Person()
        realm.beginWrite()
        realm.add(person)
        person.tags.insert("a")
        realm.cancelWrite()
        #expect(person.isInvalidated)
        #expect(person.tags.isInvalidated)
    }
}
