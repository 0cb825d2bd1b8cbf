import Firn
import Foundation
import Testing

/// What becomes of the objects that a cascading property no longer links to once its object is updated.
@Suite struct CascadingUpsertTests {
    final class Parent: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name = ""
        @Persisted(deleteRule: .cascade) var first: Child?
        @Persisted(deleteRule: .cascade) var children: List<Child>
        @Persisted(deleteRule: .cascade) var others: MutableSet<Child>
        @Persisted(deleteRule: .cascade) var named: Map<String, Child?>
        @Persisted var known: List<Child>
        @Persisted var next: Parent?

        convenience init(_ id: Int, _ children: [Child] = []) {
            self.init()
            self.id = id
            self.children.append(objectsIn: children)
        }
    }

    final class Child: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted(deleteRule: .cascade) var toy: Toy?

        convenience init(_ id: Int, toy: Toy? = nil) {
            self.init()
            self.id = id
            self.toy = toy
        }
    }

    final class Toy: Object {
        @Persisted var name = ""
    }

    private let directory: TemporaryRealm
    private let realm: Realm

    init() throws {
        directory = try TemporaryRealm()
        realm = try directory.open(Parent.self, Child.self, Toy.self)
    }

    private var childIDs: [Int] { realm.objects(Child.self).map(\.id).sorted() }

    @Test(arguments: [Realm.UpdatePolicy.modified, .all])
    func `children that an update leaves out are deleted with what they own`(policy: Realm.UpdatePolicy) throws {
        try realm.write { realm.add(Parent(1, [Child(1, toy: Toy()), Child(2), Child(3)])) }
        let kept = try #require(realm.object(ofType: Child.self, forPrimaryKey: 2))
        try realm.write {
            realm.add(Parent(1, [Child(4), Child(2)]), update: policy)
            #expect(childIDs == [2, 4])
        }
        #expect(!kept.isInvalidated)
        #expect(realm.objects(Toy.self).isEmpty)
        #expect(realm.objects(Parent.self).first?.children.map(\.id) == [4, 2])
        expectIntact(realm)
    }

    @Test(arguments: [Realm.UpdatePolicy.modified, .all])
    func `create replaces children as add does, but only those of properties that it is given`(
        policy: Realm.UpdatePolicy
    ) throws {
        let parent = Parent(1, [Child(1)])
        parent.first = Child(2)
        try realm.write { realm.add(parent) }
        try realm.write { realm.create(Parent.self, value: ["id": 1, "name": "x"], update: policy) }
        #expect(childIDs == [1, 2])
        try realm.write {
            realm.create(Parent.self, value: ["id": 1, "first": NSNull(), "children": [["id": 3]]], update: policy)
        }
        #expect(childIDs == [3])
        #expect(parent.first == nil)
        expectIntact(realm)
    }

    @Test func `a child that another cascading property links to stays, one that others link to goes`() throws {
        let shared = Child(1)
        let known = Child(2)
        let parent = Parent(1, [shared, known])
        let other = Parent(2, [shared])
        other.known.append(known)
        try realm.write { realm.add([parent, other]) }
        try realm.write { realm.create(Parent.self, value: ["id": 1, "children": [Child]()], update: .modified) }
        #expect(childIDs == [1])
        #expect(other.known.isEmpty)
        expectIntact(realm)
    }

    @Test func `sets and maps that are merged lose nothing, those that are replaced do`() throws {
        let parent = Parent(1)
        parent.others.insert(Child(1))
        parent.named["x"] = Child(2)
        try realm.write { realm.add(parent) }
        func update(_ policy: Realm.UpdatePolicy) throws {
            try realm.write {
                let update: [String: Any] = ["id": 1, "others": [["id": 3]], "named": ["y": ["id": 4]]]
                realm.create(Parent.self, value: update, update: policy)
            }
        }
        try update(.modified)
        #expect(childIDs == [1, 2, 3, 4])
        try update(.all)
        #expect(childIDs == [3, 4])
        expectIntact(realm)
    }

    @Test func `a child moves from one parent to another in one add`() throws {
        try realm.write {
            let parent = Parent(1, [Child(1, toy: Toy(value: ["ball"]))])
            parent.next = Parent(2)
            realm.add(parent)
        }
        let child = try #require(realm.object(ofType: Child.self, forPrimaryKey: 1))
        try realm.write {
            let update: [String: Any] = [
                "id": 1, "children": [Child](), "next": ["id": 2, "children": [["id": 1]]],
            ]
            realm.create(Parent.self, value: update, update: .modified)
        }
        #expect(!child.isInvalidated)
        #expect(child.toy?.name == "ball")
        #expect(realm.object(ofType: Parent.self, forPrimaryKey: 1)?.children.isEmpty == true)
        #expect(realm.object(ofType: Parent.self, forPrimaryKey: 2)?.children.map(\.id) == [1])
        expectIntact(realm)
    }
}
