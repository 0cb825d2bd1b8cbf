import Firn
import Foundation
import TestSupport
import Testing

/// Collections in read-only realms, at other versions, and in writes that end otherwise than with a commit.
@Suite struct CollectionRealmTests {
    final class Holder: Object {
        @Persisted var numbers: List<Int>
        @Persisted var unique: MutableSet<String>
        @Persisted var named: Map<String, Double?>
    }

    private let value: [String: Any] = ["numbers": [1, 2], "unique": ["a"], "named": ["x": 1.5]]

    @Test func `a read-only realm shows collections`() throws {
        let directory = try TemporaryRealm()
        try autoreleasepool {
            let realm = try directory.open(Holder.self)
            try realm.write { _ = realm.create(Holder.self, value: value) }
        }
        var configuration = directory.configuration([Holder.self])
        configuration.readOnly = true
        try onAnotherThread { [configuration] in
            let realm = try Realm(configuration: configuration)
            let holder = try #require(realm.objects(Holder.self).first)
            #expect(Array(holder.numbers) == [1, 2])
            #expect(Array(holder.unique) == ["a"])
            #expect(holder.named["x"] == 1.5)
            #expect(holder.numbers.index(of: 2) == 1)
        }
    }

    @Test func `a collection follows its realm to another version`() throws {
        let directory = try TemporaryRealm()
        let realm = try directory.open(Holder.self)
        let holder = try realm.write { realm.create(Holder.self, value: value) }
        let numbers = holder.numbers
        let configuration = realm.configuration
        try onAnotherThread {
            let other = try Realm(configuration: configuration)
            try other.write { other.objects(Holder.self).first?.numbers.append(3) }
        }
        #expect(numbers.count == 2)
        realm.refresh()
        #expect(Array(numbers) == [1, 2, 3])
    }

    @Test func `a cancelled write takes all changes back`() throws {
        let directory = try TemporaryRealm()
        let realm = try directory.open(Holder.self)
        let holder = try realm.write { realm.create(Holder.self, value: value) }
        realm.beginWrite()
        holder.numbers.append(objectsIn: 0..<1_000)
        holder.unique.removeAll()
        holder.named["y"] = 2
        let added = realm.create(Holder.self, value: value)
        let list = added.numbers
        realm.cancelWrite()
        #expect(Array(holder.numbers) == [1, 2])
        #expect(Array(holder.unique) == ["a"])
        #expect(holder.named.keys == ["x"])
        #expect(list.isInvalidated)
    }

    @Test func `a value too large is refused`() throws {
        let directory = try TemporaryRealm()
        let realm = try directory.open(Holder.self)
        let holder = try realm.write { realm.create(Holder.self, value: value) }
        let large = String(repeating: "x", count: 16_777_217)
        let message = expectError(.invalidInput) { try realm.write { holder.unique.insert(large) } }
        #expect(message.contains("Holder.unique"))
        #expect(holder.unique.count == 1)
    }

    @Test func `floating-point oddities are what they were`() throws {
        let directory = try TemporaryRealm()
        let realm = try directory.open(Holder.self)
        let holder = try realm.write { realm.create(Holder.self, value: value) }
        try realm.write {
            holder.named["nan"] = .some(.nan)
            holder.named["inf"] = .some(-.infinity)
            holder.named["zero"] = .some(-0.0)
            holder.named["nil"] = .some(nil)
        }
        #expect((holder.named["nan"] ?? nil)?.isNaN == true)
        #expect(holder.named["inf"] == -.infinity)
        #expect((holder.named["zero"] ?? nil)?.sign == .minus)
        #expect(holder.named["nil"] == .some(.none))
    }
}
