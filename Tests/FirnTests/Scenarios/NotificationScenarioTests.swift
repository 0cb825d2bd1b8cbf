import Firn
import Foundation
import LMDB
import Synchronization
import TestSupport
import Testing

/// Observers: what users of such databases have met, played through.
@Suite(.timeLimit(.minutes(5))) struct NotificationScenarioTests {
    typealias Item = NotificationModel.Item
    typealias Box = NotificationModel.Box

    private let directory: TemporaryRealm
    private let configuration: Realm.Configuration

    init() throws {
        directory = try TemporaryRealm()
        configuration = directory.configuration(NotificationModel.types)
        try NotificationModel.fill(Realm(configuration: configuration))
    }

    /// Writes on a thread of its own.
    private func write(_ block: @escaping @Sendable (Realm) throws -> Void) throws {
        try Self.write(configuration, block)
    }

    private static func write(
        _ configuration: Realm.Configuration, _ block: @escaping @Sendable (Realm) throws -> Void
    ) throws {
        try onAnotherThread {
            let realm = try Realm(configuration: configuration)
            try realm.write { try block(realm) }
        }
    }

    private static func text(_ item: Item) -> String { "\(item.id) \(item.name) \(item.rank)" }

    /// A table on a screen that shows all items and lives on a queue: it has the texts of its rows, and knows nothing but
    /// what it is told.
    private final class Table: @unchecked Sendable {  // The replica is used on the queue only.
        let queue = DispatchQueue(label: "table")
        private let replica = CollectionReplica("the table")

        init(_ configuration: Realm.Configuration) throws {
            try queue.sync {
                let items = try Realm(configuration: configuration, queue: queue).objects(Item.self)
                replica.token = items.observe { [queue, unowned replica] change in
                    dispatchPrecondition(condition: .onQueue(queue))
                    replica.note(change, NotificationScenarioTests.text)
                }
            }
        }

        deinit {
            queue.sync { replica.token = nil }
        }

        var rows: [String] { queue.sync { replica.texts } }
        var callCount: Int { queue.sync { replica.calls } }
        var failure: String? { queue.sync { replica.failure } }
    }

    private func makeChanges() throws -> CollectionChangeSequence<Results<Item>> {
        try Realm(configuration: configuration).objects(Item.self).changes
    }

    private struct Unexpected: Error {}

    // MARK: D1

    @Test func `D1: a table that applies each change to what it shows always shows the results`() throws {
        try RandomRuns(1...2).run { seed in
            let directory = try TemporaryRealm()
            let configuration = directory.configuration(NotificationModel.types)
            let realm = try Realm(configuration: configuration)
            try NotificationModel.fill(realm)
            let results = realm.objects(Item.self).filter("rank < 15").sorted(byKeyPath: "rank")
            let replica = CollectionReplica("the table")
            // The version of the call before is there still, and positions count in it.
            var shown: Results<Item>?
            replica.token = results.observe { [unowned replica] change in
                if let shown, shown.map(Self.text) != replica.texts { replica.failure = "what was shown has changed" }
                replica.note(change, Self.text)
                shown = results.freeze()
            }
            realm.refresh()
            var random = SeededGenerator(seed: seed)
            for _ in 0..<25 {
                let seeds = (0..<Int.random(in: 1...4, using: &random)).map { _ in random.next() }
                // Faster than the table draws.
                try onAnotherThread {
                    let realm = try Realm(configuration: configuration)
                    for seed in seeds {
                        var random = SeededGenerator(seed: seed)
                        try realm.write {
                            for _ in 0..<Int.random(in: 1...8, using: &random) { Self.change(realm, &random) }
                        }
                    }
                }
                realm.refresh()
                try replica.check(replica.texts, results.map(Self.text))
            }
        }
    }

    /// Adds, deletes, modifies or moves an item.
    private static func change(_ realm: Realm, _ random: inout SeededGenerator) {
        let id = Int.random(in: 0..<20, using: &random)
        let rank = Int.random(in: 0..<20, using: &random)
        guard let item = realm.object(ofType: Item.self, forPrimaryKey: id) else {
            realm.create(Item.self, value: ["id": id, "rank": rank])
            return
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: realm.delete(item)
        case 1: item.name = "\(rank)"
        default: item.rank = rank
        }
    }

    // MARK: D2

    @Test func `D2: each change comes with the collection at its version, though the next commit is there`()
        async throws
    {
        var changes = try makeChanges().makeAsyncIterator()
        guard case .initial(let none) = await changes.next() else { throw Unexpected() }
        try write { $0.create(Item.self, value: ["id": 20]) }
        guard case .update(let first, _, let insertions, _) = await changes.next() else { throw Unexpected() }
        try write { $0.create(Item.self, value: ["id": 21]) }
        #expect(first.count == 11 && first.last?.id == 20 && insertions == [10])
        #expect(none.count == 10)
        guard case .update(let second, _, let more, _) = await changes.next() else { throw Unexpected() }
        #expect(second.count == 12 && more == [11] && first.count == 11)
    }

    @Test func `D2: a commit in the middle of a call on a queue is told of in the next one`() async throws {
        let queue = DispatchQueue(label: "table")
        let seen = Mutex<[[Int]]>([])
        let configuration = configuration
        let token = try queue.sync {
            try Realm(configuration: configuration, queue: queue).objects(Item.self).observe { change in
                guard case .update(let items, _, let insertions, _) = change else { return }
                if seen.withLock({ $0.isEmpty }) {
                    try? Self.write(configuration) { $0.create(Item.self, value: ["id": 21]) }
                }
                seen.withLock { $0.append([items.count] + insertions) }
            }
        }
        queue.sync {}
        try write { $0.create(Item.self, value: ["id": 20]) }
        await wait { seen.withLock { $0.count } == 2 }
        #expect(seen.withLock { $0 } == [[11, 10], [12, 11]])
        queue.sync { _ = token.invalidate() }
    }

    // MARK: D3

    @Test func `D3: who begins to observe while rows are deleted is told of each deletion once`() async throws {
        for _ in 0..<4 {
            try write { realm in
                for id in 0..<40 { realm.create(Item.self, value: ["id": id], update: .modified) }
            }
            let isUnderWay = DispatchSemaphore(value: 0)
            let configuration = configuration
            let deleting = Companion {
                let realm = try Realm(configuration: configuration)
                for id in 0..<40 {
                    try realm.write { realm.delete(realm.objects(Item.self).filter("id == %d", id)) }
                    if id == 3 { isUnderWay.signal() }
                }
            }
            isUnderWay.wait()
            let table = try Table(configuration)
            await wait { table.rows.isEmpty && table.callCount > 0 }
            try deleting.value()
            #expect(table.failure == nil)
        }
    }

    // MARK: D5

    @Test func `D5: two lists of one screen are told of a commit that moves a row between them in one call`() throws {
        let realm = try Realm(configuration: configuration)
        let active = realm.objects(Item.self).filter("isActive == true")
        let idle = realm.objects(Item.self).filter("isActive == false")
        var calls: [(active: [Int]?, idle: [Int]?, sum: Int)] = []
        func changes(_ change: RealmCollectionChange<Results<Item>>?) -> [Int]? {
            guard case .update(_, let deletions, let insertions, _) = change else { return nil }
            return deletions.map { -$0 } + insertions
        }
        let token = NotificationGroup.observe(active, idle) { one, other in
            calls.append((changes(one), changes(other), active.count + idle.count))
        }
        realm.refresh()
        for id in [3, 7] {
            try write { $0.object(ofType: Item.self, forPrimaryKey: id)?.isActive = true }
            realm.refresh()
        }
        #expect(calls.count == 3 && calls.allSatisfy { $0.sum == 10 })
        // Of the idle 1, 3, 5, 7, 9 the second goes between the active 2 and 4.
        #expect(calls.dropFirst().map(\.active) == [[2], [5]])
        #expect(calls.dropFirst().map(\.idle) == [[-1], [-2]])
        withExtendedLifetime(token) {}
    }

    // MARK: D6

    private actor Screen {
        private(set) var counts: [Int] = []
        func show(_ count: Int) { counts.append(count) }
    }

    @Test func `D6: tasks, queues and actors observe without a run loop`() async throws {
        let changes = try makeChanges()
        let (screen, actorScreen) = (Screen(), Screen())
        let loop = Task.detached {
            for await change in changes {
                if case .initial(let items) = change { await screen.show(items.count) }
                if case .update(let items, _, _, _) = change { await screen.show(items.count) }
            }
        }
        let table = try Table(configuration)
        func observe() async throws -> NotificationToken {
            try await Realm(configuration: configuration).objects(Item.self).observe(on: actorScreen) {
                screen, change in
                if case .initial(let items) = change { screen.show(items.count) }
                if case .update(let items, _, _, _) = change { screen.show(items.count) }
            }
        }
        let token = try await observe()
        await wait { await screen.counts.count == 1 }
        try write { $0.create(Item.self, value: ["id": 20]) }
        await wait { await screen.counts.count == 2 }
        await wait { await actorScreen.counts.count == 2 }
        await wait { table.rows.count == 11 }
        #expect(await screen.counts == [10, 11])
        #expect(await actorScreen.counts == [10, 11])
        loop.cancel()
        await loop.value
        token.invalidate()
    }

    // MARK: D7

    @Test func `D7: each of many commits arrives by itself, nobody refreshes`() async throws {
        let items = try Repository<Item>(configuration: configuration)
        let table = try Table(configuration)
        await wait { table.callCount == 1 }
        for number in 1...150 {
            try await items.performWrite { $0.find(primaryKey: 0)?.rank = 1000 + number }
            // The time limit of the suite says that none is lost.
            await wait { table.rows[0] == "0 Item 0 \(1000 + number)" }
        }
        #expect(table.failure == nil && table.callCount == 151)
    }

    // MARK: D8

    @Test(arguments: [Realm.UpdatePolicy.modified, .all])
    func `D8: the same JSON again makes no version, and nobody is told`(policy: Realm.UpdatePolicy) throws {
        let json = #"""
            [{"id": 1, "name": "one", "rank": 7, "isActive": true, "friend": {"id": 2, "name": "two", "rank": 8}},
             {"id": 3, "name": "three", "rank": 9, "isActive": false, "friend": null}]
            """#
        let realm = try Realm(configuration: configuration)
        func upsert() throws {
            let rows = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
            try realm.write { for row in rows { realm.create(Item.self, value: row, update: policy) } }
        }
        func version() throws -> UInt64 { try Realm.diagnostics(for: configuration).newestVersion }
        try upsert()
        var calls = 0
        let tokens = [
            realm.observe { _, _ in calls += 1 },
            realm.objects(Item.self).observe { change in if case .update = change { calls += 1 } },
            realm.objects(Item.self).filter("rank > 5").sorted(byKeyPath: "rank").observe { change in
                if case .update = change { calls += 1 }
            },
            try realm.item(1).observe { _ in calls += 1 },
        ]
        realm.refresh()
        let before = try version()
        for _ in 0..<3 {
            try upsert()
            realm.refresh()
        }
        #expect(try version() == before && calls == 0)
        // They do listen.
        try realm.write { try realm.item(2).rank = 9 }
        realm.refresh()
        #expect(try version() == before + 1 && calls == 3)
        withExtendedLifetime(tokens) {}
    }

    // MARK: D9

    @Test func `D9: the first values come once, and nothing without a change`() async throws {
        let table = try Table(configuration)
        await wait { table.callCount == 1 }
        var changes = try makeChanges().makeAsyncIterator()
        guard case .initial = await changes.next() else { throw Unexpected() }
        try await onNewThread { [configuration] in
            let realm = try Realm(configuration: configuration)
            var calls: [Bool] = []
            let token = realm.objects(Item.self).observe { change in
                if case .initial = change { calls.append(true) } else { calls.append(false) }
            }
            for _ in 0..<3 { realm.refresh() }
            // Commits of nothing, and of nothing that is observed.
            try realm.write {}
            try realm.write { realm.create(Box.self, value: ["id": 5]) }
            realm.refresh()
            #expect(calls == [true])
            try realm.write { try realm.item(0).rank = 100 }
            realm.refresh()
            #expect(calls == [true, false])
            withExtendedLifetime(token) {}
        }
        // The first that others are told of is that too.
        guard case .update(let items, [], [], [0]) = await changes.next() else { throw Unexpected() }
        #expect(items[0].rank == 100)
        await wait { table.rows[0].hasSuffix(" 100") }
        #expect(table.callCount == 2 && table.failure == nil)
    }

    // MARK: D11

    @Test func `D11: who is slow is told of many commits in one call, and nothing piles up meanwhile`() async throws {
        let table = try Table(configuration)
        await wait { table.callCount == 1 }
        var changes = try makeChanges().makeAsyncIterator()
        _ = await changes.next()
        let mayGoOn = DispatchSemaphore(value: 0)
        table.queue.async { mayGoOn.wait() }
        let count = 300
        try await onNewThread { [configuration] in
            let realm = try Realm(configuration: configuration)
            for number in 1...count {
                try realm.write {
                    try realm.item(0).rank = number
                    realm.create(Item.self, value: ["id": 100 + number])
                    if number > 1 { try realm.delete(realm.item(100 + number - 1)) }
                }
            }
        }
        // What is kept is what each was told of last.
        let kept = try Realm.diagnostics(for: configuration).pinnedVersions
        #expect(kept.count <= 2 && kept.first?.versionsBehind == UInt64(count), "\(kept)")
        mayGoOn.signal()
        await wait { table.rows.last?.hasPrefix("\(100 + count) ") == true }
        #expect(table.callCount == 2 && table.failure == nil)
        guard case .update(let items, [], [10], [0]) = await changes.next() else { throw Unexpected() }
        #expect(items[0].rank == count && items[10].id == 100 + count)
    }

    // MARK: D12

    @Test func `D12: another process's commits wake queues and sequences`() async throws {
        let table = try Table(configuration)
        await wait { table.callCount == 1 }
        var changes = try makeChanges().makeAsyncIterator()
        _ = await changes.next()
        await #expect(processExitsWith: .success) { [url = directory.fileURL as URL] in
            var configuration = Realm.Configuration(fileURL: url, objectTypes: NotificationModel.types)
            configuration.reservationInBytes = 1 << 34
            let realm = try Realm(configuration: configuration)
            for id in 20..<23 { try realm.write { realm.create(Item.self, value: ["id": id]) } }
            try realm.write { try realm.item(0).rank = 50 }
        }
        await wait { table.rows.count == 13 && table.rows[0] == "0 Item 0 50" }
        #expect(table.failure == nil)
        guard case .update(let items, [], [10, 11, 12], [0]) = await changes.next() else { throw Unexpected() }
        #expect(items.count == 13)
    }

    // MARK: D13

    @Test func `D13: without key paths four links count, with key paths just what they name`() throws {
        let realm = try Realm(configuration: configuration)
        try realm.write { for id in 0..<6 { try realm.item(id).friend = realm.item(id + 1) } }
        let first = realm.objects(Item.self).filter("id == 0")
        var told: [String] = []
        func note(_ name: String) -> (RealmCollectionChange<Results<Item>>) -> Void {
            { change in if case .update = change { told.append(name) } }
        }
        let tokens = [
            first.observe(note("all")), first.observe(keyPaths: ["friend.name"], note("friend.name")),
            first.observe(keyPaths: [\.friend], note("friend")),
            first.observe(keyPaths: ["friend.friend.rank"], note("friend.friend.rank")),
        ]
        func tell(_ change: () throws -> Void) throws -> [String] {
            realm.refresh()
            told = []
            try realm.write(change)
            realm.refresh()
            return told
        }
        #expect(try tell { try realm.item(1).rank = 70 } == ["all"])
        #expect(try tell { try realm.item(1).name = "x" } == ["all", "friend.name"])
        #expect(try tell { try realm.item(2).rank = 70 } == ["all", "friend.friend.rank"])
        #expect(try tell { try realm.item(4).rank = 70 } == ["all"])
        #expect(try tell { try realm.item(5).rank = 70 } == [])
        #expect(try tell { try realm.item(0).name = "x" } == ["all"])
        #expect(try tell { try realm.item(9).name = "x" } == [])
        #expect(
            try tell { try realm.item(0).friend = realm.item(3) } == [
                "all", "friend.name", "friend", "friend.friend.rank",
            ])
        withExtendedLifetime(tokens) {}
    }

    // MARK: D16

    final class Folder: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var name = ""
        @Persisted var size = 0
        @Persisted var folders: List<Folder>
    }

    @Test func `D16: of a tree of three levels each key path tells of its own`() throws {
        let place = try TemporaryRealm()
        let realm = try place.open(Folder.self)
        let root = Folder(value: ["id": 0, "folders": [["id": 1, "folders": [["id": 2]]]]])
        try realm.write { realm.add(root) }
        let (middle, leaf) = (root.folders[0], root.folders[0].folders[0])
        let paths = ["name", "folders.name", "folders.folders.name", "folders", "folders.folders"]
        var told: [String] = []
        let tokens = paths.flatMap { path in
            [
                realm.objects(Folder.self).filter("id == 0").observe(keyPaths: [path]) { change in
                    if case .update = change { told.append(path) }
                },
                root.observe(keyPaths: [path]) { change in
                    if case .change = change { told.append("root: \(path)") }
                },
            ]
        }
        func tell(_ change: () -> Void) throws -> Set<String> {
            realm.refresh()
            told = []
            try realm.write(change)
            realm.refresh()
            #expect(told.count == Set(told).count)
            return Set(told)
        }
        func both(_ paths: String...) -> Set<String> { Set(paths + paths.map { "root: \($0)" }) }
        #expect(try tell { root.name = "root" } == both("name"))
        #expect(try tell { middle.name = "middle" } == both("folders.name"))
        #expect(try tell { leaf.name = "leaf" } == both("folders.folders.name"))
        #expect(try tell { for folder in [root, middle, leaf] { folder.size = 1 } } == both())
        #expect(
            try tell { middle.folders.append(Folder(value: ["id": 3])) }
                == both("folders.folders", "folders.folders.name"))
        #expect(
            try tell { root.folders.append(Folder(value: ["id": 4])) }
                == both("folders", "folders.name", "folders.folders", "folders.folders.name"))
        withExtendedLifetime(tokens) {}
    }

    // MARK: D17

    @Test func `D17: observing begins in a write and in a block too, each time with what is committed`() throws {
        let realm = try Realm(configuration: configuration)
        var told: [String] = []
        var tokens: [NotificationToken] = []
        func observe(_ name: String, _ andThen: @escaping () -> Void = {}) {
            tokens.append(
                realm.objects(Item.self).observe { change in
                    switch change {
                    case .initial(let items):
                        told.append("\(name) begins with \(items.count)")
                        andThen()
                    case .update(let items, _, let insertions, _): told.append("\(name) +\(insertions) \(items.count)")
                    case .error(let error): told.append("\(error)")
                    }
                })
        }
        try realm.write {
            observe("first") { observe("second") }
            realm.create(Item.self, value: ["id": 20])
            #expect(told.isEmpty)
        }
        realm.refresh()
        realm.refresh()
        #expect(told == ["first begins with 11", "second begins with 11"])

        // A write that begins delivers nothing, and one that is dropped is nothing to begin with.
        realm.beginWrite()
        observe("third")
        realm.create(Item.self, value: ["id": 21])
        realm.cancelWrite()
        try write { $0.create(Item.self, value: ["id": 22]) }
        told = []
        realm.beginWrite()
        #expect(told.isEmpty)
        try realm.commitWrite()
        realm.refresh()
        #expect(told == ["first +[11] 12", "second +[11] 12", "third begins with 12"])
    }

    // MARK: D18

    @Test func `D18: a block on a queue writes twice, like any other code there`() async throws {
        let queue = DispatchQueue(label: "table")
        let configuration = configuration
        let told = Mutex<[String]>([])
        let hasReturned = DispatchSemaphore(value: 0)
        let token = try queue.sync {
            try Realm(configuration: configuration, queue: queue).objects(Item.self).observe { change in
                dispatchPrecondition(condition: .onQueue(queue))
                guard case .update(let items, let deletions, let insertions, _) = change, let realm = items.realm else {
                    return
                }
                told.withLock { $0.append("-\(deletions) +\(insertions) \(items.count)") }
                guard deletions.isEmpty else { return }
                // Who has written has long gone on.
                hasReturned.wait()
                do {
                    #expect(!realm.isInWriteTransaction)
                    try realm.write { realm.create(Item.self, value: ["id": 21]) }
                    #expect(items.count == 12)
                    try realm.write { realm.delete(items[0]) }
                    #expect(items.count == 11)
                } catch {
                    told.withLock { $0.append("\(error)") }
                }
            }
        }
        queue.sync {}
        let before = try Realm.diagnostics(for: configuration).newestVersion
        try write { $0.create(Item.self, value: ["id": 20]) }
        hasReturned.signal()
        await wait { told.withLock { $0.count } == 2 }
        #expect(told.withLock { $0 } == ["-[] +[10] 11", "-[0] +[10] 11"])
        #expect(try Realm.diagnostics(for: configuration).newestVersion == before + 3)
        queue.sync { _ = token.invalidate() }
    }

    // MARK: D21

    final class Reading: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var value = 0
        @Persisted var note = ""
    }

    /// How many calls of LMDB it takes to tell of ten changes among `count` readings.
    private static func callsForTenChanges(among count: Int) throws -> Int {
        let place = try TemporaryRealm()
        let realm = try place.open(Reading.self)
        try realm.write {
            for id in 0..<count {
                let reading = Reading()
                reading.id = id
                reading.value = id
                reading.note = "a text that fills the pages"
                realm.add(reading)
            }
        }
        var changes: [Int] = []
        let token = realm.objects(Reading.self).filter("value >= 0").observe { change in
            guard case .update(_, let deletions, let insertions, let modifications) = change else { return }
            changes = [deletions.count, insertions.count, modifications.count]
        }
        realm.refresh()
        try realm.write {
            for number in 0..<10 {
                guard let reading = realm.object(ofType: Reading.self, forPrimaryKey: number * count / 10) else {
                    continue
                }
                switch number % 3 {
                case 0: reading.note = "changed"
                case 1: reading.value = -1
                default: realm.delete(reading)
                }
            }
            realm.create(Reading.self, value: ["id": count])
        }
        let calls = Faults.callCount { realm.refresh() }
        #expect(changes == [6, 1, 4])
        withExtendedLifetime(token) {}
        return calls
    }

    @Test func `D21: ten changes cost what ten changes cost, however many rows there are`() throws {
        // 8,000 readings fill some 150 pages, 500 some 10.
        let few = try Self.callsForTenChanges(among: 500)
        let many = try Self.callsForTenChanges(among: 8000)
        #expect(many <= few + 30, "\(few), \(many)")
    }

    // MARK: D24

    final class Contact: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var name = ""

        var initial: String { String(name.prefix(1)) }
    }

    @Test func `D24: sections and rows that move, come and go are told of in one call`() throws {
        let place = try TemporaryRealm()
        let realm = try place.open(Contact.self)
        try realm.write {
            for (id, name) in ["Ada", "Alan", "Barbara", "Claude", "Edsger"].enumerated() {
                realm.create(Contact.self, value: ["id": id, "name": name])
            }
        }
        func contact(_ id: Int) throws -> Contact {
            try #require(realm.object(ofType: Contact.self, forPrimaryKey: id))
        }
        let contacts = realm.objects(Contact.self).sectioned(by: \.initial)
        func content() -> [SectionsReplica.Section] {
            contacts.map { SectionsReplica.Section(key: $0.key, texts: $0.map(\.name)) }
        }
        let table = SectionsReplica("the table")
        table.token = contacts.observe { [unowned table] in table.note($0, content) }
        func shows(_ change: () throws -> Void) throws -> String {
            let before = table.calls
            try realm.write(change)
            realm.refresh()
            #expect(table.calls == before + 1)
            try table.check(table.sections, content())
            return table.sections.map { "\($0.key): \($0.texts.joined(separator: " "))" }.joined(separator: ", ")
        }
        realm.refresh()
        // From one group to another.
        #expect(try shows { try contact(1).name = "Bjarne" } == "A: Ada, B: Barbara Bjarne, C: Claude, E: Edsger")
        // A group is emptied, and one comes.
        #expect(try shows { try contact(0).name = "Dennis" } == "B: Barbara Bjarne, C: Claude, D: Dennis, E: Edsger")
        // All at once.
        let last = try shows {
            try contact(2).name = "Edith"
            try realm.delete(contact(3))
            try contact(4).name = "Eric"
            realm.create(Contact.self, value: ["id": 5, "name": "Ann"])
            realm.create(Contact.self, value: ["id": 6, "name": "Brian"])
        }
        #expect(last == "A: Ann, B: Bjarne Brian, D: Dennis, E: Edith Eric")
    }
}
