import Firn
import Foundation
import Testing

@Suite struct DetachedTests {
    typealias Dog = FrozenModel.Dog
    typealias Person = FrozenModel.Person

    final class Node: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var next: Node?
        @Persisted var far: Node?
        @Persisted var list: List<Node>
        @Persisted var map: Map<String, Node?>
        @Persisted var any: AnyRealmValue
        @Persisted var part: Part?
    }

    final class Part: EmbeddedObject {
        @Persisted var node: Node?
    }

    private let directory: TemporaryRealm
    private let realm: Realm

    init() throws {
        directory = try TemporaryRealm()
        realm = try Realm(configuration: directory.configuration(FrozenModel.types + [Node.self, Part.self]))
    }

    @Test(arguments: [false, true]) func `a detached copy has every value, and nothing live`(isFrozen: Bool) throws {
        try FrozenModel.fill(realm)
        var person = try #require(realm.objects(Person.self).first)
        let name = person.name
        if isFrozen { person = person.freeze() }
        let copy = person.detached()
        let text = FrozenModel.text(person)
        try FrozenModel.wreck(realm)
        #expect(copy.realm == nil && copy.dogs.realm == nil && !copy.isFrozen && !copy.isInvalidated)
        #expect(copy.name == name && copy.age == 30 && copy.weight == 61.5 && copy.mood == .wild)
        #expect(copy.temperature == .init(persistedValue: 36.6) && copy.note == .text("tall") && copy.nickname == nil)
        #expect(
            copy.favourite?.name == "Dog 1" && copy.address?.keeper?.name == "Dog 2" && copy.homes[0].street == "Oak")
        #expect(copy.dogs.map(\.id) == [3, 0, 3] && copy.dogs[0] === copy.dogs[2])
        #expect(Array(copy.numbers) == [3, nil, 1] && Set(copy.words) == ["a", "b"] && copy.known.count == 3)
        #expect(copy.byRole["guard"]??.id == 4 && copy.byRole.keys.contains("none") && copy.notes["n"] == .count(2))
        #expect(copy.anything.object(Dog.self) === copy.dogs[1] && copy.dogs[1].owner === copy)
        #expect(copy.things[1].listValue?[1].object(Dog.self) === copy.favourite)
        // Edited without a write, and saved.
        copy.favourite?.name = "Max"
        copy.dogs.append(Dog(value: ["id": 9]))
        try realm.write { realm.add(copy, update: .modified) }
        #expect(realm.object(ofType: Dog.self, forPrimaryKey: 1)?.name == "Max" && realm.objects(Dog.self).count == 6)
        if isFrozen { #expect(FrozenModel.text(person) == text) }
    }

    @Test func `objects more links away than the depth are left out`() throws {
        try realm.write {
            let nodes = (0..<6).map { Node(value: ["id": $0]) }
            for (node, next) in zip(nodes, nodes.dropFirst()) { node.next = next }
            let first = nodes[0]
            first.list.append(objectsIn: [nodes[1], nodes[2]])
            first.map["a"] = nodes[3]
            first.any = .object(nodes[4])
            first.part = Part(value: ["node": nodes[5]])
            // The short way to 3 is one link, the long one three.
            realm.add(first)
        }
        let first = try #require(realm.object(ofType: Node.self, forPrimaryKey: 0))
        let none = first.detached(depth: 0)
        #expect(none.next == nil && none.list.isEmpty && none.map.isEmpty && none.any == .none)
        #expect(none.part != nil && none.part?.node == nil)
        let one = first.detached(depth: 1)
        #expect(one.next?.id == 1 && one.next?.next === nil && one.list.map(\.id) == [1, 2] && one.map["a"]??.id == 3)
        #expect(one.any.object(Node.self)?.id == 4 && one.part?.node?.id == 5 && one.list[0] === one.next)
        let two = first.detached(depth: 2)
        #expect(two.next?.next?.id == 2 && two.next?.next === two.list[1] && two.list[1].next?.id == 3)
        #expect(two.map["a"]??.next?.id == 4)
        let whole = first.detached()
        #expect(whole.next?.next?.next?.next?.next === whole.part?.node && whole.part?.node?.id == 5)
    }

    @Test func `a cycle stays one, and a long chain is no matter`() throws {
        let count = 20_000
        try realm.write {
            var last: Node?
            for id in 0..<count { last = realm.create(Node.self, value: ["id": id, "next": last as Any]) }
            realm.object(ofType: Node.self, forPrimaryKey: 0)?.next = last
        }
        let copy = try #require(realm.objects(Node.self).first).detached()
        var node = copy
        for _ in 0..<count { node = try #require(node.next) }
        #expect(node === copy)
    }

    @Test func `objects of a collection share the copies of what they link to`() throws {
        try realm.write {
            let shared = Node(value: ["id": 9])
            realm.add([Node(value: ["id": 1, "next": shared]), Node(value: ["id": 2, "far": shared])])
        }
        let copies = realm.objects(Node.self).filter("id < 9").detached()
        #expect(copies.map(\.id) == [1, 2] && copies[0].next === copies[1].far && copies[0].next?.id == 9)
        let all = realm.objects(Node.self).detached(depth: 0)
        #expect(all.count == 3 && all[0].next == nil)
        try realm.write {
            let first = try #require(realm.object(ofType: Node.self, forPrimaryKey: 1))
            first.next?.next = realm.object(ofType: Node.self, forPrimaryKey: 2)
        }
        let near = realm.objects(Node.self).detached(depth: 1)
        #expect(near.map(\.id) == [1, 2, 9] && near[0].next === near[2] && near[2].next === near[1])
    }

    @Test func `an unmanaged object is copied as well`() {
        let node = Node(value: ["id": 1, "next": ["id": 2], "list": [["id": 3]]])
        node.far = node.next
        let copy = node.detached()
        #expect(copy !== node && copy.next !== node.next && copy.next?.id == 2 && copy.far === copy.next)
        copy.list[0].id = 4
        #expect(node.list[0].id == 3)
    }
}
