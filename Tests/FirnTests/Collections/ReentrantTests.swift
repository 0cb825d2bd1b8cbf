import Firn
import Foundation
import Testing

/// The user's code within the library's: conversions that write, closures that change what they go over.
@Suite struct ReentrantTests {
    /// A type whose conversion does what a test says.
    struct Restless: CustomPersistable, Hashable {
        nonisolated(unsafe) static var whenMade: (() -> Void)?  // Tests of this suite run one after the other.

        let text: String

        init(persistedValue: String) {
            text = persistedValue
            let action = Self.whenMade
            Self.whenMade = nil
            action?()
        }

        init(_ text: String) { self.text = text }

        var persistableValue: String { text }
    }

    struct Price: PersistableCodable, Hashable {
        var amount: Decimal
    }

    final class Holder: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var list: List<Restless>
        @Persisted var set: MutableSet<Restless>
        @Persisted var map: Map<String, Int>
        @Persisted var price: Price?
        @Persisted var any: AnyRealmValue
    }

    private let temporary: TemporaryRealm
    private let realm: Realm
    private let holder: Holder

    init() throws {
        temporary = try TemporaryRealm()
        realm = try temporary.open(Holder.self)
        holder = Holder()
        try realm.write { realm.add(holder) }
    }

    @Suite(.serialized) struct Conversions {
        @Test(arguments: [true, false])
        func `a conversion may write or refresh while its collection is gone over`(isWriting: Bool) throws {
            let test = try ReentrantTests()
            let (realm, holder) = (test.realm, test.holder)
            let texts = (0..<600).map { "text \($0)" }
            try realm.write {
                holder.list.append(objectsIn: texts.map { Restless($0) })
                holder.set.insert(objectsIn: texts.map { Restless($0) })
            }
            for collection in [AnySequence(holder.list), AnySequence(holder.set)] {
                Restless.whenMade = {
                    if isWriting {
                        try? realm.write {
                            holder.list.removeAll()
                            holder.set.removeAll()
                        }
                    } else {
                        realm.refresh()
                    }
                }
                var seen: [String] = []
                for element in collection { seen.append(element.text) }
                #expect(Set(seen) == Set(texts) && seen.count == texts.count)
                try realm.write {
                    holder.list.removeAll()
                    holder.list.append(objectsIn: texts.map { Restless($0) })
                    holder.set.insert(objectsIn: texts.map { Restless($0) })
                }
            }
        }
    }

    @Test func `a closure that goes over a map may take keys out of it`() throws {
        try realm.write {
            for key in ["a", "b", "c"] { holder.map[key] = 1 }
            let seen = holder.map.map { entry in
                if entry.key == "a" { holder.map["b"] = nil }
                return entry.key
            }
            #expect(seen.first == "a" && !seen.contains("b"))
        }
    }

    @Test func `a decimal that is no number comes back from a Codable value`() throws {
        try realm.write { holder.price = Price(amount: .nan) }
        #expect(holder.price?.amount.isNaN == true)
    }

    @Test func `a list that stands in itself more than once is refused at once`() {
        let list = List<AnyRealmValue>()
        list.append(.list(list))
        list.append(.list(list))
        #expect(throws: Realm.Error.self) {
            try realm.write { realm.create(Holder.self, value: ["id": 2, "any": AnyRealmValue.list(list)]) }
        }
        #expect(realm.objects(Holder.self).count == 1)
        list.removeAll()
    }
}
