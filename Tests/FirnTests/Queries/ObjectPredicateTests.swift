import Firn
import Foundation
import TestSupport
import Testing

/// Predicates that are made once and used often.
@Suite struct ObjectPredicateTests {
    final class Dog: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted(indexed: true) var name: String
        @Persisted var age: Int
        @Persisted var owner: Person?
        @Persisted var toy: Toy?
        @Persisted var toys: List<Toy>

        override class func propertiesMapping() -> [String: String] { ["age": "years"] }
    }

    final class Person: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name: String
        @Persisted var dogs: List<Dog>
        @Persisted var pack: MutableSet<Dog>
        @Persisted var byName: Map<String, Dog?>
        @Persisted(originProperty: "owner") var owned: LinkingObjects<Dog>
        @Persisted var home: House?

        // Predicate text cannot name a class that is nested in another type.
        override class func className() -> String { "ObjectPredicatePerson" }
    }

    final class Toy: EmbeddedObject {
        @Persisted var price: Int
    }

    /// What links here, it does not know.
    final class House: Object {
        @Persisted(primaryKey: true) var id: Int
    }

    private static let classes = [Dog.self, Person.self, Toy.self, House.self]

    private let temporary: TemporaryRealm
    private let realm: Realm
    private var dogs: Results<Dog> { realm.objects(Dog.self) }

    init() throws {
        temporary = try TemporaryRealm()
        realm = try Self.fill(temporary)
    }

    private static func fill(_ temporary: TemporaryRealm) throws -> Realm {
        let realm = try Realm(configuration: temporary.configuration(classes))
        try realm.write {
            let people = (0..<2).map { Person(value: ["id": $0, "name": "Person \($0)", "home": ["id": $0]]) }
            realm.add(people)
            for (id, name) in ["Rex", "Max", "Moe", "Ada"].enumerated() {
                let dog = realm.create(Dog.self, value: ["id": id, "name": name, "age": id + 1, "toy": ["price": id]])
                dog.owner = id == 0 ? nil : people[id % 2]
                dog.toys.append(objectsIn: [Toy(value: ["price": id]), Toy(value: ["price": 10])])
                people[0].dogs.append(dog)
                people[0].pack.insert(dog)
                people[0].byName[name] = dog
            }
        }
        return realm
    }

    private func ids(_ predicate: ObjectPredicate<Dog>) -> [Int] { dogs.filter(predicate).map(\.id) }

    @Test func `a predicate is made of text, of Swift or of an NSPredicate`() throws {
        let expected = [2, 3]
        #expect(try ids(ObjectPredicate("age > %@", 2)) == expected)
        #expect(try ids(ObjectPredicate("age > 2")) == expected)
        #expect(try ids(ObjectPredicate(format: "%K > %d", argumentArray: ["age", 2])) == expected)
        #expect(try ids(ObjectPredicate(format: "age > 2")) == expected)
        #expect(try ids(ObjectPredicate { $0.age > 2 }) == expected)
        #expect(try ids(ObjectPredicate(where: { $0.age > 2 })) == expected)
        #expect(try ids(ObjectPredicate(NSPredicate(format: "age > 2"))) == expected)
        let parts = [NSPredicate(format: "age > 1"), NSPredicate(format: "name != %@", "Max")]
        #expect(try ids(ObjectPredicate(NSCompoundPredicate(andPredicateWithSubpredicates: parts))) == expected)
        #expect(try ids(ObjectPredicate(NSPredicate(value: true))).count == 4)
    }

    @Test func `a property is called as in Swift or as in the file`() throws {
        #expect(try ids(ObjectPredicate("years == 2")) == [1])
        #expect(try ids(ObjectPredicate("owner.owned.@count == 2")) == [1, 3])
    }

    @Test func `every call that takes text takes one`() throws {
        let predicate = try ObjectPredicate<Dog>("name BEGINSWITH %@", "M")
        let person = try #require(realm.objects(Person.self).first)
        #expect(realm.objects(Dog.self, where: predicate).map(\.id) == [1, 2])
        #expect(dogs.filter(predicate).filter(predicate).sorted(byKeyPath: "name").map(\.id) == [1, 2])
        #expect(dogs.index(matching: predicate) == 1)
        #expect(dogs.sorted(byKeyPath: "name").index(matching: predicate) == 1)
        #expect(person.dogs.filter(predicate).count == 2)
        #expect(person.dogs.index(matching: predicate) == 1)
        #expect(person.pack.filter(predicate).count == 2)
        #expect(person.byName.filter(predicate).count == 2)
        #expect(person.owned.filter(predicate).map(\.id) == [2])
        #expect(AnyRealmCollection(person.dogs).filter(predicate).count == 2)
        let repository = try Repository<Dog>(configuration: temporary.configuration(Self.classes))
        #expect(repository.find(predicate).map(\.id) == [1, 2])
        let toys = try #require(dogs.last).toys
        #expect(try toys.filter(ObjectPredicate("price > 9")).count == 1)
    }

    @Test func `results of a predicate follow changes`() throws {
        let predicate = try ObjectPredicate<Dog>("age > 3")
        let old = dogs.filter(predicate)
        #expect(old.map(\.id) == [3])
        try realm.write { dogs.first?.age = 9 }
        #expect(old.map(\.id) == [0, 3])
        #expect(ids(predicate) == [0, 3])
    }

    @Test func `predicates are joined and turned around`() throws {
        let isOld = try ObjectPredicate<Dog>("age > %@", 2)
        let isRex = try ObjectPredicate<Dog> { $0.name == "Rex" }
        let person = try #require(realm.objects(Person.self).last)
        let isOwned = try ObjectPredicate<Dog>("owner == %@", person)
        #expect(ids(isOld || isRex) == [0, 2, 3])
        let isOther = !isRex
        #expect(ids(isOld && isOther) == [2, 3])
        #expect(ids(isOld && isOwned) == [3])
        let isAlike = !isOwned && !isOld || isOwned && isOld
        #expect(ids(isAlike) == [0, 3])
    }

    // MARK: Text

    @Test func `its text makes an equal one`() throws {
        let predicates: [ObjectPredicate<Dog>] = [
            try ObjectPredicate("age>%@ && (name like[c] 'r*' or not owner.name in {'a', 'b'})", 3),
            try ObjectPredicate { $0.age.contains(1...2) || $0.toys.price > 3 },
            try ObjectPredicate { ($0.toys.price > 3 && $0.toys.price < 5).count == 1 },
        ]
        for predicate in predicates {
            let read = try ObjectPredicate<Dog>(predicate.description)
            #expect(read == predicate)
            #expect(read.hashValue == predicate.hashValue)
            #expect(ids(read) == ids(predicate))
        }
        #expect(predicates[0].description == "age > 3 AND (name LIKE[c] \"r*\" OR (NOT owner.name IN {\"a\", \"b\"}))")
        #expect(Set(predicates).count == 3)
        #expect(try ObjectPredicate<Dog>("age > 3") == ObjectPredicate { $0.age > 3 })
    }

    // MARK: Faults

    private func expectFault(_ position: Int?, _ text: String, _ arguments: Any?..., says part: String) {
        let error = #expect(throws: Realm.Error.self) {
            try ObjectPredicate<Dog>(format: text, argumentArray: arguments as [Any])
        }
        #expect(error?.code == .invalidInput)
        #expect(error?.position == position, "\(error?.message ?? "")")
        #expect(error?.message.contains(part) ?? false, "\(error?.message ?? "")")
    }

    @Test func `a fault is thrown when it is made, with its position`() {
        expectFault(7, "age == ", says: "(at character 8)")
        expectFault(0, "size == 1", says: "has no property “size”")
        expectFault(12, "age == 1 AND", says: "(at character 13)")
        expectFault(13, "age == 1 AND name == 3", says: "Dog.name")
        expectFault(0, "age == %@", "x", says: "Dog.age")
        expectFault(0, "owner.age == 1", says: "ObjectPredicatePerson has no property “age”")
        expectFault(nil, "age == %@", 1, 2, says: "takes 1 argument, but 2 were given")
        let block = NSPredicate { _, _ in true }
        #expect(throws: Realm.Error.self) { try ObjectPredicate<Dog>(block) }
        #expect(throws: Realm.Error.self) { try ObjectPredicate<Dog>(NSPredicate(format: "size == 1")) }
        #expect(throws: Realm.Error.self) { try ObjectPredicate<Toy>("age == 1") }
    }

    // MARK: Realms and threads

    @Test func `one predicate serves several threads and files`() throws {
        let other = try TemporaryRealm()
        let otherRealm = try Self.fill(other)
        try otherRealm.write { otherRealm.delete(otherRealm.objects(Dog.self).where { $0.name == "Moe" }) }
        let predicate = try ObjectPredicate<Dog> { $0.age > 2 }
        let configuration = temporary.configuration(Self.classes)
        for _ in 0..<3 {
            #expect(ids(predicate) == [2, 3])
            #expect(otherRealm.objects(Dog.self).filter(predicate).map(\.id) == [3])
            try onAnotherThread {
                let realm = try Realm(configuration: configuration)
                #expect(realm.objects(Dog.self).filter(predicate).map(\.id) == [2, 3])
            }
        }
    }

    @Test func `more realms than it remembers are no harm`() throws {
        let predicate = try ObjectPredicate<Dog> { $0.age > 2 }
        let realms = try (0..<10).map { number in
            try Realm(
                configuration: Realm.Configuration(
                    inMemoryIdentifier: "\(UUID().uuidString) \(number)", objectTypes: Self.classes))
        }
        for _ in 0..<2 {
            for realm in realms { #expect(realm.objects(Dog.self).filter(predicate).isEmpty) }
        }
    }

    @Test func `objects in it are those of their file`() throws {
        let other = try TemporaryRealm()
        let otherRealm = try Self.fill(other)
        let person = try #require(realm.objects(Person.self).last)
        let predicates = [
            try ObjectPredicate<Dog>("owner == %@", person), try ObjectPredicate<Dog> { $0.owner == person },
            try ObjectPredicate<Dog>("owner IN %@", [person]),
        ]
        let configuration = temporary.configuration(Self.classes)
        for predicate in predicates {
            #expect(ids(predicate) == [1, 3])
            #expect(otherRealm.objects(Dog.self).filter(predicate).isEmpty)
            try onAnotherThread {
                let realm = try Realm(configuration: configuration)
                #expect(realm.objects(Dog.self).filter(predicate).map(\.id) == [1, 3])
            }
            #expect(ids(try ObjectPredicate(predicate.nsPredicate)) == [1, 3])
        }
        #expect(ids(try ObjectPredicate("owner == %@", Person())).isEmpty)
        #expect(ids(try ObjectPredicate("owner == %@", nil)) == [0])
        try realm.write { realm.delete(person) }
        #expect(ids(try ObjectPredicate("owner == %@", person)).isEmpty)
    }

    @Test func `classes that only a path names are found`() throws {
        let predicate = try ObjectPredicate<House>("ANY @links.ObjectPredicatePerson.home.name == 'Person 1'")
        #expect(realm.objects(House.self).filter(predicate).map(\.id) == [1])
    }

    @Test func `for dynamic objects it is checked when it is used`() throws {
        let predicate = try ObjectPredicate<DynamicObject>("age > 3")
        #expect(realm.dynamicObjects(Dog.className()).filter(predicate).count == 1)
    }
}
