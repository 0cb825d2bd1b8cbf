import Firn
import Foundation
import TestSupport
import Testing

/// Random writes on this thread and on others, and observers of every kind that keep a copy by applying what they are told.
@Suite struct NotificationModelTests {
    typealias Item = NotificationModel.Item
    typealias Box = NotificationModel.Box

    /// A copy of a collection that knows nothing but what its observer is told.
    private final class Replica {
        let name: String
        private(set) var texts: [String] = []
        private(set) var calls = 0
        private(set) var failure: String?
        var token: NotificationToken?

        init(_ name: String) {
            self.name = name
        }

        /// `text` says of an element all that the observer looks at.
        func note<C: RealmCollection>(_ change: RealmCollectionChange<C>, _ text: (C.Element) -> String) {
            calls += 1
            switch change {
            case .initial(let collection):
                if calls != 1 { failure = "a second initial call" }
                texts = collection.map(text)
            case .update(let collection, let deletions, let insertions, let modifications):
                let actual = collection.isInvalidated ? [] : collection.map(text)
                apply(deletions, insertions, modifications, actual)
            case .error(let error): failure = "\(error)"
            }
        }

        private func apply(_ deletions: [Int], _ insertions: [Int], _ modifications: [Int], _ actual: [String]) {
            if calls == 1 { failure = "an update before the initial call" }
            if deletions.isEmpty, insertions.isEmpty, modifications.isEmpty { failure = "an empty update" }
            for positions in [deletions, insertions, modifications] where positions != positions.sorted() {
                failure = "positions that do not ascend: \(positions)"
            }
            guard Set(deletions).isDisjoint(with: modifications),
                (deletions + modifications).allSatisfy(texts.indices.contains)
            else {
                failure = "-\(deletions) ~\(modifications) of \(texts.count)"
                return
            }
            // Each element with whether it must be read anew.
            var copy: [String?] = texts
            for position in modifications { copy[position] = nil }
            for position in deletions.reversed() { copy.remove(at: position) }
            for position in insertions {
                guard position <= copy.count else {
                    failure = "+\(insertions) of \(copy.count)"
                    return
                }
                copy.insert(nil, at: position)
            }
            let kept = zip(copy, actual).allSatisfy { $0 == nil || $0 == $1 }
            if copy.count != actual.count || !kept {
                failure = "-\(deletions) +\(insertions) ~\(modifications): \(copy) is not \(actual)"
            }
            texts = actual
        }

        func check<C: RealmCollection>(_ collection: C, _ text: (C.Element) -> String) throws {
            let failure = failure
            try #require(failure == nil, "\(name): \(failure ?? "")")
            let actual = collection.isInvalidated ? [] : collection.map(text)
            let texts = texts
            try #require(texts == actual, "\(name) was not told")
        }
    }

    /// One observer and how to compare what it was told with what there is.
    private struct Observer {
        let replica: Replica
        let check: () throws -> Void

        init<C: RealmCollection>(
            _ name: String, _ collection: C, _ keyPaths: [String]? = nil, text: @escaping (C.Element) -> String
        ) {
            let replica = Replica(name)
            replica.token = collection.observe(keyPaths: keyPaths) { [unowned replica] in replica.note($0, text) }
            self.replica = replica
            check = { try replica.check(collection, text) }
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
        ]
    }

    private static func change(_ realm: Realm, _ random: inout SeededGenerator) throws {
        func item(_ random: inout SeededGenerator) -> Item? {
            realm.object(ofType: Item.self, forPrimaryKey: Int.random(in: 0..<25, using: &random))
        }
        func box(_ random: inout SeededGenerator) -> Box? {
            realm.object(ofType: Box.self, forPrimaryKey: Int.random(in: 0..<3, using: &random))
        }
        let rank = Int.random(in: 0..<100, using: &random)
        switch Int.random(in: 0..<22, using: &random) {
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
        default: if let box = box(&random), let item = item(&random) { box.byName["\(rank % 4)"] = item }
        }
    }

    private static func item(_ id: Int, _ realm: Realm) -> Item? {
        realm.object(ofType: Item.self, forPrimaryKey: id)
    }

    @Test func `applying what it is told keeps every observer's copy equal to the collection`() throws {
        try RandomRuns(1...3).run { seed in
            let directory = try TemporaryRealm()
            let configuration = directory.configuration(NotificationModel.types)
            let realm = try Realm(configuration: configuration)
            try NotificationModel.fill(realm)
            try realm.write {
                for id in 1...2 { realm.add(Box(value: ["id": id])) }
            }
            var random = SeededGenerator(seed: seed)
            let box = try #require(realm.object(ofType: Box.self, forPrimaryKey: 0))
            let observers = Self.observers(realm, box)
            realm.refresh()
            for _ in 0..<RandomRuns.operations(50) {
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    let size = Int.random(in: 1...6, using: &random)
                    if Bool.random(using: &random) {
                        try realm.write {
                            for _ in 0..<size { try Self.change(realm, &random) }
                        }
                    } else {
                        let seed = random.next()
                        try onAnotherThread {
                            var random = SeededGenerator(seed: seed)
                            let realm = try Realm(configuration: configuration)
                            try realm.write {
                                for _ in 0..<size { try Self.change(realm, &random) }
                            }
                        }
                    }
                }
                realm.refresh()
                for observer in observers { try observer.check() }
            }
        }
    }
}
