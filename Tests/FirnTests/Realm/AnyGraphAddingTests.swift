import Firn
import Testing

/// Adding objects that hold others in values of any type.
@Suite struct AnyGraphAddingTests {
    final class Box: Object {
        @Persisted var number = 0
        @Persisted var value: AnyRealmValue

        convenience init(_ number: Int) {
            self.init()
            self.number = number
        }
    }

    private let directory: TemporaryRealm
    private let realm: Realm

    init() throws {
        directory = try TemporaryRealm()
        realm = try directory.open(Box.self)
    }

    @Test func `objects in values of any type are added, in circles and from any depth`() throws {
        let boxes = (0..<5).map { Box($0) }
        boxes[0].value = .fromArray([.object(boxes[1]), .fromArray([.object(boxes[0]), .object(boxes[1])])])
        boxes[1].value = .fromDictionary(["next": .object(boxes[2]), "self": .object(boxes[1])])
        boxes[2].value = .fromArray([.fromDictionary(["back": .fromArray([.object(boxes[0]), .object(boxes[3])])])])
        boxes[3].value = .object(boxes[4])
        boxes[4].value = .object(boxes[3])
        try realm.write { realm.add(boxes[0]) }
        #expect(realm.objects(Box.self).map(\.number).sorted() == [0, 1, 2, 3, 4])
        let outer = try #require(boxes[0].value.listValue)
        #expect(outer[0].object(Box.self)?.isSameObject(as: boxes[1]) == true)
        #expect(outer[1].listValue?.map { $0.object(Box.self)?.number } == [0, 1])
        let map = try #require(boxes[1].value.dictionaryValue)
        #expect(map["self"]?.object(Box.self)?.isSameObject(as: boxes[1]) == true)
        let back = map["next"]?.object(Box.self)?.value.listValue?[0].dictionaryValue?["back"]?.listValue
        #expect(back?.map { $0.object(Box.self)?.number } == [0, 3])
        #expect(boxes[3].value.object(Box.self)?.value.object(Box.self)?.number == 3)
        // Into a value that is live already, and into a list in it.
        let more = (5..<7).map { Box($0) }
        more[0].value = .fromArray([.object(more[1]), .object(boxes[0])])
        more[1].value = .fromArray([.object(more[0])])
        try realm.write {
            outer[1].listValue?.append(.object(more[1]))
            boxes[3].value = .fromArray([.object(more[0]), .object(more[0])])
        }
        #expect(realm.objects(Box.self).count == 7)
        #expect(outer[1].listValue?[2].object(Box.self)?.value.listValue?[0].object(Box.self)?.number == 5)
        expectIntact(realm)
        try realm.write { realm.delete(boxes[1]) }
        #expect(outer[0] == AnyRealmValue.none)
        #expect(outer[1].listValue?.map { $0.object(Box.self)?.number } == [0, nil, 6])
        expectIntact(realm)
    }

    @Test func `a chain of objects in values of any type is added through its first, however long it is`() throws {
        let first = Box(0)
        var last = first
        for number in 1..<20_000 {
            let next = Box(number)
            last.value = number.isMultiple(of: 2) ? .object(next) : .fromArray([.object(next)])
            last = next
        }
        last.value = .object(first)
        try realm.write { realm.add(first) }
        #expect(realm.objects(Box.self).count == 20_000)
        #expect(first.value.listValue?[0].object(Box.self)?.value.object(Box.self)?.number == 2)
        expectIntact(realm)
    }
}
