import Firn
import Foundation
import TestSupport
import Testing

/// Observers whose accessors have become invalid while their rows are there: after a rolled-back deletion and an invalidation.
@Suite struct RenewedObserverTests {
    typealias Item = NotificationModel.Item
    typealias Box = NotificationModel.Box
    private struct Refusal: Error {}

    private let directory: TemporaryRealm
    private let realm: Realm

    init() throws {
        (directory, realm) = try NotificationModel.open()
        try realm.write { try realm.box().counts["one"] = 1 }
    }

    private final class Told {
        var texts: [String] = []
        var tokens: [NotificationToken] = []

        func observe(_ realm: Realm) throws {
            let (item, box) = (try realm.item(3), try realm.box())
            tokens = [
                item.observe { (change: ObjectChange<Item>) in
                    switch change {
                    case .change(let item, let properties):
                        self.texts.append("item \(properties.map(\.name)) \(item.rank)")
                    case .deleted: self.texts.append("item deleted")
                    case .error(let error): self.texts.append("\(error)")
                    }
                },
                box.numbers.observe { self.note("numbers", $0) },
                box.items.sorted(byKeyPath: "rank").observe { self.note("sorted items", $0) },
                item.boxes.observe { self.note("boxes", $0) },
                box.counts.observe { change in
                    if case .update(let map, let deletions, let insertions, let modifications) = change {
                        self.texts.append("counts -\(deletions) +\(insertions) ~\(modifications) \(map.count)")
                    }
                },
                box.items.sectioned(by: \.isActive).observe { change in
                    if case .update(let sections, let deletions, let insertions, _, _, _) = change {
                        self.texts.append("sections -\(deletions.count) +\(insertions.count) \(sections.count)")
                    }
                },
            ]
            realm.refresh()
        }

        private func note<C: RealmCollection>(_ name: String, _ change: RealmCollectionChange<C>) {
            if case .update(let elements, let deletions, let insertions, let modifications) = change {
                texts.append("\(name) -\(deletions) +\(insertions) ~\(modifications) \(elements.count)")
            }
        }
    }

    /// What everybody is told of a change of each thing that is observed.
    private func tellAll(_ told: Told) throws {
        try onAnotherThread { [configuration = realm.configuration] in
            let realm = try Realm(configuration: configuration)
            try realm.write {
                let (item, box) = (try realm.item(3), try realm.box())
                item.rank = 30
                box.numbers.append(4)
                box.items.append(try realm.item(9))
                box.counts["two"] = 2
            }
        }
        realm.refresh()
        #expect(
            told.texts == [
                "item [\"rank\"] 30", "numbers -[] +[3] ~[] 4", "sorted items -[3] +[4, 5] ~[] 6",
                "boxes -[] +[] ~[0] 1", "counts -[] +[\"two\"] ~[] 2", "sections -0 +1 2",
            ])
    }

    @Test func `a deletion that is rolled back is not told of, and what follows is`() throws {
        let told = Told()
        try told.observe(realm)
        for ends in 0..<2 {
            let (item, box) = (try realm.item(3), try realm.box())
            if ends == 0 {
                #expect(throws: Refusal.self) {
                    try realm.write {
                        realm.delete(item)
                        realm.delete(box)
                        throw Refusal()
                    }
                }
            } else {
                realm.beginWrite()
                realm.deleteAll()
                realm.cancelWrite()
            }
            #expect(item.isInvalidated && box.isInvalidated)
            realm.refresh()
            #expect(told.texts == [])
        }
        try tellAll(told)
    }

    @Test func `an invalidation is not told of, and what follows is`() throws {
        let told = Told()
        try told.observe(realm)
        realm.invalidate()
        realm.refresh()
        #expect(told.texts == [])
        try tellAll(told)
    }

    @Test func `what was deleted before is told of, whatever is rolled back and made anew`() throws {
        let item = try realm.item(3)
        var texts: [String] = []
        let token = item.observe { (change: ObjectChange<Item>) in
            if case .deleted = change { texts.append("deleted") } else { texts.append("changed") }
        }
        realm.refresh()
        try realm.write { realm.delete(item) }
        try realm.write { realm.add(Item(value: ["id": 3])) }
        try? realm.write { throw Refusal() }
        realm.invalidate()
        realm.refresh()
        #expect(texts == ["deleted"])
        token.invalidate()
    }

    @Test func `what a rolled-back write added is another's whose key is given again`() throws {
        var texts: [String] = []
        var tokens: [NotificationToken] = []
        try? realm.write {
            let item = realm.create(Item.self, value: ["id": 50])
            tokens = [item.observe { (_: ObjectChange<Item>) in texts.append("told") }]
            throw Refusal()
        }
        try realm.write { _ = realm.create(Item.self, value: ["id": 50]) }
        try? realm.write {
            realm.delete(try realm.item(50))
            throw Refusal()
        }
        realm.invalidate()
        try realm.write { try realm.item(50).rank = 5 }
        realm.refresh()
        #expect(texts == [])
        withExtendedLifetime(tokens) {}
    }
}
