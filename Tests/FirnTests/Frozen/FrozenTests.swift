import Firn
import Foundation
import Testing

@Suite struct FrozenTests {
    typealias Dog = FrozenModel.Dog
    typealias Person = FrozenModel.Person

    private let directory: TemporaryRealm
    private let realm: Realm

    init() throws {
        directory = try TemporaryRealm()
        realm = try Realm(configuration: directory.configuration(FrozenModel.types))
        try FrozenModel.fill(realm)
    }

    @Test func `a frozen realm shows its version whatever happens to the live one`() throws {
        let frozen = realm.freeze()
        let before = FrozenModel.text(frozen)
        #expect(before.contains("changed") == false && before.contains("Dog 3"))
        try FrozenModel.wreck(realm)
        #expect(FrozenModel.text(frozen) == before)
        #expect(frozen.objects(Dog.self).count == 5)
        #expect(realm.objects(Dog.self).count == 1)
        #expect(!frozen.refresh() && frozen.isFrozen && !realm.isFrozen)
        frozen.invalidate()
        #expect(FrozenModel.text(frozen) == before)
    }

    @Test func `what is frozen reads as what is live`() throws {
        let live = FrozenModel.text(realm)
        let frozen = FrozenModel.text(realm.freeze())
        let flags = { (text: String) in
            text.replacingOccurrences(of: "true", with: "").replacingOccurrences(of: "false", with: "")
        }
        #expect(flags(live) == flags(frozen))
        let person = try #require(realm.objects(Person.self).first)
        #expect(FrozenModel.text(person).hasSuffix("false|false|false|false"))
        #expect(FrozenModel.text(person.freeze()).hasSuffix("true|true|true|true"))
    }

    @Test func `every kind of collection is frozen by itself, and stays as it was`() throws {
        let person = try #require(realm.objects(Person.self).first)
        let dog = try #require(person.favourite)
        let dogs = person.dogs.freeze()
        let words = person.words.freeze()
        let roles = person.byRole.freeze()
        let owners = try #require(realm.object(ofType: Dog.self, forPrimaryKey: 0)).owners.freeze()
        let found = realm.objects(Dog.self).filter("id > 1").sorted(byKeyPath: "id", ascending: false).freeze()
        let page = realm.objects(Dog.self).sorted(byKeyPath: "id").limit(2, offset: 1).filter("id < 9").freeze()
        let values = person.numbers.sorted(ascending: false).freeze()
        let any = AnyRealmCollection(person.dogs).freeze()
        let nested = try #require(person.things.freeze().last?.listValue)
        let all = realm.objects(Dog.self).freeze()
        let frozenDog = dog.freeze()
        try FrozenModel.wreck(realm)
        #expect(dogs.map(\.id) == [3, 0, 3] && dogs.isFrozen && !dogs.isInvalidated && dogs[0].isFrozen)
        #expect(Array(words) == ["a", "b"] && words.isFrozen)
        #expect(roles.keys == ["guard", "none"] && roles.isFrozen && roles["guard"]??.id == 4)
        #expect(owners.map(\.age) == [30, 0] && owners.isFrozen)
        #expect(found.map(\.id) == [4, 3, 2] && found.isFrozen && found.first?.isFrozen == true)
        #expect(found.filter("id < 4").map(\.id) == [3, 2] && found.filter("id < 4").isFrozen)
        #expect(page.map(\.id) == [1, 2])
        #expect(Array(values) == [3, 1, nil] && values.isFrozen)
        #expect(any.map(\.id) == [3, 0, 3] && any.isFrozen)
        #expect(nested.count == 2 && nested.isFrozen && nested[0].stringValue == "deep")
        #expect(all.count == 5 && all.isFrozen && all.last?.name == "Dog 4")
        #expect(frozenDog.name == "Dog 1" && frozenDog.isFrozen && !frozenDog.isInvalidated && dog.isInvalidated)
    }

    @Test func `relations and incoming links of a frozen object are frozen, of the same version`() throws {
        let person = try #require(realm.objects(Person.self).first).freeze()
        try FrozenModel.wreck(realm)
        let dog = try #require(person.dogs.last)
        #expect(dog.isFrozen && dog.owners.isFrozen && dog.owners.count == 2)
        let owner = try #require(dog.owners.first)
        #expect(owner == person && owner.hashValue == person.hashValue && owner.isSameObject(as: person))
        #expect(owner.realm == person.realm && owner.address?.keeper?.name == "Dog 2")
        #expect(person.address?.isFrozen == true && person.dogs == owner.dogs)
    }

    @Test func `sections are frozen with their keys`() throws {
        let live = realm.objects(Dog.self).sectioned(by: \.id, ascending: false)
        let sections = live.freeze()
        let section = live[0].freeze()
        try FrozenModel.wreck(realm)
        #expect(sections.allKeys == [4, 3, 2, 1, 0] && sections.isFrozen && !live.isFrozen)
        #expect(sections[0].key == 4 && sections[0].first?.name == "Dog 4" && sections[0].isFrozen)
        #expect(sections.map { $0.map(\.name) }.joined().count == 5)
        #expect(section.count == 1 && section[0].name == "Dog 4" && !section.isInvalidated && section.isFrozen)
        #expect(live.allKeys == [0])
        #expect(try #require(sections.thaw()).allKeys == [0] && section.thaw()?.isInvalidated == true)
        #expect(realm.objects(Dog.self).freeze().sectioned(by: \.name).allKeys == ["New"])
    }

    @Test func `freezing twice gives the same, and frozen is its own freezing`() throws {
        let dog = try #require(realm.object(ofType: Dog.self, forPrimaryKey: 1))
        let first = dog.freeze()
        #expect(first == dog.freeze() && first.freeze() === first)
        #expect(
            realm.freeze() == realm.freeze() && realm.freeze() != realm && realm.freeze().freeze() == realm.freeze())
        #expect(first != dog && !first.isSameObject(as: dog))
        let results = realm.objects(Dog.self).filter("id > 2").freeze()
        #expect(results.freeze() == results && results.realm == first.realm)
        #expect(realm.freeze(dog) == first && realm.freeze(realm.objects(Dog.self)).count == 5)
        // Also of classes without primary key, whose live objects are only themselves.
        let plain = try #require(realm.objects(FrozenModel.Plain.self).first)
        #expect(plain.freeze() == plain.freeze() && Set([plain.freeze(), plain.freeze()]).count == 1)
        let home = try #require(realm.objects(Person.self).first).homes.freeze()
        #expect(home[0] == home[0] && home[0] !== home[0] && home.freeze() === home)
        let old = realm.freeze()
        try realm.write { dog.name = "Max" }
        #expect(realm.freeze() != old && dog.freeze() != first && dog.freeze().name == "Max" && first.name == "Dog 1")
    }

    @Test func `in a write the version from before it is frozen`() throws {
        let person = try #require(realm.objects(Person.self).first)
        let before = FrozenModel.text(person.freeze())
        try realm.write {
            person.name = "changed"
            person.dogs.removeAll()
            person.numbers[0] = 7
            #expect(FrozenModel.text(person.freeze()) == before)
            #expect(person.dogs.freeze().count == 3 && person.dogs.count == 0)
            #expect(realm.objects(Dog.self).filter("ANY owners.age == 30").freeze().count == 2)
            #expect(realm.freeze().objects(Person.self).first?.name.hasPrefix("Ann") == true)
        }
        #expect(person.freeze().name == "changed")
    }

    @Test func `predicates compare with frozen objects, and frozen collections find them`() throws {
        let dog = try #require(realm.object(ofType: Dog.self, forPrimaryKey: 3))
        let frozen = dog.freeze()
        #expect(realm.objects(Person.self).filter("%@ IN dogs", frozen).count == 1)
        #expect(realm.objects(Person.self).where { $0.dogs.contains(frozen) }.count == 1)
        let person = try #require(realm.objects(Person.self).first).freeze()
        #expect(person.dogs.index(of: frozen) == 0 && person.dogs.index(of: dog) == nil)
        #expect(person.known.contains(frozen) && !person.known.contains(dog))
        #expect(frozen.realm?.objects(Dog.self).index(of: frozen) == 3)
    }

    // MARK: Thawing

    @Test func `thawing gives the live one, and nil where it is gone`() throws {
        let dog = try #require(realm.object(ofType: Dog.self, forPrimaryKey: 1))
        let person = try #require(realm.objects(Person.self).first)
        let frozen = dog.freeze()
        let frozenPerson = person.freeze()
        let results = realm.objects(Dog.self).filter("id > 0").freeze()
        try realm.write { dog.name = "Max" }
        let live = try #require(frozen.thaw())
        #expect(live == dog && live.name == "Max" && !live.isFrozen && live.realm == realm)
        #expect(dog.thaw() === dog && realm.thaw() == realm && realm.freeze().thaw() == realm)
        #expect(frozenPerson.dogs.thaw() == person.dogs && person.dogs.thaw() == person.dogs)
        try realm.write { try #require(frozenPerson.dogs.thaw()).removeLast() }
        #expect(person.dogs.count == 2 && frozenPerson.dogs.count == 3)
        try FrozenModel.wreck(realm)
        #expect(frozen.thaw() == nil && frozenPerson.dogs.thaw() == nil && frozenPerson.words.thaw() == nil)
        #expect(frozenPerson.byRole.thaw() == nil && frozen.owners.thaw() == nil && frozenPerson.address?.thaw() == nil)
        #expect(frozenPerson.dogs.filter("id > 0").thaw() == nil && results.thaw()?.count == 0)
        #expect(realm.thaw(frozen) == nil && AnyRealmCollection(frozenPerson.dogs).thaw() == nil)
        #expect(frozenPerson.things[1].listValue?.thaw() == nil)
    }

    @Test func `thawing opens a realm where none is open any more, at least at the frozen version`() throws {
        var other: Realm? = try Realm(configuration: directory.configuration(FrozenModel.types))
        try other?.write { try #require(other?.object(ofType: Dog.self, forPrimaryKey: 1)).name = "Max" }
        let frozen = try #require(other?.object(ofType: Dog.self, forPrimaryKey: 1)).freeze()
        other = nil
        #expect(frozen.thaw()?.name == "Max")
        #expect(frozen.realm?.thaw().configuration.fileURL == realm.configuration.fileURL)
    }

    @Test func `something frozen keeps its version when every realm is gone`() throws {
        let place = try TemporaryRealm()
        var other: Realm? = try Realm(configuration: place.configuration(FrozenModel.types))
        try other.map { try FrozenModel.fill($0) }
        let frozen = try #require(other?.objects(Person.self).first?.freeze())
        other = nil
        #expect(frozen.dogs.map(\.id) == [3, 0, 3] && frozen.dogs[0].owners.count == 2)
        expectError(.alreadyOpen) { try Realm.deleteFiles(for: place.configuration(FrozenModel.types)) }
    }

    @Test func `dynamic objects and plain ones are frozen too`() throws {
        let dog = try #require(realm.dynamicObject(ofType: "FrozenModel.Dog", forPrimaryKey: 1)).freeze()
        let people = realm.dynamicObjects("FrozenModel.Person").filter("age > 1").freeze()
        let plain = try #require(realm.objects(FrozenModel.Plain.self).first).freeze()
        try FrozenModel.wreck(realm)
        #expect(dog["name"] as? String == "Dog 1" && dog.isFrozen && dog.thaw() == nil)
        #expect(people.count == 1 && people[0].dynamicList("dogs").map { $0["id"] as? Int } == [3, 0, 3])
        #expect(plain.name == "old" && plain.isFrozen && plain.dogs.map(\.id) == [2] && plain.dogs.isFrozen)
    }

    @Test func `a frozen object is no part of a write, but can be copied into one`() throws {
        let dog = try #require(realm.object(ofType: Dog.self, forPrimaryKey: 1)).freeze()
        try FrozenModel.wreck(realm)
        try realm.write {
            let copy = realm.create(Dog.self, value: dog, update: .modified)
            #expect(copy.name == "Dog 1" && !copy.isFrozen && copy.picture.count == 5000)
        }
        #expect(realm.objects(Dog.self).count == 2)
    }
}
