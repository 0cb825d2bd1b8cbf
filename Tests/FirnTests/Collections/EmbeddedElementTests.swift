import Firn
import Foundation
import Testing

/// Embedded objects in lists and maps.
@Suite struct EmbeddedElementTests {
    final class Person: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var addresses: List<Address>
        @Persisted var byKind: Map<String, Address?>
    }

    final class Address: EmbeddedObject {
        @Persisted var street = ""
        @Persisted var notes: List<String>
        @Persisted var rooms: List<Room>
    }

    final class Room: EmbeddedObject {
        @Persisted var number: Int
    }

    private func withPerson(_ body: (Realm, Person) throws -> Void) throws {
        let directory = try TemporaryRealm()
        let realm = try directory.open(Person.self, Address.self, Room.self)
        try body(realm, realm.write { realm.create(Person.self, value: ["id": 1]) })
    }

    private func address(_ street: String) -> Address {
        Address(value: ["street": street, "notes": ["n"], "rooms": [["number": 1]]])
    }

    @Test func `embedded elements come with all that is in them`() throws {
        try withPerson { realm, person in
            try realm.write {
                person.addresses.append(address("A"))
                person.byKind["home"] = address("B")
            }
            #expect(person.addresses[0].street == "A")
            #expect(person.addresses[0].notes.first == "n")
            #expect(person.addresses[0].rooms.first?.number == 1)
            #expect(person.byKind["home"]??.street == "B")
            #expect(person.byKind["home"]??.rooms.count == 1)
        }
    }

    @Test func `an element that is replaced or removed is deleted`() throws {
        try withPerson { realm, person in
            try realm.write {
                person.addresses.append(objectsIn: ["A", "B", "C"].map(address))
                person.byKind["home"] = address("D")
                person.byKind["work"] = address("E")
            }
            let (first, second) = (person.addresses[0], person.addresses[1])
            let (home, work) = (person.byKind["home"] ?? nil, person.byKind["work"] ?? nil)
            let room = first.rooms[0]
            try realm.write {
                person.addresses[0] = address("F")
                person.addresses.remove(at: 1)
                person.byKind["home"] = address("G")
                person.byKind["work"] = nil
            }
            #expect(first.isInvalidated && second.isInvalidated && room.isInvalidated)
            #expect(home?.isInvalidated == true && work?.isInvalidated == true)
            #expect(person.addresses.map(\.street) == ["F", "C"])
            #expect(person.byKind.keys == ["home"])
            let last = person.addresses[1]
            try realm.write {
                person.addresses.removeAll()
                person.byKind.removeAll()
            }
            #expect(last.isInvalidated)
        }
    }

    @Test func `moving elements keeps them`() throws {
        try withPerson { realm, person in
            try realm.write {
                person.addresses.append(objectsIn: ["A", "B", "C"].map(address))
                let first = person.addresses[0]
                person.addresses.move(from: 0, to: 2)
                person.addresses.swapAt(0, 1)
                person.addresses[2] = first
                #expect(!first.isInvalidated)
                #expect(person.addresses.map(\.street) == ["C", "B", "A"])
            }
        }
    }

    @Test func `a second owner is refused`() throws {
        try withPerson { realm, person in
            try realm.write { person.addresses.append(address("A")) }
            expectError(.invalidInput) { try realm.write { person.addresses.append(person.addresses[0]) } }
            expectError(.invalidInput) { try realm.write { person.byKind["home"] = person.addresses[0] } }
            expectError(.invalidInput) {
                try realm.write {
                    let other = realm.create(Person.self, value: ["id": 2])
                    other.addresses = person.addresses
                }
            }
            #expect(person.addresses.count == 1)
            #expect(person.byKind.isEmpty)
        }
    }

    @Test func `deleting an element takes it out of its list, and leaves nil in a map`() throws {
        try withPerson { realm, person in
            try realm.write {
                person.addresses.append(objectsIn: ["A", "B"].map(address))
                person.byKind["home"] = address("C")
                realm.delete(person.addresses[0])
                if let home = person.byKind["home"] ?? nil { realm.delete(home) }
            }
            #expect(person.addresses.map(\.street) == ["B"])
            #expect(person.byKind["home"] == .some(.none))
        }
    }
}
