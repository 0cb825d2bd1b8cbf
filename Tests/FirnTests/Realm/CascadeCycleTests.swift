import Firn
import Foundation
import Testing

/// An update that replaces children never deletes what it adds, updates or links to, wherever cascades lead.
@Suite struct CascadeCycleTests {
    final class Node: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var text = ""
        @Persisted(deleteRule: .cascade) var next: Node?
        @Persisted(deleteRule: .cascade) var children: List<Node>
        @Persisted(deleteRule: .cascade) var named: Map<String, Node?>
        @Persisted var favourite: Node?
        @Persisted(deleteRule: .deny) var pinned: Node?
        @Persisted var part: Part?
        @Persisted var parts: List<Part>

        convenience init(_ id: Int, next: Node? = nil, _ children: [Node] = []) {
            self.init()
            self.id = id
            self.next = next
            self.children.append(objectsIn: children)
        }
    }

    final class Part: EmbeddedObject {
        @Persisted var text = ""
        @Persisted(deleteRule: .cascade) var node: Node?
    }

    private let directory: TemporaryRealm
    private let realm: Realm

    init() throws {
        directory = try TemporaryRealm()
        realm = try directory.open(Node.self, Part.self)
    }

    private var ids: [Int] { realm.objects(Node.self).map(\.id).sorted() }

    private func node(_ id: Int) throws -> Node {
        try #require(realm.object(ofType: Node.self, forPrimaryKey: id))
    }

    @Test(arguments: [Realm.UpdatePolicy.modified, .all])
    func `the root stays where a replaced child leads back to it`(policy: Realm.UpdatePolicy) throws {
        let root = Node(1, next: Node(2))
        root.next?.next = Node(3)
        root.next?.next?.next = root
        try realm.write { realm.add(root) }
        try realm.write {
            let update = Node(1)
            update.text = "new"
            realm.add(update, update: policy)
            #expect(!update.isInvalidated)
        }
        #expect(ids == [1])
        #expect(root.text == "new")
        #expect(root.next == nil)
        expectIntact(realm)
    }

    @Test(arguments: [Realm.UpdatePolicy.modified, .all])
    func `an object that the call adds or updates stays, however deep the replaced one has it`(
        policy: Realm.UpdatePolicy
    ) throws {
        // 1 has 2, which has 3 and 4; now 1 has 3 itself, and 4 is only linked to.
        try realm.write { realm.add(Node(1, next: Node(2, [Node(3), Node(4)]))) }
        let (third, fourth) = try (node(3), node(4))
        try realm.write {
            realm.create(
                Node.self, value: ["id": 1, "next": NSNull(), "children": [["id": 3]], "favourite": ["id": 4]],
                update: policy)
        }
        #expect(ids == [1, 3, 4])
        #expect(!third.isInvalidated && !fourth.isInvalidated)
        #expect(try node(1).children.map(\.id) == [3])
        #expect(try node(1).favourite?.id == 4)
        expectIntact(realm)
    }

    @Test(arguments: [Realm.UpdatePolicy.modified, .all])
    func `a managed object that the call links to stays`(policy: Realm.UpdatePolicy) throws {
        try realm.write { realm.add(Node(1, next: Node(2, [Node(3), Node(4), Node(5)]))) }
        try realm.write {
            let update = Node(1, [try node(3)])
            update.favourite = try node(4)
            let inner = Node(6)
            inner.favourite = try node(5)
            update.named["inner"] = inner
            realm.add(update, update: policy)
        }
        #expect(ids == [1, 3, 4, 5, 6])
        #expect(try node(1).children.map(\.id) == [3])
        #expect(try node(1).favourite?.id == 4)
        #expect(try node(6).favourite?.id == 5)
        expectIntact(realm)
    }

    @Test func `what the replaced child alone owns goes`() throws {
        try realm.write { realm.add(Node(1, next: Node(2, next: Node(3)))) }
        try realm.write { realm.create(Node.self, value: ["id": 1, "next": ["id": 4]], update: .modified) }
        #expect(ids == [1, 4])
    }

    @Test(arguments: [Realm.UpdatePolicy.modified, .all])
    func `a new embedded object keeps what the one that it replaces owned`(policy: Realm.UpdatePolicy) throws {
        try realm.write {
            realm.create(
                Node.self,
                value: [
                    "id": 1, "part": ["node": ["id": 2, "text": "two"]],
                    "parts": [["node": ["id": 3]], ["node": ["id": 4]]],
                ])
        }
        try realm.write {
            realm.create(
                Node.self, value: ["id": 1, "part": ["node": ["id": 2]], "parts": [["node": ["id": 4]]]],
                update: policy)
        }
        #expect(ids == [1, 2, 4])
        #expect(try node(1).part?.node?.text == "two")
        #expect(try node(1).parts[0].node?.id == 4)
        expectIntact(realm)
    }

    @Test(arguments: [Realm.UpdatePolicy.modified, .all])
    func `the root stays where a replaced embedded object leads back to it`(policy: Realm.UpdatePolicy) throws {
        try realm.write {
            let root = realm.create(Node.self, value: ["id": 1, "part": ["node": ["id": 2]]])
            root.part?.node?.part = Part(value: ["node": root])
        }
        let root = try node(1)
        try realm.write {
            realm.create(Node.self, value: ["id": 1, "text": "new", "part": NSNull()], update: policy)
        }
        #expect(!root.isInvalidated)
        #expect(root.text == "new")
        #expect(ids == [1])
        expectIntact(realm)
    }

    @Test func `a replaced child that must not go while it links to one that stays refuses the update`() throws {
        try realm.write {
            let root = Node(1, next: Node(2))
            root.next?.pinned = root
            realm.add(root)
        }
        let message = expectError(.invalidInput) {
            try realm.write { _ = realm.create(Node.self, value: ["id": 1, "next": NSNull()], update: .modified) }
        }
        #expect(message.contains("'pinned'"))
        #expect(ids == [1, 2])
        #expect(try node(1).next?.id == 2)
    }

    @Test func `deleting outside of an update follows cascades to the end`() throws {
        let root = Node(1, next: Node(2))
        root.next?.next = root
        try realm.write { realm.add(root) }
        try realm.write {
            realm.add(Node(1, next: Node(3)), update: .modified)
            realm.delete(try node(1))
        }
        #expect(ids.isEmpty)
        expectIntact(realm)
    }
}
