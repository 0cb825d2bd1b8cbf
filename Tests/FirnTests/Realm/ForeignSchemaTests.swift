import Foundation
import TestSupport
import Testing

@testable import Firn

/// What becomes of a realm and its results when somebody else changes the schema of their file.
@Suite struct ForeignSchemaTests {
    class Item: Object {
        override class func className() -> String { "Item" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
    final class IndexedItem: Item {
        @Persisted(primaryKey: true) var id: Int
        @Persisted(indexed: true) var number: Int
        @Persisted(unique: true) var code: Int?
        @Persisted var other: Other?
    }
    final class BareItem: Item {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var number: Int
        @Persisted var code: Int?
        @Persisted var other: Other?
    }
    final class LonelyItem: Item {
        @Persisted(primaryKey: true) var id: String
    }
    final class Other: Object {
        @Persisted var value: Int
    }

    private let directory: TemporaryRealm
    private let realm: Realm
    private let all: Results<IndexedItem>
    private let other: Other

    /// 500 items; numbers 0 to 49, and the first ten link to the other.
    init() throws {
        directory = try TemporaryRealm()
        realm = try directory.open(IndexedItem.self, Other.self)
        let other = Other()
        self.other = other
        try realm.write { [realm] in
            realm.add(other)
            for id in 0..<500 {
                let item = IndexedItem(value: ["id": id, "number": id % 50])
                if id < 10 { item.other = other }
                realm.add(item)
            }
        }
        all = realm.objects(IndexedItem.self)
    }

    /// Opens the file with other classes, as another process may at any time; of several sets one after the other.
    private func open(_ sets: [ObjectBase.Type]..., deletes: Bool = false) throws {
        for types in sets {
            var configuration = directory.configuration(types)
            configuration.deleteRealmIfMigrationNeeded = deletes
            try onAnotherThread { [configuration] in _ = try Realm(configuration: configuration) }
        }
        realm.refresh()
    }

    @Test func `results that an index had sorted are sorted without it`() throws {
        let first = all.sorted(byKeyPath: "number").limit(7)
        let distinct = all.distinct(by: ["number"])
        let few = all.filter("number == 3")
        let sorted = all.sorted(byKeyPath: "number")
        #expect(first.count == 7 && distinct.count == 50 && few.count == 10)
        try open([BareItem.self, Other.self])
        #expect(first.count == 7)
        #expect(first.first?.number == 0)
        #expect(first.map(\.id) == [0, 50, 100, 150, 200, 250, 300])
        #expect(first.explain().contains("scan the table"), "\(first.explain())")
        #expect(distinct.count == 50)
        #expect(few.count == 10)
        // Made of results that nobody has asked since.
        #expect(sorted.limit(2).map(\.id) == [0, 50])
    }

    @Test func `a class whose property is no longer kept unique may not be written`() throws {
        try open([BareItem.self, Other.self])
        #expect(all.count == 500)
        let error = #expect(throws: Realm.Error.self) {
            try realm.write {
                all[0].code = 7
                all[1].code = 7
            }
        }
        #expect(error?.message.contains("another process changed the schema") == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("code") == true, "\(error?.message ?? "")")
        #expect(all.filter("code == 7").isEmpty)
    }

    @Test func `nothing equals an object that went with its class`() throws {
        let linking = all.filter("other == %@", other)
        let others = all.filter("other != %@", other)
        let predicate = try ObjectPredicate<IndexedItem>("other IN %@", [other])
        #expect(linking.count == 10 && others.count == 490 && all.filter(predicate).count == 10)
        // In the end the same properties, in tables of their own.
        try open([LonelyItem.self, Other.self], [BareItem.self, Other.self], deletes: true)
        try onAnotherThread { [configuration = directory.configuration([BareItem.self, Other.self])] in
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.add(BareItem(value: ["id": 1, "number": 1])) }
        }
        realm.refresh()
        #expect(linking.isEmpty)
        #expect(others.map(\.id) == [1])
        #expect(all.filter(predicate).isEmpty)
    }

    @Test func `results of classes that are gone are empty`() throws {
        let few = all.filter("other.value == 0")
        #expect(few.count == 10)
        try open([LonelyItem.self], deletes: true)
        #expect(all.isEmpty)
        #expect(few.isEmpty)
        #expect(all.sorted(byKeyPath: "number").map(\.id) == [])
    }
}
