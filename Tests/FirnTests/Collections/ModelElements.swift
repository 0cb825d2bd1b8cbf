import Firn
import Foundation
import TestSupport

/// A type of element, what stands for it in the plain collections, and how to make one.
struct ElementKind<Model: Hashable, Element: RealmCollectionValue> {
    let random: (inout SeededGenerator, Realm) -> (Model, Element)
    let model: (Element) -> Model
    /// What an element becomes when a dog is deleted, where it stays.
    var withoutDog: (Model, Int) -> Model = { model, _ in model }
    /// Whether an element goes with a dog.
    var goesWith: (Model, Int) -> Bool = { _, _ in false }
    /// Whether an element equals itself alone.
    var isNested: (Model) -> Bool = { _ in false }
    /// Whether an element can be in one place only.
    var isOwned = false

    func some(_ generator: inout SeededGenerator, _ realm: Realm) -> [(model: Model, element: Element)] {
        let count =
            generator.chance(50)
            ? Int.random(in: 100...300, using: &generator) : Int.random(in: 0...4, using: &generator)
        return (0..<count).map { _ in random(&generator, realm) }
    }
}

extension ElementKind where Model == Element {
    private init(_ random: @escaping (inout SeededGenerator) -> Element) {
        self.init(
            random: { generator, _ in
                let element = random(&generator)
                return (element, element)
            }, model: { $0 })
    }
}

extension ElementKind<Int?, Int?> {
    static var ints: Self { Self { $0.chance(5) ? nil : .random(in: -20...20, using: &$0) } }
}

extension ElementKind<String, String> {
    static var texts: Self { Self { $0.text() } }
}

extension ElementKind<Date, Date> {
    static var dates: Self {
        Self { Date(timeIntervalSinceReferenceDate: Double(Int.random(in: -40...40, using: &$0)) / 8) }
    }
}

// MARK: Objects

/// The dogs that there are.
final class DogNames {
    var ids: Set<Int> = []

    /// A dog that is there, or a new one.
    func random(_ realm: Realm, _ generator: inout SeededGenerator) -> (Int, CollectionModelTests.Dog) {
        let id = Int.random(in: 0..<50, using: &generator)
        if let dog = realm.object(ofType: CollectionModelTests.Dog.self, forPrimaryKey: id) { return (id, dog) }
        ids.insert(id)
        let dog = CollectionModelTests.Dog(value: ["id": id])
        realm.add(dog)
        return (id, dog)
    }
}

extension ElementKind<Int, CollectionModelTests.Dog> {
    static func dog(_ dogs: DogNames) -> Self {
        Self(random: { dogs.random($1, &$0) }, model: { $0.id }, goesWith: ==)
    }
}

extension ElementKind<Int?, CollectionModelTests.Dog?> {
    static func optionalDog(_ dogs: DogNames) -> Self {
        Self(
            random: { generator, realm in
                if generator.chance(6) { return (nil, nil) }
                let (id, dog) = dogs.random(realm, &generator)
                return (id, dog)
            }, model: { $0?.id }, withoutDog: { $0 == $1 ? nil : $0 })
    }
}

extension ElementKind<Int, CollectionModelTests.Address> {
    static var address: Self {
        Self(
            random: { generator, _ in
                let number = Int.random(in: 0..<1_000_000, using: &generator)
                return (number, CollectionModelTests.Address(value: ["number": number]))
            }, model: { $0.number }, isOwned: true)
    }
}

extension ElementKind<Int?, CollectionModelTests.Address?> {
    static var optionalAddress: Self {
        Self(
            random: { generator, realm in
                if generator.chance(6) { return (nil, nil) }
                let (number, address) = ElementKind<Int, CollectionModelTests.Address>.address.random(&generator, realm)
                return (number, address)
            }, model: { $0?.number }, isOwned: true)
    }
}

// MARK: Values of any type

/// What stands for a value of any type.
enum AnyModel: Hashable {
    case scalar(AnyRealmValue)
    case dog(Int)
    case list([AnyModel])
    case map([String: AnyModel])

    init(_ value: AnyRealmValue) {
        self =
            switch value {
            case .object(let object): .dog((object as? CollectionModelTests.Dog)?.id ?? -1)
            case .list(let list): .list(list.map { AnyModel($0) })
            case .dictionary(let map):
                .map(Dictionary(uniqueKeysWithValues: map.asKeyValueSequence().map { ($0.0, AnyModel($0.1)) }))
            default: .scalar(value)
            }
    }

    func without(_ dog: Int) -> AnyModel {
        switch self {
        case .scalar: self
        case .dog(let id): id == dog ? .scalar(.none) : self
        case .list(let elements): .list(elements.map { $0.without(dog) })
        case .map(let values): .map(values.mapValues { $0.without(dog) })
        }
    }

    var isNested: Bool {
        switch self {
        case .scalar, .dog: false
        case .list, .map: true
        }
    }
}

extension ElementKind<AnyModel, AnyRealmValue> {
    /// Values with up to `depth` levels of lists and maps; of sets, where they do not nest.
    static func any(_ dogs: DogNames, depth: Int = 3, isNesting: Bool = true) -> Self {
        var kind = Self(random: { random(dogs, isNesting ? depth : 0, $1, &$0) }, model: { AnyModel($0) })
        kind.isNested = \.isNested
        if isNesting {
            kind.withoutDog = { $0.without($1) }
        } else {
            kind.goesWith = { $0 == .dog($1) }
        }
        return kind
    }

    private static func random(
        _ dogs: DogNames, _ depth: Int, _ realm: Realm, _ generator: inout SeededGenerator
    ) -> (AnyModel, AnyRealmValue) {
        switch Int.random(in: 0..<(depth > 0 ? 16 : 14), using: &generator) {
        case 0..<12:
            let value = generator.scalar()
            return (.scalar(value), value)
        case 12, 13:
            let (id, dog) = dogs.random(realm, &generator)
            return (.dog(id), .object(dog))
        case 14:
            let elements = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                random(dogs, depth - 1, realm, &generator)
            }
            return (.list(elements.map(\.0)), .fromArray(elements.map(\.1)))
        default:
            var models: [String: AnyModel] = [:]
            var values: [String: AnyRealmValue] = [:]
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let key = generator.key()
                let (model, value) = random(dogs, depth - 1, realm, &generator)
                models[key] = model
                values[key] = value
            }
            return (.map(models), .fromDictionary(values))
        }
    }
}

extension SeededGenerator {
    mutating func chance(_ oneIn: Int) -> Bool {
        Int.random(in: 0..<oneIn, using: &self) == 0
    }

    mutating func text() -> String {
        let letters = ["", "a", "ß", "\0", "zz", "日本"]
        let text = letters[Int.random(in: 0..<letters.count, using: &self)]
        return chance(30) ? String(repeating: text, count: 700) : text + "\(Int.random(in: 0..<30, using: &self))"
    }

    mutating func key() -> String {
        chance(20) ? String(repeating: "k", count: Int.random(in: 470...520, using: &self)) : text()
    }

    /// Values of which none equals another of another type.
    fileprivate mutating func scalar() -> AnyRealmValue {
        switch Int.random(in: 0..<6, using: &self) {
        case 0: .none
        case 1: .bool(chance(2))
        case 2: .int(Int.random(in: 0..<20, using: &self))
        case 3: .string(text())
        case 4: .date(Date(timeIntervalSinceReferenceDate: Double(Int.random(in: 0..<9, using: &self))))
        default: .double(Double(Int.random(in: 0..<9, using: &self)) + 0.5)
        }
    }
}
