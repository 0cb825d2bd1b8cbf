import Firn
import Foundation
import TestSupport
import Testing

/// What observers of objects, sections and realms are told.
@Suite struct ObjectNotificationTests {
    typealias Item = NotificationModel.Item
    typealias Box = NotificationModel.Box

    private let directory: TemporaryRealm
    private let realm: Realm

    init() throws {
        (directory, realm) = try NotificationModel.open()
    }

    private func changeText(_ change: ObjectChange<some ObjectBase>) -> String {
        switch change {
        case .change(_, let properties):
            properties.map { "\($0.name): \($0.oldValue ?? "nil") -> \($0.newValue ?? "nil")" }.joined(separator: ", ")
        case .deleted: "deleted"
        case .error(let error): "\(error)"
        }
    }

    @Test func `an object's observer is told of each property with its old and its new value`() throws {
        var texts: [String] = []
        let item = try realm.item(3)
        let token = item.observe { texts.append(changeText($0)) }
        realm.refresh()
        #expect(texts == [])
        try realm.write {
            item.name = "new"
            item.rank = 3
            item.isActive = true
        }
        try realm.write { try realm.item(4).name = "another" }
        realm.refresh()
        #expect(texts == ["name: Item 3 -> new, isActive: false -> true"])
        try realm.write { item.rank = 9 }
        try realm.write { item.rank = 10 }
        realm.refresh()
        #expect(texts.last == "rank: 3 -> 10" && texts.count == 2)
        try realm.write { realm.delete(item) }
        for _ in 0..<2 { realm.refresh() }
        #expect(texts.last == "deleted" && texts.count == 3)
        #expect(!token.invalidate())
    }

    // It was told of as deleted, while it was there.
    @Test func `an object that others delete and make anew goes on, whether in one commit or in two`() throws {
        let item = try realm.item(3)
        var texts: [String] = []
        let token = item.observe(keyPaths: ["name", "rank"]) { texts.append(changeText($0)) }
        realm.refresh()
        for isOne in [true, false] {
            try onAnotherThread { [configuration = realm.configuration] in
                let other = try Realm(configuration: configuration)
                try other.write {
                    other.delete(try other.item(3))
                    if isOne { other.create(Item.self, value: ["id": 3, "name": "one", "rank": 3]) }
                }
                if !isOne { try other.write { other.create(Item.self, value: ["id": 3, "name": "two", "rank": 4]) } }
            }
            realm.refresh()
        }
        #expect(!item.isInvalidated && item.name == "two")
        #expect(texts == ["name: Item 3 -> one, rank: 3 -> 3", "name: one -> two, rank: 3 -> 4"])
        withExtendedLifetime(token) {}
    }

    @Test func `own properties count, and with key paths those that they name`() throws {
        let item = try realm.item(0)
        try realm.write { item.friend = try realm.item(1) }
        var all: [String] = []
        var named: [String] = []
        let tokens = [
            item.observe { (change: ObjectChange<Item>) in
                if case .change(_, let properties) = change { all += properties.map(\.name) }
            },
            item.observe(keyPaths: ["friend.name", "rank"]) { change in
                if case .change(let object, let properties) = change {
                    named += properties.map { "\($0.name) of \(object.id)" }
                }
            },
        ]
        try realm.write { try realm.item(1).name = "x" }
        realm.refresh()
        #expect(all == [] && named == ["friend of 0"])
        try realm.write {
            item.rank = 7
            item.name = "y"
        }
        realm.refresh()
        #expect(all == ["name", "rank"] && named == ["friend of 0", "rank of 0"])
        withExtendedLifetime(tokens) {}
    }

    @Test func `collections of an object are told as they were and as they are`() throws {
        let box = try #require(realm.objects(Box.self).first)
        var values: [(old: [Int], new: [Int])] = []
        let token = box.observe(keyPaths: [\.numbers]) { change in
            guard case .change(_, let properties) = change, let property = properties.first else { return }
            values.append(
                (
                    Array(property.oldValue as? List<Int> ?? List()), Array(property.newValue as? List<Int> ?? List())
                ))
        }
        try realm.write { box.numbers.append(4) }
        realm.refresh()
        #expect(values.count == 1 && values[0].old == [1, 2, 3] && values[0].new == [1, 2, 3, 4])
        withExtendedLifetime(token) {}
    }

    @Test func `an object is observed from the write on that adds it, and embedded objects too`() throws {
        var texts: [String] = []
        var tokens: [NotificationToken] = []
        try realm.write {
            let added = realm.create(Item.self, value: ["id": 30, "part": ["weight": 1]])
            tokens.append(added.observe { texts.append(changeText($0)) })
            tokens.append(try #require(added.part).observe { texts.append("part " + changeText($0)) })
            added.rank = 5
        }
        realm.refresh()
        #expect(texts == [])
        try realm.write {
            try realm.item(30).rank = 6
            try realm.item(30).part?.weight = 2
        }
        realm.refresh()
        #expect(texts == ["rank: 5 -> 6", "part weight: 1 -> 2"])
        try realm.write { try realm.item(30).part = nil }
        realm.refresh()
        #expect(texts.contains("part deleted"))
    }

    // MARK: Sections

    private func sectionText<S: RealmSectionedResult>(_ change: SectionedResultsChange<S>) -> String {
        switch change {
        case .initial(let sections): return "initial \(sections.count)"
        case .update(_, let deletions, let insertions, let modifications, let inserted, let deleted):
            func text(_ paths: [IndexPath]) -> String {
                paths.map { "\($0.section).\($0.item)" }.joined(separator: " ")
            }
            return "-[\(text(deletions))] +[\(text(insertions))] ~[\(text(modifications))] "
                + "sections -\(Array(deleted)) +\(Array(inserted))"
        }
    }

    @Test func `sections come and go, and elements within them and between them`() throws {
        let sections = realm.objects(Item.self).sectioned(sortDescriptors: [SortDescriptor(keyPath: "rank")]) {
            $0.rank / 4
        }
        var texts: [String] = []
        var third: [String] = []
        let tokens = [
            sections.observe { texts.append(sectionText($0)) },
            sections[2].observe { third.append(sectionText($0)) },
        ]
        realm.refresh()
        #expect(texts == ["initial 3"] && third == ["initial 2"])
        try realm.write { try realm.item(1).rank = 5 }
        realm.refresh()
        #expect(texts.last == "-[0.1] +[1.1] ~[] sections -[] +[]")
        try realm.write {
            try realm.item(8).rank = 40
            try realm.item(9).rank = 41
            try realm.item(0).name = "x"
        }
        realm.refresh()
        #expect(texts.last == "-[] +[] ~[0.0] sections -[2] +[2]")
        #expect(third.last == "-[] +[] ~[] sections -[2] +[]")
        try realm.write { try realm.item(9).rank = 9 }
        realm.refresh()
        #expect(texts.last == "-[2.1] +[] ~[] sections -[] +[2]")
        #expect(third.last == "-[] +[] ~[] sections -[] +[2]")
        #expect(texts.count == 4 && third.count == 3)
        withExtendedLifetime(tokens) {}
    }

    @Test func `sections look along key paths only where they are given`() throws {
        let sections = realm.objects(Item.self).sectioned(by: \.isActive)
        var texts: [String] = []
        let token = sections.observe(keyPaths: [\.name]) { texts.append(sectionText($0)) }
        realm.refresh()
        try realm.write { try realm.item(4).rank = 90 }
        realm.refresh()
        #expect(texts == ["initial 2"])
        try realm.write { try realm.item(4).name = "n" }
        realm.refresh()
        #expect(texts.last == "-[] +[] ~[1.2] sections -[] +[]")
        withExtendedLifetime(token) {}
    }

    // MARK: Realms

    @Test func `a realm's observer is called at the end of a commit, and when the realm has moved`() throws {
        var calls: [String] = []
        let token = realm.observe { notification, realm in
            calls.append("\(notification) \(realm.objects(Item.self).count)")
        }
        try realm.write { _ = realm.create(Item.self, value: ["id": 70]) }
        #expect(calls == ["didChange 11"])
        let configuration = directory.configuration(NotificationModel.types)
        try onAnotherThread {
            let realm = try Realm(configuration: configuration)
            try realm.write { _ = realm.create(Item.self, value: ["id": 71]) }
        }
        #expect(calls.count == 1)
        realm.refresh()
        realm.refresh()
        #expect(calls == ["didChange 11", "didChange 12"])
        try realm.write {}
        try realm.write(withoutNotifying: [token]) { try realm.item(0).rank = 77 }
        #expect(calls.count == 2)
        token.invalidate()
        try realm.write { try realm.item(0).rank = 78 }
        #expect(calls.count == 2)
    }

    @Test func `a realm's observer is told of what others write in their blocks, and of a move by a dropped write`()
        throws
    {
        var count = 0
        let own = realm.observe { _, realm in
            count += 1
            if count == 2 { try? realm.write { try realm.item(0).rank += 1 } }
        }
        let token = realm.objects(Item.self).observe { [realm] change in
            if case .initial = change { try? realm.write { try realm.item(0).rank += 1 } }
        }
        for _ in 0..<2 { realm.refresh() }
        #expect(count == 1)
        try realm.write { try realm.item(0).rank += 1 }
        #expect(count == 2)
        // Its own write.
        realm.refresh()
        #expect(count == 3)
        let configuration = directory.configuration(NotificationModel.types)
        try onAnotherThread {
            let realm = try Realm(configuration: configuration)
            try realm.write { _ = realm.create(Item.self, value: ["id": 71]) }
        }
        realm.beginWrite()
        realm.cancelWrite()
        #expect(count == 4)
        realm.beginWrite()
        realm.cancelWrite()
        realm.refresh()
        #expect(count == 4)
        withExtendedLifetime((own, token)) {}
    }

    @Test func `an object that is deleted without a word is not told of later`() throws {
        let item = try realm.item(3)
        var calls = 0
        let token = item.observe { (_: ObjectChange<Item>) in calls += 1 }
        realm.refresh()
        try realm.write(withoutNotifying: [token]) { realm.delete(item) }
        realm.refresh()
        try realm.write { try realm.item(4).rank = 5 }
        realm.refresh()
        #expect(calls == 0)
    }
}
