import Firn
import Foundation
import Testing

@Suite struct ObjectCopyTests {
    final class Node: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var next: Node?
        @Persisted var other: Node?
    }

    private let source: TemporaryRealm
    private let target: TemporaryRealm

    init() throws {
        source = try TemporaryRealm()
        target = try TemporaryRealm()
    }

    // Copying from another realm followed links recursively: objects that link to each other, or a long chain, were a
    // stack overflow.
    @Test func `objects of another realm are copied once, also in a cycle`() throws {
        let old = try source.open(Node.self)
        let new = try target.open(Node.self)
        try old.write {
            let first = old.create(Node.self, value: [1])
            let second = old.create(Node.self, value: [2, first, first])
            first.next = second
            first.other = first
        }
        let first = try #require(old.object(ofType: Node.self, forPrimaryKey: 1))
        let copy = try new.write { new.create(Node.self, value: first) }
        #expect(new.objects(Node.self).count == 2)
        #expect(copy.next?.id == 2)
        #expect(copy.next?.next == copy)
        #expect(copy.next?.other == copy)
        #expect(copy.other == copy)
    }

    @Test func `a chain of objects of another realm is copied however long it is`() throws {
        let old = try source.open(Node.self)
        let new = try target.open(Node.self)
        let count = 20_000
        try old.write {
            var last: Node?
            for id in 0..<count { last = old.create(Node.self, value: ["id": id, "next": last as Any]) }
        }
        let last = try #require(old.objects(Node.self).last)
        try new.write { _ = new.create(Node.self, value: last) }
        #expect(new.objects(Node.self).count == count)
        #expect(new.objects(Node.self).filter("next == nil").count == 1)
    }

    // An NSNumber over Int64.max wrapped around to a negative number.
    @Test func `a number that no Int holds is refused`() throws {
        let realm = try source.open(Node.self)
        expectError(.invalidInput) {
            try realm.write { _ = realm.create(Node.self, value: ["id": NSNumber(value: UInt64.max)]) }
        }
        try realm.write { _ = realm.create(Node.self, value: ["id": NSNumber(value: UInt64(Int64.max))]) }
        #expect(realm.objects(Node.self).first?.id == .max)
    }
}
