import Firn
import Foundation
import TestSupport
import Testing

/// Results in sections.
@Suite struct SectionedResultsTests {
    enum Size: String, PersistableEnum {
        case small, large
    }

    final class Dog: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name: String
        @Persisted var age: Int
        @Persisted var weight: Double?
        @Persisted var size: Size
        @Persisted var extra: AnyRealmValue
        @Persisted var owner: Person?
        @Persisted var scores: List<Int>

        var initial: String { String(name.prefix(1)) }
    }

    final class Person: Object {
        @Persisted var name: String
        @Persisted var dogs: List<Dog>
        @Persisted var pack: MutableSet<Dog>
        @Persisted var words: List<String>
        @Persisted var marks: MutableSet<Int>
        @Persisted var grades: List<Double>
        @Persisted(originProperty: "owner") var owned: LinkingObjects<Dog>
    }

    private let temporary: TemporaryRealm
    private let realm: Realm
    private var dogs: Results<Dog> { realm.objects(Dog.self) }

    init() throws {
        temporary = try TemporaryRealm()
        realm = try temporary.open(Dog.self, Person.self)
        try realm.write {
            let owner = Person(value: ["name": "Ann"])
            realm.add(owner)
            for (id, name) in ["Rex", "Max", "Ralf", "Ada", "Moe", "Anton"].enumerated() {
                let dog = realm.create(Dog.self, value: ["id": id, "name": name, "age": id % 3])
                dog.weight = id < 2 ? nil : Double(id / 3)
                dog.size = id < 3 ? .small : .large
                dog.extra = id == 0 ? .none : id < 3 ? .int(1) : .string("x")
                dog.owner = id % 2 == 0 ? owner : nil
                owner.dogs.append(dog)
                owner.pack.insert(dog)
            }
            owner.words.append(objectsIn: ["pear", "apple", "plum", "avocado", "fig"])
            owner.marks.insert(objectsIn: [5, 12, 17, 3])
            owner.grades.append(objectsIn: [.nan, 1.5, .nan, 2])
        }
    }

    private func owner() throws -> Person { try #require(realm.objects(Person.self).first) }

    private func names<Key>(_ sections: SectionedResults<Key, Dog>) -> [[String]] {
        sections.map { $0.map(\.name) }
    }

    @Test func `a property makes the sections, and sorts`() {
        let sections = dogs.sectioned(by: \.age)
        #expect(sections.allKeys == [0, 1, 2])
        #expect(names(sections) == [["Rex", "Ada"], ["Max", "Moe"], ["Ralf", "Anton"]])
        #expect(dogs.sectioned(by: \.age, ascending: false).allKeys == [2, 1, 0])
    }

    @Test func `a computed property sorts by what it is computed from`() {
        let sections = dogs.sectioned(by: \.initial)
        #expect(sections.allKeys == ["A", "M", "R"])
        #expect(names(sections) == [["Ada", "Anton"], ["Max", "Moe"], ["Ralf", "Rex"]])
    }

    @Test func `further sort descriptors order the elements of a section`() {
        let descriptors = [SortDescriptor(keyPath: "age", ascending: false), SortDescriptor(keyPath: "name")]
        let sections = dogs.sectioned(by: \.age, sortDescriptors: descriptors)
        #expect(sections.allKeys == [2, 1, 0])
        #expect(names(sections) == [["Anton", "Ralf"], ["Max", "Moe"], ["Ada", "Rex"]])
    }

    @Test func `a function makes the sections, in the order of their first elements`() {
        let sections = dogs.sectioned(by: { $0.initial }, sortDescriptors: [SortDescriptor(keyPath: "id")])
        #expect(sections.allKeys == ["R", "M", "A"])
        // Elements that do not stand together when sorted come into one section all the same.
        #expect(names(sections) == [["Rex", "Ralf"], ["Max", "Moe"], ["Ada", "Anton"]])
    }

    @Test func `keys are optionals, enums and values of any type too`() {
        #expect(dogs.sectioned(by: \.weight).allKeys == [nil, 0, 1])
        #expect(dogs.sectioned(by: \.size).allKeys == [.large, .small])
        #expect(dogs.sectioned(by: \.extra).allKeys == [.none, .int(1), .string("x")])
        #expect(dogs.sectioned(by: \.owner?.name).allKeys == ["Ann", nil])
        let isOld = dogs.sectioned(by: { $0.age > 1 }, sortDescriptors: ["age"])
        #expect(isOld.map(\.count) == [4, 2])
    }

    @Test func `sections have keys, positions and index paths`() throws {
        let sections = dogs.sectioned(by: \.initial)
        #expect(sections.count == 3)
        #expect(sections[1].key == "M")
        #expect(sections[1].id == "M")
        #expect(sections[1].count == 2)
        #expect(sections[1][1].name == "Moe")
        #expect(sections[IndexPath(item: 1, section: 2)].name == "Rex")
        let path = IndexPath(row: 4, section: 3)
        #expect((path.section, path.item, path.row) == (3, 4, 4))
        #expect(try #require(sections.first).last?.name == "Anton")
        #expect(sections.realm == realm)
        #expect(sections[0].realm == realm)
        #expect(!sections.isInvalidated && !sections.isFrozen && !sections[0].isInvalidated && !sections[0].isFrozen)
    }

    @Test func `sections follow changes, come and go`() throws {
        let sections = dogs.sectioned(by: \.initial)
        let section = sections[0]
        try realm.write { dogs.first { $0.name == "Ada" }?.name = "Bea" }
        #expect(sections.allKeys == ["A", "B", "M", "R"])
        #expect(section.map(\.name) == ["Anton"])
        try realm.write {
            realm.delete(dogs.where { $0.name == "Anton" })
            #expect(sections.allKeys == ["B", "M", "R"])
        }
        #expect(section.isInvalidated)
        #expect(section.isEmpty && section.key == "A")
        try realm.write { _ = realm.create(Dog.self, value: ["id": 9, "name": "Alf"]) }
        #expect(!section.isInvalidated)
        #expect(section.map(\.name) == ["Alf"])
        #expect(throws: CancellationError.self) {
            try realm.write {
                realm.deleteAll()
                #expect(sections.isEmpty)
                throw CancellationError()
            }
        }
        #expect(sections.allKeys == ["A", "B", "M", "R"])
    }

    @Test func `sections follow what a function reads behind a link`() throws {
        let sections = dogs.sectioned(by: { $0.owner?.name ?? "" }, sortDescriptors: ["id"])
        #expect(sections.allKeys == ["Ann", ""])
        try realm.write { try owner().name = "Bob" }
        #expect(sections.allKeys == ["Bob", ""])
    }

    @Test func `sections follow what another thread commits`() throws {
        let sections = dogs.sectioned(by: \.initial)
        #expect(sections.count == 3)
        let configuration = temporary.configuration([Dog.self, Person.self])
        try onAnotherThread {
            let realm = try Realm(configuration: configuration)
            try realm.write { _ = realm.create(Dog.self, value: ["id": 9, "name": "Zoe"]) }
        }
        #expect(sections.count == 3)
        realm.refresh()
        #expect(sections.allKeys == ["A", "M", "R", "Z"])
    }

    @Test func `the key is asked for once an element and change`() throws {
        nonisolated(unsafe) var calls = 0
        let sections = dogs.sectioned(
            by: { dog in
                calls += 1
                return dog.age
            }, sortDescriptors: ["age"])
        #expect(calls == 0)
        #expect(sections.count == 3)
        #expect(sections[2].map(\.name).count + sections.allKeys.count == 5)
        #expect(calls == 6)
        try realm.write { dogs.first?.age = 7 }
        #expect(sections.count == 4)
        #expect(calls == 12)
    }

    @Test func `loops go over what was there when they began`() throws {
        let sections = dogs.sectioned(by: \.initial)
        try realm.write {
            var seen: [String] = []
            for section in sections {
                seen.append(section.key)
                for dog in section {
                    seen.append(dog.name)
                    dog.name = "Z"
                }
            }
            #expect(seen == ["A", "Ada", "Anton", "M", "Max", "Moe", "R", "Ralf", "Rex"])
        }
        #expect(sections.allKeys == ["Z"])
    }

    @Test func `lists, sets, linking objects and filtered results have sections`() throws {
        let owner = try owner()
        let expected = [["Ada", "Anton"], ["Max", "Moe"], ["Ralf", "Rex"]]
        #expect(names(owner.dogs.sectioned(by: \.initial)) == expected)
        #expect(names(owner.pack.sectioned(by: \.initial)) == expected)
        #expect(names(AnyRealmCollection(owner.dogs).sectioned(by: \.initial)) == expected)
        #expect(names(owner.owned.sectioned(by: \.initial)) == [["Moe"], ["Ralf", "Rex"]])
        #expect(names(dogs.where { $0.age > 0 }.sectioned(by: \.age)) == [["Max", "Moe"], ["Ralf", "Anton"]])
    }

    @Test func `values have sections`() throws {
        let owner = try owner()
        let words = owner.words.sectioned(by: { $0.first.map(String.init) })
        #expect(words.allKeys == ["a", "f", "p"])
        #expect(words.map(Array.init) == [["apple", "avocado"], ["fig"], ["pear", "plum"]])
        #expect(words[2][1] == "plum")
        #expect(owner.marks.sectioned(by: { $0 / 10 }, ascending: false).map(Array.init) == [[17, 12], [5, 3]])
        try realm.write { owner.words.remove(at: 0) }
        #expect(words.map(Array.init) == [["apple", "avocado"], ["fig"], ["plum"]])
        try realm.write { realm.delete(owner) }
        #expect(words.isInvalidated)
    }

    @Test func `what is no number has one section`() throws {
        let grades = try owner().grades.sectioned(by: { $0 })
        #expect(grades.map(\.count) == [2, 1, 1])
        #expect(grades[0].filter(\.isNaN).count == 2)
    }

    @Test func `sections are equal where they are the same`() {
        let sections = dogs.sectioned(by: \.initial)
        let copy = sections
        #expect(sections == copy)
        #expect(sections[0] == copy[0])
        #expect(sections[0] != sections[1])
        #expect(sections != dogs.sectioned(by: \.initial))
        #expect(sections[0].description.hasPrefix("ResultsSection 'A' <0x"))
        #expect(sections.description.hasPrefix("SectionedResults<String, Dog> <0x"))
    }

    // MARK: Misuse

    /// A realm of its own with one person, for a process that is about to end.
    private static func makePerson() throws -> Person {
        let realm = try Realm(
            configuration: Realm.Configuration(
                inMemoryIdentifier: UUID().uuidString, objectTypes: [Dog.self, Person.self]))
        return try realm.write { realm.create(Person.self, value: ["words": ["a"], "dogs": [["id": 1]]]) }
    }

    @Test func `sections without an order trap`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try SectionedResultsTests.makePerson().dogs.sectioned(by: { $0.age }, sortDescriptors: [])
        }
        expect(result, says: "was sectioned without a sort descriptor")
    }

    @Test func `sections by another property than the first sort descriptor trap`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try SectionedResultsTests.makePerson().dogs.sectioned(by: \.age, sortDescriptors: ["name", "age"])
        }
        expect(result, says: "was sectioned by 'age' and sorted by 'name'; sort by 'age' first")
    }

    @Test func `sections by an object trap`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try SectionedResultsTests.makePerson().dogs.sectioned(by: { $0.owner }, sortDescriptors: ["name"])
        }
        expect(result, says: "cannot be sectioned by a Optional<Person>; take a value as the key")
    }

    @Test func `sections of an unmanaged collection trap`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = List<Dog>().sectioned(by: \.age)
        }
        expect(result, says: "that no realm has cannot be sectioned")
    }

    @Test func `a section that is not there traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try SectionedResultsTests.makePerson().dogs.sectioned(by: \.age)[1]
        }
        expect(result, says: "Index 1 is out of bounds: Sectioned results has 1 elements")
    }
}
