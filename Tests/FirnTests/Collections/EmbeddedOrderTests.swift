import Firn
import Foundation
import Testing

/// Collections of embedded objects that are given their own ones in another order.
@Suite struct EmbeddedOrderTests {
    final class Owner: Object {
        @Persisted var list: List<Part>
        @Persisted var map: Map<String, Part?>
        @Persisted var single: Part?
    }

    final class Part: EmbeddedObject {
        @Persisted var name = ""
        @Persisted var inner: Part?

        convenience init(_ name: String) {
            self.init()
            self.name = name
            inner = Part(value: ["name": name + "'"])
        }
    }

    private let directory: TemporaryRealm
    private let realm: Realm
    private let owner: Owner

    init() throws {
        directory = try TemporaryRealm()
        realm = try directory.open(Owner.self, Part.self)
        owner = Owner()
        owner.list.append(objectsIn: ["a", "b", "c", "d"].map { Part($0) })
        for name in ["a", "b", "c"] { owner.map[name] = Part(name) }
        let owner = owner
        try realm.write { [realm] in realm.add(owner) }
    }

    private var names: [String] { owner.list.map(\.name) }
    private var namesByKey: [String: String?] {
        Dictionary(owner.map.asKeyValueSequence().map { ($0, $1?.name) }) { $1 }
    }

    /// Changes the owner, and looks that each object is still whole and none is left over.
    private func change(
        _ count: Int, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
    ) throws {
        try realm.write(body)
        #expect(rowCount(Part.self, in: realm) == count, sourceLocation: sourceLocation)
        expectIntact(realm, sourceLocation: sourceLocation)
        for part in Array(owner.list) + owner.map.values.compactMap({ $0 }) {
            #expect(part.inner?.name == part.name + "'", sourceLocation: sourceLocation)
        }
    }

    @Test func `a map is given its own objects under other keys`() throws {
        let (a, b, c) = (owner.map["a"], owner.map["b"], owner.map["c"])
        try change(14) { owner.map = Map(dictionaryLiteral: ("a", b ?? nil), ("b", c ?? nil), ("c", a ?? nil)) }
        #expect(namesByKey == ["a": "b", "b": "c", "c": "a"])
        #expect(a??.isInvalidated == false)
        #expect(owner.map["c"]??.isSameObject(as: a ?? nil) == true)
    }

    @Test func `a map keeps some of its objects under other keys, and loses the rest`() throws {
        let (a, b) = (owner.map["a"], owner.map["b"])
        try change(14) {
            let map = Map<String, Part?>()
            map["x"] = b
            map["b"] = a
            map["c"] = Part("new")
            owner.map = map
        }
        #expect(namesByKey == ["x": "b", "b": "a", "c": "new"])
    }

    @Test func `keys too long for the file's own are exchanged like others`() throws {
        let keys = ["a", "b", "c"].map { String(repeating: "long ", count: 120) + $0 }
        try realm.write {
            owner.map.removeAll()
            for key in keys { owner.map[key] = Part(String(key.suffix(1))) }
        }
        let parts = keys.map { owner.map[$0] ?? nil }
        try change(14) {
            owner.map = Map(dictionaryLiteral: (keys[0], parts[2]), (keys[1], parts[0]), (keys[2], parts[1]))
        }
        #expect(keys.map { owner.map[$0]??.name } == ["c", "a", "b"])
        #expect(owner.map.count == 3)
    }

    @Test func `an object under two keys is refused, and so is a second link to one`() throws {
        for change in [
            { owner.map = Map(dictionaryLiteral: ("a", owner.map["a"] ?? nil), ("b", owner.map["a"] ?? nil)) },
            { owner.map["a"] = owner.map["b"] }, { owner.list[0] = owner.list[1] }, { owner.single = owner.list[0] },
            { owner.list.append(owner.list[0]) }, { owner.list.replaceSubrange(0..<1, with: [owner.list[2]]) },
        ] {
            let message = expectError(.invalidInput) { try realm.write(change) }
            #expect(message.contains("has an owner already"))
            #expect(names == ["a", "b", "c", "d"])
            #expect(namesByKey == ["a": "a", "b": "b", "c": "c"])
        }
        expectIntact(realm)
    }

    @Test func `the very same link may be set again`() throws {
        try change(14) {
            owner.map["a"] = owner.map["a"]
            owner.list[1] = owner.list[1]
            owner.map["c"] = owner.map["c"]
            owner.map = owner.map
            owner.list = owner.list
            owner.map = Map(dictionaryLiteral: ("a", owner.map["a"] ?? nil), ("b", owner.map["b"] ?? nil))
            owner.map["c"] = Part("c")
        }
        #expect(namesByKey == ["a": "a", "b": "b", "c": "c"])
    }

    @Test func `a list is given its own objects in another order`() throws {
        let first = owner.list[0]
        try change(14) { owner.list = List(owner.list.reversed()) }
        #expect(names == ["d", "c", "b", "a"])
        try change(14) { owner.list.swapAt(0, 3) }
        #expect(names == ["a", "c", "b", "d"])
        try change(14) { owner.list.move(from: 0, to: 2) }
        #expect(names == ["c", "b", "a", "d"])
        try change(14) { owner.list.replaceSubrange(1..<4, with: [owner.list[3], owner.list[1], owner.list[2]]) }
        #expect(names == ["c", "d", "b", "a"])
        try change(10) { owner.list.replaceSubrange(1..<4, with: [owner.list[3], Part("x")].prefix(1)) }
        #expect(names == ["c", "a"])
        try change(12) { owner.list.replaceSubrange(0..<2, with: [Part("x"), owner.list[1], Part("y")]) }
        #expect(names == ["x", "a", "y"])
        #expect(!first.isInvalidated)
        try change(14) { owner.list.replaceSubrange(1..<1, with: [Part("z")]) }
        #expect(names == ["x", "z", "a", "y"])
        try change(6) { owner.list.replaceSubrange(0..., with: [Part]()) }
        #expect(names.isEmpty)
    }

    @Test func `a list is reversed, shuffled and sorted where it is`() throws {
        try change(14) { owner.list.reverse() }
        #expect(names == ["d", "c", "b", "a"])
        try change(14) { owner.list.shuffle() }
        try change(14) { owner.list.sort { $0.name < $1.name } }
        #expect(names == ["a", "b", "c", "d"])
    }
}
