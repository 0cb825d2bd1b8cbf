import Firn
import Foundation
import Testing

@Suite struct PersistableCodableTests {
    enum Priority: String, Codable { case high, mid, low }

    enum TagInfo: PersistableCodable {
        case priority(value: Priority)
        case dueDate(due: Date)
        case none
    }

    struct Note: PersistableCodable {
        var text = ""
        var parts: [String: [Int]] = [:]
        var tags: Set<String> = []
        var info: TagInfo?
    }

    class Todo: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var info: TagInfo
        @Persisted var note: Note?
        @Persisted var other: TagInfo? = .priority(value: .mid)
    }

    /// `Todo` with a case less.
    class LaterTodo: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var info: Later
        @Persisted var note: Note?
        @Persisted var other: Later?

        enum Later: PersistableCodable { case dueDate(due: Date) }

        override static func className() -> String { "PersistableCodableTests.Todo" }
        override static func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    struct Faulty: PersistableCodable {
        var value = 0.0

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            guard value >= 0 else {
                throw EncodingError.invalidValue(
                    value, .init(codingPath: encoder.codingPath, debugDescription: "negative values have no form"))
            }
            try container.encode(value)
        }

        init(value: Double) { self.value = value }
        init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(Double.self) }
    }

    indirect enum Chain: PersistableCodable {
        case end
        case link(Chain)
    }

    class Faults: Object {
        @Persisted var required = Faulty(value: 0)
        @Persisted var optional: Faulty?
        @Persisted var chain: Chain?
    }

    private let directory: TemporaryRealm
    private let date = Date(timeIntervalSince1970: 1_700_000_000.25)

    init() throws {
        directory = try TemporaryRealm()
    }

    @Test func `enums with payloads and structs come back as they went`() throws {
        let realm = try directory.open(Todo.self)
        let todo = Todo()
        todo.info = .dueDate(due: date)
        todo.note = Note(text: "é", parts: ["b": [2], "a": [1, 3]], tags: ["x", "y"], info: .priority(value: .low))
        try realm.write { realm.add(todo) }
        #expect(todo.info == .dueDate(due: date))
        #expect(
            todo.note
                == Note(text: "é", parts: ["b": [2], "a": [1, 3]], tags: ["x", "y"], info: .priority(value: .low)))
        #expect(todo.other == .priority(value: .mid))
        #expect(realm.schema["PersistableCodableTests.Todo"]?.properties.map(\.type) == [.int, .data, .data, .data])
        try realm.write {
            todo.info = .none
            todo.note = nil
        }
        #expect(todo.info == .none)
        #expect(todo.note == nil)
        let created = try realm.write { realm.create(Todo.self, value: ["id": 2, "info": TagInfo.none]) }
        #expect(created.info == .none)
        #expect(try created.decoded("info", as: TagInfo.self) == TagInfo.none)
        #expect(try created.decoded("note", as: Note.self) == nil)
    }

    @Test func `an object whose required property was given no value is refused`() throws {
        let realm = try directory.open(Todo.self)
        let todo = Todo()
        #expect(todo.description.contains("info = nil"))
        let message = expectError(.invalidInput) { try realm.write { realm.add(todo) } }
        #expect(message.contains("PersistableCodableTests.Todo.info cannot be stored: it was given no value"))
        #expect(todo.realm == nil)
    }

    @Test(arguments: [Realm.UpdatePolicy.modified, .all])
    func `an update that leaves out a required property keeps its value`(policy: Realm.UpdatePolicy) throws {
        let realm = try directory.open(Todo.self)
        try realm.write { realm.create(Todo.self, value: ["id": 1, "info": TagInfo.priority(value: .high)]) }
        try realm.write { realm.create(Todo.self, value: ["id": 1, "other": NSNull()], update: policy) }
        let todo = try #require(realm.objects(Todo.self).first)
        #expect(todo.info == .priority(value: .high))
        #expect(todo.other == nil)
        expectError(.invalidInput) {
            try realm.write { _ = realm.create(Todo.self, value: ["id": 2, "other": NSNull()], update: policy) }
        }
    }

    @Test func `what is stored and no longer a case is nil where optional, and an error that names it where asked for`()
        throws
    {
        try autoreleasepool {
            let realm = try directory.open(Todo.self)
            try realm.write { realm.create(Todo.self, value: ["id": 1, "info": TagInfo.priority(value: .high)]) }
        }
        let realm = try directory.open(LaterTodo.self)
        let todo = try #require(realm.objects(LaterTodo.self).first)
        #expect(todo.other == nil)
        #expect(todo.description.contains("info = nil"))
        let message = expectError(.schemaMismatch) { _ = try todo.decoded("info", as: LaterTodo.Later.self) }
        #expect(message.contains("PersistableCodableTests.Todo.info (primary key 1) holds 'priority'"))
        #expect(throws: Realm.Error.self) { try todo.decoded("other", as: LaterTodo.Later.self) }
        try realm.write { todo.info = .dueDate(due: date) }
        #expect(todo.info == .dueDate(due: date))
    }

    @Test func `reading a required property of an unknown case traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let directory = try TemporaryRealm()
            try autoreleasepool {
                let realm = try directory.open(Todo.self)
                try realm.write { realm.create(Todo.self, value: ["id": 1, "info": TagInfo.priority(value: .high)]) }
            }
            let realm = try directory.open(LaterTodo.self)
            _ = realm.objects(LaterTodo.self).first?.info
        }
        expect(result, says: "PersistableCodableTests.Todo.info (primary key 1) holds 'priority'", "decoded(_:as:)")
    }

    @Test func `reading an unmanaged property that was given no value traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Todo().info
        }
        expect(result, says: "TagInfo was used before it was given a value")
    }

    @Test func `a value whose encoding fails poisons the write`() throws {
        let realm = try directory.open(Faults.self)
        let kept = try realm.write { realm.create(Faults.self, value: ["optional": Faulty(value: 1)]) }
        let bad = Faults()
        bad.required = Faulty(value: -1)
        let message = expectError(.invalidInput) { try realm.write { realm.add(bad) } }
        #expect(message.contains("Faults.required cannot be stored: negative values have no form"))
        bad.required = Faulty(value: 0)
        bad.optional = Faulty(value: -1)
        expectError(.invalidInput) { try realm.write { realm.add(bad) } }
        expectError(.invalidInput) { try realm.write { kept.required = Faulty(value: -2) } }
        expectError(.invalidInput) { try realm.write { kept.optional = Faulty(value: -2) } }
        #expect(kept.required.value == 0)
        #expect(kept.optional?.value == 1)
        #expect(realm.objects(Faults.self).count == 1)
    }

    @Test func `values nest up to the limit and no deeper`() throws {
        let realm = try directory.open(Faults.self)
        let faults = try realm.write { realm.create(Faults.self) }
        // A case is two levels: its name, and its payloads.
        func chain(_ length: Int) -> Chain { (0..<length).reduce(.end) { chain, _ in .link(chain) } }
        try realm.write { faults.chain = chain(255) }
        #expect(faults.chain == chain(255))
        let message = expectError(.invalidInput) { try realm.write { faults.chain = chain(1000) } }
        #expect(message.contains("nests more than 512"))
    }

    class Board: Object {
        @Persisted var list: List<TagInfo>
        @Persisted var set: MutableSet<Note>
        @Persisted var map: Map<String, TagInfo?>
        @Persisted var faulty: List<Faulty>
    }

    @Test func `codable values are elements of collections, and equal ones are one in a set`() throws {
        let realm = try directory.open(Board.self)
        let board = Board()
        board.list.append(objectsIn: [.priority(value: .low), .none])
        try realm.write { realm.add(board) }
        let words = (0..<20).map { "word \($0)" }
        try realm.write {
            board.map["a"] = .some(.dueDate(due: date))
            board.map.updateValue(nil, forKey: "b")
            board.set.insert(Note(tags: Set(words)))
            board.set.insert(Note(tags: Set(words.reversed())))
        }
        #expect(Array(board.list) == [.priority(value: .low), .none])
        #expect(board.list.index(of: .none) == 1)
        #expect(board.map["a"] == .some(.dueDate(due: date)))
        #expect(board.map["b"] == .some(nil))
        #expect(Array(board.set) == [Note(tags: Set(words))])
        let message = expectError(.invalidInput) { try realm.write { board.faulty.append(Faulty(value: -1)) } }
        #expect(message.contains("negative values have no form"))
        #expect(board.faulty.isEmpty)
    }
}
