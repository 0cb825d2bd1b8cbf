import Firn
import Foundation
import Testing

/// Results made of two queries.
@Suite struct CombinedResultsTests {
    final class Dog: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted(indexed: true) var name: String
        @Persisted(indexed: true) var age: Int
        @Persisted var friends: List<Dog>
        @Persisted(originProperty: "friends") var admirers: LinkingObjects<Dog>
    }

    private let temporary: TemporaryRealm
    private let realm: Realm
    private var dogs: Results<Dog> { realm.objects(Dog.self) }

    /// Dogs 0 to 9, of ages 0 to 9 and names a to c; dog 0 has all others for friends, 3 twice.
    init() throws {
        temporary = try TemporaryRealm()
        realm = try temporary.open(Dog.self)
        try realm.write {
            for id in 0..<10 { realm.create(Dog.self, value: ["id": id, "name": ["a", "b", "c"][id % 3], "age": id]) }
            dogs[0].friends.append(objectsIn: dogs.dropFirst())
            dogs[0].friends.append(dogs[3])
        }
    }

    @Test func `either, both, or the one without the other`() {
        let (young, named) = (dogs.where { $0.age < 5 }, dogs.where { $0.name == "a" })
        #expect(young.union(named).map(\.id) == [0, 1, 2, 3, 4, 6, 9])
        #expect(young.intersection(named).map(\.id) == [0, 3])
        #expect(young.subtracting(named).map(\.id) == [1, 2, 4])
        #expect(named.subtracting(young).map(\.id) == [6, 9])
    }

    @Test func `all objects are a set like others`() {
        let named = dogs.where { $0.name == "a" }
        #expect(dogs.union(named).count == 10)
        #expect(named.union(dogs).count == 10)
        #expect(dogs.intersection(named).map(\.id) == [0, 3, 6, 9])
        #expect(named.intersection(dogs).map(\.id) == [0, 3, 6, 9])
        #expect(dogs.subtracting(named).map(\.id) == [1, 2, 4, 5, 7, 8])
        #expect(named.subtracting(dogs).isEmpty)
        #expect(dogs.subtracting(dogs).isEmpty)
        #expect(dogs.union(dogs).count == 10)
    }

    @Test func `the order is that of the first, and what comes after is done to both`() {
        let old = dogs.where { $0.age > 6 }.sorted(by: \.age, ascending: false)
        let named = dogs.where { $0.name == "b" }.sorted(by: \.age)
        #expect(old.union(named).map(\.id) == [9, 8, 7, 4, 1])
        #expect(named.union(old).map(\.id) == [1, 4, 7, 8, 9])
        #expect(old.union(named).limit(2, offset: 1).map(\.id) == [8, 7])
        #expect(old.union(named).filter("id < 8").map(\.id) == [7, 4, 1])
        #expect(old.union(named).distinct(by: ["name"]).map(\.id) == [9, 8, 7])
    }

    @Test func `combined results are live`() throws {
        let both = dogs.filter("age > 7").union(dogs.filter("name == 'x'"))
        let without = dogs.subtracting(both)
        #expect(both.map(\.id) == [8, 9] && without.count == 8)
        try realm.write {
            dogs[0].name = "x"
            dogs[8].age = 1
            #expect(both.map(\.id) == [0, 9] && without.map(\.id) == Array(1..<9))
        }
        #expect(both.map(\.id) == [0, 9])
    }

    @Test func `each part is found by its index`() throws {
        let both = dogs.filter("age == 7").union(dogs.filter("name == 'x'"))
        #expect(both.explain() == "look up index age: age == 7 or index name: name == \"x\"")
    }

    @Test func `elements of one collection are combined where they stand`() {
        let friends = dogs[0].friends
        let (young, named) = (friends.where { $0.age < 4 }, friends.where { $0.name == "a" })
        #expect(young.union(named).map(\.id) == [1, 2, 3, 6, 9, 3])
        #expect(young.subtracting(named).map(\.id) == [1, 2])
        let admirers = dogs[3].admirers
        #expect(admirers.where { $0.id == 0 }.intersection(admirers.where { $0.age == 0 }).map(\.id) == [0, 0])
    }

    // MARK: Misuse

    /// A realm of its own with one dog, for a process that is about to end.
    private static func makeDogs() throws -> Results<Dog> {
        let realm = try Realm(
            configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Dog.self]))
        try realm.write { _ = realm.create(Dog.self, value: ["id": 1]) }
        return realm.objects(Dog.self)
    }

    @Test func `results of two realms trap`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try CombinedResultsTests.makeDogs().union(CombinedResultsTests.makeDogs())
        }
        expect(result, says: "were combined with those of another realm")
    }

    @Test func `results of a class and of a list trap`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let dogs = try CombinedResultsTests.makeDogs()
            _ = dogs.subtracting(dogs[0].friends.where { $0.age == 1 })
        }
        expect(result, says: "were combined with those of another class or collection")
    }

    @Test func `limited results trap`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let dogs = try CombinedResultsTests.makeDogs()
            _ = dogs.intersection(dogs.limit(1))
        }
        expect(result, says: "combine first, then call limit, prefix or distinct")
    }

    @Test func `distinct results trap`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let dogs = try CombinedResultsTests.makeDogs()
            _ = dogs.distinct(by: ["name"]).union(dogs)
        }
        expect(result, says: "combine first, then call limit, prefix or distinct")
    }
}
