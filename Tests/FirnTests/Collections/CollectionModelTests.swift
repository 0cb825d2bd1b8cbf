import Foundation
import TestSupport
import Testing

@testable import Firn
@testable import FirnStore

/// Random operations on all kinds of collections against plain Swift ones, in transactions that commit, throw or are
/// cancelled. Whatever becomes of them, both must hold the same, and the file be sound.
///
/// `firn-stress crash` has the transactions that end with a killed process.
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
        @Persisted var any: AnyRealmValue
    }

    final class Dog: Object {
        @Persisted(primaryKey: true) var id: Int
    }

    final class Address: EmbeddedObject {
        @Persisted var number: Int
    }

    /// 10,000 operations in all, if `FIRN_TEST_OPERATIONS` does not say another number.
    @Test(arguments: RandomRuns(1...4).seeds)
    func `collections are what plain ones are, whatever becomes of their transactions`(_ seed: UInt64) throws {
        let operations = RandomRuns.operations(10_000) / 4
        try RandomRuns([seed]).run { seed in
            let directory = try TemporaryRealm()
            let world = CollectionWorld(seed: seed)
            let configuration = directory.configuration([Holder.self, Dog.self, Address.self])
            let realm = try Realm(configuration: configuration)
            try realm.write {
                for id in 0..<2 { _ = realm.create(Holder.self, value: ["id": id]) }
            }
            for _ in 0..<operations / 20 { try world.playTransaction(realm, operations: 20) }
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

    private struct Cancelled: Error {}

    private var generator: SeededGenerator
    private let parts: [any ModelPart]
    private let dogs = DogNames()

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        let ints = ElementKind.ints
        let texts = ElementKind.texts
        let dates = ElementKind.dates
        let dog = ElementKind.dog(dogs)
        parts = [
            ListPart(\.intList, ints), ListPart(\.textList, texts), ListPart(\.dateList, dates),
            ListPart(\.anyList, .any(dogs)), ListPart(\.addressList, .address), ListPart(\.dogList, dog),
            SetPart(\.intSet, ints, order: { $0 ?? .min < $1 ?? .min }),
            SetPart(\.textSet, texts, order: { $0.utf8.lexicographicallyPrecedes($1.utf8) }),
            SetPart(\.dateSet, dates, order: <), SetPart(\.anySet, .any(dogs, isNesting: false), order: nil),
            SetPart(\.dogSet, dog, order: <),
            MapPart(\.intMap, ints), MapPart(\.textMap, texts), MapPart(\.dateMap, dates),
            MapPart(\.anyMap, .any(dogs)), MapPart(\.addressMap, .optionalAddress),
            MapPart(\.dogMap, .optionalDog(dogs)),
            ValuePart(dogs),
        ]
    }

    func playTransaction(_ realm: Realm, operations: Int) throws {
        let kept = parts.map { $0.contents }
        let keptDogs = dogs.ids
        let ending = Int.random(in: 0..<10, using: &generator)
        do {
            try realm.write {
                for _ in 0..<operations {
                    try operate(realm)
                    // What a write has done can be read before it ends.
                    if generator.chance(60) { try compare(realm) }
                }
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
        let number = Int.random(in: 0..<2, using: &generator)
        guard let holder = realm.object(ofType: Holder.self, forPrimaryKey: number),
            let other = realm.object(ofType: Holder.self, forPrimaryKey: 1 - number)
        else { return }
        if generator.chance(40) {
            guard let id = dogs.ids.sorted().randomElement(using: &generator),
                let dog = realm.object(ofType: Dog.self, forPrimaryKey: id)
            else { return }
            realm.delete(dog)
            forget([id])
        } else if generator.chance(100) {
            let ids = holder.dogList.map(\.id)
            realm.delete(holder.dogList)
            forget(ids)
        } else {
            let part = parts[Int.random(in: 0..<parts.count, using: &generator)]
            try part.operate(holder, number, other, realm, &generator)
        }
    }

    private func forget(_ ids: [Int]) {
        for id in Set(ids) {
            dogs.ids.remove(id)
            for part in parts { part.forgetDog(id) }
        }
    }

    func compare(_ realm: Realm) throws {
        for holder in realm.objects(Holder.self) {
            for part in parts { try part.compare(holder, holder.id) }
        }
        try #require(realm.objects(Dog.self).map(\.id) == dogs.ids.sorted())
    }
}
