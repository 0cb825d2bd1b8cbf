import Firn
import Foundation
import TestSupport
import Testing

/// What observers of collections are told. The realm is one of a thread without a run loop, where `refresh()` tells.
@Suite struct CollectionNotificationTests {
    typealias Item = NotificationModel.Item
    typealias Box = NotificationModel.Box

    private let directory: TemporaryRealm
    private let realm: Realm

    init() throws {
        (directory, realm) = try NotificationModel.open()
    }

    /// What a block was told, as text: "initial 10", "-[1] +[2] ~[3] 10".
    private final class Calls {
        var texts: [String] = []
        var token: NotificationToken?

        func take() -> [String] {
            defer { texts = [] }
            return texts
        }

        func note<C: RealmCollection>(_ change: RealmCollectionChange<C>) {
            switch change {
            case .initial(let collection): texts.append("initial \(collection.count)")
            case .update(let collection, let deletions, let insertions, let modifications):
                texts.append("-\(deletions) +\(insertions) ~\(modifications) \(collection.count)")
            case .error(let error): texts.append("\(error)")
            }
        }
    }

    private func observe<C: RealmCollection>(_ collection: C, _ keyPaths: [String]? = nil) -> Calls {
        let calls = Calls()
        calls.token = collection.observe(keyPaths: keyPaths) { [unowned calls] in calls.note($0) }
        realm.refresh()
        return calls
    }

    @Test func `the first call tells what there is, and no other comes without a change`() throws {
        let calls = observe(realm.objects(Item.self))
        #expect(calls.take() == ["initial 10"])
        realm.refresh()
        try realm.write { try realm.box().label = "other" }
        try realm.write { try realm.item(3).name = "Item 3" }
        realm.refresh()
        #expect(calls.take() == [])
    }

    @Test func `nothing is told before a refresh, and several commits at once`() throws {
        let calls = observe(realm.objects(Item.self))
        #expect(calls.take() == ["initial 10"])
        try realm.write { try realm.item(3).name = "x" }
        try realm.write { try realm.delete(realm.item(0)) }
        try realm.write { _ = realm.create(Item.self, value: ["id": 99]) }
        #expect(calls.take() == [])
        #expect(!realm.refresh())
        #expect(calls.take() == ["-[0] +[9] ~[3] 10"])
    }

    @Test func `commits of another thread are told of by the refresh that moves there`() throws {
        let calls = observe(realm.objects(Item.self).filter("isActive == true"))
        #expect(calls.take() == ["initial 5"])
        let configuration = directory.configuration(NotificationModel.types)
        try onAnotherThread {
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.object(ofType: Item.self, forPrimaryKey: 1)?.isActive = true }
        }
        #expect(realm.refresh())
        #expect(calls.take() == ["-[] +[1] ~[] 6"])
    }

    @Test func `a filter's elements come and go with their values`() throws {
        let calls = observe(realm.objects(Item.self).filter("isActive == true AND rank < 8"))
        #expect(calls.take() == ["initial 4"])
        try realm.write {
            try realm.item(0).isActive = false
            try realm.item(4).name = "modified"
            try realm.item(6).rank = 20
            try realm.item(8).rank = 1
        }
        realm.refresh()
        #expect(calls.take() == ["-[0, 3] +[2] ~[2] 3"])
    }

    @Test func `a sorted element that moves is deleted and inserted, and one that stays is modified`() throws {
        let calls = observe(realm.objects(Item.self).sorted(byKeyPath: "rank", ascending: false))
        #expect(calls.take() == ["initial 10"])
        try realm.write { try realm.item(3).rank = 30 }
        realm.refresh()
        #expect(calls.take() == ["-[6] +[0] ~[] 10"])
        // 30 is the first one still.
        try realm.write { try realm.item(3).rank = 31 }
        realm.refresh()
        #expect(calls.take() == ["-[] +[] ~[0] 10"])
        try realm.write {
            try realm.item(0).rank = 100
            try realm.item(9).name = "z"
            try realm.delete(realm.item(5))
        }
        realm.refresh()
        #expect(calls.take() == ["-[5, 9] +[0] ~[1] 9"])
    }

    @Test func `an object that was deleted and made anew is another one`() throws {
        let calls = observe(realm.objects(Item.self))
        try realm.write {
            try realm.delete(realm.item(4))
            _ = realm.create(Item.self, value: ["id": 4, "rank": 4])
        }
        realm.refresh()
        #expect(calls.take() == ["initial 10", "-[4] +[4] ~[] 10"])
    }

    @Test func `limited and distinct results, and those of results, are compared`() throws {
        let page = observe(realm.objects(Item.self).sorted(byKeyPath: "rank").limit(3, offset: 1))
        let distinct = observe(realm.objects(Item.self).distinct(by: ["isActive"]))
        let narrowed = observe(realm.objects(Item.self).limit(6).filter("isActive == true"))
        #expect([page, distinct, narrowed].flatMap { $0.take() } == ["initial 3", "initial 2", "initial 3"])
        try realm.write { try realm.item(0).rank = 50 }
        realm.refresh()
        #expect(page.take() == ["-[0] +[2] ~[] 3"])
        #expect(distinct.take() == ["-[] +[] ~[0] 2"])
        try realm.write { try realm.item(0).isActive = false }
        realm.refresh()
        #expect(distinct.take() == ["-[1] +[1] ~[0] 2"])
        #expect(narrowed.take() == ["-[] +[] ~[0] 3", "-[0] +[] ~[] 2"])
    }

    @Test func `filters and sorts through links follow what lies behind them`() throws {
        try realm.write {
            for id in 0..<5 { try realm.item(id).friend = realm.item(id + 5) }
        }
        let filtered = observe(realm.objects(Item.self).filter("friend.isActive == true"))
        let sorted = observe(realm.objects(Item.self).filter("friend != nil").sorted(byKeyPath: "friend.rank"))
        #expect(filtered.take() == ["initial 2"] && sorted.take() == ["initial 5"])
        try realm.write { try realm.item(5).isActive = true }
        realm.refresh()
        #expect(filtered.take() == ["-[] +[0] ~[] 3"])
        #expect(sorted.take() == ["-[] +[] ~[0] 5"])
        try realm.write { try realm.item(5).rank = 70 }
        realm.refresh()
        #expect(filtered.take() == ["-[] +[] ~[0] 3"])
        #expect(sorted.take() == ["-[0] +[4] ~[] 5"])
        try realm.write { try realm.delete(realm.item(9)) }
        realm.refresh()
        #expect(filtered.take() == [])
        #expect(sorted.take() == ["-[3] +[] ~[] 4"])
    }

    @Test func `changes up to four links away modify an element, and no further ones`() throws {
        try realm.write {
            for id in 0..<6 { try realm.item(id).friend = realm.item(id + 1) }
        }
        let calls = observe(realm.objects(Item.self).filter("id == 0"))
        #expect(calls.take() == ["initial 1"])
        for (id, isTold) in [(1, true), (4, true), (5, false), (6, false)] {
            try realm.write { try realm.item(id).name += "!" }
            realm.refresh()
            #expect(calls.take() == (isTold ? ["-[] +[] ~[0] 1"] : []), "\(id)")
        }
    }

    @Test func `links of every kind count: lists, sets, maps, embedded objects and values of any type`() throws {
        let box = try realm.box()
        let boxes = observe(realm.objects(Box.self))
        let owner = observe(realm.objects(Item.self).filter("id == 7"))
        #expect(boxes.take() == ["initial 1"] && owner.take() == ["initial 1"])
        try realm.write {
            box.chosen.insert(try realm.item(8))
            box.byName["x"] = try realm.item(9)
            try realm.item(7).part = NotificationModel.Part(value: ["weight": 1])
            try realm.item(7).anything = .object(realm.item(6))
        }
        realm.refresh()
        #expect(boxes.take() == ["-[] +[] ~[0] 1"] && owner.take() == ["-[] +[] ~[0] 1"])
        for id in [2, 8, 9] {
            try realm.write { try realm.item(id).rank += 100 }
            realm.refresh()
            #expect(boxes.take() == ["-[] +[] ~[0] 1"], "\(id)")
        }
        try realm.write { try realm.item(7).part?.weight = 2 }
        realm.refresh()
        #expect(owner.take() == ["-[] +[] ~[0] 1"])
        try realm.write { try realm.item(6).rank = 66 }
        realm.refresh()
        #expect(owner.take() == ["-[] +[] ~[0] 1"])
        #expect(boxes.take() == [])
    }

    @Test func `with key paths just those count`() throws {
        try realm.write { try realm.item(0).friend = realm.item(1) }
        let ranks = observe(realm.objects(Item.self), ["rank"])
        let friends = observe(realm.objects(Item.self), ["friend.name"])
        let lists = observe(realm.objects(Box.self), ["items"])
        let names = observe(realm.objects(Box.self), ["items.name"])
        let labels = observe(realm.objects(Item.self), ["boxes.label"])
        let typed = Calls()
        typed.token = realm.objects(Item.self).observe(keyPaths: [\.rank, \.friend]) { typed.note($0) }
        realm.refresh()
        let all = [ranks, friends, lists, names, labels, typed]
        for calls in all { #expect(calls.take().count == 1) }
        func told(_ change: () throws -> Void) throws -> [String] {
            try realm.write { try change() }
            realm.refresh()
            return all.map { $0.take().joined() }
        }
        let item1 = "-[] +[] ~[1] 10"
        #expect(try told { try realm.item(1).rank = 9 } == [item1, "", "", "", "", item1])
        #expect(try told { try realm.item(1).name = "b" } == ["", "-[] +[] ~[0] 10", "", "-[] +[] ~[0] 1", "", ""])
        #expect(try told { try realm.item(7).name = "c" } == ["", "", "", "", "", ""])
        #expect(try told { try realm.item(1).isActive = true } == ["", "", "", "", "", ""])
        let first = "-[] +[] ~[0] 10"
        #expect(try told { try realm.item(0).friend = nil } == ["", first, "", "", "", first])
        let five = "-[] +[] ~[0, 1, 2, 3, 4] 10"
        #expect(try told { try realm.box().label = "new" } == ["", "", "", "", five, ""])
        let last = "-[] +[] ~[9] 10"
        let boxes = "-[] +[] ~[0] 1"
        #expect(try told { try realm.box().items.append(realm.item(9)) } == ["", "", boxes, boxes, last, ""])
    }

    @Test func `what is told of can come and go whatever the key paths are`() throws {
        let calls = observe(realm.objects(Item.self), ["rank"])
        try realm.write { try realm.delete(realm.item(2)) }
        realm.refresh()
        #expect(calls.take() == ["initial 10", "-[2] +[] ~[] 9"])
    }

    @Test func `a list tells what was appended, inserted, removed, replaced and moved`() throws {
        let box = try realm.box()
        let links = observe(box.items)
        let numbers = observe(box.numbers)
        #expect(links.take() == ["initial 5"] && numbers.take() == ["initial 3"])
        try realm.write {
            box.numbers.insert(7, at: 1)
            box.items.append(try realm.item(0))
        }
        realm.refresh()
        #expect(links.take() == ["-[] +[5] ~[] 6"] && numbers.take() == ["-[] +[1] ~[] 4"])
        try realm.write {
            box.numbers[0] = 50
            box.items.remove(at: 1)
        }
        realm.refresh()
        #expect(links.take() == ["-[1] +[] ~[] 5"] && numbers.take() == ["-[] +[] ~[0] 4"])
        try realm.write {
            box.numbers.move(from: 0, to: 3)
            box.items[0].name = "first and last"
        }
        realm.refresh()
        #expect(links.take() == ["-[] +[] ~[0, 4] 5"] && numbers.take() == ["-[0] +[3] ~[] 4"])
        try realm.write {
            box.numbers.removeAll()
            try realm.delete(realm.item(2))
        }
        realm.refresh()
        #expect(links.take() == ["-[1] +[] ~[] 4"] && numbers.take() == ["-[0, 1, 2, 3] +[] ~[] 0"])
    }

    @Test func `sets, linking objects and collections of any kind are observed alike`() throws {
        let box = try realm.box()
        let words = observe(box.words)
        let chosen = observe(box.chosen)
        let boxes = observe(try realm.item(0).boxes)
        let any = observe(AnyRealmCollection(box.numbers))
        for calls in [words, chosen, boxes, any] { #expect(calls.take().count == 1) }
        try realm.write {
            box.words.insert(objectsIn: ["b", "a"])
            box.chosen.insert(try realm.item(3))
            box.numbers.append(4)
            realm.add(Box(value: ["id": 1, "items": [try realm.item(0)]]))
        }
        realm.refresh()
        #expect(words.take() == ["-[] +[0, 1] ~[] 2"])
        #expect(chosen.take() == ["-[] +[0] ~[] 1"])
        #expect(boxes.take() == ["-[] +[1] ~[0] 2"])
        #expect(any.take() == ["-[] +[3] ~[] 4"])
        try realm.write {
            box.words.remove("a")
            try realm.item(3).rank = 77
        }
        realm.refresh()
        #expect(words.take() == ["-[0] +[] ~[] 1"])
        #expect(chosen.take() == ["-[] +[] ~[0] 1"])
    }

    @Test func `deleting its object empties a collection, once, and says nothing where it was empty`() throws {
        let box = try realm.box()
        let empty = observe(box.words)
        let found = observe(box.items.filter("rank > 1"))
        for calls in [empty, found] { #expect(calls.take().count == 1) }
        var deletions: [[Int]] = []
        let token = box.numbers.observe { change in
            if case .update(let numbers, let deleted, _, _) = change, numbers.isInvalidated {
                deletions.append(deleted)
            }
        }
        realm.refresh()
        try realm.write { realm.delete(box) }
        for _ in 0..<2 {
            try realm.write { try realm.item(0).rank += 1 }
            realm.refresh()
        }
        #expect(deletions == [[0, 1, 2]])
        #expect(found.take() == ["-[0, 1, 2] +[] ~[] 0"])
        #expect(empty.take() == [])
        withExtendedLifetime(token) {}
    }

    @Test func `a map tells of its keys`() throws {
        let box = try realm.box()
        try realm.write {
            box.counts["a"] = 1
            box.counts["b"] = 2
            box.byName["x"] = try realm.item(1)
        }
        var texts: [String] = []
        func note<K, V>(_ change: RealmMapChange<Map<K, V>>) {
            switch change {
            case .initial(let map): texts.append("initial \(map.count)")
            case .update(let map, let deletions, let insertions, let modifications):
                texts.append("-\(deletions) +\(insertions) ~\(modifications) \(map.count)")
            case .error(let error): texts.append("\(error)")
            }
        }
        let tokens = [box.counts.observe { note($0) }, box.byName.observe { note($0) }]
        realm.refresh()
        #expect(texts == ["initial 2", "initial 1"])
        texts = []
        try realm.write {
            box.counts["a"] = nil
            box.counts["b"] = 3
            box.counts["c"] = 4
            try realm.item(1).rank = 8
        }
        realm.refresh()
        #expect(texts == [#"-["a"] +["c"] ~["b"] 2"#, #"-[] +[] ~["x"] 1"#])
        texts = []
        try realm.write {
            try realm.delete(realm.item(1))
            box.byName["x"] = realm.create(Item.self, value: ["id": 1, "rank": 9])
        }
        realm.refresh()
        #expect(texts == [#"-[] +[] ~["x"] 1"#])
        texts = []
        try realm.write { try realm.delete(realm.item(1)) }
        realm.refresh()
        #expect(texts == [#"-[] +[] ~["x"] 1"#])
        withExtendedLifetime(tokens) {}
    }

    @Test func `a token that is invalidated or gone ends the calls`() throws {
        let first = observe(realm.objects(Item.self))
        let second = observe(realm.objects(Item.self))
        #expect(first.token?.invalidate() == true && first.token?.invalidate() == false)
        second.token = nil
        try realm.write { try realm.item(0).rank = 100 }
        realm.refresh()
        #expect(first.take() == ["initial 10"] && second.take() == ["initial 10"])
    }

    @Test func `a block may end its own observation and others`() throws {
        var calls = 0
        var tokens: [NotificationToken] = []
        for _ in 0..<2 {
            tokens.append(
                realm.objects(Item.self).observe { _ in
                    calls += 1
                    for token in tokens { token.invalidate() }
                })
        }
        realm.refresh()
        #expect(calls == 1)
    }

    @Test func `what is written without notifying is not told, but what was to be told is`() throws {
        let calls = observe(realm.objects(Item.self))
        let token = try #require(calls.token)
        try realm.write(withoutNotifying: [token]) { try realm.item(0).rank = 100 }
        realm.refresh()
        #expect(calls.take() == ["initial 10"])
        realm.beginWrite()
        try realm.delete(realm.item(9))
        try realm.commitWrite(withoutNotifying: [token])
        try realm.write { try realm.item(1).rank = 100 }
        realm.refresh()
        #expect(calls.take() == ["-[] +[] ~[1] 9"])
        try realm.write { try realm.item(2).rank = 100 }
        try realm.write(withoutNotifying: [token]) { try realm.item(3).rank = 100 }
        realm.refresh()
        #expect(calls.take() == ["-[] +[] ~[2, 3] 9"])
    }

    @Test func `a block may write, and each observer is told what is different from its last call`() throws {
        var texts: [String] = []
        var hasWritten = false
        let tokens = (0..<2).map { number in
            realm.objects(Item.self).observe { change in
                guard case .update(let items, let deletions, let insertions, let modifications) = change else { return }
                texts.append("\(number): -\(deletions) +\(insertions) ~\(modifications) \(items.count)")
                if hasWritten { return }
                hasWritten = true
                try? realm.write {
                    realm.delete(items[0])
                    _ = realm.create(Item.self, value: ["id": 50])
                }
                #expect(!realm.refresh())
            }
        }
        realm.refresh()
        try realm.write { try realm.item(4).rank = 44 }
        realm.refresh()
        #expect(texts == ["0: -[] +[] ~[4] 10", "1: -[0] +[9] ~[4] 10"])
        realm.refresh()
        #expect(texts.last == "0: -[0] +[9] ~[] 10" && texts.count == 3)
        withExtendedLifetime(tokens) {}
    }

    @Test func `observing in a write begins with what that commits`() throws {
        let calls = Calls()
        try realm.write {
            _ = realm.create(Item.self, value: ["id": 20])
            calls.token = realm.objects(Item.self).observe { calls.note($0) }
            realm.refresh()
            #expect(calls.take() == [])
        }
        realm.refresh()
        #expect(calls.take() == ["initial 11"])
    }

    @Test func `a write that is rolled back is not told of`() throws {
        let calls = observe(realm.objects(Item.self))
        realm.beginWrite()
        try realm.item(0).rank = 5
        realm.cancelWrite()
        realm.refresh()
        #expect(calls.take() == ["initial 10"])
    }

    @Test func `who comes too late for the change log is told as well`() throws {
        let calls = observe(realm.objects(Item.self).sorted(byKeyPath: "rank"))
        let list = observe(try realm.box().items)
        #expect(calls.take() == ["initial 10"] && list.take() == ["initial 5"])
        let configuration = directory.configuration(NotificationModel.types)
        try onAnotherThread {
            let realm = try Realm(configuration: configuration)
            let other = try #require(realm.object(ofType: Box.self, forPrimaryKey: 0))
            let item = try #require(realm.object(ofType: Item.self, forPrimaryKey: 3))
            try realm.write {
                other.items.remove(at: 0)
                item.rank = 80
            }
            for number in 0..<1300 {
                try realm.write { other.label = "\(number)" }
            }
        }
        realm.refresh()
        #expect(calls.take() == ["-[3] +[9] ~[] 10"])
        #expect(list.take() == ["-[0] +[] ~[3] 4"])
    }
}
