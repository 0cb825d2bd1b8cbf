import Firn
import Foundation
import Testing

@Suite struct ObjectCodableTests {
    enum Size: String, PersistableEnum, Codable { case small, large }
    enum Mood: PersistableCodable {
        case calm(level: Int)
        case wild
    }

    class Person: Object, Codable {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name = "nobody"
        @Persisted var born: Date?
        @Persisted var picture: Data
        @Persisted var size: Size
        @Persisted var mood: Mood?
        @Persisted var address: Address?
        @Persisted var friend: Person?
        @Persisted var friends: List<Person>
        @Persisted var byName: Map<String, Person?>
        @Persisted var anything: AnyRealmValue
    }

    class Address: EmbeddedObject, Codable {
        @Persisted var street = ""
    }

    class Node: Object, Codable {
        @Persisted var next: Node?
    }

    private let directory: TemporaryRealm
    private let realm: Realm
    private let encoder = JSONEncoder()
    private let decoder = JSONDecoder()

    init() throws {
        directory = try TemporaryRealm()
        realm = try directory.open(Person.self, Address.self, Node.self)
        encoder.outputFormatting = .sortedKeys
        encoder.dateEncodingStrategy = .iso8601
        decoder.dateDecodingStrategy = .iso8601
    }

    private func makePerson() -> Person {
        let person = Person(value: [
            "id": 1, "name": "a", "born": Date(timeIntervalSince1970: 0), "picture": Data([1, 2]),
        ])
        person.size = .large
        person.mood = .calm(level: 2)
        person.address = Address(value: ["street": "s"])
        person.friend = Person(value: ["id": 2])
        person.anything = .int(4)
        return person
    }

    private static let text = #"""
        {"address":{"street":"s"},"anything":{"int":4},"born":"1970-01-01T00:00:00Z","byName":{},\#
        "friend":{"address":null,"anything":null,"born":null,"byName":{},"friend":null,"friends":[],"id":2,\#
        "mood":null,"name":"nobody","picture":"","size":"small"},"friends":[],"id":1,"mood":{"calm":{"level":2}},\#
        "name":"a","picture":"AQI=","size":"large"}
        """#

    @Test func `an object is encoded alike before and after it is added`() throws {
        let person = makePerson()
        #expect(String(decoding: try encoder.encode(person), as: UTF8.self) == Self.text)
        try realm.write { realm.add(person) }
        #expect(String(decoding: try encoder.encode(person), as: UTF8.self) == Self.text)
        let other = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
        #expect(String(decoding: try encoder.encode(other), as: UTF8.self) == Self.text)
    }

    @Test func `what was encoded is decoded to an unmanaged object`() throws {
        let person = try decoder.decode(Person.self, from: Data(Self.text.utf8))
        #expect(person.realm == nil)
        #expect(String(decoding: try encoder.encode(person), as: UTF8.self) == Self.text)
        try realm.write { realm.add(person) }
        #expect(person.friend?.id == 2)
    }

    @Test func `an optional may be missing or null, and nothing else`() throws {
        let text = #"{"id":1,"name":"a","picture":"","size":"small","friends":[],"byName":{},"anything":null}"#
        let person = try decoder.decode(Person.self, from: Data(text.utf8))
        #expect(person.born == nil)
        #expect(person.friend == nil)
        for (part, replacement) in [
            (#","name":"a""#, ""), (#","friends":[]"#, ""), (#""friends":[]"#, #""friends":null"#),
            (#""name":"a""#, #""name":null"#), (#""small""#, #""tiny""#),
        ] {
            let bad = text.replacingOccurrences(of: part, with: replacement)
            #expect(throws: DecodingError.self, "\(bad)") { try decoder.decode(Person.self, from: Data(bad.utf8)) }
        }
    }

    @Test func `an object within itself is encoded as its primary key`() throws {
        let person = Person(value: ["id": 1])
        let friend = Person(value: ["id": 2])
        person.friends.append(friend)
        friend.friend = person
        friend.byName["x"] = .some(friend)
        try realm.write { realm.add(person) }
        let json = try JSONSerialization.jsonObject(with: encoder.encode(person)) as? [String: Any]
        let inner = (json?["friends"] as? [[String: Any]])?.first
        #expect(inner?["id"] as? Int == 2)
        #expect(inner?["friend"] as? Int == 1)
        #expect((inner?["byName"] as? [String: Any])?["x"] as? Int == 2)
    }

    @Test func `an unmanaged object stands within itself no more often than a managed one`() throws {
        func text(_ person: Person) throws -> String { String(decoding: try encoder.encode(person), as: UTF8.self) }
        let person = Person(value: ["id": 1])
        let friend = Person(value: ["id": 2])
        person.friends.append(friend)
        friend.friend = person
        let other = Person(value: ["id": 3, "friends": [Person(value: ["id": 4])]])
        other.friends[0].friend = other
        let third = Person(value: ["id": 5])
        third.friend = Person(value: ["id": 6, "friends": [third]])
        let decoded = try decoder.decode(Person.self, from: Data(Self.text.utf8))
        decoded.friend?.friends.append(decoded)
        for (root, back) in [(person, "friend"), (other, "friend"), (third, "friends"), (decoded, "friends")] {
            let json = try JSONSerialization.jsonObject(with: encoder.encode(root)) as? [String: Any]
            let inner =
                back == "friend" ? (json?["friends"] as? [[String: Any]])?.first : json?["friend"] as? [String: Any]
            let innermost = back == "friend" ? inner?["friend"] : (inner?["friends"] as? [Any])?.first
            #expect(innermost as? Int == root.id)
            let before = try text(root)
            try realm.write { realm.add(root, update: .all) }
            #expect(try text(root) == before)
        }
    }

    @Test func `a cycle without primary key and too long a chain are errors`() throws {
        let node = Node()
        node.next = node
        #expect(throws: EncodingError.self) { try encoder.encode(node) }
        try realm.write { realm.add(node) }
        #expect(throws: EncodingError.self) { try encoder.encode(node) }
        var chain = Node()
        for _ in 0..<1000 {
            let next = Node()
            next.next = chain
            chain = next
        }
        #expect(throws: EncodingError.self) { try encoder.encode(chain) }
    }
}
