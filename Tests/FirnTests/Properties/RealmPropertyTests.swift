import Firn
import Foundation
import Testing

@Suite struct RealmPropertyTests {
    class Person: Object {
        dynamic var name = ""
        let age = RealmProperty<Int?>()
        let height = RealmOptional<Double>(1.5)
        let anything = RealmProperty<AnyRealmValue>()
    }

    private let directory: TemporaryRealm
    private let realm: Realm

    init() throws {
        directory = try TemporaryRealm()
        realm = try directory.open(Person.self)
    }

    @Test func `a box holds a value of its own, then that of its object's row`() throws {
        let person = Person()
        #expect(person.age.value == nil)
        person.age.value = 41
        person.anything.value = .fromArray([.int(1)])
        let box = person.age
        try realm.write { realm.add(person) }
        #expect(person.age === box)
        #expect(box.value == 41)
        #expect(person.height.value == 1.5)
        #expect(person.anything.value.listValue?.count == 1)
        try realm.write {
            box.value = nil
            person.height.value = 2
        }
        #expect(realm.objects(Person.self).first?.age.value == nil)
        #expect(realm.objects(Person.self).first?.height.value == 2)
        #expect(person["height"] as? Double == 2)
        try realm.write { person["age"] = 5 }
        #expect(box.value == 5)
        #expect("\(box) \(person.height)" == "Optional(5) 2.0")
    }

    @Test func `the schema knows what the boxes hold`() {
        let properties = realm.schema["RealmPropertyTests.Person"]?.properties
        #expect(properties?.map(\.name) == ["name", "age", "height", "anything"])
        #expect(properties?.map(\.type) == [.string, .int, .double, .any])
        #expect(properties?.map(\.isOptional) == [false, true, true, false])
    }

    @Test func `values that are taken back leave the box as it was`() throws {
        let person = try realm.write { realm.create(Person.self, value: ["name": "a", "age": 3]) }
        realm.beginWrite()
        person.age.value = 4
        #expect(person.age.value == 4)
        realm.cancelWrite()
        #expect(person.age.value == 3)
    }

    @Test func `setting a box outside of a write traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try TemporaryRealm().open(Person.self)
            let person = try realm.write { realm.create(Person.self) }
            person.age.value = 4
        }
        expect(result, says: "Person.age was set outside of a write transaction")
    }

    struct Boxes: Codable {
        var age = RealmProperty<Int?>()
        var height = RealmOptional<Double>(2)
    }

    @Test func `boxes are coded as their values`() throws {
        let boxes = try JSONDecoder().decode(Boxes.self, from: Data(#"{"age":4}"#.utf8))
        #expect(boxes.age.value == 4)
        #expect(boxes.height.value == nil)
        boxes.height.value = 3
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(boxes), as: UTF8.self) == #"{"age":4,"height":3}"#)
    }

    /// From the seeds: `Optional` encodes itself as a box.
    @Test func `an optional wrapper made in an extension compiles`() {
        #expect(Int?.some(3).realmEncode().value == 3)
    }
}

extension Optional where Wrapped: RealmOptionalType {
    fileprivate func realmEncode() -> RealmOptional<Wrapped> {
        return RealmOptional<Wrapped>(self)
    }
}
