import Firn
import Foundation
import TestSupport
import Testing

/// `#Predicate` asked of a realm, against Foundation's own answers.
@Suite struct PredicateMacroTests {
    enum Size: String, PersistableEnum, Codable {
        case small, large

        var initial: String { String(rawValue.prefix(1)) }
    }

    final class Dog: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted(indexed: true) var name: String
        @Persisted var nickname: String?
        @Persisted var age: Int
        @Persisted var weight: Double?
        @Persisted var isGood: Bool
        @Persisted var isOld: Bool?
        @Persisted var born: Date
        @Persisted var size: Size
        @Persisted var owner: Person?
        @Persisted var friends: List<Dog>
        @Persisted var scores: List<Int>
        @Persisted var tags: MutableSet<String>
        @Persisted var prices: Map<String, Int>
        @Persisted var toy: Toy?

        var notStored = 1
        var initial: String { String(name.prefix(1)) }
        var isBad: Bool { !isGood }
        var ownerName: String { owner?.name ?? "" }
    }

    final class Person: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name: String
        @Persisted(originProperty: "owner") var dogs: LinkingObjects<Dog>
    }

    final class Toy: EmbeddedObject {
        @Persisted var price: Int
    }

    private let temporary: TemporaryRealm
    private let realm: Realm
    private var dogs: Results<Dog> { realm.objects(Dog.self) }

    init() throws {
        temporary = try TemporaryRealm()
        realm = try temporary.open(Dog.self, Person.self, Toy.self)
        try realm.write {
            let people = (0..<3).map { Person(value: ["id": $0, "name": "Person \($0)"]) }
            var dogs: [Dog] = []
            for id in 0..<12 {
                let dog = Dog(value: ["id": id, "age": id % 5, "isGood": id < 4])
                dog.name = ["Ann", "ann", "Rex", "Bob", "bob", "Carl", "", "Max", "x*y", "Ann B", "Zoe", "Äda"][id]
                dog.nickname = id % 2 == 0 ? nil : "n\(id)"
                dog.weight = id == 3 ? nil : Double(id) / 2
                dog.isOld = [nil, true, false][id % 3]
                dog.born = Date(timeIntervalSince1970: Double(id) * 86400)
                dog.size = id < 5 ? .small : .large
                dog.owner = id == 0 ? nil : people[id % 3]
                dog.friends.append(objectsIn: dogs.filter { $0.id % 2 == 0 })
                dog.scores.append(objectsIn: 0..<id / 2)
                dog.tags.insert(objectsIn: id % 2 == 1 ? ["even", "odd"] : ["even"])
                dog.prices["a"] = id
                if id < 5 { dog.toy = Toy(value: ["price": id]) }
                dogs.append(dog)
            }
            realm.add(dogs)
        }
    }

    /// Checks that the realm and Foundation find the same objects, some but not all.
    private func check(
        _ predicate: Predicate<Dog>, _ text: String, at location: SourceLocation = #_sourceLocation
    ) throws {
        let translated = try ObjectPredicate(predicate)
        #expect(translated.description == text, sourceLocation: location)
        let found = try dogs.filter(predicate).map(\.id)
        let expected = try Array(dogs).filter { try predicate.evaluate($0) }.map(\.id)
        #expect(found == expected, sourceLocation: location)
        #expect(!found.isEmpty && found.count < dogs.count, "\(found)", sourceLocation: location)
    }

    @Test func `values are compared`() throws {
        let day = Date(timeIntervalSince1970: 3 * 86400)
        let small = Size.small
        try check(#Predicate { $0.age == 3 }, "age == 3")
        try check(#Predicate { $0.age != 3 }, "age != 3")
        try check(#Predicate { 3 > $0.age }, "3 > age")
        try check(#Predicate { $0.name >= "Bob" }, "name >= \"Bob\"")
        try check(#Predicate { $0.born <= day }, "born <= date('1970-01-04T00:00:00Z')")
        try check(#Predicate { $0.size == small }, "size == \"small\"")
        try check(#Predicate { $0.size.rawValue == "small" }, "size == \"small\"")
        try check(#Predicate { $0.id == $0.age }, "id == age")
        try check(#Predicate { $0.isGood }, "isGood == true")
        try check(#Predicate { $0.isGood == false }, "isGood == false")
    }

    @Test func `predicates are joined, turned around and chosen`() throws {
        try check(#Predicate { $0.isGood && $0.age > 1 }, "isGood == true AND age > 1")
        try check(#Predicate { $0.isGood || $0.age > 3 }, "isGood == true OR age > 3")
        try check(#Predicate { !($0.age > 3) }, "NOT age > 3")
        try check(#Predicate { ($0.age > 3) == true }, "age > 3")
        try check(#Predicate { ($0.age > 3) != $0.isGood }, "(age > 3 ? true : false) != isGood")
        try check(
            #Predicate { $0.isGood ? $0.age > 1 : $0.age < 1 },
            "(isGood == true AND age > 1) OR ((NOT isGood == true) AND age < 1)")
        try check(
            #Predicate { if $0.age > 2 { $0.isGood } else { false } }, "age > 2 AND isGood == true")
        try check(#Predicate { ($0.isGood ? $0.age : $0.id) > 4 }, "(isGood == true ? age : id) > 4")
    }

    @Test func `numbers are reckoned with`() throws {
        try check(#Predicate { $0.age * 2 - 1 > $0.id }, "((age * 2) - 1) > id")
        try check(#Predicate { $0.id % 3 == 1 }, "(id % 3) == 1")
        try check(#Predicate { $0.id / 3 == 1 }, "(id / 3) == 1")
        try check(#Predicate { -$0.age < -2 }, "(0 - age) < -2")
        try check(#Predicate { ($0.weight ?? 0) / 2 > 1.5 }, "((weight ?? 0.0) / 2.0) > 1.5")
    }

    @Test func `optionals are unwrapped`() throws {
        try check(#Predicate { $0.nickname == nil }, "nickname == nil")
        try check(#Predicate { $0.nickname != nil }, "nickname != nil")
        try check(#Predicate { $0.nickname == "n3" }, "nickname == \"n3\"")
        try check(#Predicate { $0.nickname ?? "" > "n5" }, "(nickname ?? \"\") > \"n5\"")
        try check(#Predicate { $0.owner == nil }, "owner == nil")
        try check(#Predicate { $0.owner?.name == "Person 1" }, "owner.name == \"Person 1\"")
        try check(#Predicate { $0.toy?.price ?? 9 < 3 }, "(toy.price ?? 9) < 3")
        try check(#Predicate { $0.owner?.dogs.isEmpty == nil }, "NOT owner != nil")
        try check(#Predicate { $0.owner?.dogs.isEmpty == false }, "owner != nil AND (NOT owner.dogs.@count == 0)")
        try check(#Predicate { $0.weight.flatMap { $0 > 3 } ?? false }, "weight != nil AND weight > 3.0")
        try check(
            #Predicate { if let weight = $0.weight { weight > 3 } else { true } },
            "(weight != nil AND weight > 3.0) OR (NOT weight != nil)")
        try check(#Predicate { $0.weight.flatMap { $0 + 1 } == 2 }, "(weight + 1.0) == 2.0")
        try check(#Predicate { $0.isOld ?? $0.isGood }, "(isOld ?? isGood) == true")
        try check(#Predicate { $0.isOld == true }, "isOld == true")
        let unwrapped = try ObjectPredicate(#Predicate<Dog> { $0.weight! > 5 })
        #expect(dogs.filter(unwrapped).map(\.id) == [11])
    }

    @Test func `texts are searched`() throws {
        let empty = ""
        try check(#Predicate { $0.name.contains("nn") }, "name CONTAINS \"nn\"")
        try check(#Predicate { $0.name.starts(with: "Ann") }, "name BEGINSWITH \"Ann\"")
        try check(#Predicate { $0.name.localizedStandardContains("ÁN") }, "name CONTAINS[cd] \"ÁN\"")
        try check(#Predicate { $0.name.isEmpty }, "name == \"\"")
        try check(#Predicate { $0.name.contains(empty) && $0.isGood }, "TRUEPREDICATE AND isGood == true")
        try check(
            #Predicate { $0.name.contains($0.nickname ?? "n") },
            "name CONTAINS (nickname ?? \"n\") OR (nickname ?? \"n\") == \"\"")
    }

    @Test func `ranges and captured values contain`() throws {
        let (range, names, ages) = (1...2, ["Ann", "Bob"], Set([3, 4]))
        try check(#Predicate { (1...2).contains($0.age) }, "age >= 1 AND age <= 2")
        try check(#Predicate { (1..<2).contains($0.age) }, "age >= 1 AND age < 2")
        try check(#Predicate { range.contains($0.age) }, "age >= 1 AND age <= 2")
        try check(#Predicate { ($0.age..<5).contains($0.id) }, "id >= age AND id < 5")
        try check(#Predicate { names.contains($0.name) }, "name IN {\"Ann\", \"Bob\"}")
        try check(#Predicate { [3, 4].contains($0.age) }, "age IN {3, 4}")
        #expect(try dogs.filter(#Predicate { ages.contains($0.age) }).map(\.id) == [3, 4, 8, 9])
        let starts = ["A", "B"]
        try check(
            #Predicate { dog in starts.contains { dog.name.starts(with: $0) } },
            "name BEGINSWITH \"A\" OR name BEGINSWITH \"B\"")
    }

    @Test func `collections of values are asked`() throws {
        try check(#Predicate { $0.scores.contains(3) }, "ANY scores == 3")
        try check(#Predicate { $0.tags.contains("odd") }, "ANY tags == \"odd\"")
        try check(#Predicate { $0.scores.contains($0.age) }, "ANY scores == age")
        try check(#Predicate { $0.scores.count > 3 }, "scores.@count > 3")
        try check(#Predicate { $0.scores.isEmpty }, "scores.@count == 0")
        try check(#Predicate { $0.prices.count == 1 && $0.isGood }, "prices.@count == 1 AND isGood == true")
        try check(#Predicate { $0.scores.contains { $0 > 3 } }, "ANY scores > 3")
        try check(#Predicate { $0.scores.contains { $0 > 3 || $0 == 1 } }, "ANY scores > 3 OR ANY scores == 1")
        try check(#Predicate { $0.scores.allSatisfy { $0 < 3 } }, "ALL scores < 3")
        try check(#Predicate { $0.scores.allSatisfy { !($0 > 3) } }, "NOT ANY scores > 3")
        try check(#Predicate { $0.scores.first == 0 }, "scores[0] == 0")
        try check(#Predicate { $0.scores.last == 3 }, "scores[LAST] == 3")
        try check(#Predicate { ($0.scores.max() ?? 0) > 3 }, "(scores.@max ?? 0) > 3")
        #expect(try dogs.filter(#Predicate { $0.scores[2] == 2 }).map(\.id) == [6, 7, 8, 9, 10, 11])
    }

    @Test func `collections of objects are asked`() throws {
        try check(
            #Predicate { $0.friends.contains { $0.age > 3 } },
            "SUBQUERY(friends, $element1, $element1.age > 3).@count > 0")
        try check(
            #Predicate { $0.friends.contains { $0.age > 2 && $0.isGood == false } },
            "SUBQUERY(friends, $element1, $element1.age > 2 AND $element1.isGood == false).@count > 0")
        try check(
            #Predicate { $0.friends.allSatisfy { $0.isGood } },
            "SUBQUERY(friends, $element1, NOT $element1.isGood == true).@count == 0")
        try check(
            #Predicate { $0.friends.filter { $0.age > 1 }.count > 2 },
            "SUBQUERY(friends, $element1, $element1.age > 1).@count > 2")
        try check(
            #Predicate { $0.friends.filter { $0.age > 1 }.isEmpty },
            "SUBQUERY(friends, $element1, $element1.age > 1).@count == 0")
        try check(
            #Predicate { dog in dog.friends.contains { $0.age > dog.age } },
            "SUBQUERY(friends, $element1, $element1.age > age).@count > 0")
        try check(
            #Predicate { $0.friends.contains { $0.friends.contains { $0.age == 2 } } },
            "SUBQUERY(friends, $element1, SUBQUERY($element1.friends, $element2, $element2.age == 2).@count > 0).@count > 0"
        )
        try check(
            #Predicate { $0.owner?.dogs.contains { $0.age == 0 } ?? false },
            "owner != nil AND SUBQUERY(owner.dogs, $element1, $element1.age == 0).@count > 0")
        try check(
            #Predicate { $0.friends.filter { $0.isGood }.allSatisfy { $0.age == 0 } },
            "SUBQUERY(friends, $element1, $element1.isGood == true AND (NOT $element1.age == 0)).@count == 0")
    }

    // MARK: Random predicates

    @Test func `random predicates find what Foundation finds`() throws {
        let all = Array(dogs)
        try RandomRuns(1...2).run { seed in
            var generator = SeededGenerator(seed: seed)
            for _ in 0..<60 {
                let predicate = Predicate<Dog> { RandomPredicate.make($0, depth: 3, &generator) }
                let translated = try ObjectPredicate(predicate)
                let found = dogs.filter(translated)
                let expected = try all.filter { try predicate.evaluate($0) }.map(\.id)
                try #require(found.map(\.id) == expected, "\(translated)")
            }
        }
    }

    // MARK: Errors

    @Test func `what no query can ask is an error that names it`() {
        func expect(_ predicate: Predicate<Dog>, names what: String, at location: SourceLocation = #_sourceLocation) {
            let message = expectError(.invalidInput, sourceLocation: location) {
                _ = try ObjectPredicate(predicate)
            }
            #expect(message.contains(what), "\(message)", sourceLocation: location)
        }
        expect(#Predicate { $0.name.count > 3 }, names: "of a String")
        expect(#Predicate { $0.notStored == 1 }, names: "a property of 'PredicateMacroTests.Dog' that is not persisted")
        for predicate in [
            #Predicate<Dog> { $0.initial == "A" }, #Predicate { $0.isBad }, #Predicate { $0.ownerName == "x" },
        ] {
            expect(predicate, names: "a property of 'PredicateMacroTests.Dog' that is not persisted")
        }
        expect(#Predicate { $0.size.initial == "s" }, names: "of a Size")
        expect(#Predicate { $0.tags.first == "even" }, names: "of a MutableSet<String>")
        expect(#Predicate { $0.scores.contains { $0 > 1 && $0 < 3 } }, names: "several conditions on one value")
        expect(#Predicate { $0.name.contains(/n+/) }, names: "StringContainsRegex")
    }

    @Test func `every call that takes one is served`() throws {
        let predicate = #Predicate<Dog> { $0.age > 3 }
        #expect(try dogs.index(matching: predicate) == 4)
        let repository = try Repository<Dog>(
            configuration: temporary.configuration([Dog.self, Person.self, Toy.self]))
        let found: Results<Dog> = try repository.find(predicate)
        #expect(found.map(\.id) == [4, 9])
        let friends = try #require(dogs.last).friends
        let oldFriends: Results<Dog> = try friends.filter(predicate)
        #expect(oldFriends.map(\.id) == [4])
    }
}
