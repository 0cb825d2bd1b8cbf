import Firn
import Foundation
import TestSupport
import Testing

@Suite struct LinkingObjectsTests {
    final class Person: Object {
        @Persisted(primaryKey: true) var name: String
        @Persisted var dogs: List<Dog>
        @Persisted var favourite: Dog?
        @Persisted var known: MutableSet<Dog>
        @Persisted var byRole: Map<String, Dog?>

        override class func propertiesMapping() -> [String: String] { ["favourite": "favourite_dog"] }
    }

    final class Dog: Object {
        @Persisted var name = ""
        @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
        @Persisted(originProperty: "favourite_dog") var admirers: LinkingObjects<Person>
        @Persisted(originProperty: "known") var acquaintances: LinkingObjects<Person>
        @Persisted(originProperty: "byRole") var employers: LinkingObjects<Person>
    }

    // A class from the days before @Persisted.
    final class OldPerson: Object {
        dynamic var name = ""
        let dogs = List<OldDog>()
    }

    final class OldDog: Object {
        dynamic var name = ""
        let owners = LinkingObjects(fromType: OldPerson.self, property: "dogs")
    }

    private let directory: TemporaryRealm
    private let realm: Realm
    private let rex = Dog(value: ["name": "Rex"])
    private let ann = Person(value: ["name": "Ann"])
    private let bob = Person(value: ["name": "Bob"])

    init() throws {
        directory = try TemporaryRealm()
        realm = try directory.open(Person.self, Dog.self, OldPerson.self, OldDog.self)
        let (realm, rex, ann, bob) = (realm, rex, ann, bob)
        try realm.write { realm.add([ann, bob]) }
        try realm.write { realm.add(rex) }
    }

    @Test func `an object stands among the linking objects once a link, whatever property has it`() throws {
        #expect(rex.owners.isEmpty)
        #expect(rex.owners.first == nil)
        try realm.write {
            ann.dogs.append(objectsIn: [rex, rex])
            bob.dogs.append(rex)
            bob.favourite = rex
            ann.known.insert(rex)
            ann.byRole["guard"] = rex
            ann.byRole["pet"] = rex
        }
        #expect(rex.owners.map(\.name) == ["Ann", "Ann", "Bob"])
        #expect(rex.owners.count == 3)
        #expect(rex.owners[2].name == "Bob")
        #expect(rex.owners.last?.name == "Bob")
        #expect(rex.admirers.map(\.name) == ["Bob"])
        #expect(rex.acquaintances.map(\.name) == ["Ann"])
        #expect(rex.employers.map(\.name) == ["Ann", "Ann"])
        #expect(rex.owners.index(of: bob) == 2)
    }

    @Test func `linking objects are live, in a write too`() throws {
        let owners = rex.owners
        let named = owners.filter("name == 'Bob'")
        #expect(owners.isEmpty)
        try realm.write {
            ann.dogs.append(rex)
            #expect(owners.count == 1)
            bob.dogs.append(rex)
            #expect(owners.map(\.name) == ["Ann", "Bob"])
            #expect(named.count == 1)
            ann.dogs.removeAll()
            #expect(owners.map(\.name) == ["Bob"])
            realm.delete(bob)
            #expect(owners.isEmpty)
            #expect(named.isEmpty)
            let carl = Person(value: ["name": "Carl"])
            carl.dogs.append(rex)
            realm.add(carl)
            #expect(owners.map(\.name) == ["Carl"])
        }
    }

    @Test func `linking objects are queried like results`() throws {
        try realm.write {
            ann.dogs.append(rex)
            bob.dogs.append(rex)
        }
        #expect(rex.owners.sorted(byKeyPath: "name", ascending: false).map(\.name) == ["Bob", "Ann"])
        #expect(rex.owners.value(forKey: "name") as? [String] == ["Ann", "Bob"])
        #expect(rex.value(forKeyPath: "owners.@count") as? Int == 2)
        #expect((rex["owners"] as? LinkingObjects<Person>)?.count == 2)
        #expect(ann.value(forKeyPath: "dogs.owners.name") is [Any?])
        #expect(AnyRealmCollection(rex.owners).map(\.name) == ["Ann", "Bob"])
        #expect(rex.owners == rex.owners)
        #expect(rex.owners.realm == realm)
        #expect(rex.owners.description.hasPrefix("LinkingObjects<Person> <0x"))
        #expect(String(data: try JSONEncoder().encode(rex.owners.map(\.name)), encoding: .utf8) == #"["Ann","Bob"]"#)
    }

    @Test func `an unmanaged object has no linking objects`() {
        let dog = Dog()
        let person = Person()
        person.dogs.append(dog)
        #expect(dog.owners.isEmpty)
        #expect(dog.owners.map(\.name) == [])
        #expect(dog.owners.realm == nil)
        #expect(dog.owners.sum(ofProperty: "name.length") as Int == 0)
        #expect((dog["owners"] as? LinkingObjects<Person>)?.isEmpty == true)
    }

    @Test func `linking objects of a deleted object are empty and invalidated`() throws {
        try realm.write { ann.dogs.append(rex) }
        let owners = rex.owners
        try realm.write { realm.delete(rex) }
        #expect(owners.isInvalidated)
        #expect(owners.isEmpty)
    }

    @Test func `linking objects are handed to other threads`() throws {
        try realm.write { ann.dogs.append(rex) }
        let owners = ThreadSafeReference(to: rex.owners)
        try onAnotherThread { [configuration = realm.configuration] in
            let realm = try Realm(configuration: configuration)
            #expect(realm.resolve(owners)?.map(\.name) == ["Ann"])
        }
    }

    @Test func `a let of a plain class is managed in place`() throws {
        let dog = OldDog()
        let person = OldPerson()
        person.name = "Ann"
        person.dogs.append(dog)
        #expect(dog.owners.isEmpty)
        try realm.write { realm.add(person) }
        #expect(dog.owners.map(\.name) == ["Ann"])
        #expect(realm.objects(OldDog.self).first?.owners.count == 1)
    }

    @Test func `deleting linking objects deletes each once`() throws {
        try realm.write {
            ann.dogs.append(objectsIn: [rex, rex])
            realm.delete(rex.owners)
        }
        #expect(realm.objects(Person.self).map(\.name) == ["Bob"])
    }

    final class Lost: Object {
        @Persisted(originProperty: "cats") var first: LinkingObjects<Person>
        @Persisted(originProperty: "dogs") var second: LinkingObjects<Person>
        @Persisted(originProperty: "name") var third: LinkingObjects<Person>
        @Persisted var fourth: LinkingObjects<Person>
        @Persisted(originProperty: "x") var fifth: LinkingObjects<Elsewhere>

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Elsewhere: Object {
        @Persisted var x: Lost?

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    @Test func `an origin that does not fit is a problem of the schema`() throws {
        let directory = try TemporaryRealm()
        let message = expectError(.schemaMismatch) { _ = try directory.open(Person.self, Dog.self, Lost.self) }
        #expect(
            message.contains("Lost.first shows the links of 'LinkingObjectsTests.Person.cats', which is no persisted"))
        #expect(message.contains("Lost.second shows the links of 'LinkingObjectsTests.Person.dogs', which is of type"))
        #expect(message.contains("Lost.third shows the links of"))
        #expect(message.contains("Lost.fourth shows the links of no property"))
        #expect(message.contains("Lost.fifth shows links of 'LinkingObjectsTests.Elsewhere', which is not one"))
    }

    @Test func `setting linking objects traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try Realm(
                configuration: .init(inMemoryIdentifier: "linking", objectTypes: [Person.self, Dog.self]))
            let dog = Dog()
            try realm.write {
                realm.add(dog)
                dog.owners = LinkingObjects(fromType: Person.self, property: "dogs")
            }
        }
        expect(result, says: "it shows the links that other objects have")
    }
}
