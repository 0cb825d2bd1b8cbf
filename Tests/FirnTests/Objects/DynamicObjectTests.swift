import Firn
import Foundation
import Testing

@Suite struct DynamicObjectTests {
    final class Person: Object {
        @Persisted(primaryKey: true) var name: String
        @Persisted var age: Int?
        @Persisted var dogs: List<Dog>
        @Persisted var favourite: Dog?
        @Persisted var byRole: Map<String, Dog?>
        @Persisted var known: MutableSet<Dog>
        @Persisted var scores: List<Int>
        @Persisted var home: Address?
        @Persisted var anything: AnyRealmValue

        override class func propertiesMapping() -> [String: String] { ["age": "years"] }
    }

    final class Dog: Object {
        @Persisted var name = ""
        @Persisted var born: Date
    }

    final class Address: EmbeddedObject {
        @Persisted var street = ""
    }

    final class Other: Object {
        @Persisted var x = 0
    }

    private let directory: TemporaryRealm

    init() throws {
        directory = try TemporaryRealm()
    }

    private func knowing() throws -> Realm {
        try directory.open(Person.self, Dog.self, Address.self)
    }

    private func fill(_ realm: Realm) throws {
        try realm.write {
            let rex = Dog(value: ["name": "Rex"])
            let ann = Person(value: ["name": "Ann", "age": 30, "scores": [1, 2], "home": ["street": "High St"]])
            ann.dogs.append(objectsIn: [rex, Dog(value: ["name": "Ada"])])
            ann.favourite = rex
            ann.anything = .object(rex)
            ann.byRole["guard"] = rex
            ann.known.insert(rex)
            realm.add(ann)
        }
    }

    @Test func `properties of dynamic objects are read and set by name`() throws {
        let realm = try knowing()
        try fill(realm)
        let people = realm.dynamicObjects("DynamicObjectTests.Person")
        let ann = try #require(people.first)
        #expect(ann.name as? String == "Ann")
        #expect(ann["age"] as? Int == 30)
        #expect(ann["years"] as? Int == 30)
        #expect((ann.favourite as? DynamicObject)?.name as? String == "Rex")
        #expect((ann.dogs as? List<DynamicObject>)?.map { $0["name"] as? String } == ["Rex", "Ada"])
        #expect(ann.dynamicList("dogs").last?["name"] as? String == "Ada")
        #expect(ann.dynamicMap("byRole")["guard"]??["name"] as? String == "Rex")
        #expect(ann.dynamicMutableSet("known").count == 1)
        #expect(ann.scores as? List<Int> == realm.objects(Person.self)[0].scores)
        #expect((ann.home as? DynamicObject)?.street as? String == "High St")
        #expect(ann.objectSchema.className == "DynamicObjectTests.Person")
        #expect(ann.value(forKeyPath: "dogs.@count") as? Int == 2)
        #expect((ann.anything as? DynamicObject)?.name as? String == "Rex")
        #expect(realm.objects(Person.self)[0].anything.dynamicObject?.name as? String == "Rex")
        #expect(ann.isSameObject(as: realm.objects(Person.self).first))
        try realm.write {
            ann.age = 31
            ann["favourite"] = ann.dynamicList("dogs").last
            ann.dynamicList("dogs").remove(at: 0)
            ann["scores"] = [7]
            ann.home = ["street": "Low St"]
        }
        let typed = try #require(realm.object(ofType: Person.self, forPrimaryKey: "Ann"))
        #expect(typed.age == 31)
        #expect(typed.favourite?.name == "Ada")
        #expect(typed.dogs.map(\.name) == ["Ada"])
        #expect(Array(typed.scores) == [7])
        #expect(typed.home?.street == "Low St")
        try realm.write { ann.age = nil }
        #expect(typed.age == nil)
    }

    @Test func `typed objects give their collections as dynamic ones`() throws {
        let realm = try knowing()
        try fill(realm)
        let person = realm.objects(Person.self)[0]
        #expect(person.dynamicList("dogs").map { $0.name as? String } == ["Rex", "Ada"])
        try realm.write { person.dynamicList("dogs")[0].name = "Max" }
        #expect(person.dogs[0].name == "Max")
    }

    @Test func `dynamic results are queried, and follow what typed objects do`() throws {
        let realm = try knowing()
        try fill(realm)
        let dogs = realm.dynamicObjects("DynamicObjectTests.Dog").filter("name BEGINSWITH 'R'")
        let typed = realm.objects(Dog.self).filter("name == 'Roy'")
        #expect(dogs.count == 1)
        #expect(typed.isEmpty)
        try realm.write { dogs[0].name = "Roy" }
        #expect(typed.count == 1)
        try realm.write { typed[0].name = "Bo" }
        #expect(dogs.isEmpty)
        #expect(
            realm.dynamicObjects("DynamicObjectTests.Dog").sorted(byKeyPath: "name").map { $0.name as? String } == [
                "Ada", "Bo",
            ])
        try realm.write { realm.delete(realm.dynamicObjects("DynamicObjectTests.Dog")) }
        #expect(realm.objects(Dog.self).isEmpty)
        #expect(realm.objects(Person.self)[0].dogs.isEmpty)
        #expect(realm.dynamicObjects("DynamicObjectTests.Address").count == 1)
    }

    @Test func `objects are created and found by the name of their class`() throws {
        let realm = try knowing()
        try realm.write {
            let dog = realm.dynamicCreate("DynamicObjectTests.Dog", value: ["name": "Rex"])
            #expect(dog.name as? String == "Rex")
            realm.dynamicCreate(
                "DynamicObjectTests.Person", value: ["name": "Bob", "dogs": [["name": "Max"]], "favourite": dog])
        }
        let bob = try #require(realm.dynamicObject(ofType: "DynamicObjectTests.Person", forPrimaryKey: "Bob"))
        #expect(bob.dynamicList("dogs").first?.name as? String == "Max")
        #expect((bob.favourite as? DynamicObject)?.name as? String == "Rex")
        #expect(realm.objects(Dog.self).count == 2)
        #expect(realm.dynamicObject(ofType: "DynamicObjectTests.Person", forPrimaryKey: "Nobody") == nil)
        try realm.write {
            realm.dynamicCreate("DynamicObjectTests.Person", value: ["name": "Bob", "age": 5], update: .modified)
        }
        #expect(bob.age as? Int == 5)
    }

    @Test func `classes that the process does not know are read and written`() throws {
        try fill(try knowing())
        let realm = try directory.open(Other.self)
        let ann = try #require(realm.dynamicObjects("DynamicObjectTests.Person").first)
        #expect(ann.name as? String == "Ann")
        #expect(ann.years as? Int == 30)
        #expect((ann.anything as? DynamicObject)?.name as? String == "Rex")
        #expect(ann.dynamicList("dogs").map { $0.name as? String } == ["Rex", "Ada"])
        #expect((ann.home as? DynamicObject)?.street as? String == "High St")
        #expect(ann.objectSchema["years"]?.isOptional == true)
        #expect(ann.objectSchema["dogs"]?.objectClassName == "DynamicObjectTests.Dog")
        #expect(ann.description.contains("name = Ann"))
        let favourites = realm.dynamicObjects("DynamicObjectTests.Person").filter("favourite == nil")
        #expect(favourites.isEmpty)
        try realm.write {
            ann["years"] = 31
            let bob = realm.dynamicCreate(
                "DynamicObjectTests.Person",
                value: [
                    "name": "Bob", "dogs": [["name": "Max"], ann.dynamicList("dogs")[1]], "favourite": ["name": "Bo"],
                    "scores": [4, 5], "home": ["street": "Elm St"],
                ])
            #expect(bob.years == nil)
            #expect(bob.dynamicList("dogs").map { $0.name as? String } == ["Max", "Ada"])
            #expect(bob.scores as? List<Int> != nil)
            if let rex = ann.favourite as? DynamicObject { realm.delete(rex) }
            #expect(favourites.count == 1)
        }
        let again = try knowing()
        again.refresh()
        let bob = try #require(again.object(ofType: Person.self, forPrimaryKey: "Bob"))
        #expect(bob.favourite?.name == "Bo")
        #expect(Array(bob.scores) == [4, 5])
        #expect(bob.home?.street == "Elm St")
        #expect(bob.dogs.map(\.name) == ["Max", "Ada"])
        #expect(again.object(ofType: Person.self, forPrimaryKey: "Ann")?.age == 31)
    }

    @Test func `values that do not fit poison the write`() throws {
        try fill(try knowing())
        for realm in [try knowing(), try directory.open(Other.self)] {
            let ann = try #require(realm.dynamicObjects("DynamicObjectTests.Person").first)
            let message = expectError(.invalidInput) { try realm.write { ann["years"] = "many" } }
            #expect(message.contains("cannot hold \"many\""))
            expectError(.invalidInput) {
                try realm.write {
                    let dog = realm.dynamicCreate("DynamicObjectTests.Dog", value: 5)
                    dog.name = "x"
                    #expect(dog.name as? String == "x")
                }
            }
            expectError(.invalidInput) { try realm.write { ann["favourite"] = ann } }
        }
    }

    @Test func `an unknown name traps, with those that there are`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try Realm(configuration: .init(inMemoryIdentifier: "dynamic", objectTypes: [Other.self]))
            _ = realm.dynamicObjects("Nothing")
        }
        expect(result, says: "The file has no class 'Nothing'; it has DynamicObjectTests.Other")
    }
}
