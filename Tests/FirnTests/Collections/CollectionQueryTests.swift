import Firn
import Foundation
import TestSupport
import Testing

@Suite struct CollectionQueryTests {
    final class Person: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var dogs: List<Dog>
        @Persisted var friends: MutableSet<Dog>
        @Persisted var byRole: Map<String, Dog?>
        @Persisted var scores: List<Int>
        @Persisted var weights: List<Double?>
        @Persisted var words: MutableSet<String>
        @Persisted var prices: Map<String, Decimal128>
        @Persisted var anything: List<AnyRealmValue>
    }

    final class Dog: Object {
        @Persisted var name = ""
        @Persisted var age = 0
        @Persisted var mother: Dog?
        @Persisted var toys: List<Toy>
    }

    final class Toy: Object {
        @Persisted var price = 0.0
    }

    // As the article has it.
    class ViewController {
        let collection: AnyRealmCollection<Dog>
        init<C: RealmCollection & _ObjcBridgeable>(collection: C) where C.ElementType == Dog {
            self.collection = AnyRealmCollection(collection)
        }
    }

    private let directory: TemporaryRealm
    private let realm: Realm
    private let person: Person

    init() throws {
        directory = try TemporaryRealm()
        realm = try directory.open(Person.self, Dog.self, Toy.self)
        let dogs = ["Rex", "Ada", "Max", "Bo"].enumerated().map { Dog(value: ["name": $1, "age": [3, 1, 2, 1][$0]]) }
        dogs[0].mother = dogs[1]
        dogs[0].toys.append(objectsIn: [Toy(value: ["price": 1.5]), Toy(value: ["price": 2.5])])
        person = Person(value: ["id": 1, "scores": [5, 3, 5, 1], "words": ["b", "a"]])
        person.dogs.append(objectsIn: dogs)
        person.friends.insert(objectsIn: dogs.prefix(2))
        person.byRole["guard"] = dogs[0]
        person.byRole["pet"] = dogs[3]
        person.byRole.updateValue(nil, forKey: "none")
        person.weights.append(objectsIn: [2.5, nil, .nan, -1])
        person.prices["x"] = 2
        person.prices["y"] = 0.5
        let (realm, person) = (realm, person)
        try realm.write { realm.add(person) }
    }

    @Test func `results of a list keep its order, and the elements that stand twice`() throws {
        let young = person.dogs.filter("age < 3")
        #expect(young.map(\.name) == ["Ada", "Max", "Bo"])
        try realm.write { person.dogs.insert(person.dogs[3], at: 0) }
        #expect(young.map(\.name) == ["Bo", "Ada", "Max", "Bo"])
        #expect(young.filter(NSPredicate(format: "age == 1")).count == 3)
        #expect(young.last?.name == "Bo")
        try realm.write { realm.delete(person.dogs[1]) }
        #expect(young.map(\.name) == ["Bo", "Ada", "Max", "Bo"])
        #expect(person.dogs.filter("name == 'Rex'").isEmpty)
    }

    @Test func `results of a list are live in a write`() throws {
        let byAge = person.dogs.sorted(byKeyPath: "age").sorted(byKeyPath: "mother.age")
        #expect(byAge.map(\.name) == ["Rex", "Ada", "Bo", "Max"])
        #expect(person.dogs.sorted(by: \.name).map(\.name) == ["Ada", "Bo", "Max", "Rex"])
        try realm.write {
            person.dogs[3].age = 7
            #expect(byAge.map(\.name) == ["Rex", "Ada", "Max", "Bo"])
            person.dogs.removeAll()
            #expect(byAge.isEmpty)
            #expect(byAge.first == nil)
        }
        #expect(realm.objects(Dog.self).count == 4)
    }

    // Only a query of the whole class gave the file what the write had in memory; one of some objects looked in vain.
    @Test func `conditions through collections see what the open write has put into them`() throws {
        try realm.write {
            for (index, dog) in person.dogs.enumerated() {
                for price in 0..<3 { dog.toys.append(Toy(value: ["price": Double(10 * index + price)])) }
            }
            #expect(person.dogs.filter("ANY toys.price == 21").map(\.name) == ["Max"])
            for dog in person.dogs { dog.toys.append(Toy(value: ["price": Double(100 + dog.age)])) }
            #expect(person.dogs.index(matching: "ANY toys.price == 101") == 1)
            #expect(person.dogs.filter("toys.@count == 4").count == 3)
            let first = realm.objects(Person.self).sorted(byKeyPath: "id").limit(100)
            for id in 2..<40 {
                let other = realm.create(Person.self, value: ["id": id])
                for (index, dog) in person.dogs.enumerated() { other.byRole["\(id * index)"] = dog }
                #expect(first.filter("ANY byRole.age == 2").count == id - 1)
                #expect(first.filter("ANY byRole.age == 2").first?.id == 2)
            }
        }
    }

    @Test func `sets and map values are queried like lists`() {
        #expect(person.friends.sorted(byKeyPath: "name").map(\.name) == ["Ada", "Rex"])
        #expect(person.friends.filter("age > 1").map(\.name) == ["Rex"])
        #expect(person.byRole.sorted(byKeyPath: "name").map { $0?.name } == ["Bo", "Rex"])
        #expect(person.byRole.filter(NSPredicate(format: "age > 1")).first??.name == "Rex")
        #expect(person.byRole.where { $0.age > 1 }.first??.name == "Rex")
        #expect(person.byRole.sum(ofProperty: "age") as Int == 4)
        #expect(person.prices.max() == 2)
        #expect(person.prices.sum() == 2.5)
        #expect(person.prices.sorted(ascending: false).map(\.stringValue) == ["2", "0.5"])
    }

    @Test func `results of values are sorted, made distinct, added up and found`() throws {
        let sorted = person.scores.sorted(ascending: false)
        #expect(Array(sorted) == [5, 5, 3, 1])
        #expect(Array(person.scores.distinct()) == [5, 3, 1])
        #expect(Array(sorted.distinct()) == [5, 3, 1])
        #expect(sorted.first == 5)
        #expect(sorted.last == 1)
        #expect(sorted[2] == 3)
        #expect(sorted.index(of: 3) == 2)
        #expect(sorted.index(of: 9) == nil)
        #expect(person.scores.sum() == 14)
        #expect(person.scores.average() == 3.5)
        #expect(person.scores.min() == 1)
        #expect(person.weights.max() == 2.5)
        #expect(person.weights.sum() == 1.5)
        let weights = Array(person.weights.sorted(ascending: true))
        #expect(weights[0] == nil)
        #expect(weights[1]?.isNaN == true)
        #expect(weights[2...] == [-1, 2.5])
        #expect(Array(person.words.sorted(ascending: false)) == ["b", "a"])
        #expect(!sorted.isInvalidated)
        try realm.write { person.scores.append(4) }
        #expect(Array(sorted) == [5, 5, 4, 3, 1])
        #expect(sorted.description.hasPrefix("Results<Int> <0x"))
    }

    @Test func `where the owner is deleted, results of objects are empty and results of values invalidated`() throws {
        let dogs = person.dogs.filter("age > 0")
        let scores = person.scores.sorted(ascending: true)
        try realm.write { realm.delete(person) }
        #expect(dogs.isEmpty)
        #expect(dogs.count == 0)
        #expect(!dogs.isInvalidated)
        #expect(scores.isInvalidated)
    }

    @Test func `any collection forwards to a list, managed or not`() throws {
        let controller = ViewController(collection: person.dogs)
        #expect(controller.collection.map(\.name) == ["Rex", "Ada", "Max", "Bo"])
        #expect(controller.collection.sorted(byKeyPath: "name").first?.name == "Ada")
        #expect(controller.collection == AnyRealmCollection(person.dogs))
        #expect(ViewController(collection: person.dogs.filter("age > 2")).collection.count == 1)
        let unmanaged = List<Dog>()
        unmanaged.append(Dog(value: ["name": "Zoe", "age": 9]))
        let any = ViewController(collection: unmanaged).collection
        #expect(any.count == 1)
        #expect(any[0].name == "Zoe")
        #expect(any.realm == nil)
        #expect(any.index(of: unmanaged[0]) == 0)
        #expect(any.sum(of: \.age) == 9)
        #expect(any.value(forKey: "name") as? [String] == ["Zoe"])
        unmanaged.removeAll()
        #expect(any.isEmpty)
    }

    @Test func `unmanaged collections are added up`() {
        let numbers = List([3, 1, 2])
        #expect(numbers.sum() == 6)
        #expect(numbers.average() == 2.0)
        #expect(numbers.max() == 3)
        #expect(List<Int>().sum() == 0)
        #expect(List<Int>().min() == nil)
        #expect(List<Int>().average() as Double? == nil)
        let halves: List<Double?> = [0.5, nil, .nan]
        #expect(halves.sum() == 0.5)
        #expect(numbers.index(of: 2) == 2)
    }

    @Test func `values of any type are added up as decimals, and compared by rank`() throws {
        let any = List<AnyRealmValue>([.int(1), .double(0.5), .string("x"), .none])
        #expect(any.sum() == .decimal128(1.5))
        #expect(any.average() as Decimal128? == 0.75)
        #expect(any.max() == .string("x"))
        try realm.write { person.anything.append(objectsIn: any) }
        #expect(person.anything.sum() == .decimal128(1.5))
        #expect(person.anything.min() == .double(0.5))
        #expect(Array(person.anything.sorted(ascending: true)) == [.none, .double(0.5), .int(1), .string("x")])
        #expect(person.anything.sorted(ascending: true).index(of: .double(1)) == 2)
        try realm.write { person.anything.append(.double(1)) }
        #expect(person.anything.distinct().count == 4)
    }

    @Test func `values are read by key and key path, through links and collections`() {
        #expect(person.value(forKeyPath: "dogs.name") as? [String] == ["Rex", "Ada", "Max", "Bo"])
        #expect(person.value(forKeyPath: "dogs.@count") as? Int == 4)
        #expect(person.value(forKeyPath: "dogs.@sum.age") as? Int == 7)
        #expect(person.value(forKeyPath: "dogs.@avg.age") as? Double == 1.75)
        #expect(person.value(forKeyPath: "dogs.@min.age") as? Int == 1)
        #expect(person.value(forKeyPath: "scores.@max.self") as? Int == 5)
        #expect(person.value(forKeyPath: "byRole.pet.name") as? String == "Bo")
        #expect(person.value(forKeyPath: "byRole.nobody.name") == nil)
        #expect(person.value(forKeyPath: "byRole.@allKeys") as? [String] == ["guard", "none", "pet"])
        #expect(person.dogs[0].value(forKeyPath: "mother.name") as? String == "Ada")
        #expect(person.dogs[1].value(forKeyPath: "mother.name") == nil)
        #expect((person.dogs.value(forKeyPath: "toys.price") as? [Any?])?.first as? [Double] == [1.5, 2.5])
        #expect(person.scores.value(forKey: "self") as? [Int] == [5, 3, 5, 1])
        #expect(
            (person.dogs.value(forKeyPath: "mother.name") as? [Any?])?.map { $0 as? String } == ["Ada", nil, nil, nil])
        #expect(person.prices.value(forKey: "x") as? Decimal128 == 2)
        #expect(person.prices.value(forKeyPath: "@sum.self") as? Decimal128 == 2.5)
        let unmanaged = Person(value: ["scores": [1, 2]])
        #expect(unmanaged.value(forKeyPath: "scores.@sum.self") as? Int == 3)
    }

    @Test func `a value is set for all elements, by their property's name`() throws {
        try realm.write { person.dogs.filter("age == 1").setValue("Old", forKey: "name") }
        #expect(person.dogs.map(\.name) == ["Rex", "Old", "Max", "Old"])
        try realm.write { person.prices.setValue(7, forKey: "z") }
        #expect(person.prices["z"] == 7)
        try realm.write { person.prices.setValue(nil, forKey: "z") }
        #expect(person.prices["z"] == nil)
        #expect(person.dogs.objects(at: [0, 2]).map(\.name) == ["Rex", "Max"])
    }

    @Test func `collections and their results are handed to other threads`() throws {
        let list = ThreadSafeReference(to: person.dogs)
        let results = ThreadSafeReference(to: person.dogs.filter("age == 1").sorted(byKeyPath: "name"))
        let scores = ThreadSafeReference(to: person.scores.sorted(ascending: true))
        let map = ThreadSafeReference(to: person.prices)
        try onAnotherThread { [configuration = realm.configuration] in
            let realm = try Realm(configuration: configuration)
            #expect(realm.resolve(list)?.map(\.name) == ["Rex", "Ada", "Max", "Bo"])
            #expect(realm.resolve(results)?.map(\.name) == ["Ada", "Bo"])
            #expect(realm.resolve(scores)?.map { $0 } == [1, 3, 5, 5])
            #expect(realm.resolve(map)?["x"] == 2)
        }
    }

    @Test func `what makes no sense traps with a reason`() async {
        let unmanaged = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = List<Dog>().sorted(byKeyPath: "name")
        }
        #expect(text(unmanaged).contains("that no realm has cannot be sorted"))
        let values = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try Realm(
                configuration: .init(
                    inMemoryIdentifier: "values", objectTypes: [Person.self, Dog.self, Toy.self]))
            let person = Person()
            try realm.write { realm.add(person) }
            _ = person.scores.filter("self > 1")
        }
        #expect(text(values).contains("Values have no properties to ask for"))
    }

    private func text(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }
}
