import Firn
import Foundation

/// Classes with a property of every kind, and what can be read of their objects.
enum FrozenModel {
    enum Mood: String, PersistableEnum { case calm, wild }

    struct Celsius: CustomPersistable, Equatable {
        typealias PersistedType = Double
        let degrees: Double
        init(persistedValue: Double) { degrees = persistedValue }
        var persistableValue: Double { degrees }
    }

    enum Note: PersistableCodable, Equatable {
        case text(String)
        case count(Int)
    }

    final class Address: EmbeddedObject {
        @Persisted var street = ""
        @Persisted var keeper: Dog?
    }

    final class Dog: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted(indexed: true) var name = ""
        @Persisted var picture: Data
        @Persisted var owner: Person?
        @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
    }

    final class Person: Object {
        @Persisted var name = ""
        @Persisted var nickname: String?
        @Persisted var age: Int8
        @Persisted var weight: Float?
        @Persisted var money: Decimal128
        @Persisted var born: Date
        @Persisted(primaryKey: true) var token: UUID
        @Persisted var code: ObjectId
        @Persisted var isGrown: Bool
        @Persisted var mood: Mood
        @Persisted var temperature: Celsius?
        @Persisted var note: Note = .count(0)
        @Persisted var favourite: Dog?
        @Persisted var address: Address?
        @Persisted var homes: List<Address>
        @Persisted var dogs: List<Dog>
        @Persisted var numbers: List<Int?>
        @Persisted var words: MutableSet<String>
        @Persisted var known: MutableSet<Dog>
        @Persisted var byRole: Map<String, Dog?>
        @Persisted var notes: Map<String, Note>
        @Persisted var anything: AnyRealmValue
        @Persisted var things: List<AnyRealmValue>
    }

    // A class from the days before @Persisted.
    final class Plain: Object {
        dynamic var name = ""
        let dogs = List<Dog>()
    }

    static let types: [ObjectBase.Type] = [Dog.self, Person.self, Plain.self, Address.self]

    /// Two persons, some dogs and a plain object that link to each other. Texts and pictures are long enough to stand apart.
    static func fill(_ realm: Realm) throws {
        try realm.write {
            let dogs = (0..<5).map { Dog(value: ["id": $0, "name": "Dog \($0)"]) }
            for dog in dogs { dog.picture = Data(repeating: UInt8(dog.id), count: 5000) }
            let ann = Person()
            ann.name = String(repeating: "Ann ", count: 2000)
            ann.age = 30
            ann.weight = 61.5
            ann.money = 12.5
            ann.born = Date(timeIntervalSince1970: 1)
            ann.isGrown = true
            ann.mood = .wild
            ann.temperature = Celsius(persistedValue: 36.6)
            ann.note = .text("tall")
            ann.favourite = dogs[1]
            ann.address = Address(value: ["street": "Elm", "keeper": dogs[2]])
            ann.homes.append(Address(value: ["street": "Oak"]))
            ann.dogs.append(objectsIn: [dogs[3], dogs[0], dogs[3]])
            ann.numbers.append(objectsIn: [3, nil, 1])
            ann.words.insert(objectsIn: ["b", "a"])
            ann.known.insert(objectsIn: dogs[2...4])
            ann.byRole["guard"] = dogs[4]
            ann.byRole.updateValue(nil, forKey: "none")
            ann.notes["n"] = .count(2)
            ann.anything = .object(dogs[0])
            ann.things.append(objectsIn: [.int(1), .list(List([.string("deep"), .object(dogs[1])]))])
            let bob = Person(value: ["name": "Bob", "nickname": "B"])
            bob.dogs.append(dogs[0])
            dogs[0].owner = ann
            realm.add([ann, bob])
            let plain = Plain(value: ["name": "old"])
            plain.dogs.append(dogs[2])
            realm.add(plain)
        }
    }

    /// Changes or deletes all that `fill` has made.
    static func wreck(_ realm: Realm) throws {
        try realm.write {
            for person in realm.objects(Person.self) {
                person.name = "changed"
                person.numbers.append(99)
                person.anything = .string("changed")
            }
            realm.delete(realm.objects(Dog.self))
            realm.delete(realm.objects(Person.self))
            realm.delete(realm.objects(Plain.self))
            realm.add(Dog(value: ["id": 0, "name": "New"]))
        }
    }

    /// All that can be read in a realm, by every way that leads there.
    static func text(_ realm: Realm) -> String {
        let people = realm.objects(Person.self)
        var text = people.map { self.text($0) }.joined(separator: "\n")
        text += "\n" + realm.objects(Dog.self).map { self.text($0) }.joined(separator: "; ")
        text += "\n" + realm.objects(Plain.self).map { "\($0.name) \($0.dogs.map(\.name))" }.joined()
        text += "\n" + realm.dynamicObjects("FrozenModel.Dog").map { "\($0["name"] ?? "") \($0["id"] ?? "")" }.joined()
        text += "\n\(people.isFrozen)\(people.isInvalidated)\(realm.isEmpty)"
        return text
    }

    static func text(_ dog: Dog) -> String {
        let owners = dog.owners
        return "\(dog.id) \(dog.name) \(dog.picture.count)\(dog.picture.last ?? 0) \(dog.owner?.age ?? -1) "
            + "\(owners.count) \(owners.map(\.age)) \(owners.filter("age > 1").count) \(dog.isFrozen)\(dog.isInvalidated)"
    }

    static func text(_ person: Person) -> String {
        var parts: [Any?] = [
            person.name, person.nickname, person.age, person.weight, person.money, person.born, person.isGrown,
            person.mood, person.temperature, person.note, person.favourite?.name,
        ]
        parts += [person.address?.street, person.address?.keeper?.name, person.homes.map(\.street)]
        parts += [person.dogs.count, person.dogs.map(\.id), person.dogs.last?.name, person.dogs.first?.id as Any?]
        parts += [person.dogs.index(of: person.dogs[0]), person.dogs.filter("id > 0").count]
        parts += [person.dogs.sorted(byKeyPath: "name", ascending: false).map(\.id), person.dogs.sum(of: \.id)]
        parts += [Array(person.numbers), person.numbers.sorted().map { $0 }, person.numbers.max() as Any?]
        parts += [Array(person.words), person.words.contains("a"), person.known.map(\.id), person.known.first?.name]
        parts += [
            person.byRole.keys, person.byRole["guard"]??.name, person.byRole.map { "\($0.key)\($0.value?.id ?? -1)" },
        ]
        parts += [person.notes["n"], person.anything.object(Dog.self)?.name]
        if case .list(let list)? = person.things.last {
            parts += [list.count, list[0].stringValue, list[1].object(Dog.self)?.name]
        }
        parts += [person["name"] as? String, (person["dogs"] as? List<Dog>)?.count]
        parts += [person.value(forKeyPath: "dogs.@sum.id") as? Int, person.isFrozen, person.description.count]
        parts += [person.dogs.isFrozen, person.favourite?.isFrozen, person.address?.isFrozen, person.words.isFrozen]
        return parts.map { $0.map { "\($0)" } ?? "-" }.joined(separator: "|")
    }
}
