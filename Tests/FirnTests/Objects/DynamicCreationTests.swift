import Firn
import Foundation
import Testing

/// `dynamicCreate` of classes that the process does not know does what `create` does of those it knows.
@Suite struct DynamicCreationTests {
    final class Parent: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name = "unnamed"
        @Persisted(deleteRule: .cascade) var first: Child?
        @Persisted(deleteRule: .cascade) var children: List<Child>
        @Persisted(deleteRule: .cascade) var others: MutableSet<Child>
        @Persisted(deleteRule: .cascade) var named: Map<String, Child?>
        @Persisted(deleteRule: .cascade) var next: Parent?
        @Persisted(deleteRule: .deny) var contract: Child?
        @Persisted var known: List<Child>
        @Persisted var home: Home?
        @Persisted var homes: List<Home>
        @Persisted var homesByName: Map<String, Home?>
        @Persisted var words: MutableSet<String>
        @Persisted var scores: Map<String, Int>
        @Persisted var numbers: List<Int>
        @Persisted var note: Note?
    }

    final class Child: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name = ""
        @Persisted(deleteRule: .cascade) var toy: Toy?
        @Persisted(deleteRule: .cascade) var parent: Parent?
    }

    enum Mood: String, PersistableEnum { case calm, wild }

    struct Number: CustomPersistable {
        var value: Int
        init(_ value: Int) { self.value = value }
        init(persistedValue: Int) { value = persistedValue }
        var persistableValue: Int { value }
    }

    struct Place: CustomPersistable {
        var street: String
        init(_ street: String) { self.street = street }
        init(persistedValue: Home) { street = persistedValue.street }
        var persistableValue: Home { Home(value: ["street": street]) }
    }

    final class Own: Object {
        @Persisted(primaryKey: true) var id: Number
        @Persisted var mood: Mood?
        @Persisted var moods: List<Mood>
        @Persisted var numbers: MutableSet<Number>
        @Persisted var place: Place
        @Persisted var places: Map<String, Place?>
        @Persisted var any: AnyRealmValue
        @Persisted var anyList: List<AnyRealmValue>
        @Persisted(deleteRule: .cascade) var child: Child?
    }

    final class Toy: Object {
        @Persisted var name = ""
    }

    final class Note: Object {
        @Persisted var text = ""
        @Persisted var other = ""
    }

    final class Home: EmbeddedObject {
        @Persisted var street = ""
        @Persisted var number = 0
        @Persisted(deleteRule: .cascade) var guardian: Child?
    }

    final class Other: Object {
        @Persisted var x = 0
    }

    /// Which program creates: one that knows the classes, or one that does not, or knows some.
    enum Program: CaseIterable {
        case knowing, ignorant, knowingChildren
    }

    private let directory: TemporaryRealm
    private let known: Realm

    init() throws {
        directory = try TemporaryRealm()
        known = try directory.open(Parent.self, Child.self, Toy.self, Note.self, Home.self, Own.self)
    }

    private func open(_ program: Program) throws -> Realm {
        switch program {
        case .knowing: known
        case .ignorant: try directory.open(Other.self)
        case .knowingChildren: try directory.open(Child.self, Toy.self, Parent.self, Note.self, Home.self)
        }
    }

    @discardableResult
    private func create(
        _ program: Program, _ value: [String: Any], _ policy: Realm.UpdatePolicy = .error
    ) throws -> [String] {
        let realm = try open(program)
        realm.refresh()
        try realm.write { _ = realm.dynamicCreate("DynamicCreationTests.Parent", value: value, update: policy) }
        known.refresh()
        expectIntact(known)
        return []
    }

    private var parent: Parent {
        get throws { try #require(known.object(ofType: Parent.self, forPrimaryKey: 1)) }
    }

    private func ids() -> [Int] { known.objects(Child.self).map(\.id).sorted() }

    private func child(_ id: Int) -> [String: Any] { ["id": id, "name": "child \(id)"] }

    @Test(arguments: Program.allCases, [Realm.UpdatePolicy.modified, .all])
    func `children that an update leaves out are deleted with what they own`(
        program: Program, policy: Realm.UpdatePolicy
    ) throws {
        try create(
            program,
            [
                "id": 1, "first": child(1), "children": [["id": 2, "toy": ["name": "ball"]], child(3)],
                "known": [child(9)],
            ])
        #expect(ids() == [1, 2, 3, 9])
        #expect(known.objects(Toy.self).count == 1)
        let kept = try #require(known.object(ofType: Child.self, forPrimaryKey: 3))
        try create(program, ["id": 1, "children": [child(3), child(4)], "known": [Int]()], policy)
        #expect(ids() == [1, 3, 4, 9])
        #expect(!kept.isInvalidated)
        #expect(known.objects(Toy.self).isEmpty)
        #expect(try parent.children.map(\.id) == [3, 4])
        try create(program, ["id": 1, "first": NSNull()], policy)
        #expect(ids() == [3, 4, 9])
    }

    @Test(arguments: Program.allCases)
    func `sets and maps are merged by modified, and replaced by all`(program: Program) throws {
        try create(
            program,
            [
                "id": 1, "others": [child(1)], "named": ["x": child(2)], "words": ["a"], "scores": ["p": 1],
                "numbers": [1, 2, 3],
            ])
        let update: [String: Any] = [
            "id": 1, "others": [child(3)], "named": ["y": child(4)], "words": ["b"], "scores": ["q": 2], "numbers": [1],
        ]
        try create(program, update, .modified)
        #expect(ids() == [1, 2, 3, 4])
        #expect(try parent.words.sorted() == ["a", "b"])
        #expect(try parent.scores.keys == ["p", "q"])
        #expect(try Array(parent.numbers) == [1])
        try create(program, update, .all)
        #expect(ids() == [3, 4])
        #expect(try Array(parent.words) == ["b"])
        #expect(try parent.scores.keys == ["q"])
    }

    @Test(arguments: Program.allCases)
    func `objects with a primary key are updated wherever they stand`(program: Program) throws {
        try create(program, ["id": 1, "children": [["id": 2, "name": "old", "toy": ["name": "ball"]]]])
        let found = try #require(known.object(ofType: Child.self, forPrimaryKey: 2))
        try create(program, ["id": 1, "children": [["id": 2, "name": "new"]], "known": [["id": 2]]], .modified)
        #expect(found.name == "new")
        #expect(found.toy?.name == "ball")
        #expect(try parent.name == (program == .ignorant ? "" : "unnamed"))
        #expect(throws: Realm.Error.self) {
            try create(program, ["id": 5, "children": [["id": 2, "name": "again"]]])
        }
    }

    @Test(arguments: Program.allCases)
    func `modified updates in place what has no primary key, all makes it anew`(program: Program) throws {
        try create(
            program,
            [
                "id": 1, "note": ["text": "a", "other": "b"], "home": ["street": "High St", "number": 1],
                "homes": [["street": "1", "number": 1], ["street": "2", "number": 2]],
                "homesByName": ["x": ["street": "X", "number": 5]],
            ])
        let home = try #require(try parent.home)
        let second = try parent.homes[1]
        try create(
            program,
            [
                "id": 1, "note": ["text": "c"], "home": ["street": "Low St"],
                "homes": [["street": "one"], ["number": 22]], "homesByName": ["x": ["street": "Y"]],
            ], .modified)
        #expect(known.objects(Note.self).map { [$0.text, $0.other] } == [["c", "b"]])
        #expect(!home.isInvalidated)
        #expect(home.street == "Low St")
        #expect(home.number == 1)
        #expect(try parent.homes.map(\.street) == ["one", "2"])
        #expect(try parent.homes.map(\.number) == [1, 22])
        #expect(try parent.homesByName["x"]??.number == 5)
        try create(program, ["id": 1, "home": ["street": "New St"], "homes": [["street": "only"]]], .all)
        #expect(home.isInvalidated)
        #expect(second.isInvalidated)
        #expect(try parent.home?.number == 0)
        #expect(rowCount(Home.self, in: known) == 3)
    }

    @Test(arguments: Program.allCases)
    func `what an embedded object owns goes with it, but not what the call gives`(program: Program) throws {
        try create(program, ["id": 1, "home": ["guardian": child(1)], "homes": [["guardian": child(2)]]])
        try create(
            program, ["id": 1, "home": ["guardian": ["id": 1]], "homes": [["guardian": child(3)]]], .all)
        #expect(ids() == [1, 3])
        #expect(try parent.home?.guardian?.id == 1)
        #expect(try parent.home?.guardian?.name == "child 1")
        #expect(try parent.homes[0].guardian?.id == 3)
    }

    @Test(arguments: Program.allCases)
    func `an embedded object that has its owner is copied`(program: Program) throws {
        try create(program, ["id": 1, "home": ["street": "High St"], "homes": [["street": "a"], ["street": "b"]]])
        let realm = try open(program)
        realm.refresh()
        try realm.write {
            let first = try #require(realm.dynamicObject(ofType: "DynamicCreationTests.Parent", forPrimaryKey: 1))
            realm.dynamicCreate(
                "DynamicCreationTests.Parent",
                value: [
                    "id": 2, "home": first.home as Any, "homes": first.homes as Any,
                    "homesByName": ["x": first.home],
                ])
        }
        known.refresh()
        let second = try #require(known.object(ofType: Parent.self, forPrimaryKey: 2))
        #expect(second.home?.street == "High St")
        #expect(second.homes.map(\.street) == ["a", "b"])
        #expect(second.homesByName["x"]??.street == "High St")
        #expect(try parent.home?.street == "High St")
        #expect(rowCount(Home.self, in: known) == 7)
        // Assigned to a property it would have two owners.
        try realm.write {
            let third = realm.dynamicCreate("DynamicCreationTests.Parent", value: ["id": 3])
            third.home = ["street": "c"]
        }
        expectError(.invalidInput) {
            try realm.write {
                let third = realm.dynamicObject(ofType: "DynamicCreationTests.Parent", forPrimaryKey: 3)
                third?.home = realm.dynamicObject(ofType: "DynamicCreationTests.Parent", forPrimaryKey: 1)?.home
            }
        }
    }

    @Test(arguments: Program.allCases)
    func `a replaced child that leads back by cascades does not take the updated object along`(
        program: Program
    ) throws {
        try create(program, ["id": 1, "children": [child(1)], "next": ["id": 2, "children": [child(2)]]])
        try known.write {
            known.object(ofType: Child.self, forPrimaryKey: 1)?.parent = try parent
            known.object(ofType: Parent.self, forPrimaryKey: 2)?.next = try parent
        }
        try create(program, ["id": 1, "name": "still", "children": [child(3)], "next": NSNull()], .modified)
        #expect(known.objects(Parent.self).map(\.id) == [1])
        #expect(try parent.name == "still")
        #expect(ids() == [3])
    }

    @Test(arguments: Program.allCases)
    func `a child that may not go refuses the update`(program: Program) throws {
        try create(program, ["id": 1, "next": ["id": 2, "contract": child(1)]])
        let message = expectError(.invalidInput) { try create(program, ["id": 1, "next": NSNull()], .modified) }
        #expect(message.contains("'contract'"))
        #expect(try parent.next?.id == 2)
    }

    @Test(arguments: Program.allCases)
    func `values of types of the program's own are stored as what they are stored as`(program: Program) throws {
        let realm = try open(program)
        try realm.write {
            let own = realm.dynamicCreate(
                "DynamicCreationTests.Own",
                value: [
                    "id": Number(1), "mood": Mood.calm, "moods": [Mood.wild, .calm], "numbers": Set([Number(2)]),
                    "place": Place("a"), "places": ["x": Place("b")], "any": Mood.wild,
                ] as [String: Any])
            own.moods = [Mood.wild]
            own.place = Place("c")
        }
        #expect(realm.dynamicObject(ofType: "DynamicCreationTests.Own", forPrimaryKey: Number(1)) != nil)
        known.refresh()
        let own = try #require(known.object(ofType: Own.self, forPrimaryKey: Number(1)))
        #expect(own.mood == .calm)
        #expect(Array(own.moods) == [.wild])
        #expect(Array(own.numbers) == [Number(2)])
        #expect(own.place.street == "c")
        #expect(own.places["x"] == .some(Place("b")))
        #expect(own.any == .string("wild"))
        expectIntact(known)
    }

    @Test(arguments: Program.allCases)
    func `objects in values of any type are updated and kept as links are`(program: Program) throws {
        let realm = try open(program)
        func create(_ value: [String: Any], _ policy: Realm.UpdatePolicy) throws {
            try realm.write { _ = realm.dynamicCreate("DynamicCreationTests.Own", value: value, update: policy) }
            known.refresh()
            expectIntact(known)
        }
        try create(["id": 1, "child": ["id": 1, "name": "one", "parent": ["id": 7]]], .error)
        let parent = try #require(realm.dynamicObject(ofType: "DynamicCreationTests.Parent", forPrimaryKey: 7))
        let child = Child(value: ["id": 2, "name": "two"])
        try create(["id": 1, "child": NSNull(), "any": parent, "anyList": [1, child, parent] as [Any]], .modified)
        let own = try #require(known.object(ofType: Own.self, forPrimaryKey: 1))
        #expect(own.any.object(Parent.self)?.id == 7)
        #expect(own.anyList[1].object(Child.self)?.name == "two")
        #expect(ids() == [2])
        try create(["id": 1, "any": Child(value: ["id": 2, "name": "again"])], .modified)
        #expect(own.anyList[1].object(Child.self)?.name == "again")
    }

    @Test func `objects of another realm are copied, once each`() throws {
        try create(.knowing, ["id": 1, "children": [child(1), child(2)], "home": ["guardian": ["id": 1]]], .modified)
        try known.write { known.object(ofType: Child.self, forPrimaryKey: 2)?.parent = try parent }
        let other = try TemporaryRealm()
        try autoreleasepool { _ = try other.open(Parent.self, Child.self, Toy.self, Note.self, Home.self) }
        let target = try other.open(Other.self)
        try target.write { target.dynamicCreate("DynamicCreationTests.Parent", value: try parent) }
        let copy = try #require(target.dynamicObjects("DynamicCreationTests.Parent").first)
        #expect(copy.dynamicList("children").map { $0.name as? String } == ["child 1", "child 2"])
        #expect((copy.dynamicList("children").last?.parent as? DynamicObject)?.isSameObject(as: copy) == true)
        #expect(target.dynamicObjects("DynamicCreationTests.Child").count == 2)
    }
}
