import Firn
import Foundation
import Testing

/// The members of Map, unmanaged and in a write.
@Suite struct MapTests {
    final class Holder: Object {
        @Persisted var numbers: Map<String, Int>
        @Persisted var optional: Map<String, Int?>
        @Persisted var sizes: Map<Size, String>
        @Persisted var dogs: Map<String, Dog?>
    }

    final class Dog: Object {
        @Persisted var name = ""
    }

    enum Size: String, PersistableEnum, _MapKey { case small, large }

    enum State: CaseIterable { case unmanaged, managed }

    private func withHolder(_ state: State, _ body: (Holder) throws -> Void) throws {
        guard state == .managed else { return try body(Holder()) }
        let directory = try TemporaryRealm()
        let realm = try directory.open(Holder.self, Dog.self)
        try realm.write { try body(realm.create(Holder.self)) }
    }

    @Test(arguments: State.allCases)
    func `values are set, read and removed by key`(_ state: State) throws {
        try withHolder(state) { holder in
            let map = holder.numbers
            #expect(map.isEmpty)
            map["b"] = 2
            map["a"] = 1
            map.updateValue(3, forKey: "c")
            map["a"] = 10
            #expect(map.count == 3)
            #expect(map["a"] == 10)
            #expect(map.object(forKey: "c") == 3)
            #expect(map["d"] == nil)
            map["b"] = nil
            map.removeObject(for: "c")
            map.removeObject(for: "no such key")
            #expect(map.keys == ["a"])
            #expect(map.values == [10])
            map.removeAll()
            #expect(map.isEmpty)
            map.removeAll()
        }
    }

    @Test(arguments: State.allCases)
    func `nil removes the key, and a nil value has its own way in`(_ state: State) throws {
        try withHolder(state) { holder in
            let map = holder.optional
            map["a"] = 1
            map["b"] = .some(nil)
            map.updateValue(nil, forKey: "c")
            #expect(map.count == 3)
            #expect(map["b"] == .some(.none))
            #expect(map["c"] == .some(.none))
            #expect(map["d"] == .none)
            map["a"] = nil
            #expect(Set(map.keys) == ["b", "c"])
        }
    }

    @Test(arguments: State.allCases)
    func `maps are merged`(_ state: State) throws {
        try withHolder(state) { holder in
            let map = holder.numbers
            map.merge([("a", 1), ("b", 2), ("a", 5)]) { $0 + $1 }
            #expect(map["a"] == 6)
            map.merge(["b": 10, "c": 3]) { old, _ in old }
            #expect(map["b"] == 2)
            map.merge(map) { $0 * $1 }
            #expect(Dictionary(uniqueKeysWithValues: map.map { ($0.key, $0.value) }) == ["a": 36, "b": 4, "c": 9])
            struct Refusal: Error {}
            #expect(throws: Refusal.self) { try map.merge(["z": 0, "a": 0]) { _, _ in throw Refusal() } }
        }
    }

    @Test(arguments: State.allCases)
    func `keys can be an enum's cases`(_ state: State) throws {
        try withHolder(state) { holder in
            holder.sizes[.large] = "L"
            holder.sizes[.small] = "S"
            #expect(holder.sizes[.large] == "L")
            #expect(Set(holder.sizes.keys) == [.small, .large])
        }
    }

    @Test(arguments: State.allCases)
    func `entries come as entries, as tuples and by position`(_ state: State) throws {
        try withHolder(state) { holder in
            let map = holder.numbers
            for (index, key) in ["b", "a", "é", "c"].enumerated() { map[key] = index }
            var seen: [String: Int] = [:]
            for entry in map { seen[entry.key] = entry.value }
            for (key, value) in map.asKeyValueSequence() { #expect(seen[key] == value) }
            #expect(seen == ["a": 1, "b": 0, "c": 3, "é": 2])
            var index = map.startIndex
            var keys: [String] = []
            while index != map.endIndex {
                keys.append(map[index].key)
                #expect(map.index(forKey: map[index].key) == index)
                index = map.index(after: index)
            }
            #expect(keys == map.keys)
            #expect(map.index(forKey: "d") == nil)
            #expect(map.contains { $0.value == 3 })
            #expect(map.filter { $0.value > 1 }.count == 2)
            if state == .managed { #expect(map.keys == ["a", "b", "c", "é"]) }
        }
    }

    @Test func `entries differ by key and by value`() throws {
        let map: Map<String, Int> = ["a": 1, "b": 1]
        let entries = Array(map)
        #expect(entries[0] == entries[0])
        #expect(entries[0] != entries[1])
        #expect(Set(entries).count == 2)
    }

    @Test func `keys with a dot or a dollar sign are refused by a realm, with the key that it takes`() throws {
        let directory = try TemporaryRealm()
        let realm = try directory.open(Holder.self, Dog.self)
        let holder = Holder()
        holder.numbers["New York.Brooklyn"] = 1
        var message = expectError(.invalidInput) { try realm.write { realm.add(holder) } }
        #expect(message.contains("New York%2EBrooklyn"))
        #expect(message.contains("Holder.numbers"))
        message = expectError(.invalidInput) {
            try realm.write { realm.create(Holder.self).numbers["a$b"] = 1 }
        }
        #expect(message.contains("a%24b"))
        #expect(realm.isEmpty)
        try realm.write { realm.create(Holder.self).numbers["New York%2EBrooklyn"] = 1 }
        #expect(realm.objects(Holder.self).first?.numbers["New York%2EBrooklyn"] == 1)
    }

    @Test func `any other key is a key`() throws {
        let directory = try TemporaryRealm()
        let realm = try directory.open(Holder.self, Dog.self)
        let keys = [
            "", "\0", "a\0b", "ÄÖÜ", "🐶", String(repeating: "k", count: 600), String(repeating: "k", count: 601),
        ]
        let holder = try realm.write { realm.create(Holder.self) }
        try realm.write {
            for (index, key) in keys.enumerated() { holder.numbers[key] = index }
        }
        for (index, key) in keys.enumerated() { #expect(holder.numbers[key] == index) }
        #expect(Set(holder.numbers.keys) == Set(keys))
    }

    @Test func `objects are values, and nil ones once they are deleted`() throws {
        let directory = try TemporaryRealm()
        let realm = try directory.open(Holder.self, Dog.self)
        let holder = Holder()
        let rex = Dog(value: ["name": "Rex"])
        holder.dogs["best"] = rex
        holder.dogs["none"] = .some(nil)
        try realm.write {
            realm.add(holder)
            holder.dogs["other"] = Dog(value: ["name": "Max"])
            holder.dogs["again"] = rex
        }
        #expect(realm.objects(Dog.self).count == 2)
        #expect(holder.dogs["best"]??.name == "Rex")
        #expect(holder.dogs["none"] == .some(.none))
        try realm.write { realm.delete(rex) }
        #expect(holder.dogs.keys == ["again", "best", "none", "other"])
        #expect(holder.dogs.values.map { $0?.name } == [nil, nil, nil, "Max"])
    }

    @Test func `maps are equal by what they are, or by what they hold`() throws {
        let map: Map<String, Int> = ["a": 1]
        #expect(map == ["a": 1])
        #expect(map != ["a": 2])
        let directory = try TemporaryRealm()
        let realm = try directory.open(Holder.self, Dog.self)
        let holder = try realm.write { realm.create(Holder.self, value: ["numbers": ["a": 1]]) }
        #expect(holder.numbers == holder.numbers)
        #expect(holder.numbers != map)
        #expect(holder.numbers.hashValue == holder.numbers.hashValue)
    }
}
