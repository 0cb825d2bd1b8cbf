import Firn
import Foundation
import TestSupport
import Testing

@Suite struct EmbeddedObjectTests {
    final class Person: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var home: Address?
        @Persisted var others: List<Address>
        @Persisted var named: Map<String, Address?>

        convenience init(_ id: Int, home: Address? = nil) {
            self.init()
            self.id = id
            self.home = home
        }
    }

    final class Address: EmbeddedObject {
        @Persisted var street = "none"
        @Persisted var country: Country?
        @Persisted var floor: Floor?
        @Persisted var previous: List<Address>

        convenience init(_ street: String) {
            self.init()
            self.street = street
        }
    }

    final class Floor: EmbeddedObject {
        @Persisted var number = 0
        @Persisted var building: Address?
    }

    final class Country: Object {
        @Persisted(primaryKey: true) var code: String
        @Persisted var capital: Address?
    }

    private struct Stop: Error {}

    private let directory: TemporaryRealm
    private let realm: Realm

    init() throws {
        directory = try TemporaryRealm()
        realm = try directory.open(Person.self, Address.self, Floor.self, Country.self)
    }

    private func add(_ person: Person) throws -> Person {
        try realm.write { realm.add(person) }
        return person
    }

    private var addressCount: Int { rowCount(Address.self, in: realm) }

    @Test func `an unmanaged object is a plain one`() {
        let address = Address("A")
        #expect(address.realm == nil)
        #expect(!address.isInvalidated)
        address.street = "B"
        #expect(address.street == "B")
        #expect(Address(value: ["street": "C"]).street == "C")
        #expect(Address(value: ["D"]).street == "D")
    }

    @Test func `it is added with its owner, at every place that it can have`() throws {
        let home = Address("home")
        home.floor = Floor(value: [3])
        home.previous.append(Address("before"))
        let person = Person(1, home: home)
        person.others.append(objectsIn: [Address("a"), Address("b")])
        person.named["x"] = Address("x")
        person.named.updateValue(nil, forKey: "y")
        _ = try add(person)
        #expect(home.realm == realm)
        #expect(person.home?.isSameObject(as: home) == true)
        #expect(person.home?.floor?.number == 3)
        #expect(person.home?.previous.map(\.street) == ["before"])
        #expect(person.others.map(\.street) == ["a", "b"])
        #expect(person.named["x"]??.street == "x")
        #expect(person.named["y"] == .some(nil))
        #expect(addressCount == 5)
        expectIntact(realm)
    }

    @Test func `it changes in place, in a write only`() throws {
        let person = try add(Person(1, home: Address("home")))
        try realm.write {
            person.home?.street = "other"
            person.home?.floor = Floor(value: [1])
            person.home?.country = Country(value: ["IT"])
        }
        #expect(person.home?.street == "other")
        #expect(person.home?.country?.code == "IT")
        #expect(realm.objects(Country.self).count == 1)
        expectIntact(realm)
    }

    @Test func `one that is replaced or set to nil is deleted with what it owns`() throws {
        let person = try add(Person(1, home: Address("home")))
        let first = try #require(person.home)
        try realm.write {
            first.floor = Floor(value: [1])
            person.home = Address("new")
            #expect(first.isInvalidated)
            #expect(rowCount(Floor.self, in: realm) == 0)
        }
        let second = try #require(person.home)
        #expect(second.street == "new")
        try realm.write { person.home = nil }
        #expect(second.isInvalidated)
        #expect(addressCount == 0)
        expectIntact(realm)
    }

    @Test func `one that leaves a list or a map is deleted`() throws {
        let person = Person(1)
        person.others.append(objectsIn: ["a", "b", "c", "d"].map { Address($0) })
        person.named["x"] = Address("x")
        person.named["y"] = Address("y")
        _ = try add(person)
        let removed = person.others[1]
        try realm.write {
            person.others.remove(at: 1)
            person.others[0] = Address("A")
            person.others.move(from: 0, to: 2)
            person.others.swapAt(0, 1)
            person.named["x"] = Address("X")
            person.named.removeObject(for: "y")
        }
        #expect(removed.isInvalidated)
        #expect(person.others.map(\.street) == ["d", "c", "A"])
        #expect(person.named["x"]??.street == "X")
        #expect(addressCount == 4)
        try realm.write {
            person.others.removeAll()
            person.named.removeAll()
        }
        #expect(addressCount == 0)
        expectIntact(realm)
    }

    @Test func `it goes with its owner`() throws {
        let home = Address("home")
        home.floor = Floor(value: [1])
        home.floor?.building = Address("inner")
        let person = try add(Person(1, home: home))
        try realm.write { person.others.append(Address("a")) }
        try realm.write { realm.delete(person) }
        #expect(home.isInvalidated)
        #expect(addressCount == 0)
        #expect(rowCount(Floor.self, in: realm) == 0)
        expectIntact(realm)
    }

    @Test func `it can be deleted by itself, where its owner loses it`() throws {
        let person = Person(1, home: Address("home"))
        person.others.append(objectsIn: [Address("a"), Address("b")])
        person.named["x"] = Address("x")
        _ = try add(person)
        try realm.write {
            realm.delete(try #require(person.home))
            realm.delete(person.others[0])
            realm.delete(try #require(person.named["x"] ?? nil))
        }
        #expect(person.home == nil)
        #expect(person.others.map(\.street) == ["b"])
        #expect(person.named["x"] == .some(nil))
        try realm.write { realm.delete(person.others) }
        #expect(person.others.isEmpty)
        #expect(addressCount == 0)
        expectIntact(realm)
    }

    @Test func `a second owner is refused, and says what to do`() throws {
        let person = try add(Person(1, home: Address("home")))
        let home = try #require(person.home)
        func expectRefusal(_ change: (Person) throws -> Void) {
            let message = expectError(.invalidInput) { try realm.write { try change(person) } }
            #expect(message.contains("Address"))
            #expect(message.contains("has an owner already"))
        }
        expectRefusal { realm.add(Person(2, home: $0.home)) }
        expectRefusal { $0.others.append(home) }
        expectRefusal { $0.named["x"] = home }
        expectRefusal { $0.home?.previous.append(home) }
        expectRefusal { person in
            let other = realm.create(Person.self, value: [3])
            other.home = person.home
        }
        let shared = Address("shared")
        expectRefusal {
            $0.others.append(shared)
            $0.others.append(shared)
        }
        #expect(person.home?.street == "home")
        #expect(person.others.isEmpty)
        #expect(addressCount == 1)
        expectIntact(realm)
    }

    @Test func `two owners in one graph are refused`() throws {
        let shared = Address("shared")
        let person = Person(1, home: shared)
        person.others.append(shared)
        expectError(.invalidInput) { try realm.write { realm.add(person) } }
        #expect(realm.isEmpty)
        expectIntact(realm)
    }

    @Test func `assigning it to where it is changes nothing`() throws {
        let person = try add(Person(1, home: Address("home")))
        let home = try #require(person.home)
        try realm.write {
            person.others.append(Address("a"))
            person.home = home
            person.others[0] = person.others[0]
            person.others = person.others
        }
        #expect(!home.isInvalidated)
        #expect(person.others.map(\.street) == ["a"])
        expectIntact(realm)
    }

    @Test func `create and init(value:) copy one that has an owner, with what it owns`() throws {
        let home = Address("home")
        home.floor = Floor(value: [2])
        home.country = Country(value: ["IT"])
        _ = try add(Person(1, home: home))
        let copies = try realm.write {
            [
                realm.create(Person.self, value: ["id": 2, "home": home, "others": [home, ["street": "x"], ["y"]]]),
                realm.create(Person.self, value: Person(value: ["id": 3, "home": home, "named": ["k": home]])),
            ]
        }
        #expect(copies[0].home?.street == "home")
        #expect(copies[0].home?.isSameObject(as: home) == false)
        #expect(copies[0].home?.floor?.number == 2)
        #expect(copies[0].others.map(\.street) == ["home", "x", "y"])
        #expect(copies[1].named["k"]??.country?.code == "IT")
        #expect(realm.objects(Country.self).count == 1)
        #expect(addressCount == 7)
        expectIntact(realm)
    }

    @Test func `an update with modified changes it in place, one with all makes another`() throws {
        let home = Address("home")
        home.floor = Floor(value: [1])
        let person = try add(Person(1, home: home))
        try realm.write { person.others.append(objectsIn: [Address("a"), Address("b"), Address("c")]) }
        let other = person.others[0]
        try realm.write {
            let update: [String: Any] = [
                "id": 1, "home": ["street": "new"], "others": [["street": "A"], ["street": "B"]],
                "named": ["k": ["street": "K"]],
            ]
            realm.create(Person.self, value: update, update: .modified)
        }
        #expect(home.street == "new")
        #expect(home.floor?.number == 1)
        #expect(other.street == "A")
        #expect(person.others.map(\.street) == ["A", "B"])
        let named = try #require(person.named["k"] ?? nil)
        try realm.write {
            realm.create(Person.self, value: ["id": 1, "named": ["k": ["street": "L"]]], update: .modified)
        }
        #expect(named.street == "L")
        try realm.write {
            let update: [String: Any] = ["id": 1, "home": ["street": "newest"], "others": [["street": "a"]]]
            realm.create(Person.self, value: update, update: .all)
        }
        #expect(home.isInvalidated)
        #expect(other.isInvalidated)
        #expect(person.home?.street == "newest")
        #expect(person.home?.floor == nil)
        #expect(person.others.map(\.street) == ["a"])
        #expect(addressCount == 3)
        expectIntact(realm)
    }

    @Test func `embedded objects that lead back to their owner's object are added`() throws {
        let country = Country(value: ["IT"])
        country.capital = Address("Rome")
        country.capital?.country = country
        let inner = Address("inner")
        country.capital?.floor = Floor()
        country.capital?.floor?.building = inner
        try realm.write { realm.add(country) }
        #expect(country.capital?.country == country)
        #expect(country.capital?.floor?.building?.street == "inner")
        #expect(addressCount == 2)
        try realm.write { realm.delete(country) }
        #expect(addressCount == 0)
        expectIntact(realm)
    }

    @Test func `however many levels there are, they are added and deleted`() throws {
        var inner = Floor()
        for _ in 0..<15_000 {
            let address = Address()
            address.floor = inner
            inner = Floor()
            inner.building = address
        }
        let home = Address()
        home.floor = inner
        let person = try add(Person(1, home: home))
        #expect(addressCount == 15_001)
        try realm.write { realm.delete(person) }
        #expect(addressCount == 0)
        #expect(rowCount(Floor.self, in: realm) == 0)
    }

    @Test func `a rolled-back write restores it, and accessors of what went stay invalid`() throws {
        let person = try add(Person(1, home: Address("home")))
        let home = try #require(person.home)
        var added: Address?
        #expect(throws: Stop.self) {
            try realm.write {
                person.home = Address("new")
                added = person.home
                throw Stop()
            }
        }
        #expect(home.isInvalidated)
        #expect(added?.isInvalidated == true)
        #expect(person.home?.street == "home")
        expectIntact(realm)
    }

    @Test func `it can be handed to another thread`() throws {
        let person = try add(Person(1, home: Address("home")))
        let reference = ThreadSafeReference(to: try #require(person.home))
        let configuration = directory.configuration([Person.self, Address.self, Floor.self, Country.self])
        try onAnotherThread {
            let other = try Realm(configuration: configuration)
            #expect(other.resolve(reference)?.street == "home")
        }
    }

    @Test func `deleteAll takes it with its owner`() throws {
        let person = try add(Person(1, home: Address("home")))
        try realm.write { realm.deleteAll() }
        #expect(person.isInvalidated)
        #expect(addressCount == 0)
        #expect(realm.isEmpty)
        expectIntact(realm)
    }

    @Test func `a class that nothing links to is tolerated`() throws {
        let other = try TemporaryRealm()
        let realm = try other.open(Floor.self, Address.self, Country.self)
        #expect(realm.isEmpty)
        #expect(realm.schema["EmbeddedObjectTests.Floor"] != nil)
    }
}
