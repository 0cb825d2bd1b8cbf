import Firn
import Foundation
import TestSupport
import Testing

@Suite struct RealmWriteTests {
    final class Dog: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name = ""
        @Persisted(indexed: true) var age: Int?
        @Persisted var friend: Dog?
        @Persisted var toy: Toy?

        convenience init(_ id: Int, _ name: String) {
            self.init()
            self.id = id
            self.name = name
        }
    }

    final class Toy: Object {
        @Persisted var name = ""
    }

    private struct Stop: Error {}

    private let directory: TemporaryRealm
    private let realm: Realm

    init() throws {
        directory = try TemporaryRealm()
        realm = try directory.open(Dog.self, Toy.self)
    }

    @Test func `a write returns its block's value`() throws {
        let dog = try realm.write {
            let dog = Dog(1, "Rex")
            realm.add(dog)
            return dog
        }
        #expect(dog.name == "Rex")
        #expect(!realm.isInWriteTransaction)
    }

    @Test func `a throwing block leaves everything as it was, and what it added invalid`() throws {
        let rex = Dog(1, "Rex")
        try realm.write { realm.add(rex) }
        let added = Dog(2, "Bo")
        #expect(throws: Stop.self) {
            try realm.write {
                rex.name = "Max"
                realm.add(added)
                #expect(rex.name == "Max")
                throw Stop()
            }
        }
        #expect(rex.name == "Rex")
        #expect(added.isInvalidated)
        #expect(realm.objects(Dog.self).count == 1)
        try realm.write { realm.add(Dog(2, "Other")) }
        #expect(added.isInvalidated)
    }

    @Test func `an accessor of a rolled-back row does not become one of the next row with its key`() throws {
        let toy = Toy()
        var fetched: Toy?
        #expect(throws: Stop.self) {
            try realm.write {
                realm.add(toy)
                fetched = realm.objects(Toy.self).first
                throw Stop()
            }
        }
        try realm.write { realm.add(Toy()) }
        #expect(toy.isInvalidated)
        #expect(fetched?.isInvalidated == true)
        #expect(realm.objects(Toy.self).first?.isInvalidated == false)
    }

    @Test func `a write inside a write joins it, and its error poisons the whole`() throws {
        try realm.write {
            realm.add(Dog(1, "Rex"))
            try realm.write { realm.add(Dog(2, "Bo")) }
            #expect(realm.isInWriteTransaction)
        }
        #expect(realm.objects(Dog.self).count == 2)
        #expect(throws: Stop.self) {
            try realm.write {
                realm.add(Dog(3, "Max"))
                do { try realm.write { throw Stop() } } catch {}
                realm.add(Dog(4, "Ida"))
            }
        }
        #expect(realm.objects(Dog.self).count == 2)
    }

    @Test func `a duplicate primary key poisons the write and leaves the object unmanaged`() throws {
        try realm.write { realm.add(Dog(1, "Rex")) }
        let duplicate = Dog(1, "Bo")
        let other = Dog(2, "Max")
        let message = expectError(.duplicateValue) {
            try realm.write {
                realm.add(duplicate)
                #expect(duplicate.realm == nil)
                realm.add(other)
                #expect(other.name == "Max")
                expectError(.duplicateValue) { try realm.checkWrite() }
            }
        }
        #expect(message.contains("primary key id = 1"))
        #expect(duplicate.name == "Bo")
        #expect(other.isInvalidated)
        #expect(realm.objects(Dog.self).map(\.name) == ["Rex"])
    }

    @Test func `cancelWrite clears the poison, and the write returns`() throws {
        try realm.write { realm.add(Dog(1, "Rex")) }
        try realm.write {
            realm.add(Dog(1, "Bo"))
            realm.cancelWrite()
        }
        #expect(!realm.isInWriteTransaction)
        realm.beginWrite()
        realm.add(Dog(1, "Bo"))
        #expect(throws: Realm.Error.self) { try realm.commitWrite() }
        #expect(!realm.isInWriteTransaction)
        realm.beginWrite()
        realm.add(Dog(2, "Bo"))
        try realm.commitWrite()
        #expect(realm.objects(Dog.self).count == 2)
    }

    @Test func `cancelWrite restores deleted rows, but not their accessors`() throws {
        let rex = Dog(1, "Rex")
        try realm.write { realm.add(rex) }
        let again = try #require(realm.objects(Dog.self).first)
        realm.beginWrite()
        realm.delete(rex)
        #expect(again.isInvalidated)
        realm.cancelWrite()
        #expect(rex.isInvalidated)
        #expect(again.isInvalidated)
        #expect(realm.objects(Dog.self).first?.name == "Rex")
    }

    @Test func `an accessor of a deleted row stays invalid when its primary key is used again`() throws {
        let rex = Dog(1, "Rex")
        try realm.write { realm.add(rex) }
        let again = try #require(realm.objects(Dog.self).first)
        try realm.write {
            realm.delete(rex)
            realm.add(Dog(1, "Bo"))
        }
        #expect(again.isInvalidated)
        #expect(rex.isInvalidated)
    }

    @Test func `a changed primary key poisons, an equal one does nothing`() throws {
        let rex = Dog(1, "Rex")
        try realm.write { realm.add(rex) }
        try realm.write { rex.id = 1 }
        expectError(.invalidInput) { try realm.write { rex.id = 2 } }
        #expect(rex.id == 1)
    }

    @Test func `a value over 16 MiB poisons, one of exactly 16 MiB is stored`() throws {
        let rex = Dog(1, "Rex")
        try realm.write { realm.add(rex) }
        let most = String(repeating: "x", count: 16_777_216)
        try realm.write { rex.name = most }
        #expect(rex.name.utf8.count == 16_777_216)
        expectError(.invalidInput) { try realm.write { rex.name = most + "x" } }
        #expect(rex.name.utf8.count == 16_777_216)
        expectError(.invalidInput) { try realm.write { realm.add(Dog(2, most + "x")) } }
        #expect(realm.objects(Dog.self).count == 1)
    }

    // The values that fit were set all the same, and the object became a live one.
    @Test func `an update that is refused changes nothing`() throws {
        let rex = Dog(1, "Rex")
        try realm.write { realm.add(rex) }
        let refused = Dog(value: ["id": 1, "name": String(repeating: "x", count: 16_777_217), "age": 9])
        expectError(.invalidInput) {
            try realm.write {
                realm.add(refused, update: .modified)
                #expect(rex.age == nil)
                #expect(refused.realm == nil)
            }
        }
    }

    @Test func `update policies change what exists`() throws {
        try realm.write {
            realm.add(Dog(value: ["id": 1, "name": "Rex", "age": 3, "toy": ["name": "ball"]]))
        }
        let toy = try #require(realm.objects(Toy.self).first)
        try realm.write {
            realm.add(Dog(value: ["id": 1, "name": "Max", "age": 4, "toy": ["name": "bone"]]), update: .modified)
        }
        let dog = try #require(realm.object(ofType: Dog.self, forPrimaryKey: 1))
        #expect(dog.name == "Max")
        #expect(dog.age == 4)
        #expect(toy.name == "bone")
        #expect(realm.objects(Toy.self).count == 1)
        try realm.write {
            realm.add(Dog(value: ["id": 1, "name": "Ida", "toy": ["name": "rope"]]), update: .all)
        }
        #expect(dog.age == nil)
        #expect(dog.toy?.name == "rope")
        #expect(realm.objects(Toy.self).count == 2)
        try realm.write { realm.add([Dog(1, "Bo"), Dog(2, "Fido")], update: true) }
        #expect(realm.objects(Dog.self).map(\.name) == ["Bo", "Fido"])
    }

    @Test func `adding what is in the realm already does nothing`() throws {
        let rex = Dog(1, "Rex")
        try realm.write {
            realm.add(rex)
            realm.add(rex)
        }
        #expect(realm.objects(Dog.self).count == 1)
    }

    @Test func `create takes a dictionary, an array and an object`() throws {
        try realm.write {
            let fromDictionary = realm.create(
                Dog.self,
                value: ["id": 1, "name": "Rex", "age": 3, "friend": ["id": 2, "name": "Bo"]] as [String: Any])
            #expect(fromDictionary.friend?.name == "Bo")
            let fromArray = realm.create(Dog.self, value: [3, "Max"])
            #expect(fromArray.name == "Max")
            #expect(fromArray.age == nil)
            let fromObject = realm.create(Dog.self, value: Dog(4, "Ida"))
            #expect(fromObject.realm == realm)
            realm.create(Dog.self, value: ["id": 1, "name": "Rexy"], update: .modified)
            #expect(fromDictionary.name == "Rexy")
            #expect(fromDictionary.age == 3)
            let same = realm.create(Dog.self, value: fromDictionary, update: .all)
            #expect(same === fromDictionary)
        }
        #expect(realm.objects(Dog.self).count == 4)
    }

    @Test func `create copies an object of another realm`() throws {
        let elsewhere = try TemporaryRealm()
        let other = try elsewhere.open(Dog.self, Toy.self)
        let source = Dog(value: ["id": 7, "name": "Rex", "friend": ["id": 8, "name": "Bo"]])
        try other.write { other.add(source) }
        let copy = try realm.write { realm.create(Dog.self, value: source) }
        #expect(copy.realm == realm)
        #expect(copy.friend?.realm == realm)
        #expect(realm.objects(Dog.self).count == 2)
    }

    @Test(
        arguments: [
            ["id": "one"], ["name": 3], ["age": "old"], ["friend": 3], ["friend": ["id": "x"]], ["id": NSNull()],
        ] as [[String: any Sendable]])
    func `a wrong type in create poisons, naming class and property`(value: [String: any Sendable]) throws {
        let message = expectError(.invalidInput) {
            try realm.write {
                let dog = realm.create(Dog.self, value: value)
                #expect(dog.realm == nil)
            }
        }
        #expect(message.contains("Dog"))
        #expect(realm.isEmpty)
    }

    @Test func `an object made from a bad value is refused when it is added`() throws {
        let dog = Dog(value: ["id": "one"])
        expectError(.invalidInput) { try realm.write { realm.add(dog) } }
        #expect(dog.realm == nil)
    }

    @Test func `deleteAll empties the realm's classes`() throws {
        let rex = Dog(value: ["id": 1, "toy": ["name": "ball"]])
        try realm.write { realm.add(rex) }
        #expect(!realm.isEmpty)
        try realm.write { realm.deleteAll() }
        #expect(realm.isEmpty)
        #expect(rex.isInvalidated)
    }

    @Test func `a sequence and results of objects are deleted`() throws {
        try realm.write { realm.add((1...5).map { Dog($0, "\($0)") }) }
        try realm.write { realm.delete(Array(realm.objects(Dog.self).prefix(2))) }
        #expect(realm.objects(Dog.self).map(\.id) == [3, 4, 5])
        try realm.write { realm.delete(realm.objects(Dog.self)) }
        #expect(realm.objects(Dog.self).isEmpty)
    }

    @Test func `invalidate ends every accessor for good`() throws {
        let rex = Dog(1, "Rex")
        try realm.write { realm.add(rex) }
        realm.invalidate()
        #expect(rex.isInvalidated)
        #expect(rex.description == "[invalid object]")
        #expect(realm.objects(Dog.self).first?.name == "Rex")
    }

    @Test func `a realm stays at its version until it is refreshed`() throws {
        try realm.write { realm.add(Dog(1, "Rex")) }
        let dogs = realm.objects(Dog.self)
        #expect(dogs.map(\.name) == ["Rex"])
        try onAnotherThread { [configuration = realm.configuration] in
            let other = try Realm(configuration: configuration)
            try other.write {
                other.add(Dog(2, "Bo"))
                other.object(ofType: Dog.self, forPrimaryKey: 1)?.name = "Max"
            }
        }
        #expect(dogs.map(\.name) == ["Rex"])
        #expect(realm.refresh())
        #expect(dogs.map(\.name) == ["Max", "Bo"])
        #expect(!realm.refresh())
    }
}
