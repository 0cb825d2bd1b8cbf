import Firn
import Foundation
import TestSupport
import Testing

/// Changes as a sequence to wait for, and of several collections together.
@Suite struct ChangeSequenceTests {
    typealias Item = NotificationModel.Item
    typealias Box = NotificationModel.Box

    private let directory: TemporaryRealm

    init() throws {
        directory = try TemporaryRealm()
        try NotificationModel.fill(Realm(configuration: directory.configuration(NotificationModel.types)))
    }

    /// Writes on a thread of its own.
    private func write(_ block: @escaping @Sendable (Realm) -> Void) throws {
        let configuration = directory.configuration(NotificationModel.types)
        try onAnotherThread {
            let realm = try Realm(configuration: configuration)
            try realm.write { block(realm) }
        }
    }

    private func makeChanges() throws -> CollectionChangeSequence<Results<Item>> {
        let realm = try Realm(configuration: directory.configuration(NotificationModel.types))
        return realm.objects(Item.self).filter("rank < 5").sorted(byKeyPath: "name").changes
    }

    @Test func `each change comes with the collection frozen at its version`() async throws {
        var iterator = try makeChanges().makeAsyncIterator()
        guard case .initial(let first) = await iterator.next() else { throw Unexpected() }
        #expect(first.isFrozen && first.map(\.id) == [0, 1, 2, 3, 4])
        try write { realm in
            realm.object(ofType: Item.self, forPrimaryKey: 1)?.rank = 9
            realm.object(ofType: Item.self, forPrimaryKey: 2)?.isActive = false
            realm.create(Item.self, value: ["id": 20, "name": "A"])
        }
        guard case .update(let second, let deletions, let insertions, let modifications) = await iterator.next() else {
            throw Unexpected()
        }
        #expect(second.map(\.id) == [20, 0, 2, 3, 4] && first.map(\.id) == [0, 1, 2, 3, 4])
        #expect(deletions == [1] && insertions == [0] && modifications == [2])
    }

    private struct Unexpected: Error {}

    @Test func `who is slow gets all commits as one change, and none for what nobody sees`() async throws {
        var iterator = try makeChanges().makeAsyncIterator()
        _ = await iterator.next()
        for number in 0..<20 {
            try write { realm in
                realm.object(ofType: Item.self, forPrimaryKey: 3)?.name = "Item 3 \(number)"
                realm.object(ofType: Item.self, forPrimaryKey: 9)?.name = "\(number)"
            }
        }
        guard case .update(let items, let deletions, let insertions, let modifications) = await iterator.next() else {
            throw Unexpected()
        }
        #expect(items[3].name == "Item 3 19" && deletions == [] && insertions == [] && modifications == [3])
        let waiting = Task { [iterator] in
            var iterator = iterator
            return await iterator.next().map { "\($0)" }
        }
        try write { $0.object(ofType: Item.self, forPrimaryKey: 9)?.name = "unseen" }
        try await Task.sleep(for: .milliseconds(50))
        waiting.cancel()
        #expect(await waiting.value == nil)
    }

    @Test func `a loop waits for commits of others and ends with its task`() async throws {
        let changes = try makeChanges()
        let (counts, continuation) = AsyncStream.makeStream(of: Int.self)
        let loop = Task {
            for await change in changes {
                switch change {
                case .initial(let items): continuation.yield(items.count)
                case .update(let items, _, _, _): continuation.yield(items.count)
                case .error: continuation.yield(-1)
                }
            }
            continuation.finish()
        }
        var seen = counts.makeAsyncIterator()
        #expect(await seen.next() == 5)
        for count in 6...8 {
            try write { $0.create(Item.self, value: ["id": 100 + count, "rank": 1]) }
            #expect(await seen.next() == count)
        }
        loop.cancel()
        #expect(await seen.next() == nil)
    }

    @Test func `a loop runs in an actor, which goes on meanwhile`() async throws {
        let changes = try makeChanges()
        let watcher = Watcher()
        let watching = Task { await watcher.watch(changes) }
        await wait { await !watcher.texts.isEmpty }
        try write { $0.object(ofType: Item.self, forPrimaryKey: 0)?.rank = 50 }
        await wait { await watcher.texts.count >= 2 }
        #expect(await watcher.texts == ["5", "4"])
        watching.cancel()
        await watching.value
    }

    private actor Watcher {
        var texts: [String] = []

        func watch(_ changes: CollectionChangeSequence<Results<Item>>) async {
            for await change in changes {
                switch change {
                case .initial(let items), .update(let items, _, _, _): texts.append("\(items.count)")
                case .error(let error): texts.append("\(error)")
                }
            }
        }
    }

    @Test func `the changes of a list end with its object`() async throws {
        func makeIterator() throws -> CollectionChangeSequence<List<Int>>.Iterator {
            let realm = try Realm(configuration: directory.configuration(NotificationModel.types))
            let box = try #require(realm.objects(Box.self).first)
            return box.numbers.changes.makeAsyncIterator()
        }
        var iterator = try makeIterator()
        _ = await iterator.next()
        try write { $0.delete($0.objects(Box.self)) }
        guard case .update(let numbers, let deletions, _, _) = await iterator.next() else { throw Unexpected() }
        #expect(deletions == [0, 1, 2] && Array(numbers) == [1, 2, 3])
        #expect(await iterator.next() == nil)
    }

    // MARK: Groups

    @Test func `several collections are told of in one call a commit`() throws {
        let realm = try Realm(configuration: directory.configuration(NotificationModel.types))
        var texts: [String] = []
        func text<C: RealmCollection>(_ change: RealmCollectionChange<C>?) -> String {
            switch change {
            case nil: "-"
            case .initial(let elements): "initial \(elements.count)"
            case .update(let elements, let deletions, let insertions, _):
                "-\(deletions) +\(insertions) \(elements.count)"
            case .error(let error): "\(error)"
            }
        }
        let active = realm.objects(Item.self).filter("isActive == true")
        let idle = realm.objects(Item.self).filter("isActive == false")
        let boxes = realm.objects(Box.self)
        let token = NotificationGroup.observe(active, idle, boxes) { active, idle, boxes in
            texts.append("\(text(active)), \(text(idle)), \(text(boxes))")
        }
        realm.refresh()
        try realm.write { realm.object(ofType: Item.self, forPrimaryKey: 7)?.isActive = true }
        realm.refresh()
        try realm.write { _ = realm.create(Box.self, value: ["id": 9]) }
        try realm.write(withoutNotifying: [token]) { _ = realm.create(Box.self, value: ["id": 10]) }
        realm.refresh()
        try realm.write(withoutNotifying: [token]) { _ = realm.create(Box.self, value: ["id": 11]) }
        realm.refresh()
        #expect(
            texts == [
                "initial 5, initial 5, initial 1", "-[] +[4] 6, -[3] +[] 4, -", "-, -, -[] +[1, 2] 3",
            ])
    }
}
