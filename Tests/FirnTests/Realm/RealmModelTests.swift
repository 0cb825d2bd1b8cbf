import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Firn
@testable import FirnStore

/// Random transactions in the realms of three threads against plain dictionaries: they commit, throw, are cancelled or
/// are poisoned. What is in the file, what queries find, what the change log says and what old objects show must follow.
///
/// The seed repeats what each thread does; in which order they come is up to the machine.
@Suite struct RealmModelTests {
    final class Item: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted(indexed: true) var name = ""
        @Persisted(indexed: true) var score: Int?
        @Persisted var data: Data?
        @Persisted var next: Item?
        @Persisted var label: Label?
    }

    final class Label: Object {
        @Persisted(primaryKey: true) var text: String?
        @Persisted var owner: Item?
    }

    @Test func `a realm is what plain dictionaries are, whatever becomes of its transactions`() throws {
        try RandomRuns(1...2).run { seed in
            let directory = try TemporaryRealm()
            let configuration = directory.configuration([Item.self, Label.self])
            let model = SharedModel()
            let threads = (0..<3).map { number in
                Companion {
                    var player = try Player(configuration, model, seed: seed &* 3 &+ UInt64(number))
                    for _ in 0..<40 { try player.playTransaction() }
                }
            }
            for thread in threads { try thread.value() }
            let realm = try Realm(configuration: configuration)
            try realm.write { try model.state.withLock { $0 }.compare(realm) }
            try model.expectedLog.withLock { $0 }.compare(realm.context.connection)
        }
    }

    /// What the file holds; whoever writes has it to itself.
    fileprivate final class SharedModel: Sendable {
        let state = Mutex(Model())
        let expectedLog = Mutex(ExpectedLog())
    }
}

/// What the file must hold.
private struct Model {
    struct Item: Equatable {
        var name = ""
        var score: Int?
        var data: Data?
        var next: Int?
        var label: String??
        /// Tells an object from another one that had its key before.
        var birth: Int
    }

    var items: [Int: Item] = [:]
    var labels: [String?: Int?] = [:]
    var births = 0

    // What the transaction did to items, for the change log.
    var before: Set<Int> = []
    var deleted: Set<Int> = []
    var modified: [String: Set<Int>] = [:]

    mutating func begin() {
        before = Set(items.keys)
        deleted = []
        modified = [:]
    }

    mutating func update(_ id: Int, _ body: (inout Item) -> Void) {
        guard let old = items[id] else { return }
        var new = old
        body(&new)
        items[id] = new
        if old.name != new.name { modified["name", default: []].insert(id) }
        if old.score != new.score { modified["score", default: []].insert(id) }
        if old.data != new.data { modified["data", default: []].insert(id) }
        if old.next != new.next { modified["next", default: []].insert(id) }
        if old.label != new.label { modified["label", default: []].insert(id) }
    }

    mutating func insert(_ id: Int, _ body: (inout Item) -> Void) {
        births += 1
        var item = Item(birth: births)
        body(&item)
        items[id] = item
    }

    mutating func deleteItem(_ id: Int) {
        items[id] = nil
        if before.contains(id) { deleted.insert(id) }
        for other in items.filter({ $0.value.next == id }).keys { update(other) { $0.next = nil } }
        for label in labels.filter({ $0.value == id }).keys { labels[label] = .some(nil) }
    }

    mutating func deleteLabel(_ text: String?) {
        labels[text] = nil
        for id in items.filter({ $0.value.label == .some(text) }).keys { update(id) { $0.label = nil } }
    }

    func compare(_ realm: Realm) throws {
        let problems = IntegrityChecker.check(realm.context.connection)
        try #require(problems.isEmpty, "\(problems)")
        typealias Item = RealmModelTests.Item
        let found = realm.objects(Item.self)
        try #require(found.map(\.id) == items.keys.sorted())
        for object in found {
            let item = try #require(items[object.id])
            try #require(object.name == item.name && object.score == item.score && object.data == item.data)
            try #require(object.next?.id == item.next)
            try #require(object.label.map(\.text) == item.label)
        }
        for (name, group) in Dictionary(grouping: items.values, by: \.name).prefix(4) {
            try #require(found.filter("name == %@", name).count == group.count)
        }
        for (score, group) in Dictionary(grouping: items.values, by: \.score).prefix(4) {
            try #require(found.filter("score == %@", score).count == group.count)
            try #require(found.filter("score == %@ AND id >= 0", score).map(\.score) == group.map(\.score))
        }
        let labels = realm.objects(RealmModelTests.Label.self)
        try #require(labels.count == self.labels.count)
        for (text, owner) in self.labels {
            let label = try #require(realm.object(ofType: RealmModelTests.Label.self, forPrimaryKey: text))
            try #require(label.owner?.id == owner)
        }
    }
}

/// What the change log must say of items, by version.
private struct ExpectedLog {
    struct Entry {
        var inserted: Set<Int>
        var deleted: Set<Int>
        var modified: [String: Set<Int>]
    }

    var entries: [UInt64: Entry] = [:]

    mutating func note(_ model: Model, _ version: UInt64) {
        let now = Set(model.items.keys)
        let unchanged = model.before.intersection(now).subtracting(model.deleted)
        entries[version] = Entry(
            inserted: now.subtracting(unchanged), deleted: model.deleted,
            modified: model.modified.mapValues { $0.intersection(unchanged) }.filter { !$0.value.isEmpty })
    }

    func compare(_ connection: Connection) throws {
        let schema = try #require(connection.schema["RealmModelTests.Item"])
        for (version, entry) in entries where version <= connection.version {
            let changes = try ChangeLog.read(
                version, in: connection.transaction, databases: connection.store.databases)
            let table = changes?.tables[schema.id] ?? ChangeSet.Table()
            try #require(ids(table.inserted) == entry.inserted)
            try #require(ids(table.deleted) == entry.deleted)
            let modified = try table.modified.map { column, keys in
                (try #require(schema.columns.first { $0.id == column }).name, ids(keys))
            }
            try #require(Dictionary(uniqueKeysWithValues: modified) == entry.modified)
        }
    }

    private func ids(_ runs: [ClosedRange<ObjectKey>]) -> Set<Int> {
        Set(runs.flatMap { $0 }.map { Int(Int64(bitPattern: $0 ^ (1 << 63))) })
    }
}

/// One thread's transactions.
private struct Player {
    typealias Item = RealmModelTests.Item
    typealias Label = RealmModelTests.Label

    private struct Thrown: Error {}

    private enum Ending: CaseIterable {
        case commit, commitBegun, throwing, cancel, cancelBegun, poison, poisonAndCancel, innerThrow
    }

    private let realm: Realm
    private let shared: RealmModelTests.SharedModel
    private var random: SeededGenerator
    /// Objects that were live after an earlier transaction.
    private var held: [(object: Item, id: Int, birth: Int)] = []
    private static let tooLong = String(repeating: "x", count: 16_777_217)

    init(_ configuration: Realm.Configuration, _ shared: RealmModelTests.SharedModel, seed: UInt64) throws {
        realm = try Realm(configuration: configuration)
        self.shared = shared
        random = SeededGenerator(seed: seed)
    }

    mutating func playTransaction() throws {
        let ending = chance(2) ? .commit : Ending.allCases.randomElement(using: &random) ?? .commit
        switch ending {
        case .commitBegun, .cancelBegun:
            realm.beginWrite()
            try play(ending)
            if realm.isInWriteTransaction { try realm.commitWrite() }
        case .commit, .cancel, .poisonAndCancel:
            try realm.write { try play(ending) }
        case .throwing:
            #expect(throws: Thrown.self) { try realm.write { try play(ending) } }
        case .innerThrow:
            #expect(throws: Thrown.self) {
                try realm.write {
                    try play(ending)
                    do {
                        try realm.write { throw Thrown() }
                    } catch {}
                }
            }
        case .poison:
            let error = #expect(throws: Realm.Error.self) { try realm.write { try play(ending) } }
            #expect(error?.code == .invalidInput || error?.code == .duplicateValue)
        }
    }

    /// The inside of a write: nobody else can write meanwhile, so the model is this thread's until it ends.
    private mutating func play(_ ending: Ending) throws {
        let old = shared.state.withLock { $0 }
        try old.compare(realm)
        try compareHeld(old)
        var model = old
        model.begin()
        let isPoisoned = ending == .poison || ending == .poisonAndCancel
        let poisonAt = isPoisoned ? Int.random(in: 0..<20, using: &random) : -1
        for step in 0..<Int.random(in: isPoisoned ? 20...40 : 1...40, using: &random) {
            if step == poisonAt { poison(model) }
            change(&model)
        }
        if chance(2) { try model.compare(realm) }
        switch ending {
        case .commit, .commitBegun:
            let version = realm.context.connection.version + 1
            shared.state.withLock { $0 = model }
            shared.expectedLog.withLock { $0.note(model, version) }
            hold(model)
        case .cancel, .cancelBegun, .poisonAndCancel:
            // Deletions are undone, but the objects that saw them stay invalid.
            held.removeAll { model.deleted.contains($0.id) }
            realm.cancelWrite()
        case .throwing:
            held.removeAll { model.deleted.contains($0.id) }
            throw Thrown()
        case .innerThrow, .poison:
            held.removeAll { model.deleted.contains($0.id) }
        }
    }

    private mutating func hold(_ model: Model) {
        guard realm.isInWriteTransaction, let id = model.items.keys.sorted().randomElement(using: &random),
            let object = realm.object(ofType: Item.self, forPrimaryKey: id), let item = model.items[id]
        else { return }
        held.append((object, id, item.birth))
    }

    private func compareHeld(_ model: Model) throws {
        for (object, id, birth) in held {
            guard let item = model.items[id] else {
                try #require(object.isInvalidated)
                continue
            }
            if item.birth == birth { try #require(!object.isInvalidated) }
            if !object.isInvalidated {
                try #require(object.id == id && object.name == item.name && object.score == item.score)
            }
        }
    }

    // MARK: Changes

    /// Something that the write must not keep, and that must leave no trace in it either.
    private mutating func poison(_ model: Model) {
        let id = model.items.keys.sorted().randomElement(using: &random)
        let object = id.flatMap { realm.object(ofType: Item.self, forPrimaryKey: $0) }
        guard let id, let object else {
            realm.create(Item.self, value: ["id": "no number"])
            return
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: object.name = Player.tooLong
        case 1: object.id = id + 1
        case 2: realm.create(Item.self, value: [id])
        case 3: object.setValue("no number", forKey: "score")
        case 4: realm.add(Item(value: ["id": id, "name": Player.tooLong]), update: .modified)
        default: realm.create(Item.self, value: ["id": 500, "name": Player.tooLong])
        }
    }

    private mutating func change(_ model: inout Model) {
        let ids = model.items.keys.sorted()
        let id = ids.randomElement(using: &random)
        let object = id.flatMap { realm.object(ofType: Item.self, forPrimaryKey: $0) }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<35: upsert(&model)
        case 35..<50:
            guard let id, let object else { return }
            let name = name()
            object.name = name
            model.update(id) { $0.name = name }
        case 50..<60:
            guard let id, let object else { return }
            let score = score()
            object.score = score
            model.update(id) { $0.score = score }
        case 60..<70:
            guard let id, let object else { return }
            let next = chance(4) ? nil : ids.randomElement(using: &random)
            object.next = next.flatMap { realm.object(ofType: Item.self, forPrimaryKey: $0) }
            model.update(id) { $0.next = next }
        case 70..<78: upsertLabel(&model)
        case 78..<82:
            guard let text = model.labels.keys.randomElement(using: &random),
                let label = realm.object(ofType: Label.self, forPrimaryKey: text)
            else { return }
            realm.delete(label)
            model.deleteLabel(text)
        case 82..<84:
            let limit = Int.random(in: 0..<60, using: &random)
            realm.delete(realm.objects(Item.self).filter("id < %@", limit))
            for id in ids where id < limit { model.deleteItem(id) }
        case 84:
            guard chance(4) else { return }
            realm.deleteAll()
            for id in ids { model.deleteItem(id) }
            model.labels = [:]
        default:
            guard let id, let object else { return }
            realm.delete(object)
            model.deleteItem(id)
        }
    }

    private mutating func upsert(_ model: inout Model) {
        let id = Int.random(in: 0..<80, using: &random)
        let (name, score, data) = (name(), score(), chance(3) ? nil : Data(name().utf8))
        let next = chance(2) ? nil : model.items.keys.sorted().randomElement(using: &random)
        let label = chance(2) ? nil : model.labels.keys.sorted { ($0 ?? "") < ($1 ?? "") }.randomElement(using: &random)
        let item = Item()
        item.id = id
        item.name = name
        item.score = score
        item.data = data
        item.next = next.flatMap { realm.object(ofType: Item.self, forPrimaryKey: $0) }
        item.label = label.flatMap { realm.object(ofType: Label.self, forPrimaryKey: $0) }
        realm.add(item, update: chance(2) ? .modified : .all)
        let fill: (inout Model.Item) -> Void = {
            $0.name = name
            $0.score = score
            $0.data = data
            $0.next = next
            $0.label = label
        }
        if model.items[id] == nil { model.insert(id, fill) } else { model.update(id, fill) }
    }

    private mutating func upsertLabel(_ model: inout Model) {
        let text = chance(8) ? nil : name()
        let owner = model.items.keys.sorted().randomElement(using: &random)
        let label = Label()
        label.text = text
        label.owner = owner.flatMap { realm.object(ofType: Item.self, forPrimaryKey: $0) }
        realm.add(label, update: .modified)
        model.labels[text] = .some(owner)
    }

    private mutating func name() -> String {
        let length = [0, 1, 2, 478, 479, 480, 481, 600, 1024, 1025, 3000, 5000].randomElement(using: &random) ?? 0
        return String(repeating: chance(9) ? "\0" : "k", count: length) + String(Int.random(in: 0..<4, using: &random))
    }

    private mutating func score() -> Int? {
        [nil, 0, -1, .min, .max, 7].randomElement(using: &random) ?? nil
    }

    private mutating func chance(_ oneIn: Int) -> Bool {
        Int.random(in: 0..<oneIn, using: &random) == 0
    }
}
