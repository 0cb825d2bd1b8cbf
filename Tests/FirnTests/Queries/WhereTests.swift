import Firn
import Foundation
import Testing

/// Queries that Swift checks.
@Suite struct WhereTests {
    enum Size: String, PersistableEnum {
        case small, large
    }

    enum Mood: Hashable, PersistableCodable {
        case calm
        case angry(at: String)
    }

    final class Toy: EmbeddedObject {
        @Persisted var name: String
        @Persisted var price: Int?
    }

    final class Dog: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted(indexed: true) var name: String
        @Persisted var nickname: String?
        @Persisted var age: Int
        @Persisted var weight: Double?
        @Persisted var isGood: Bool
        @Persisted var born: Date?
        @Persisted var photo: Data
        @Persisted var size: Size
        @Persisted var formerSize: Size?
        @Persisted var mood: Mood?
        @Persisted var extra: AnyRealmValue
        @Persisted var owner: Person?
        @Persisted var friends: List<Dog>
        @Persisted var scores: List<Int>
        @Persisted var tags: MutableSet<String>
        @Persisted var prices: Map<String, Int>
        @Persisted var rivals: Map<String, Dog?>
        @Persisted var toy: Toy?
        @Persisted var toys: List<Toy>
    }

    final class Person: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name: String
        @Persisted(originProperty: "owner") var dogs: LinkingObjects<Dog>
    }

    private let temporary: TemporaryRealm
    private let realm: Realm
    private var dogs: Results<Dog> { realm.objects(Dog.self) }

    /// Dogs 0 to 9: most of what they have follows from the number.
    init() throws {
        temporary = try TemporaryRealm()
        realm = try temporary.open(Dog.self, Person.self, Toy.self)
        try realm.write {
            let people = (0..<3).map { Person(value: ["id": $0, "name": "Person \($0)"]) }
            let dogs = (0..<10).map { id -> Dog in
                let dog = Dog()
                dog.id = id
                dog.name = ["Ann", "ann", "Ánn", "Bob", "bob", "Carl", "", "日本", "x*y", "Ann B"][id]
                dog.nickname = id % 2 == 0 ? nil : "n\(id)"
                dog.age = id % 5
                dog.weight = id == 3 ? nil : Double(id) / 2
                dog.isGood = id < 4
                dog.born = id == 9 ? nil : Date(timeIntervalSince1970: Double(id) * 86400)
                dog.photo = Data([1, UInt8(id)])
                dog.size = id < 5 ? .small : .large
                dog.formerSize = id < 2 ? nil : .small
                dog.mood = id < 3 ? .calm : id < 6 ? .angry(at: "cats") : nil
                dog.extra = [.int(id), .string("s\(id)"), .none][id % 3]
                dog.owner = id == 0 ? nil : people[id % 3]
                dog.scores.append(objectsIn: 0..<id)
                dog.tags.insert("even")
                if id % 2 == 1 { dog.tags.insert("odd") }
                dog.prices["a"] = id
                dog.prices["b"] = 10 - id
                if id < 5 { dog.toy = Toy(value: ["name": "ball", "price": id]) }
                for number in 0..<id % 3 { dog.toys.append(Toy(value: ["name": "toy \(number)", "price": number])) }
                return dog
            }
            for (id, dog) in dogs.enumerated() {
                for friend in dogs[..<id] where friend.id % 2 == 0 { dog.friends.append(friend) }
                dog.rivals["first"] = id == 0 ? nil : .some(dogs[0])
            }
            realm.add(dogs)
        }
    }

    private func ids(_ predicate: (Query<Dog>) -> Query<Bool>) -> [Int] {
        dogs.where(predicate).map(\.id)
    }

    @Test func `values are compared with constants`() {
        #expect(ids { $0.age == 3 } == [3, 8])
        #expect(ids { $0.age != 3 } == [0, 1, 2, 4, 5, 6, 7, 9])
        #expect(ids { $0.age < 1 } == [0, 5])
        #expect(ids { $0.age <= 1 } == [0, 1, 5, 6])
        #expect(ids { $0.age > 3 } == [4, 9])
        #expect(ids { $0.age >= 3 } == [3, 4, 8, 9])
        #expect(ids { $0.weight == nil } == [3])
        #expect(ids { $0.weight != nil }.count == 9)
        #expect(ids { $0.weight > 4 } == [9])
        #expect(ids { $0.nickname == "n3" } == [3])
        #expect(ids { $0.born < Date(timeIntervalSince1970: 86400) } == [0])
        #expect(ids { $0.photo == Data([1, 7]) } == [7])
        #expect(ids { $0.id.in([1, 5, 99]) } == [1, 5])
        #expect(ids { $0.nickname.in(["n1", nil]) } == [0, 1, 2, 4, 6, 8])
        #expect(ids { $0.age.in([]) }.isEmpty)
    }

    @Test func `predicates are joined, and turned into their opposites`() {
        #expect(ids { $0.age == 3 && $0.isGood } == [3])
        #expect(ids { $0.age == 3 || $0.id == 0 } == [0, 3, 8])
        #expect(ids { !($0.age < 4) } == [4, 9])
        #expect(ids { !$0.isGood } == [4, 5, 6, 7, 8, 9])
        #expect(ids { $0.isGood } == [0, 1, 2, 3])
        #expect(ids { $0.isGood == false }.count == 6)
        // Realm loses the first of these.
        #expect(ids { !(!$0.isGood) } == [0, 1, 2, 3])
        #expect(ids { !$0.age.contains(1...3) } == [0, 4, 5, 9])
        #expect(ids { $0.id == 0 || $0.id == 1 && $0.isGood == false } == [0])
    }

    @Test func `properties are compared with each other`() {
        #expect(ids { $0.id == $0.age } == [0, 1, 2, 3, 4])
        #expect(ids { $0.id > $0.age } == [5, 6, 7, 8, 9])
        #expect(ids { $0.size == $0.size }.count == 10)
    }

    @Test func `ranges have their ends or not`() {
        #expect(ids { $0.age.contains(1...2) } == [1, 2, 6, 7])
        #expect(ids { $0.age.contains(1..<2) } == [1, 6])
        #expect(ids { $0.weight.contains(1.0...1.6) } == [2])
        #expect(ids { $0.weight.contains(1.0..<2.0) } == [2])
        #expect(ids { $0.born.contains(Date(timeIntervalSince1970: 0)...Date(timeIntervalSince1970: 1)) } == [0])
    }

    @Test func `texts are looked into, and case and marks overlooked where that is asked for`() {
        #expect(ids { $0.name.starts(with: "Ann") } == [0, 9])
        #expect(ids { $0.name.starts(with: "ann", options: .caseInsensitive) } == [0, 1, 9])
        #expect(
            ids { $0.name.starts(with: "ann", options: [.caseInsensitive, .diacriticInsensitive]) } == [0, 1, 2, 9])
        #expect(ids { $0.name.ends(with: "ob") } == [3, 4])
        #expect(ids { $0.name.contains("o") } == [3, 4])
        #expect(ids { $0.name.contains("") }.isEmpty)
        #expect(ids { $0.name.like("?o*") } == [3, 4])
        #expect(ids { $0.name.like("B*", caseInsensitive: true) } == [3, 4])
        #expect(ids { $0.name.equals("BOB", options: .caseInsensitive) } == [3, 4])
        #expect(ids { $0.name.notEquals("BOB", options: .caseInsensitive) }.count == 8)
        #expect(ids { $0.nickname.starts(with: "n") } == [1, 3, 5, 7, 9])
        #expect(ids { $0.name.contains($0.name) }.count == 9)
        #expect(ids { $0.photo.starts(with: Data([1])) }.count == 10)
        #expect(ids { $0.photo.ends(with: Data([4])) } == [4])
    }

    @Test func `enums, types of one's own and cases of Codable values are compared`() {
        #expect(ids { $0.size == .large } == [5, 6, 7, 8, 9])
        #expect(ids { $0.size.rawValue.starts(with: "sm") } == [0, 1, 2, 3, 4])
        #expect(ids { $0.formerSize == nil } == [0, 1])
        #expect(ids { $0.formerSize == .small }.count == 8)
        #expect(ids { $0.formerSize.rawValue == "small" }.count == 8)
        #expect(ids { $0.size.in([.small]) }.count == 5)
        #expect(ids { $0.mood.caseName == "angry" } == [3, 4, 5])
        #expect(ids { $0.mood == nil } == [6, 7, 8, 9])
        #expect(ids { $0.mood.caseName != "angry" } == [0, 1, 2, 6, 7, 8, 9])
    }

    @Test func `links lead on, back, and to the object itself`() throws {
        #expect(ids { $0.owner == nil } == [0])
        #expect(ids { $0.owner.name == "Person 1" } == [1, 4, 7])
        #expect(ids { $0.owner.name != "Person 1" } == [0, 2, 3, 5, 6, 8, 9])
        let person = try #require(realm.object(ofType: Person.self, forPrimaryKey: 2))
        #expect(ids { $0.owner == person } == [2, 5, 8])
        #expect(ids { $0.owner.dogs.age == 4 } == [1, 3, 4, 6, 7, 9])
        #expect(ids { $0.owner.dogs.count == 3 } == [1, 2, 3, 4, 5, 6, 7, 8, 9])
        #expect(ids { $0.toy.price > 2 } == [3, 4])
        #expect(ids { $0.toy == nil } == [5, 6, 7, 8, 9])
        let people = realm.objects(Person.self).where { $0.dogs.isGood && $0.dogs.age > 1 }
        #expect(people.map(\.id) == [0, 1, 2])
    }

    @Test func `collections are asked for their elements, all together or each`() {
        #expect(ids { $0.scores.contains(7) } == [8, 9])
        #expect(ids { $0.scores.containsAny(in: [8, 100]) } == [9])
        #expect(ids { $0.scores.count == 3 } == [3])
        #expect(ids { $0.scores.max == 4 } == [5])
        #expect(ids { $0.scores.min == 0 } == [1, 2, 3, 4, 5, 6, 7, 8, 9])
        #expect(ids { $0.scores.sum > 27 } == [8, 9])
        #expect(ids { $0.scores.avg == 1 } == [3])
        #expect(ids { $0.scores.contains(0...2) } == [1, 2, 3])
        #expect(ids { $0.scores.contains(0..<2) } == [1, 2])
        #expect(ids { $0.tags.contains("odd") } == [1, 3, 5, 7, 9])
        #expect(ids { $0.friends.age == 4 } == [5, 6, 7, 8, 9])
        #expect(ids { $0.friends.age.max == 4 } == [5, 6, 7, 8, 9])
        #expect(ids { $0.friends.age.sum > 9 } == [9])
        #expect(ids { $0.friends.count == 2 } == [3, 4])
        #expect(ids { $0.friends.scores.contains(7) } == [9])
        #expect(ids { $0.toys.price == 1 } == [2, 5, 8])
    }

    @Test func `maps are asked for a key, their keys and their values`() {
        #expect(ids { $0.prices["a"] == 3 } == [3])
        #expect(ids { $0.prices["c"] == nil }.count == 10)
        #expect(ids { $0.prices["a"] > 7 } == [8, 9])
        #expect(ids { $0.prices.keys == "b" }.count == 10)
        #expect(ids { $0.prices.keys.starts(with: "B", options: .caseInsensitive) }.count == 10)
        #expect(ids { $0.prices.keys.contains("z") }.isEmpty)
        #expect(ids { $0.prices.values == 1 } == [1, 9])
        #expect(ids { $0.prices.values > 9 } == [0])
        #expect(ids { $0.prices.contains(2) } == [2, 8])
        #expect(ids { $0.prices.max == 10 } == [0])
        #expect(ids { $0.prices.sum == 10 }.count == 10)
        #expect(ids { $0.prices.count == 2 }.count == 10)
        #expect(ids { $0.rivals.name == "Ann" } == [1, 2, 3, 4, 5, 6, 7, 8, 9])
    }

    @Test func `the objects of a collection for which a predicate holds are counted`() {
        #expect(ids { ($0.friends.age > 1 && $0.friends.isGood).count >= 1 } == [3, 4, 5, 6, 7, 8, 9])
        #expect(ids { ($0.friends.age > 1 && $0.friends.isGood).count == 0 } == [0, 1, 2])
        #expect(ids { ($0.friends.age > 1).count == 2 } == [5, 6, 7, 8])
        #expect(ids { ($0.friends.scores.contains(1) || $0.friends.id == 0).count > 1 } == [3, 4, 5, 6, 7, 8, 9])
        #expect(ids { ($0.toys.price >= 0).count == 2 } == [2, 5, 8])
    }

    @Test func `values of any type are asked for what they hold and are`() throws {
        try realm.write {
            dogs[0].extra = .fromArray([.int(7), .fromDictionary(["k": .string("v")])])
            dogs[3].extra = .fromDictionary(["k": .int(7), "l": .fromArray([.int(9)])])
        }
        #expect(ids { $0.extra == .int(6) } == [6])
        #expect(ids { $0.extra == .double(6) } == [6])
        #expect(ids { $0.extra == .string("s4") } == [4])
        #expect(ids { $0.extra == .none } == [2, 5, 8])
        #expect(ids { $0.extra > .int(6) } == [9])
        #expect(ids { $0.extra[0] == .int(7) } == [0])
        #expect(ids { $0.extra[1]["k"] == .string("v") } == [0])
        #expect(ids { $0.extra["k"] == .int(7) } == [3])
        #expect(ids { $0.extra["l"][0] == .int(9) } == [3])
        #expect(ids { $0.extra.any == .int(7) } == [0, 3])
        #expect(ids { $0.extra.type == "string" } == [1, 4, 7])
    }

    @Test func `results of a query are asked again, sorted and searched`() {
        let good = dogs.where { $0.isGood }
        #expect(good.where { $0.age > 1 }.map(\.id) == [2, 3])
        #expect(good.sorted(by: \.age, ascending: false).map(\.id) == [3, 2, 1, 0])
        #expect(dogs.index(matching: { $0.age == 4 }) == 4)
        #expect(dogs.index(matching: { $0.age == 44 }) == nil)
        #expect(dogs[9].friends.where { $0.age > 1 }.map(\.id) == [2, 4, 8])
        #expect(realm.objects(Person.self)[1].dogs.where { $0.age == 4 }.map(\.id) == [4])
    }

    @Test func `results follow changes of what they depend on, behind links too`() throws {
        let results = dogs.where { $0.owner.name == "New" }
        let counted = dogs.where { $0.friends.count == 9 }
        #expect(results.isEmpty && counted.isEmpty)
        try realm.write {
            realm.objects(Person.self)[1].name = "New"
            #expect(results.map(\.id) == [1, 4, 7])
            dogs[5].friends.removeAll()
            dogs[5].friends.append(objectsIn: dogs.prefix(9))
            #expect(counted.map(\.id) == [5])
            realm.delete(dogs[4])
            #expect(results.map(\.id) == [1, 7])
            #expect(counted.isEmpty)
        }
        #expect(results.map(\.id) == [1, 7])
    }

    @Test func `a negative position in a list traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try Realm(
                configuration: Realm.Configuration(
                    inMemoryIdentifier: UUID().uuidString, objectTypes: [Dog.self, Person.self, Toy.self]))
            _ = realm.objects(Dog.self).where { $0.extra[-1] == .int(1) }
        }
        expect(result, says: "A list's positions begin with 0; -1 is none")
    }
}
