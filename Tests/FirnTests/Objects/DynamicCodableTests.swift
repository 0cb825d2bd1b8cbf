import Firn
import Foundation
import Testing

/// `PersistableCodable` values where nobody knows their type: as dictionaries, arrays and single values.
@Suite struct DynamicCodableTests {
    enum Priority: String, Codable { case high, low }

    enum Tag: PersistableCodable {
        case priority(value: Priority)
        case due(date: Date, places: [Place])
        case plain
    }

    struct Place: PersistableCodable {
        var name = ""
        var latitude = 0.5
        var precision: Float = 0.25
        var number = UInt64.max
        var weight = Decimal128(value: 1.50)
        var id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
        var photo = Data([1, 2])
        var isOpen = true
        var parts: [String: [Int?]] = [:]
        var note: String?
    }

    final class Todo: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var tag: Tag
        @Persisted var other: Tag?
        @Persisted var list: List<Tag>
        @Persisted var set: MutableSet<Place>
        @Persisted var map: Map<String, Tag?>
    }

    final class Unrelated: Object {
        @Persisted var x = 0
    }

    private static let name = "DynamicCodableTests.Todo"
    private let directory: TemporaryRealm
    private let known: Realm
    private let date = Date(timeIntervalSince1970: 1_700_000_000.25)
    private let place = Place(name: "é", parts: ["a": [1, nil], "b": []], note: nil)

    init() throws {
        directory = try TemporaryRealm()
        known = try directory.open(Todo.self)
        let todo = Todo(value: ["id": 1, "tag": Tag.due(date: date, places: [place]), "list": [Tag.plain]])
        todo.list.append(.priority(value: .high))
        todo.set.insert(place)
        todo.map["x"] = .some(.plain)
        todo.map.updateValue(nil, forKey: "y")
        let known = known
        try known.write { known.add(todo) }
    }

    private func realm(isKnowing: Bool) throws -> Realm {
        isKnowing ? known : try directory.open(Unrelated.self)
    }

    private func dynamicTodo(_ realm: Realm) throws -> DynamicObject {
        realm.refresh()
        return try #require(realm.dynamicObject(ofType: Self.name, forPrimaryKey: 1))
    }

    @Test(arguments: [true, false])
    func `they are read as dictionaries and arrays`(isKnowing: Bool) throws {
        let todo = try dynamicTodo(try realm(isKnowing: isKnowing))
        let tag = try #require(todo.tag as? [String: Any])
        #expect(Array(tag.keys) == ["due"])
        let due = try #require(tag["due"] as? [String: Any])
        #expect(due["date"] as? Date == date)
        let place = try #require((due["places"] as? [Any])?.first as? [String: Any])
        #expect(place["name"] as? String == "é")
        #expect(place["latitude"] as? Double == 0.5)
        #expect(place["precision"] as? Float == 0.25)
        #expect(place["number"] as? UInt64 == .max)
        #expect(place["weight"] as? Decimal128 == 1.5)
        #expect(place["id"] as? UUID == self.place.id)
        #expect(place["photo"] as? Data == Data([1, 2]))
        #expect(place["isOpen"] as? Bool == true)
        let parts = try #require(place["parts"] as? [String: Any])
        #expect((parts["a"] as? [Any])?.first as? Int == 1)
        #expect((parts["a"] as? [Any])?.last is NSNull)
        #expect((parts["b"] as? [Any])?.isEmpty == true)
        #expect(place["note"] == nil)
        #expect(todo.other == nil)
        let list = try #require(todo.list as? [Any])
        #expect((list[0] as? [String: [String: Any]])?["plain"]?.isEmpty == true)
        #expect((list[1] as? [String: [String: String]]) == ["priority": ["value": "high"]])
        #expect((todo.set as? [Any])?.count == 1)
        let map = try #require(todo.map as? [String: Any])
        #expect(map["x"] is [String: Any])
        #expect(map["y"] is NSNull)
        #expect(todo.value(forKey: "tag") is [String: Any])
        #expect(todo.value(forKeyPath: "list.@count") as? Int == 2)
        #expect(todo.value(forKeyPath: "map.@count") as? Int == 2)
        #expect(todo.value(forKeyPath: "tag.due.date") as? Date == date)
        #expect(todo.value(forKeyPath: "tag.due.places.name") as? [String] == ["é"])
        #expect(todo.value(forKeyPath: "tag.priority.value") == nil)
        #expect(todo.description.contains("priority"))
        #expect(try todo.decoded("tag", as: Tag.self) == .due(date: date, places: [self.place]))
        #expect(try todo.decoded("other", as: Tag.self) == nil)
        #expect(throws: Realm.Error.self) { try todo.decoded("tag", as: Place.self) }
    }

    @Test(arguments: [true, false])
    func `they are written as values and in the form in which they are read`(isKnowing: Bool) throws {
        let realm = try realm(isKnowing: isKnowing)
        let todo = try dynamicTodo(realm)
        let before = todo.tag
        try realm.write {
            todo.other = before
            todo["tag"] = ["priority": ["value": "low"]]
            todo["list"] = [Tag.plain, before as Any, ["priority": ["value": "high"]]]
            todo["set"] = todo.set
            todo["map"] = ["z": Tag.plain, "n": NSNull()]
        }
        known.refresh()
        let typed = try #require(known.object(ofType: Todo.self, forPrimaryKey: 1))
        #expect(typed.tag == .priority(value: .low))
        #expect(typed.other == .due(date: date, places: [place]))
        #expect(Array(typed.list) == [.plain, .due(date: date, places: [place]), .priority(value: .high)])
        #expect(Array(typed.set) == [place])
        #expect(typed.map.keys == ["n", "z"])
        #expect(typed.map["z"] == .some(.plain))
        try realm.write {
            todo.tag = Tag.plain
            todo.other = nil
        }
        known.refresh()
        #expect(typed.tag == .plain)
        #expect(typed.other == nil)
        expectIntact(known)
    }

    @Test(arguments: [true, false])
    func `what has no coded form is refused`(isKnowing: Bool) throws {
        let realm = try realm(isKnowing: isKnowing)
        let todo = try dynamicTodo(realm)
        for value in [todo, ["a": todo], NSNull(), Unrelated(), Any.self] as [Any] {
            let message = expectError(.invalidInput) { try realm.write { todo.tag = value } }
            #expect(message.contains("cannot hold"))
        }
        #expect(try todo.decoded("tag", as: Tag.self) == .due(date: date, places: [place]))
    }

    @Test(arguments: [true, false])
    func `objects are created and copied with them`(isKnowing: Bool) throws {
        let realm = try realm(isKnowing: isKnowing)
        let todo = try dynamicTodo(realm)
        try realm.write {
            realm.dynamicCreate(
                Self.name, value: ["id": 2, "tag": todo.tag as Any, "list": todo.list as Any, "map": todo.map as Any])
            realm.dynamicCreate(Self.name, value: ["id": 3, "tag": Tag.plain, "list": [Tag.plain]])
        }
        known.refresh()
        let copy = try #require(known.object(ofType: Todo.self, forPrimaryKey: 2))
        #expect(copy.tag == .due(date: date, places: [place]))
        #expect(Array(copy.list) == [.plain, .priority(value: .high)])
        #expect(copy.map.count == 2)
        #expect(known.object(ofType: Todo.self, forPrimaryKey: 3)?.tag == .plain)
        let other = try TemporaryRealm().open(Todo.self)
        try other.write { other.dynamicCreate(Self.name, value: todo) }
        let moved = try #require(other.objects(Todo.self).first)
        #expect(moved.tag == .due(date: date, places: [place]))
        #expect(Array(moved.set) == [place])
    }

    @Test func `typed objects take the same form`() throws {
        let todo = Todo(value: ["id": 5, "tag": ["priority": ["value": "high"]], "list": [["plain": [String: Any]()]]])
        #expect(todo.tag == .priority(value: .high))
        try known.write { known.add(todo) }
        #expect(Array(todo.list) == [.plain])
        expectError(.invalidInput) {
            try known.write { _ = known.create(Todo.self, value: ["id": 6, "tag": ["unknown": ["value": "high"]]]) }
        }
        expectError(.invalidInput) { try known.write { todo["tag"] = ["priority": ["value": "middling"]] } }
        #expect(todo.tag == .priority(value: .high))
    }
}
