import Dispatch
import Firn
import Foundation
import Synchronization
import TestSupport
import Testing

/// Observers that nobody refreshes: on queues, on actors and on threads with a run loop.
@Suite struct WokenObserverTests {
    typealias Item = NotificationModel.Item

    private let directory: TemporaryRealm
    private let configuration: Realm.Configuration

    init() throws {
        directory = try TemporaryRealm()
        configuration = directory.configuration(NotificationModel.types)
        try NotificationModel.fill(Realm(configuration: configuration))
    }

    /// Writes on a thread of its own.
    private func write(_ block: @escaping @Sendable (Realm) -> Void) throws {
        try onAnotherThread { [configuration] in
            let realm = try Realm(configuration: configuration)
            try realm.write { block(realm) }
        }
    }

    private static func text<C: RealmCollection>(_ change: RealmCollectionChange<C>) -> String {
        switch change {
        case .initial(let elements): "initial \(elements.count)"
        case .update(let elements, let deletions, let insertions, let modifications):
            "-\(deletions) +\(insertions) ~\(modifications) \(elements.count)"
        case .error(let error): "\(error)"
        }
    }

    @Test func `an observer on another queue is told there, with what a realm of the queue has`() async throws {
        let queue = DispatchQueue(label: "observer")
        let (texts, continuation) = AsyncStream.makeStream(of: String.self)
        func observe(_ name: String = "") throws -> NotificationToken {
            let realm = try Realm(configuration: configuration)
            return realm.objects(Item.self).filter("rank > 4").observe(on: queue) { change in
                dispatchPrecondition(condition: .onQueue(queue))
                continuation.yield(name + Self.text(change))
            }
        }
        let token = try observe()
        var told = texts.makeAsyncIterator()
        #expect(await told.next() == "initial 5")
        try write { $0.object(ofType: Item.self, forPrimaryKey: 0)?.rank = 9 }
        #expect(await told.next() == "-[] +[0] ~[] 6")
        // A write of the queue's own realm.
        queue.async { [configuration] in
            guard let realm = try? Realm(configuration: configuration, queue: queue) else { return }
            try? realm.write { realm.object(ofType: Item.self, forPrimaryKey: 9)?.rank = 1 }
        }
        #expect(await told.next() == "-[5] +[] ~[] 5")
        token.invalidate()
        // Whoever began later is told later.
        let other = try observe("other: ")
        #expect(await told.next() == "other: initial 5")
        try write { $0.object(ofType: Item.self, forPrimaryKey: 1)?.rank = 9 }
        #expect(await told.next() == "other: -[] +[1] ~[] 6")
        other.invalidate()
        continuation.finish()
        #expect(await told.next() == nil)
    }

    @Test func `objects, maps and sections are observed on a queue too`() async throws {
        let queue = DispatchQueue(label: "observer")
        let (texts, continuation) = AsyncStream.makeStream(of: String.self)
        func observe() throws -> [NotificationToken] {
            let realm = try Realm(configuration: configuration)
            let item = try #require(realm.object(ofType: Item.self, forPrimaryKey: 3))
            let box = try #require(realm.objects(NotificationModel.Box.self).first)
            return [
                item.observe(keyPaths: ["name"], on: queue) { change in
                    if case .change(let item, let properties) = change {
                        continuation.yield("\(item.id) \(properties.map(\.name))")
                    }
                },
                box.counts.observe(on: queue) { change in
                    if case .update(_, _, let insertions, _) = change { continuation.yield("map \(insertions)") }
                },
                realm.objects(Item.self).sectioned(by: \.isActive).observe(on: queue) { change in
                    if case .update(_, _, _, _, let inserted, let deleted) = change {
                        continuation.yield("sections -\(Array(deleted)) +\(Array(inserted))")
                    } else {
                        continuation.yield("begun")
                    }
                },
            ]
        }
        let tokens = try observe()
        var told = texts.makeAsyncIterator()
        #expect(await told.next() == "begun")
        try write { $0.object(ofType: Item.self, forPrimaryKey: 3)?.rank = 9 }
        #expect(await told.next() == "sections -[] +[]")
        try write { realm in
            realm.object(ofType: Item.self, forPrimaryKey: 3)?.name = "n"
            realm.objects(NotificationModel.Box.self).first?.counts["a"] = 1
            realm.delete(realm.objects(Item.self).filter("isActive == false AND id != 3"))
        }
        var last: Set<String> = []
        for _ in 0..<3 { last.insert(await told.next() ?? "") }
        #expect(last == ["3 [\"name\"]", "map [\"a\"]", "sections -[] +[]"])
        withExtendedLifetime(tokens) {}
    }

    private actor Observer {
        private(set) var texts: [String] = []
        func note(_ text: String) { texts.append(text) }

        func note(_ name: String, _ change: SectionedResultsChange<some Any>) {
            if case .update(_, let deletions, let insertions, let modifications, _, _) = change {
                texts.append("\(name) -\(deletions.count) +\(insertions.count) ~\(modifications.count)")
            }
        }
    }

    @Test func `an observer on an actor is told in its isolation`() async throws {
        let observer = Observer()
        func observe(_ name: String = "") async throws -> NotificationToken {
            let realm = try Realm(configuration: configuration)
            return await realm.objects(Item.self).observe(keyPaths: ["rank"], on: observer) { observer, change in
                observer.note(name + Self.text(change))
            }
        }
        let token = try await observe()
        #expect(await observer.texts == ["initial 10"])
        try write { $0.object(ofType: Item.self, forPrimaryKey: 2)?.name = "unseen" }
        try write { $0.object(ofType: Item.self, forPrimaryKey: 2)?.rank = 20 }
        await wait { await observer.texts.count >= 2 }
        #expect(await observer.texts == ["initial 10", "-[] +[] ~[2] 10"])
        token.invalidate()
        // Whoever began later is told later.
        let other = try await observe("other: ")
        try write { $0.object(ofType: Item.self, forPrimaryKey: 2)?.rank = 30 }
        await wait { await observer.texts.count >= 4 }
        #expect(await observer.texts.dropFirst(2) == ["other: initial 10", "other: -[] +[] ~[2] 10"])
        other.invalidate()
    }

    @Test func `an observation that a cancelled task asks for goes on`() async throws {
        let observer = Observer()
        let task = Task { [configuration] in
            while !Task.isCancelled { await Task.yield() }
            let realm = try Realm(configuration: configuration)
            return await realm.objects(Item.self).observe(on: observer) { observer, change in
                observer.note(Self.text(change))
            }
        }
        task.cancel()
        let token = try await task.value
        #expect(await observer.texts == ["initial 10"])
        token.invalidate()
    }

    @Test func `a write of the queue's own realm says nothing to a token that it is given`() async throws {
        let queue = DispatchQueue(label: "observer")
        let (texts, continuation) = AsyncStream.makeStream(of: String.self)
        let token = try Realm(configuration: configuration).objects(Item.self).observe(on: queue) { change in
            continuation.yield(Self.text(change))
        }
        var told = texts.makeAsyncIterator()
        #expect(await told.next() == "initial 10")
        try queue.sync {
            let realm = try Realm(configuration: configuration, queue: queue)
            try realm.write(withoutNotifying: [token]) { _ = realm.create(Item.self, value: ["id": 70]) }
            try realm.write { _ = realm.create(Item.self, value: ["id": 71]) }
        }
        #expect(await told.next() == "-[] +[11] ~[] 12")
        token.invalidate()
    }

    @Test func `what a write adds is observed on a queue once that is committed`() async throws {
        let queue = DispatchQueue(label: "observer")
        let told = Mutex<Set<String>>([])
        func observe(_ realm: Realm) -> [NotificationToken] {
            let item = realm.create(Item.self, value: ["id": 50])
            let box = realm.create(NotificationModel.Box.self, value: ["id": 50])
            item.box = box
            defer {
                // Nothing is to be found before the commit.
                queue.sync {}
            }
            return [
                item.observe(on: queue) { (_: ObjectChange<Item>) in told.withLock { _ = $0.insert("object") } },
                box.numbers.observe(on: queue) { _ in told.withLock { _ = $0.insert("list") } },
                box.counts.observe(on: queue) { _ in told.withLock { _ = $0.insert("map") } },
            ]
        }
        func write() throws -> [NotificationToken] {
            let realm = try Realm(configuration: configuration)
            let tokens = try realm.write { observe(realm) }
            queue.sync {}
            try realm.write { realm.object(ofType: Item.self, forPrimaryKey: 50)?.rank = 7 }
            // Of a write that is not kept nothing is observed, and nobody told.
            realm.beginWrite()
            _ = realm.create(Item.self, value: ["id": 51]).observe(on: queue) { (_: ObjectChange<Item>) in
                told.withLock { _ = $0.insert("dropped") }
            }
            realm.cancelWrite()
            return tokens
        }
        let tokens = try write()
        await wait { told.withLock { $0.count } == 3 }
        #expect(told.withLock { $0 } == ["object", "list", "map"])
        withExtendedLifetime(tokens) {}
    }

    @Test func `sections, maps and objects are observed on an actor too`() async throws {
        let observer = Observer()
        // Each with a realm of its own: an `await` may go on on another thread.
        func open() throws -> Realm { try Realm(configuration: configuration) }
        func observeSections() async throws -> NotificationToken {
            let sections = try open().objects(Item.self).sectioned(by: \.isActive)
            return await sections.observe(on: observer) { $0.note("sections", $1) }
        }
        func observeSection() async throws -> NotificationToken {
            let section = try #require(open().objects(Item.self).sectioned(by: \.isActive).first { !$0.key })
            return await section.observe(keyPaths: [\.rank], on: observer) { $0.note("section", $1) }
        }
        func observeObject() async throws -> NotificationToken {
            let item = try open().item(3)
            return await item.observe(keyPaths: [\.rank], on: observer) { observer, change in
                if case .change(_, let properties) = change { observer.note("object \(properties.map(\.name))") }
            }
        }
        func observeMap() async throws -> NotificationToken {
            let byName = try open().box().byName
            return await byName.observe(keyPaths: [\Item.rank], on: observer) { observer, change in
                if case .update(_, _, let insertions, let modifications) = change {
                    observer.note("map +\(insertions) ~\(modifications)")
                }
            }
        }
        let tokens = [
            try await observeSections(), try await observeSection(), try await observeObject(), try await observeMap(),
        ]
        try write { realm in
            realm.object(ofType: Item.self, forPrimaryKey: 3)?.rank = 9
            realm.objects(NotificationModel.Box.self).first?.byName["a"] = realm.object(
                ofType: Item.self, forPrimaryKey: 4)
        }
        await wait { await observer.texts.count >= 4 }
        var texts = await observer.texts
        #expect(Set(texts) == ["section -0 +0 ~1", "sections -0 +0 ~1", "object [\"rank\"]", "map +[\"a\"] ~[]"])
        try write { $0.object(ofType: Item.self, forPrimaryKey: 4)?.rank = 9 }
        await wait { await observer.texts.count >= 6 }
        texts = await observer.texts
        #expect(Set(texts.dropFirst(4)) == ["sections -0 +0 ~1", "map +[] ~[\"a\"]"])
        withExtendedLifetime(tokens) {}
    }

    @Test func `each of many writes is told of in the end, however fast they come`() async throws {
        let queue = DispatchQueue(label: "observer")
        let newest = Mutex(0)
        func observe() throws -> NotificationToken {
            let realm = try Realm(configuration: configuration)
            return realm.objects(Item.self).observe(on: queue) { change in
                switch change {
                case .initial(let items), .update(let items, _, _, _): newest.withLock { $0 = items[0].rank }
                case .error: break
                }
            }
        }
        let token = try observe()
        try onAnotherThread { [configuration] in
            let realm = try Realm(configuration: configuration)
            for number in 1...500 {
                try realm.write { realm.object(ofType: Item.self, forPrimaryKey: 0)?.rank = number }
            }
        }
        let end = ContinuousClock.now + .seconds(5)
        while newest.withLock({ $0 }) != 500, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(1)) }
        #expect(newest.withLock { $0 } == 500)
        withExtendedLifetime(token) {}
    }
}
