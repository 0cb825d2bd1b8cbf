import Firn
import Foundation
import LMDB
import Testing

/// Results that were looked at once do nothing until something changes that they depend on.
@Suite struct ResultsWorkTests {
    final class Dog: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted(indexed: true) var name: String
        @Persisted var age: Int
        @Persisted var weight: Double
        @Persisted var owner: Person?
    }

    final class Person: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name: String
        @Persisted var age: Int
    }

    private let temporary: TemporaryRealm
    private let realm: Realm
    private let dogs: Results<Dog>

    /// Dogs 0 to 9, of which 0 to 4 are called Rex; each has person 0 for an owner.
    init() throws {
        temporary = try TemporaryRealm()
        realm = try temporary.open(Dog.self, Person.self)
        dogs = realm.objects(Dog.self)
        try realm.write {
            let owner = realm.create(Person.self, value: ["id": 0, "name": "Ann"])
            for id in 0..<10 {
                realm.create(Dog.self, value: ["id": id, "name": id < 5 ? "Rex" : "Rover", "age": id, "owner": owner])
            }
        }
    }

    /// How often the store is asked while results are looked at, before and after the commit of a change.
    private func calls(_ results: Results<Dog>, after change: () -> Void) throws -> Int {
        // They are gathered, and the change is not counted.
        _ = results.map(\.id)
        var count = 0
        func look() { count += Faults.callCount { _ = (results.count, results.isEmpty) } }
        try realm.write {
            change()
            look()
        }
        look()
        return count
    }

    @Test func `changes that cannot touch results cost them no look at the store`() throws {
        let rexes = dogs.where { $0.name == "Rex" }.sorted(by: \.age)
        #expect(try calls(rexes) { realm.create(Person.self, value: ["id": 1]) } == 0)
        #expect(try calls(rexes) { realm.objects(Person.self)[0].name = "Bob" } == 0)
        #expect(try calls(rexes) { dogs[0].weight = 5 } == 0)
        #expect(try calls(rexes) { dogs[0].owner = nil } == 0)
        #expect(rexes.map(\.id) == [0, 1, 2, 3, 4])
    }

    @Test func `changes behind links count where the query leads through them`() throws {
        let annsDogs = dogs.where { $0.owner.name == "Ann" }.sorted(byKeyPath: "owner.age")
        #expect(try calls(annsDogs) { dogs[0].weight = 5 } == 0)
        #expect(try calls(annsDogs) { dogs[0].name = "Max" } == 0)
        #expect(try calls(annsDogs) { realm.objects(Person.self)[0].age = 7 } > 0)
        #expect(try calls(annsDogs) { dogs[0].owner = nil } > 0)
        #expect(annsDogs.count == 9)
    }

    @Test func `changes of what is asked for or sorted by, and of which objects there are, are looked at`() throws {
        let rexes = dogs.where { $0.name == "Rex" }.sorted(by: \.age)
        #expect(try calls(rexes) { dogs[0].age = 50 } > 0)
        #expect(try calls(rexes) { dogs[1].name = "Max" } > 0)
        #expect(try calls(rexes) { realm.create(Dog.self, value: ["id": 20, "name": "Rex", "age": 1]) } > 0)
        #expect(try calls(rexes) { realm.delete(dogs[2]) } > 0)
        #expect(rexes.map(\.id) == [20, 3, 4, 0])
    }
}
