import Firn
import Foundation
import TestSupport
import Testing

/// Random writes on this thread and on others, and observers of every kind that keep a copy by applying what they are told.
@Suite struct NotificationModelTests {
    typealias Item = NotificationModel.Item
    typealias Box = NotificationModel.Box

    /// One observer and how to compare what it was told with what there is.
    private struct Observer {
        let replica: Replica
        let check: () throws -> Void

        init<C: RealmCollection>(
            _ name: String, _ collection: C, _ keyPaths: [String]? = nil, text: @escaping (C.Element) -> String
        ) {
            let replica = CollectionReplica(name)
            replica.token = collection.observe(keyPaths: keyPaths) { [unowned replica] in replica.note($0, text) }
            self.replica = replica
            check = { try replica.check(replica.texts, collection.isInvalidated ? [] : collection.map(text)) }
        }

        init<Value>(_ name: String, _ map: Map<String, Value>, text: @escaping (Value) -> String) {
            let replica = MapReplica(name)
            let texts = { Dictionary(uniqueKeysWithValues: map.map { ($0.key, text($0.value)) }) }
            replica.token = map.observe { [unowned replica] in replica.note($0, texts) }
            self.replica = replica
            check = { try replica.check(replica.texts, texts()) }
        }

        init<Key: CustomStringConvertible>(
            _ name: String, _ sections: SectionedResults<Key, Item>, text: @escaping (Item) -> String
        ) {
            let replica = SectionsReplica(name)
            let content = {
                sections.map { SectionsReplica.Section(key: $0.key.description, texts: $0.map(text)) }
            }
            replica.token = sections.observe { [unowned replica] in replica.note($0, content) }
            self.replica = replica
            check = { try replica.check(replica.sections, content()) }
        }

        init<Observed: ObjectBase & ThreadConfined>(_ name: String, _ object: Observed, _ properties: [String]) {
            let texts = {
                Dictionary(uniqueKeysWithValues: properties.map { ($0, NotificationModelTests.text(object[$0])) })
            }
            let replica = ObjectReplica(name, texts())
            replica.token = object.observe { [unowned replica] in replica.note($0, NotificationModelTests.text) }
            self.replica = replica
            check = {
                try replica.check(replica.isDeleted, object.isInvalidated)
                if !object.isInvalidated { try replica.check(replica.texts, texts()) }
            }
        }
    }

    /// What a property has, links by what they lead to.
    private static func text(_ value: Any?) -> String {
        switch value {
        case let item as Item: "item \(item.id)"
        case let box as Box: "box \(box.id)"
        case let numbers as Firn.List<Int>: "\(Array(numbers))"
        case let words as MutableSet<String>: "\(Array(words).sorted())"
        case let value?: "\(value)"
        case nil: "nil"
        }
    }

    private static func own(_ item: Item) -> String {
        "\(item.id) \(item.name) \(item.rank) \(item.isActive) \(item.friend?.id ?? -1) \(item.box?.id ?? -1)"
    }

    private static func deep(_ item: Item) -> String {
        own(item) + " \(item.part?.weight ?? -1) " + (item.friend.map { own($0) } ?? "")
            + (item.box.map { "\($0.label) \($0.items.map { $0.rank })" } ?? "")
    }

    private static func deep(_ box: Box) -> String {
        "\(box.id) \(box.label) \(box.items.map { own($0) }) \(box.chosen.map { own($0) }) \(Array(box.numbers)) "
            + "\(box.byName.map { "\($0.key) \($0.value.map { own($0) } ?? "")" }) \(Array(box.words))"
    }

    private static func observers(_ realm: Realm, _ box: Box) -> [Observer] {
        let items = realm.objects(Item.self)
        return [
            Observer("all", items, text: deep),
            Observer("filtered", items.filter("isActive == true AND rank < 60"), text: deep),
            Observer("filtered by index", items.filter("rank > 50"), text: deep),
            Observer("sorted", items.sorted(byKeyPath: "name"), text: deep),
            Observer(
                "filtered and sorted",
                items.filter("rank > 20").sorted(by: [
                    SortDescriptor(keyPath: "isActive"), SortDescriptor(keyPath: "rank", ascending: false),
                ]), text: deep),
            Observer("page", items.sorted(byKeyPath: "rank").limit(5, offset: 2), text: deep),
            Observer("distinct", items.distinct(by: ["rank"]), text: deep),
            Observer("by friend", items.filter("friend.isActive == true"), text: deep),
            Observer("sorted by friend", items.sorted(byKeyPath: "friend.rank"), text: deep),
            Observer("of results", items.limit(9).filter("isActive == true"), text: deep),
            Observer("ranks", items.filter("id > 3"), ["rank"]) { "\($0.id) \($0.rank)" },
            Observer("friends' names", items, ["friend.name"]) { "\($0.id) \($0.friend?.name ?? "-")" },
            Observer("labels", items, ["boxes.label"]) { item in "\(item.id) \(item.boxes.map { $0.label })" },
            Observer("boxes", realm.objects(Box.self), text: deep),
            Observer("names in boxes", realm.objects(Box.self), ["items.name"]) { box in
                "\(box.id) \(box.items.map { $0.name })"
            },
            Observer("list", box.items, text: deep),
            Observer("sorted list", box.items.sorted(byKeyPath: "rank"), text: deep),
            Observer("filtered list", box.items.filter("isActive == true"), text: deep),
            Observer("set", box.chosen, text: deep),
            Observer("numbers", box.numbers) { "\($0)" },
            Observer("sorted numbers", box.numbers.sorted()) { "\($0)" },
            Observer("words", box.words) { $0 },
            Observer("map of items", box.byName) { $0.map { deep($0) } ?? "nil" },
            Observer("map of numbers", box.counts) { "\($0)" },
            Observer("sections", items.sectioned(by: \.name, ascending: true), text: deep),
            Observer(
                "filtered sections",
                items.filter("rank > 30").sectioned(
                    by: { $0.isActive ? "yes" : "no" }, sortDescriptors: [SortDescriptor(keyPath: "isActive")]),
                text: deep),
            Observer("a box", box, ["label", "numbers", "words"]),
        ]
            + (0..<4).compactMap { id in
                item(id, realm).map { Observer("item \(id)", $0, ["name", "rank", "isActive", "friend", "box"]) }
            }
    }

    private static func change(_ realm: Realm, _ random: inout SeededGenerator) throws {
        func item(_ random: inout SeededGenerator) -> Item? {
            realm.object(ofType: Item.self, forPrimaryKey: Int.random(in: 0..<25, using: &random))
        }
        func box(_ random: inout SeededGenerator) -> Box? {
            realm.object(ofType: Box.self, forPrimaryKey: Int.random(in: 0..<3, using: &random))
        }
        let rank = Int.random(in: 0..<100, using: &random)
        switch Int.random(in: 0..<24, using: &random) {
        case 0...2:
            realm.create(
                Item.self, value: ["id": Int.random(in: 0..<25, using: &random), "rank": rank, "name": "\(rank % 7)"],
                update: .modified)
        case 3: if let item = item(&random) { realm.delete(item) }
        case 4: if let item = item(&random) { item.name = "\(rank % 7)" }
        case 5, 6: if let item = item(&random) { item.rank = rank }
        case 7: if let item = item(&random) { item.isActive.toggle() }
        case 8: if let item = item(&random) { item.friend = self.item(rank % 25, realm) }
        case 9: if let item = item(&random) { item.part = rank % 3 == 0 ? nil : .init(value: ["weight": rank]) }
        case 10: if let item = item(&random) { item.part?.weight = rank }
        case 11: if let item = item(&random) { item.box = rank % 3 == 0 ? nil : box(&random) }
        case 12: if let box = box(&random) { box.label = "\(rank % 5)" }
        case 13: if let box = box(&random), let item = item(&random) { box.items.append(item) }
        case 14: if let box = box(&random), !box.items.isEmpty { box.items.remove(at: rank % box.items.count) }
        case 15:
            if let box = box(&random), let item = item(&random), !box.items.isEmpty {
                box.items[rank % box.items.count] = item
            }
        case 16:
            if let box = box(&random), !box.items.isEmpty {
                box.items.move(from: rank % box.items.count, to: rank / 3 % box.items.count)
            }
        case 17:
            guard let box = box(&random), let item = item(&random) else { return }
            if rank % 2 == 0 { box.chosen.insert(item) } else { box.chosen.remove(item) }
        case 18: if let box = box(&random) { box.numbers.insert(rank % 9, at: rank % (box.numbers.count + 1)) }
        case 19: if let box = box(&random), !box.numbers.isEmpty { box.numbers.remove(at: rank % box.numbers.count) }
        case 20:
            guard let box = box(&random) else { return }
            if rank % 2 == 0 { box.words.insert("\(rank % 9)") } else { box.words.remove("\(rank % 9)") }
        case 21: if let box = box(&random), let item = item(&random) { box.byName["\(rank % 4)"] = item }
        case 22: if let box = box(&random) { box.byName["\(rank % 4)"] = rank % 2 == 0 ? .some(nil) : nil }
        default: if let box = box(&random) { box.counts["\(rank % 5)"] = rank % 3 == 0 ? nil : rank % 2 }
        }
    }

    private static func item(_ id: Int, _ realm: Realm) -> Item? {
        realm.object(ofType: Item.self, forPrimaryKey: id)
    }

    /// A file with the model's objects, and where it is.
    private static func makeFile() throws -> (TemporaryRealm, Realm.Configuration, Realm) {
        let directory = try TemporaryRealm()
        let configuration = directory.configuration(NotificationModel.types)
        let realm = try Realm(configuration: configuration)
        try NotificationModel.fill(realm)
        try realm.write {
            for id in 1...2 { realm.add(Box(value: ["id": id])) }
        }
        return (directory, configuration, realm)
    }

    fileprivate static func writeSome(_ realm: Realm, _ random: inout SeededGenerator) throws {
        let size = Int.random(in: 1...6, using: &random)
        try realm.write {
            for _ in 0..<size { try change(realm, &random) }
        }
    }

    /// 50, or a 400th of `FIRN_TEST_OPERATIONS`, and one at least: a round compares all that 26 observers have.
    private static var roundCount: Int { max(1, RandomRuns.operations(20_000) / 400) }

    @Test func `applying what it is told keeps every observer's copy equal to the collection`() throws {
        try RandomRuns(1...3).run { seed in
            let (directory, configuration, realm) = try Self.makeFile()
            defer { withExtendedLifetime(directory) {} }
            var random = SeededGenerator(seed: seed)
            let observers = Self.observers(realm, try realm.box())
            realm.refresh()
            for _ in 0..<Self.roundCount {
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    if Bool.random(using: &random) {
                        try Self.writeSome(realm, &random)
                    } else {
                        let seed = random.next()
                        try onAnotherThread {
                            var random = SeededGenerator(seed: seed)
                            try Self.writeSome(Realm(configuration: configuration), &random)
                        }
                    }
                }
                realm.refresh()
                for observer in observers { try observer.check() }
            }
        }
    }

    @Test func `copies stay equal while another process writes`() async throws {
        let seed = RandomRuns([1]).seeds[0]
        let (directory, configuration, _) = try Self.makeFile()
        let count = Self.roundCount
        // On a thread of its own, since the exit test blocks this one.
        let watcher = Companion {
            let realm = try Realm(configuration: configuration)
            let observers = Self.observers(realm, try realm.box())
            realm.refresh()
            var random = SeededGenerator(seed: seed ^ 1)
            var isDone = false
            while !isDone {
                // Looked at first, so that the last changes are told of too.
                isDone = realm.object(ofType: Box.self, forPrimaryKey: -1) != nil
                realm.refresh()
                for observer in observers { try observer.check() }
                try Self.writeSome(realm, &random)
            }
        }
        await #expect(processExitsWith: .success) {
            [path = directory.fileURL.path as String, seed = seed as UInt64, count = count as Int] in
            var configuration = Realm.Configuration(
                fileURL: URL(fileURLWithPath: path), objectTypes: NotificationModel.types)
            configuration.reservationInBytes = 1 << 34
            let realm = try Realm(configuration: configuration)
            var random = SeededGenerator(seed: seed)
            defer { try? realm.write { realm.add(NotificationModel.Box(value: ["id": -1])) } }
            for _ in 0..<count { try NotificationModelTests.writeSome(realm, &random) }
        }
        try watcher.value()
    }
}
