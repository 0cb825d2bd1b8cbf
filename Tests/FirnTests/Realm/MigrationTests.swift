import FirnStore
import Foundation
import TestSupport
import Testing

@testable import Firn

@Suite struct MigrationTests {
    class Keyed: Object {
        override class func className() -> String { "Keyed" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
    final class IntegerKeyed: Keyed {
        @Persisted(primaryKey: true) var id: Int
    }
    final class OptionalIntegerKeyed: Keyed {
        @Persisted(primaryKey: true) var id: Int?
    }
    final class TextKeyed: Keyed {
        @Persisted(primaryKey: true) var id: String
    }
    final class OptionalTextKeyed: Keyed {
        @Persisted(primaryKey: true) var id: String?
    }

    private let directory: TemporaryRealm

    init() throws {
        directory = try TemporaryRealm()
    }

    private func withRealm(_ type: Object.Type, _ version: UInt64, _ body: (Realm) throws -> Void) throws {
        let realm = try Realm(configuration: directory.configuration([type], schemaVersion: version))
        try body(realm)
        let problems = IntegrityChecker.check(realm.context.connection)
        #expect(problems.isEmpty, "\(problems)")
    }

    // A primary key that kept its name but changed its type was replaced like any other property: the objects lost
    // their keys, or kept keys that no longer were theirs (I5, I6, I8).
    @Test(
        arguments: [
            (IntegerKeyed.self, TextKeyed.self), (IntegerKeyed.self, OptionalIntegerKeyed.self),
            (OptionalIntegerKeyed.self, IntegerKeyed.self), (TextKeyed.self, IntegerKeyed.self),
            (OptionalTextKeyed.self, TextKeyed.self),
        ] as [(Keyed.Type, Keyed.Type)])
    func `the type of a primary key changes only where there is no object`(old: Keyed.Type, new: Keyed.Type) throws {
        let key: Any = old.hasTextKey ? "1" : 1
        try withRealm(old, 0) { realm in
            try realm.write { _ = realm.create(old, value: ["id": key]) }
        }
        let message = expectError(.schemaMismatch) { try withRealm(new, 1) { _ in } }
        #expect(message.contains("primary key"))
        try withRealm(old, 0) { realm in
            #expect(realm.object(ofType: old, forPrimaryKey: key) != nil)
            try realm.write { realm.deleteAll() }
        }
        try withRealm(new, 1) { realm in
            try realm.write { _ = realm.create(new, value: ["id": new.hasTextKey ? "1" : 1]) }
        }
    }

    @Test func `a key that is a text may become optional`() throws {
        try withRealm(TextKeyed.self, 0) { realm in
            try realm.write { realm.add([TextKeyed(value: [""]), TextKeyed(value: ["a"])]) }
        }
        try withRealm(OptionalTextKeyed.self, 1) { realm in
            #expect(realm.object(ofType: OptionalTextKeyed.self, forPrimaryKey: "")?.id == "")
            try realm.write { realm.add(OptionalTextKeyed()) }
        }
    }

    class Grown: Object {
        override class func className() -> String { "Grown" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
    final class Small: Grown {
        @Persisted(primaryKey: true) var id: Int
    }
    final class Required: Grown {
        @Persisted(primaryKey: true) var id: Int
        @Persisted(indexed: true) var number: Int
        @Persisted(indexed: true) var text: String
        @Persisted(indexed: true) var date: Date
        @Persisted var real: Double
    }
    final class Optional: Grown {
        @Persisted(primaryKey: true) var id: Int
        @Persisted(indexed: true) var number: Int?
        @Persisted(indexed: true) var text: String?
        @Persisted(indexed: true) var date: Date?
        @Persisted var real: Double?
    }

    // Objects that are older than a required property read as its zero without holding it. When the property became
    // optional they read as nil, while the index still had them under zero (I7).
    @Test func `a property that was added and then made optional keeps its zeros`() throws {
        try withRealm(Small.self, 0) { realm in
            try realm.write { realm.add((0..<300).map { Small(value: [$0]) }) }
        }
        try withRealm(Required.self, 1) { realm in
            #expect(realm.objects(Required.self).filter("number == 0 AND real == 0 AND text == ''").count == 300)
        }
        try withRealm(Optional.self, 2) { realm in
            let objects = realm.objects(Optional.self)
            #expect(objects.filter("number == 0 AND real == 0 AND text == ''").count == 300)
            #expect(objects.filter("date == nil").isEmpty)
            #expect(objects.first?.number == 0)
        }
    }

    final class Unindexed: Grown {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var number: Int
    }
    final class Indexed: Grown {
        @Persisted(primaryKey: true) var id: Int
        @Persisted(indexed: true) var number: Int
    }
    final class Rearranged: Grown {
        @Persisted var text: String?
        @Persisted(primaryKey: true) var id: Int
        @Persisted(indexed: true) var number: Int
    }

    // A realm took over a changed schema only when it began a write. After a refresh it asked an index that another
    // realm had removed, and found nothing.
    @Test func `a query follows indexes that another realm removes and makes`() throws {
        let realm = try Realm(configuration: directory.configuration([Indexed.self]))
        try realm.write { realm.add((0..<10).map { Indexed(value: [$0, $0 % 2]) }) }
        let odd = realm.objects(Indexed.self).filter("number == 1")
        #expect(odd.count == 5)
        let unindexed = directory.configuration([Unindexed.self])
        try onAnotherThread {
            let other = try Realm(configuration: unindexed)
            try other.write { other.add(Unindexed(value: [11, 1])) }
        }
        realm.refresh()
        #expect(odd.count == 6)
        let indexed = directory.configuration([Indexed.self])
        try onAnotherThread {
            let other = try Realm(configuration: indexed, queue: nil)
            try other.write { other.add(Indexed(value: [13, 1])) }
        }
        realm.invalidate()
        #expect(odd.count == 7)
        try realm.write { realm.add(Indexed(value: [15, 1])) }
        #expect(odd.count == 8)
        let problems = IntegrityChecker.check(realm.context.connection)
        #expect(problems.isEmpty, "\(problems)")
    }

    // A file that another realm empties and fills anew has other tables, whose slots need not be where they were. Objects
    // from before went on as views of rows that had got their keys, and read other properties' bytes.
    @Test func `objects of a file that was made anew are invalid`() throws {
        let realm = try Realm(configuration: directory.configuration([Indexed.self]))
        let object = Indexed(value: [1, 5])
        try realm.write { realm.add(object) }
        let sorted = realm.objects(Indexed.self).filter("number >= 0").sorted(byKeyPath: "number")
        #expect(sorted.map(\.number) == [5])
        var other = directory.configuration([Rearranged.self])
        other.deleteRealmIfMigrationNeeded = true
        try onAnotherThread { [other] in
            let other = try Realm(configuration: other)
            try other.write { other.add([Rearranged(value: ["a", 1, 7]), Rearranged(value: ["b", 2, 6])]) }
        }
        #expect(object.number == 5)
        realm.refresh()
        #expect(object.isInvalidated)
        #expect(sorted.map(\.number) == [6, 7])
        let found = realm.objects(Indexed.self).filter("number == 7")
        #expect(found.count == 1)
        #expect(found.first?.id == 1)
        try realm.write { found.first?.number = 3 }
        #expect(realm.objects(Indexed.self).first?.number == 3)
        #expect(sorted.map(\.number) == [3, 6])
    }
}

extension Object {
    /// Whether the class's primary key is a text.
    fileprivate static var hasTextKey: Bool {
        ClassInfo.of(self).primaryKey?.shape.type == .string
    }
}
