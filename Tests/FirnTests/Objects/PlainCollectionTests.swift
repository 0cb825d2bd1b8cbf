import Firn
import Foundation
import Testing

/// Collections of classes with plain properties: constants that become live.
@Suite struct PlainCollectionTests {
    final class Person: Object {
        dynamic var id = 0
        dynamic var name = ""
        let friends = List<Person>()
        let tags = MutableSet<String>()
        let scores = Map<String, Int>()
        override class func primaryKey() -> String? { "id" }

        convenience init(_ id: Int) {
            self.init()
            self.id = id
        }
    }

    private let directory: TemporaryRealm
    private let realm: Realm

    init() throws {
        directory = try TemporaryRealm()
        realm = try directory.open(Person.self)
    }

    private func added() throws -> Person {
        let person = Person(1)
        person.friends.append(objectsIn: [Person(2), Person(3)])
        person.tags.insert("t")
        person.scores["s"] = 1
        try realm.write { realm.add(person) }
        return person
    }

    @Test func `they are added with their object and live from then on`() throws {
        let person = try added()
        #expect(person.friends.realm == realm)
        #expect(person.friends.map(\.id) == [2, 3])
        try realm.write {
            person.name = "x"
            person.friends.append(Person(4))
            person.tags.insert("u")
            person.scores["s"] = nil
        }
        #expect(person.friends.count == 3)
        #expect(person.tags.sorted() == ["t", "u"])
        #expect(person.scores.isEmpty)
        #expect(realm.objects(Person.self).count == 4)
        expectIntact(realm)
    }

    @Test func `those of a fetched object are live`() throws {
        try autoreleasepool { _ = try added() }
        let other = try Realm(configuration: directory.configuration([Person.self]))
        let person = try #require(other.object(ofType: Person.self, forPrimaryKey: 1))
        #expect(person.friends.map(\.id) == [2, 3])
        #expect(person.tags.contains("t"))
        #expect(person.scores["s"] == 1)
        try other.write { person.friends.removeAll() }
        #expect(person.friends.isEmpty)
    }

    @Test func `a rolled-back addition leaves them invalid`() throws {
        struct Stop: Error {}
        let person = Person(1)
        person.tags.insert("t")
        #expect(throws: Stop.self) {
            try realm.write {
                realm.add(person)
                throw Stop()
            }
        }
        #expect(person.isInvalidated)
        #expect(person.tags.isInvalidated)
        let other = try added()
        #expect(other.friends.count == 2)
        #expect(person.tags.isInvalidated)
    }

    @Test func `updates and untyped values reach them`() throws {
        let person = try added()
        try realm.write {
            realm.create(Person.self, value: ["id": 1, "friends": [["id": 5]], "tags": ["u"]], update: .modified)
        }
        #expect(person.friends.map(\.id) == [5])
        #expect(person.tags.sorted() == ["t", "u"])
        #expect(person.scores["s"] == 1)
        let copy = Person(value: person)
        #expect(copy.friends.realm == nil)
        #expect(copy.friends.map(\.id) == [5])
        try realm.write { realm.delete(person) }
        #expect(person.friends.isInvalidated)
    }

    @Test func `an object is not kept by its own collections`() throws {
        weak var weakPerson: Person?
        try {
            let person = try added()
            weakPerson = person
        }()
        #expect(weakPerson == nil)
    }
}
