import Foundation
import TestSupport
import Testing

@testable import Firn
@testable import FirnStore

/// Random operations on all kinds of collections against plain Swift ones, in transactions that commit, throw or are
/// cancelled. Whatever becomes of them, both must hold the same, and the file be sound.
@Suite struct CollectionModelTests {
    final class Holder: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var intList: List<Int?>
        @Persisted var textList: List<String>
        @Persisted var dateList: List<Date>
        @Persisted var anyList: List<AnyRealmValue>
        @Persisted var dogList: List<Dog>
        @Persisted var addressList: List<Address>
        @Persisted var intSet: MutableSet<Int?>
        @Persisted var textSet: MutableSet<String>
        @Persisted var dateSet: MutableSet<Date>
        @Persisted var anySet: MutableSet<AnyRealmValue>
        @Persisted var dogSet: MutableSet<Dog>
        @Persisted var intMap: Map<String, Int?>
        @Persisted var textMap: Map<String, String>
        @Persisted var dateMap: Map<String, Date>
        @Persisted var anyMap: Map<String, AnyRealmValue>
        @Persisted var dogMap: Map<String, Dog?>
        @Persisted var addressMap: Map<String, Address?>
    }

    final class Dog: Object {
        @Persisted(primaryKey: true) var id: Int
    }

    final class Address: EmbeddedObject {
        @Persisted var number: Int
    }

    /// 10,000 operations in all.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `collections are what plain ones are, whatever becomes of their transactions`(_ seed: UInt64) throws {
        try RandomRuns([seed]).run { seed in
            let directory = try TemporaryRealm()
            let world = CollectionWorld(seed: seed)
            let configuration = directory.configuration([Holder.self, Dog.self, Address.self])
            let realm = try Realm(configuration: configuration)
            try realm.write {
                for id in 0..<2 { _ = realm.create(Holder.self, value: ["id": id]) }
            }
            for _ in 0..<125 { try world.playTransaction(realm, operations: 20) }
            nonisolated(unsafe) let unsafeWorld = world
            try onAnotherThread {
                try unsafeWorld.compare(Realm(configuration: configuration))
            }
        }
    }
}

/// The plain collections, and the dogs that there are.
private final class CollectionWorld {
    typealias Holder = CollectionModelTests.Holder
    typealias Dog = CollectionModelTests.Dog
    typealias Address = CollectionModelTests.Address

    private struct Cancelled: Error {}

    private var generator: SeededGenerator
    private let parts: [any CollectionPart]
    private let dogs = DogNames()

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        let dogs = dogs
        let ints = ElementKind<Int?, Int?>({ $0.chance(5) ? nil : .random(in: -20...20, using: &$0) })
        let texts = ElementKind<String, String>({ $0.text() })
        let dates = ElementKind<Date, Date>({
            Date(timeIntervalSinceReferenceDate: Double(Int.random(in: -40...40, using: &$0)) / 8)
        })
        let anys = ElementKind<AnyRealmValue, AnyRealmValue>({ $0.anyValue() })
        let dog = ElementKind<Int, Dog>(
            random: { generator, realm in dogs.random(realm, &generator) }, model: { $0.id })
        let optionalDog = ElementKind<Int?, Dog?>(
            random: { generator, realm in
                if generator.chance(6) { return (nil, nil) }
                let (id, dog) = dogs.random(realm, &generator)
                return (id, dog)
            }, model: { $0?.id })
        let address = ElementKind<Int, Address>(
            random: { generator, _ in
                let number = Int.random(in: 0..<1_000_000, using: &generator)
                return (number, Address(value: ["number": number]))
            }, model: { $0.number }, isOwned: true)
        let optionalAddress = ElementKind<Int?, Address?>(
            random: { generator, realm in
                if generator.chance(6) { return (nil, nil) }
                let (number, made) = address.random(&generator, realm)
                return (number, made)
            }, model: { $0?.number }, isOwned: true)
        parts = [
            ListPart(\.intList, ints), ListPart(\.textList, texts), ListPart(\.dateList, dates),
            ListPart(\.anyList, anys), ListPart(\.addressList, address),
            ListPart(\.dogList, dog, forget: { contents, id in contents.removeAll { $0 == id } }),
            SetPart(\.intSet, ints, order: { $0 ?? .min < $1 ?? .min }),
            SetPart(\.textSet, texts, order: { $0.utf8.lexicographicallyPrecedes($1.utf8) }),
            SetPart(\.dateSet, dates, order: <), SetPart(\.anySet, anys, order: nil), SetPart(\.dogSet, dog, order: <),
            MapPart(\.intMap, ints), MapPart(\.textMap, texts), MapPart(\.dateMap, dates), MapPart(\.anyMap, anys),
            MapPart(\.addressMap, optionalAddress),
            MapPart(
                \.dogMap, optionalDog, forget: { contents, id in contents = contents.mapValues { $0 == id ? nil : $0 } }
            ),
        ]
    }

    func playTransaction(_ realm: Realm, operations: Int) throws {
        let kept = parts.map { $0.contents }
        let keptDogs = dogs.ids
        let ending = Int.random(in: 0..<10, using: &generator)
        do {
            try realm.write {
                for _ in 0..<operations { try operate(realm) }
                if ending == 0 { throw Cancelled() }
                if ending == 1 { realm.cancelWrite() }
            }
        } catch is Cancelled {}
        if ending < 2 {
            for (part, contents) in zip(parts, kept) { part.contents = contents }
            dogs.ids = keptDogs
        }
        let problems = IntegrityChecker.check(realm.context.connection)
        try #require(problems.isEmpty, "\(problems)")
        try compare(realm)
    }

    private func operate(_ realm: Realm) throws {
        if generator.chance(40), let id = dogs.ids.randomElement(using: &generator) {
            dogs.ids.remove(id)
            if let dog = realm.object(ofType: Dog.self, forPrimaryKey: id) { realm.delete(dog) }
            for part in parts { part.forgetDog(id) }
            return
        }
        let holder = Int.random(in: 0..<2, using: &generator)
        guard let object = realm.object(ofType: Holder.self, forPrimaryKey: holder),
            let other = realm.object(ofType: Holder.self, forPrimaryKey: 1 - holder)
        else { return }
        let part = parts[Int.random(in: 0..<parts.count, using: &generator)]
        try part.operate(object, holder, other, realm, &generator)
    }

    func compare(_ realm: Realm) throws {
        for holder in realm.objects(Holder.self) {
            for part in parts { try part.compare(holder, holder.id) }
        }
        try #require(realm.objects(Dog.self).map(\.id) == dogs.ids.sorted())
    }
}

private final class DogNames {
    var ids: Set<Int> = []

    /// A dog that is there, or a new one, unmanaged.
    func random(_ realm: Realm, _ generator: inout SeededGenerator) -> (Int, CollectionModelTests.Dog) {
        let id = Int.random(in: 0..<50, using: &generator)
        if let dog = realm.object(ofType: CollectionModelTests.Dog.self, forPrimaryKey: id) { return (id, dog) }
        ids.insert(id)
        let dog = CollectionModelTests.Dog(value: ["id": id])
        realm.add(dog)
        return (id, dog)
    }
}

/// A type of element, and what stands for it in the plain collections.
private struct ElementKind<Model: Hashable, Element: RealmCollectionValue> {
    let random: (inout SeededGenerator, Realm) -> (Model, Element)
    let model: (Element) -> Model
    /// Whether an element can be in one place only.
    var isOwned = false

    init(
        random: @escaping (inout SeededGenerator, Realm) -> (Model, Element), model: @escaping (Element) -> Model,
        isOwned: Bool = false
    ) {
        self.random = random
        self.model = model
        self.isOwned = isOwned
    }

    func some(_ generator: inout SeededGenerator, _ realm: Realm) -> [(model: Model, element: Element)] {
        let count =
            generator.chance(30)
            ? Int.random(in: 100...300, using: &generator) : Int.random(in: 0...4, using: &generator)
        return (0..<count).map { _ in random(&generator, realm) }
    }
}

extension ElementKind where Model == Element {
    init(_ random: @escaping (inout SeededGenerator) -> Element) {
        self.init(
            random: { generator, _ in
                let element = random(&generator)
                return (element, element)
            }, model: { $0 })
    }
}

/// One property of both holders.
private protocol CollectionPart: AnyObject {
    /// What the holders have, by their ids.
    var contents: [Any] { get set }
    func operate(
        _ holder: CollectionModelTests.Holder, _ id: Int, _ other: CollectionModelTests.Holder, _ realm: Realm,
        _ generator: inout SeededGenerator) throws
    func compare(_ holder: CollectionModelTests.Holder, _ id: Int) throws
    func forgetDog(_ id: Int)
}

private final class ListPart<Model: Hashable, Element: RealmCollectionValue>: CollectionPart {
    private let path: ReferenceWritableKeyPath<CollectionModelTests.Holder, List<Element>>
    private let kind: ElementKind<Model, Element>
    private let forget: ((inout [Model], Int) -> Void)?
    private var lists: [[Model]] = [[], []]

    init(
        _ path: ReferenceWritableKeyPath<CollectionModelTests.Holder, List<Element>>,
        _ kind: ElementKind<Model, Element>, forget: ((inout [Model], Int) -> Void)? = nil
    ) {
        self.path = path
        self.kind = kind
        self.forget = forget
    }

    var contents: [Any] {
        get { lists }
        set { lists = newValue as? [[Model]] ?? lists }
    }

    func forgetDog(_ id: Int) {
        guard let forget else { return }
        for index in lists.indices { forget(&lists[index], id) }
    }

    func compare(_ holder: CollectionModelTests.Holder, _ id: Int) throws {
        try #require(holder[keyPath: path].map(kind.model) == lists[id], "\(path)")
    }

    func operate(
        _ holder: CollectionModelTests.Holder, _ id: Int, _ other: CollectionModelTests.Holder, _ realm: Realm,
        _ generator: inout SeededGenerator
    ) throws {
        let list = holder[keyPath: path]
        var model = lists[id]
        defer { lists[id] = model }
        try #require(list.count == model.count)
        if model.count > 400 {
            list.removeSubrange(50...)
            model.removeSubrange(50...)
        }
        let position = Int.random(in: 0...model.count, using: &generator)
        let operation = Int.random(in: 0..<16, using: &generator)
        switch operation {
        case 0, 1:
            let (added, element) = kind.random(&generator, realm)
            list.append(element)
            model.append(added)
        case 2:
            let added = kind.some(&generator, realm)
            list.append(objectsIn: added.map(\.element))
            model += added.map(\.model)
        case 3:
            let added = kind.some(&generator, realm)
            list.insert(contentsOf: added.map(\.element), at: position)
            model.insert(contentsOf: added.map(\.model), at: position)
        case 4:
            let (added, element) = kind.random(&generator, realm)
            list.insert(element, at: position)
            model.insert(added, at: position)
        case 5:
            let upper = Int.random(in: position...model.count, using: &generator)
            list.removeSubrange(position..<upper)
            model.removeSubrange(position..<upper)
        case 6 where generator.chance(4):
            list.removeAll()
            model = []
        case 7:
            let upper = Int.random(in: position...model.count, using: &generator)
            let added = kind.some(&generator, realm)
            list.replaceSubrange(position..<upper, with: added.map(\.element))
            model.replaceSubrange(position..<upper, with: added.map(\.model))
        case 8:
            let added = kind.some(&generator, realm)
            holder[keyPath: path] = List(added.map(\.element))
            model = added.map(\.model)
        case 9:
            holder[keyPath: path] = List(list.reversed())
            model.reverse()
        case 10:
            let removed = IndexSet(model.indices.filter { _ in generator.chance(3) })
            list.remove(atOffsets: removed)
            for index in removed.reversed() { model.remove(at: index) }
        case 11:
            let moved = IndexSet(model.indices.filter { _ in generator.chance(5) })
            list.move(fromOffsets: moved, toOffset: position)
            let before = (0..<position).filter { !moved.contains($0) }
            let behind = (position..<model.count).filter { !moved.contains($0) }
            model = (before + Array(moved) + behind).map { model[$0] }
        case 12 where !kind.isOwned:
            list.append(objectsIn: other[keyPath: path])
            model += lists[1 - id]
        default:
            guard position < model.count else { return }
            try changeOne(list, &model, position, operation, realm, &generator)
        }
    }

    /// Changes an element that is there.
    private func changeOne(
        _ list: List<Element>, _ model: inout [Model], _ position: Int, _ operation: Int, _ realm: Realm,
        _ generator: inout SeededGenerator
    ) throws {
        let another = Int.random(in: 0..<model.count, using: &generator)
        switch operation {
        case 13:
            list.move(from: position, to: another)
            model.insert(model.remove(at: position), at: another)
        case 14:
            list.swapAt(position, another)
            model.swapAt(position, another)
        case 15:
            let (replacement, element) = kind.random(&generator, realm)
            list[position] = element
            model[position] = replacement
        default:
            try #require(kind.model(list[position]) == model[position])
            try #require(list.index(of: list[position]) == model.firstIndex(of: model[position]))
            list.remove(at: position)
            model.remove(at: position)
        }
    }
}

private final class SetPart<Model: Hashable, Element: RealmCollectionValue>: CollectionPart {
    private let path: ReferenceWritableKeyPath<CollectionModelTests.Holder, MutableSet<Element>>
    private let kind: ElementKind<Model, Element>
    private let order: ((Model, Model) -> Bool)?
    private var sets: [Set<Model>] = [[], []]

    init(
        _ path: ReferenceWritableKeyPath<CollectionModelTests.Holder, MutableSet<Element>>,
        _ kind: ElementKind<Model, Element>, order: ((Model, Model) -> Bool)?
    ) {
        self.path = path
        self.kind = kind
        self.order = order
    }

    var contents: [Any] {
        get { sets }
        set { sets = newValue as? [Set<Model>] ?? sets }
    }

    func forgetDog(_ id: Int) {
        guard Element.self == CollectionModelTests.Dog.self, let dog = id as? Model else { return }
        for index in sets.indices { sets[index].remove(dog) }
    }

    func compare(_ holder: CollectionModelTests.Holder, _ id: Int) throws {
        let found = holder[keyPath: path].map(kind.model)
        try #require(found.count == sets[id].count && Set(found) == sets[id], "\(path)")
        if let order { try #require(found == sets[id].sorted(by: order), "\(path)") }
    }

    func operate(
        _ holder: CollectionModelTests.Holder, _ id: Int, _ other: CollectionModelTests.Holder, _ realm: Realm,
        _ generator: inout SeededGenerator
    ) throws {
        let set = holder[keyPath: path]
        let otherSet = other[keyPath: path]
        var model = sets[id]
        let otherModel = sets[1 - id]
        defer { sets[id] = model }
        try #require(set.count == model.count)
        switch Int.random(in: 0..<10, using: &generator) {
        case 0, 1:
            let (added, element) = kind.random(&generator, realm)
            set.insert(element)
            model.insert(added)
        case 2:
            let added = kind.some(&generator, realm)
            set.insert(objectsIn: added.map(\.element))
            model.formUnion(added.map(\.model))
        case 3, 4:
            let (removed, element) = kind.random(&generator, realm)
            try #require(set.contains(element) == model.contains(removed))
            set.remove(element)
            model.remove(removed)
        case 5 where generator.chance(4):
            set.removeAll()
            model = []
        case 6:
            try #require(set.isSubset(of: otherSet) == model.isSubset(of: otherModel))
            try #require(set.intersects(otherSet) != model.isDisjoint(with: otherModel))
            set.formUnion(otherSet)
            model.formUnion(otherModel)
        case 7:
            set.formIntersection(otherSet)
            model.formIntersection(otherModel)
        case 8:
            set.subtract(otherSet)
            model.subtract(otherModel)
        default:
            let added = kind.some(&generator, realm)
            holder[keyPath: path] = MutableSet(added.map(\.element))
            model = Set(added.map(\.model))
        }
    }
}

private final class MapPart<Model: Hashable, Value: RealmCollectionValue>: CollectionPart {
    private let path: ReferenceWritableKeyPath<CollectionModelTests.Holder, Map<String, Value>>
    private let kind: ElementKind<Model, Value>
    private let forget: ((inout [String: Model], Int) -> Void)?
    private var maps: [[String: Model]] = [[:], [:]]

    init(
        _ path: ReferenceWritableKeyPath<CollectionModelTests.Holder, Map<String, Value>>,
        _ kind: ElementKind<Model, Value>, forget: ((inout [String: Model], Int) -> Void)? = nil
    ) {
        self.path = path
        self.kind = kind
        self.forget = forget
    }

    var contents: [Any] {
        get { maps }
        set { maps = newValue as? [[String: Model]] ?? maps }
    }

    func forgetDog(_ id: Int) {
        guard let forget else { return }
        for index in maps.indices { forget(&maps[index], id) }
    }

    func compare(_ holder: CollectionModelTests.Holder, _ id: Int) throws {
        let map = holder[keyPath: path]
        let keys = maps[id].keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let found = map.keys
        try #require(found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } == keys, "\(path)")
        // Keys are in order as far as the store's keys hold them.
        try #require(found.filter { $0.utf8.count < 200 } == keys.filter { $0.utf8.count < 200 }, "\(path)")
        for entry in map { try #require(kind.model(entry.value) == maps[id][entry.key], "\(path)") }
    }

    func operate(
        _ holder: CollectionModelTests.Holder, _ id: Int, _ other: CollectionModelTests.Holder, _ realm: Realm,
        _ generator: inout SeededGenerator
    ) throws {
        let map = holder[keyPath: path]
        var model = maps[id]
        defer { maps[id] = model }
        try #require(map.count == model.count)
        let key = generator.chance(3) ? model.keys.sorted().randomElement(using: &generator) ?? "" : generator.key()
        switch Int.random(in: 0..<8, using: &generator) {
        case 0, 1, 2:
            let (added, value) = kind.random(&generator, realm)
            map.updateValue(value, forKey: key)
            model.updateValue(added, forKey: key)
        case 3, 4:
            try #require(map[key].map(kind.model) == model[key])
            map[key] = nil
            model[key] = nil
        case 5 where generator.chance(4):
            map.removeAll()
            model = [:]
        case 6:
            let added = kind.some(&generator, realm).map { (generator.key(), $0.model, $0.element) }
            map.merge(added.map { ($0.0, $0.2) }) { $1 }
            model.merge(added.map { ($0.0, $0.1) }) { $1 }
        default:
            let replacement = Map<String, Value>()
            model = [:]
            for (added, value) in kind.some(&generator, realm) {
                let key = generator.key()
                replacement.updateValue(value, forKey: key)
                model.updateValue(added, forKey: key)
            }
            holder[keyPath: path] = replacement
        }
    }
}

extension SeededGenerator {
    fileprivate mutating func chance(_ oneIn: Int) -> Bool {
        Int.random(in: 0..<oneIn, using: &self) == 0
    }

    fileprivate mutating func text() -> String {
        let letters = ["", "a", "ß", "\0", "zz", "日本"]
        let text = letters[Int.random(in: 0..<letters.count, using: &self)]
        return chance(30) ? String(repeating: text, count: 700) : text + "\(Int.random(in: 0..<30, using: &self))"
    }

    fileprivate mutating func key() -> String {
        chance(20) ? String(repeating: "k", count: Int.random(in: 470...520, using: &self)) : text()
    }

    /// Values of which none equals another of another type.
    fileprivate mutating func anyValue() -> AnyRealmValue {
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
