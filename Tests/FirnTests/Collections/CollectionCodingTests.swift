import Firn
import Foundation
import Testing

/// Collections as JSON, and as text.
@Suite struct CollectionCodingTests {
    final class Holder: Object, Codable {
        @Persisted var numbers: List<Int?>
        @Persisted var names: MutableSet<String>
        @Persisted var sizes: Map<Size, Double>
    }

    final class Node: Object {
        @Persisted var name = ""
        @Persisted var next: List<Node>
    }

    enum Size: String, PersistableEnum, _MapKey, Codable { case small, large }

    @Test func `collections are coded as arrays and objects`() throws {
        let json = #"{"numbers":[1,null,3],"names":["a","b","a"],"sizes":{"large":2.5}}"#
        let holder = try JSONDecoder().decode(Holder.self, from: Data(json.utf8))
        #expect(Array(holder.numbers) == [1, nil, 3])
        #expect(Array(holder.names) == ["a", "b"])
        #expect(holder.sizes[.large] == 2.5)
        let coded = try JSONDecoder().decode(Holder.self, from: JSONEncoder().encode(holder))
        #expect(coded.numbers == holder.numbers)
        #expect(coded.names == holder.names)
        #expect(coded.sizes == holder.sizes)
    }

    @Test func `a managed list can be encoded`() throws {
        let directory = try TemporaryRealm()
        let realm = try directory.open(Holder.self)
        let holder = try realm.write {
            realm.create(Holder.self, value: ["numbers": [1, nil], "names": ["x"], "sizes": ["small": 1]])
        }
        #expect(String(decoding: try JSONEncoder().encode(holder.numbers), as: UTF8.self) == "[1,null]")
        #expect(String(decoding: try JSONEncoder().encode(holder.names), as: UTF8.self) == #"["x"]"#)
        #expect(String(decoding: try JSONEncoder().encode(holder.sizes), as: UTF8.self) == #"{"small":1}"#)
    }

    @Test func `null and unknown keys are errors`() {
        for json in [
            #"{"numbers":null,"names":[],"sizes":{}}"#, #"{"numbers":[],"names":[],"sizes":null}"#,
            #"{"numbers":[],"names":[1],"sizes":{}}"#, #"{"numbers":[],"names":[],"sizes":{"huge":1}}"#,
            #"{"numbers":{},"names":[],"sizes":{}}"#,
        ] {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(Holder.self, from: Data(json.utf8)) }
        }
    }

    @Test func `a description gives the type and the elements`() throws {
        let list = List(["a", "b"])
        #expect(list.description.hasPrefix("List<String> <0x"))
        #expect(list.description.hasSuffix("> (\n\t[0] a,\n\t[1] b\n)"))
        #expect(List<Int?>([nil]).description.hasPrefix("List<Int?> <0x"))
        #expect(List<Int?>([nil]).description.hasSuffix("(\n\t[0] nil\n)"))
        #expect(MutableSet([1]).description.hasSuffix("(\n\t[0] 1\n)"))
        let map: Map = ["k": Data([0xab])]
        #expect(map.description.hasPrefix("Map<String, Data> <0x"))
        #expect(map.description.hasSuffix("(\n\t[k]: <ab — 1 total bytes>\n)"))
        #expect(List(0..<150).description.hasSuffix("\t[99] 99,\n\t… 50 more\n)"))
    }

    /// Once an error that named a value nested too deeply ended the stack instead.
    @Test func `a description goes five collections deep`() {
        let list = (0..<1_000).reduce(List<AnyRealmValue>([.int(1)])) { inner, _ in List([.list(inner)]) }
        #expect(list.description.components(separatedBy: "List<AnyRealmValue>").count == 6)
        #expect(list.description.contains("<Maximum depth exceeded>"))
    }

    @Test func `a description goes five objects deep`() throws {
        let directory = try TemporaryRealm()
        let realm = try directory.open(Node.self)
        let node = try realm.write {
            let node = realm.create(Node.self, value: ["name": "loop"])
            node.next.append(node)
            return node
        }
        let text = node.description
        #expect(text.components(separatedBy: "name = loop").count == 6)
        #expect(text.contains("<Maximum depth exceeded>"))
        #expect(text.contains("\tnext = List<Node> <0x"))
    }
}
