import Firn
import Foundation
import Testing

/// Lists and maps within an AnyRealmValue.
@Suite struct NestedCollectionTests {
    final class Holder: Object {
        @Persisted var value: AnyRealmValue
        @Persisted var values: List<AnyRealmValue>
        @Persisted var named: Map<String, AnyRealmValue>
        @Persisted var unique: MutableSet<AnyRealmValue>
    }

    final class Dog: Object {
        @Persisted var name = ""
    }

    private func withHolder(_ body: (Realm, Holder) throws -> Void) throws {
        let directory = try TemporaryRealm()
        let realm = try directory.open(Holder.self, Dog.self)
        try body(realm, realm.write { realm.create(Holder.self) })
    }

    private func list(_ values: AnyRealmValue...) -> AnyRealmValue { .list(List(values)) }

    /// A list in a list in a list, `depth` of them.
    private func nest(_ depth: Int) -> AnyRealmValue {
        (1..<depth).reduce(list(.int(0))) { inner, _ in list(inner) }
    }

    @Test func `nested collections are live`() throws {
        try withHolder { realm, holder in
            try realm.write {
                holder.value = list(.int(1), list(.string("a")), .dictionary(["k": .bool(true)]))
            }
            let outer = try #require(holder.value.listValue)
            let inner = try #require(outer[1].listValue)
            let map = try #require(outer[2].dictionaryValue)
            #expect(outer.realm == realm)
            try realm.write {
                inner.append(.string("b"))
                map["l"] = list(.none)
                outer.insert(.int(0), at: 0)
            }
            #expect(holder.value.listValue?.count == 4)
            #expect(holder.value.listValue?[2].listValue?.count == 2)
            #expect(map["l"]?.listValue?.first == AnyRealmValue.none)
            #expect(outer[2].listValue == inner)
            #expect(map.keys == ["k", "l"])
        }
    }

    @Test func `a nested collection that another value takes the place of is invalidated`() throws {
        try withHolder { realm, holder in
            try realm.write { holder.value = list(list(.int(1))) }
            let outer = try #require(holder.value.listValue)
            let inner = try #require(outer.first?.listValue)
            try realm.write { outer[0] = .int(2) }
            #expect(inner.isInvalidated)
            #expect(!outer.isInvalidated)
            try realm.write { holder.value = .none }
            #expect(outer.isInvalidated)
        }
    }

    @Test func `putting a nested collection where it is changes nothing, elsewhere it is copied`() throws {
        try withHolder { realm, holder in
            try realm.write {
                holder.value = list(list(.int(1)), .dictionary(["a": .int(2)]))
                holder.value = holder.value
                let outer = try #require(holder.value.listValue)
                outer[0] = outer[0]
                outer[1] = outer[1]
                holder.values.append(holder.value)
                holder.named["v"] = outer[0]
                holder.named["v"] = holder.named["v"]
                // The source goes with the assignment, but was read before.
                holder.value = outer[0]
            }
            #expect(holder.value.listValue?.first == .int(1))
            #expect(holder.values.first?.listValue?[1].dictionaryValue?["a"] == .int(2))
            #expect(holder.named["v"]?.listValue?.first == .int(1))
            #expect(holder.named["v"]?.listValue != holder.value.listValue)
        }
    }

    @Test func `objects in nested collections are added, and nil once deleted`() throws {
        try withHolder { realm, holder in
            let dog = Dog(value: ["name": "Rex"])
            let unmanaged = Holder()
            unmanaged.value = list(.object(dog), .dictionary(["d": .object(dog)]))
            try realm.write {
                realm.add(unmanaged)
                holder.values.append(list(.object(Dog(value: ["name": "Max"]))))
            }
            #expect(realm.objects(Dog.self).count == 2)
            let outer = try #require(unmanaged.value.listValue)
            #expect(outer[0].object(Dog.self)?.name == "Rex")
            try realm.write { realm.delete(realm.objects(Dog.self)) }
            #expect(outer[0] == AnyRealmValue.none)
            #expect(outer[1].dictionaryValue?["d"] == AnyRealmValue.none)
            #expect(holder.values.first?.listValue?.first == AnyRealmValue.none)
        }
    }

    @Test func `a hundred levels are stored, one more is refused`() throws {
        try withHolder { realm, holder in
            try realm.write { holder.value = nest(100) }
            var depth = 0
            var value: AnyRealmValue? = holder.value
            while let inner = value?.listValue {
                depth += 1
                value = inner.first
            }
            #expect(depth == 100)
            #expect(value == .int(0))
            let message = expectError(.invalidInput) { try realm.write { holder.value = nest(101) } }
            #expect(message.contains("Holder.value") && message.contains("100 levels"))
            try realm.write { holder.value = nest(60) }
            expectError(.invalidInput) {
                try realm.write {
                    var deepest = try #require(holder.value.listValue)
                    while let inner = deepest.first?.listValue { deepest = inner }
                    deepest.append(nest(41))
                }
            }
            expectError(.invalidInput) { try realm.write { realm.add(Holder(value: ["value": nest(5_000)])) } }
        }
    }

    @Test func `a list that holds itself is refused`() throws {
        try withHolder { realm, holder in
            let loop = List<AnyRealmValue>()
            loop.append(.list(loop))
            loop.append(.list(loop))
            expectError(.invalidInput) { try realm.write { holder.value = .list(loop) } }
            loop.removeAll()
        }
    }

    @Test func `a set holds no nested collections, and numbers once`() throws {
        try withHolder { realm, holder in
            let message = expectError(.invalidInput) { try realm.write { holder.unique.insert(list()) } }
            #expect(message.contains("is a set"))
            try realm.write {
                holder.unique.insert(objectsIn: [.int(1), .double(1), .float(1), .bool(true), .string("1")])
            }
            #expect(holder.unique.count == 3)
            #expect(holder.unique.contains(.double(1)))
            let unmanaged = MutableSet<AnyRealmValue>([.int(1), .double(1)])
            #expect(unmanaged.count == 1)
        }
    }

    @Test func `empty nested collections are there`() throws {
        try withHolder { realm, holder in
            try realm.write {
                holder.value = list()
                holder.named["m"] = .dictionary([:])
            }
            #expect(holder.value.listValue?.isEmpty == true)
            try realm.write {
                holder.value.listValue?.append(.int(1))
                holder.named["m"]?.dictionaryValue?["a"] = .int(2)
            }
            #expect(holder.value.listValue?.first == .int(1))
            #expect(holder.named["m"]?.dictionaryValue?["a"] == .int(2))
            try realm.write {
                holder.value.listValue?.removeAll()
                holder.named["m"]?.dictionaryValue?.removeAll()
            }
            #expect(holder.value.listValue?.isEmpty == true)
            #expect(holder.named["m"]?.dictionaryValue?.isEmpty == true)
        }
    }
}
