import Firn
import Foundation
import Synchronization
import TestSupport
import Testing

/// Frozen things read by threads that did not make them, at once, while the realm that they were frozen from goes on.
@Suite struct FrozenThreadTests {
    typealias Dog = FrozenModel.Dog
    typealias Person = FrozenModel.Person

    private let directory: TemporaryRealm
    private let configuration: Realm.Configuration

    init() throws {
        directory = try TemporaryRealm()
        configuration = directory.configuration(FrozenModel.types)
    }

    /// A realm of the calling thread, filled.
    private func fill() throws -> Realm {
        let realm = try Realm(configuration: configuration)
        try FrozenModel.fill(realm)
        return realm
    }

    @Test func `several threads read all of a frozen realm while others write`() async throws {
        let realm = try fill()
        let frozen = realm.freeze()
        let expected = FrozenModel.text(frozen)
        let configuration = configuration
        try await onThreads(5) { number in
            guard number < 4 else {
                let live = try Realm(configuration: configuration)
                for _ in 0..<20 {
                    try FrozenModel.wreck(live)
                    try live.write { live.deleteAll() }
                    try FrozenModel.fill(live)
                }
                return
            }
            for _ in 0..<25 {
                #expect(FrozenModel.text(frozen) == expected)
            }
        }
        #expect(FrozenModel.text(frozen) == expected)
    }

    @Test func `one frozen object, its collections and its results are read by threads at once`() async throws {
        let realm = try fill()
        let person = Frozen(try #require(realm.objects(Person.self).first))
        let dogs = Frozen(person.value.dogs)
        let words = Frozen(person.value.words)
        let roles = Frozen(person.value.byRole)
        let found = Frozen(realm.objects(Dog.self).filter("id > 1").sorted(byKeyPath: "id", ascending: false))
        let sections = Frozen(realm.objects(Dog.self).sectioned(by: \.id))
        let owners = Frozen(try #require(realm.object(ofType: Dog.self, forPrimaryKey: 0)).owners)
        let plain = Frozen(try #require(realm.objects(FrozenModel.Plain.self).first))
        let dynamic = Frozen(try #require(realm.dynamicObjects("FrozenModel.Person").first))
        let expected = FrozenModel.text(person.value)
        try FrozenModel.wreck(realm)
        try await onThreads(4) { _ in
            for _ in 0..<20 {
                #expect(FrozenModel.text(person.value) == expected)
                #expect(dogs.value.map(\.id) == [3, 0, 3] && dogs.value[1].owners.count == 2 && dogs.value.count == 3)
                #expect(dogs.value.first?.owner?.age == nil && dogs.value[1].owner == person.value)
                #expect(Array(words.value) == ["a", "b"] && words.value.contains("b"))
                #expect(roles.value["guard"]??.name == "Dog 4" && roles.value.keys.count == 2)
                #expect(found.value.count == 3 && found.value[0].id == 4 && found.value.last?.id == 2)
                #expect(found.value.filter("id == 3").first?.name == "Dog 3" && found.value.sum(of: \.id) == 9)
                #expect(sections.value.allKeys == [0, 1, 2, 3, 4] && sections.value[3].first?.name == "Dog 3")
                #expect(sections.value.map { $0.map(\.name).count } == [1, 1, 1, 1, 1])
                #expect(owners.value.map(\.age) == [30, 0] && owners.value.first == person.value)
                #expect(plain.value.name == "old" && plain.value.dogs.map(\.name) == ["Dog 2"])
                #expect(dynamic.value.dynamicList("dogs").map { $0["id"] as? Int } == [3, 0, 3])
                #expect(dynamic.value["age"] as? Int == 30 && dynamic.value.dynamicList("dogs")[0].isFrozen)
                #expect(person.value.favourite?.thaw() == nil)
            }
        }
    }

    @Test func `what one thread was given another reads on, and gives on`() async throws {
        let realm = try fill()
        let people = Frozen(realm.objects(Person.self))
        try FrozenModel.wreck(realm)
        var dog = try await onNewThread { Frozen(try #require(people.value.first?.dogs[1])) }
        for _ in 0..<10 {
            let last = dog
            dog = try await onNewThread {
                let owner = try #require(last.value.owner)
                #expect(owner == people.value.first && last.value.owners.first == owner)
                return Frozen(owner.dogs[1])
            }
            #expect(dog.value.name == "Dog 0" && dog.value.owners.count == 2 && dog.value.picture.count == 5000)
        }
    }

    @Test func `an iteration goes on where a task is continued on another thread`() async throws {
        let realm = try Realm(configuration: configuration)
        try realm.write {
            let person = Person(value: ["name": "Ann"])
            for id in 0..<500 {
                let dog = Dog(value: ["id": id, "name": "Dog \(id)"])
                person.dogs.append(dog)
                person.known.insert(dog)
                person.byRole["\(1000 + id)"] = dog
            }
            realm.add(person)
        }
        let person = Frozen(try #require(realm.objects(Person.self).first))
        let all = Frozen(realm.objects(Dog.self))
        let some = Frozen(realm.objects(Dog.self).filter("id >= 250"))
        try realm.write { realm.deleteAll() }

        /// What is given by steps that take turns on two threads.
        func ids(_ next: @escaping () -> Int?) async throws -> [Int] {
            nonisolated(unsafe) let next = next
            var ids: [Int] = []
            while true {
                let some = try await onNewThread { (0..<70).compactMap { _ in next() } }
                ids += some
                if some.count < 70 { return ids }
            }
        }
        var inAll = all.value.makeIterator()
        #expect(try await ids { inAll.next()?.id } == Array(0..<500))
        var inSome = some.value.makeIterator()
        #expect(try await ids { inSome.next()?.id } == Array(250..<500))
        var inList = person.value.dogs.makeIterator()
        #expect(try await ids { inList.next()?.id } == Array(0..<500))
        var inSet = person.value.known.makeIterator()
        #expect(try await ids { inSet.next()?.id } == Array(0..<500))
        var inMap = person.value.byRole.makeIterator()
        #expect(try await ids { inMap.next()?.value?.id } == Array(0..<500))
    }

    @Test func `what two threads froze of one version is equal`() async throws {
        let realm = try fill()
        let frozen = realm.freeze()
        let dog = Frozen(try #require(realm.object(ofType: Dog.self, forPrimaryKey: 1)))
        let configuration = configuration
        try await onNewThread {
            let own = try Realm(configuration: configuration)
            let same = try #require(own.object(ofType: Dog.self, forPrimaryKey: 1)).freeze()
            #expect(own.freeze() == frozen && same == dog.value && same.hashValue == dog.value.hashValue)
        }
    }

    @Test func `many short threads read one frozen collection`() async throws {
        let realm = try fill()
        let dogs = Frozen(realm.objects(Dog.self).sorted(byKeyPath: "id"))
        let person = Frozen(try #require(realm.objects(Person.self).first))
        for _ in 0..<100 {
            try await onNewThread {
                #expect(dogs.value.map(\.id) == [0, 1, 2, 3, 4] && person.value.favourite?.id == 1)
            }
        }
    }

    @Test func `tasks read what is frozen`() async throws {
        let realm = try fill()
        let dogs = Frozen(realm.objects(Dog.self).filter("id < 4"))
        try FrozenModel.wreck(realm)
        let sums = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var sum = 0
                    for dog in dogs.value {
                        await Task.yield()
                        sum += dog.id + dog.owners.count
                    }
                    return sum
                }
            }
            return await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(sums == Array(repeating: 10, count: 8))
    }
}
