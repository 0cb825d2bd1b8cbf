import Firn
import Testing

/// What is seen of an element right after it was appended, in the same write.
@Suite struct ListAppendTests {
    final class Holder: Object {
        @Persisted var numbers: List<Int>
        @Persisted var anything: List<AnyRealmValue>
        @Persisted var dogs: List<Dog>
        @Persisted var parts: List<Part>
    }

    final class Dog: Object {
        @Persisted var age: Int
        @Persisted(originProperty: "dogs") var holders: LinkingObjects<Holder>
    }

    final class Part: EmbeddedObject {
        @Persisted var name = ""
    }

    private let directory: TemporaryRealm
    private let realm: Realm
    private let holder: Holder

    init() throws {
        directory = try TemporaryRealm()
        realm = try directory.open(Holder.self, Dog.self, Part.self)
        let realm = realm
        holder = try realm.write { realm.create(Holder.self) }
    }

    @Test func `values are seen at once by everything that reads the list`() throws {
        try realm.write {
            let (list, other) = (holder.numbers, holder.numbers)
            let sorted = list.sorted(ascending: false)
            let some = list.filter { $0 >= 0 }
            #expect(some.isEmpty)
            for number in 0..<600 {
                list.append(number)
                try #require(list.count == number + 1)
                try #require(list.last == number)
                try #require(other[number] == number)
                try #require(sorted.first == number)
                try #require(list.max() == number)
                if number % 50 == 0 {
                    try #require(Array(list) == Array(0...number))
                    try #require(list.index(of: number) == number)
                }
            }
        }
        #expect(Array(holder.numbers) == Array(0..<600))
        expectIntact(realm)
    }

    @Test func `values of any type are seen at once by results`() throws {
        try realm.write {
            let list = holder.anything
            let sorted = list.sorted(ascending: false)
            for number in 0..<20 {
                list.append(.int(number))
                try #require(sorted.count == number + 1)
                try #require(sorted.first == .int(number))
            }
            list.append(.list(List([.string("nested")])))
            #expect(list.last?.listValue?.first == .string("nested"))
        }
        #expect(holder.anything.count == 21)
        expectIntact(realm)
    }

    @Test func `objects are added, linked to and found from the other end at once`() throws {
        try realm.write {
            let list = holder.dogs
            let oldest = list.sorted(byKeyPath: "age", ascending: false)
            for age in 0..<30 {
                let dog = Dog(value: ["age": age])
                list.append(dog)
                try #require(list.last?.isSameObject(as: dog) == true)
                try #require(dog.holders.count == 1)
                try #require(oldest.first?.isSameObject(as: dog) == true)
                list.append(dog)
            }
            #expect(realm.objects(Dog.self).count == 30)
            realm.delete(list[0])
            #expect(list.count == 58)
            list.append(list[0])
        }
        #expect(holder.dogs.count == 59)
        expectIntact(realm)
    }

    @Test func `a loop goes over what was there when it began`() throws {
        try realm.write {
            let list = holder.numbers
            list.append(objectsIn: 0..<300)
            for number in list { list.append(number) }
            #expect(Array(list) == Array(0..<300) + Array(0..<300))
        }
    }

    @Test func `an embedded object is copied or taken, not shared`() throws {
        try realm.write {
            let list = holder.parts
            for index in 0..<10 { list.append(Part(value: ["name": "\(index)"])) }
            list.insert(Part(value: ["name": "end"]), at: list.count)
            #expect(list.map(\.name) == (0..<10).map(String.init) + ["end"])
        }
        let message = expectError(.invalidInput) { try realm.write { holder.parts.append(holder.parts[0]) } }
        #expect(!message.isEmpty)
        #expect(holder.parts.count == 11)
    }
}
