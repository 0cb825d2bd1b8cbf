import Firn
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import LMDB

/// Threads, actors and tasks: what users of such databases have met, played through.
@Suite(.timeLimit(.minutes(5))) struct ThreadScenarioTests {
    final class Entry: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var title = ""
        @Persisted var count = 0
        @Persisted var next: Entry?
        @Persisted var others: List<Entry>
        @Persisted(originProperty: "next") var previous: LinkingObjects<Entry>

        override static func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    /// Runs each step of a task on a thread of its own.
    private final class FreshThreads: TaskExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            Thread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }.start()
        }
    }

    /// Goes on on another thread, as after every `await` may happen. One yield may return before it has given way.
    private static func changeThread() async {
        let thread = currentThread
        while currentThread === thread { await Task.yield() }
    }

    /// Not `pthread_self()`: the C library declares that it never changes, so optimised code asks once.
    private static var currentThread: Thread { Thread.current }

    /// A realm as the documentation has it.
    private actor Desk {
        private var realm: Realm!

        init(_ configuration: Realm.Configuration) async throws {
            realm = try await Realm(configuration: configuration, actor: self)
        }

        func title(_ id: Int) async -> String? {
            let entry = realm.object(ofType: Entry.self, forPrimaryKey: id)
            await ThreadScenarioTests.changeThread()
            return entry?.title
        }

        func add(_ id: Int, _ title: String) async throws {
            try await realm.asyncWrite { realm.add(Entry(value: ["id": id, "title": title])) }
        }

        func count() -> Int {
            realm.refresh()
            return realm.objects(Entry.self).count
        }

        /// What nobody should do: lets an object out.
        func leak(_ id: Int) -> Leaked<Entry> { Leaked(value: realm.object(ofType: Entry.self, forPrimaryKey: id)) }
    }

    /// What Swift would not let cross threads.
    private struct Leaked<Value>: @unchecked Sendable {
        let value: Value?
    }

    private let directory: TemporaryRealm
    private let configuration: Realm.Configuration

    init() throws {
        directory = try TemporaryRealm()
        configuration = directory.configuration([Entry.self])
    }

    private static func makeConfiguration() -> Realm.Configuration {
        Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Entry.self])
    }

    // MARK: B1

    @Test func `B1: an actor's realm and background writes outlast every await`() async throws {
        let configuration = configuration
        let titles = try await Task(executorPreference: FreshThreads()) {
            let desk = try await Desk(configuration)
            try await desk.add(1, "one")
            let entries = try Repository<Entry>(configuration: configuration)
            await Self.changeThread()
            let id = try await entries.performWrite { entries in
                try entries.add(Entry(value: ["id": 2, "title": "two"]))
                return 2
            }
            _ = await desk.count()
            return [await desk.title(1), await desk.title(id)]
        }.value
        #expect(titles == ["one", "two"])
    }

    @Test
    func `B1: a thread's realm that a task uses after an await ends the program, and the message says how to do it`()
        async
    {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = await Task(executorPreference: FreshThreads()) {
                let realm = try Realm(configuration: ThreadScenarioTests.makeConfiguration())
                await ThreadScenarioTests.changeThread()
                _ = realm.object(ofType: Entry.self, forPrimaryKey: 1)
            }.result
        }
        expect(
            result, says: "A realm was used on thread", "belongs to thread", "after an `await`", "Realm(actor:)",
            "performWrite")
    }

    // MARK: B4

    @Test func `B4: an object on a thread that is not its own names both threads, its class and its key`() async throws
    {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try Realm(configuration: ThreadScenarioTests.makeConfiguration())
            let leaked = try realm.write { Leaked(value: realm.create(Entry.self, value: ["id": 17])) }
            try onAnotherThread { _ = leaked.value?.title }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let pattern =
            #/'ThreadScenarioTests.Entry' \(primary key 17\) was used on thread (\d+), but belongs to thread (\d+)/#
        let found = try #require(text.firstMatch(of: pattern), "\(text)")
        #expect(found.1 != found.2)
    }

    @Test func `B4: an actor's object on a thread names the actor`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let desk = try await Desk(ThreadScenarioTests.makeConfiguration())
            try await desk.add(17, "leaked")
            let leaked = await desk.leak(17)
            try onAnotherThread { _ = leaked.value?.title }
        }
        expect(
            result, says: "'ThreadScenarioTests.Entry' (primary key 17) was used on thread", "belongs to the actor Desk"
        )
    }

    // MARK: B6

    @Test func `B6: a thread that gets an ended thread's id gets no realm of that`() throws {
        let configuration = configuration
        let seen = Mutex<[(thread: pthread_t, realm: Realm, count: Int)]>([])
        let count = 50
        for id in 0..<count {
            try onAnotherThread {
                let realm = try Realm(configuration: configuration)
                let entries = realm.objects(Entry.self)
                // At the newest version, and not where an ended thread has left off.
                seen.withLock { $0.append((pthread_self(), realm, entries.count)) }
                try realm.write { realm.add(Entry(value: ["id": id])) }
            }
        }
        seen.withLock { seen in
            #expect(Set(seen.map(\.thread)).count < count, "no id was used twice")
            #expect(seen.map(\.count) == Array(0..<count))
            for (place, one) in seen.enumerated() {
                let areOthers = seen[..<place].allSatisfy { $0.realm != one.realm }
                #expect(areOthers)
            }
        }
    }

    @Test func `B6: a realm of an ended thread is not taken for that of one with its id`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let configuration = ThreadScenarioTests.makeConfiguration()
            let first = Mutex<(thread: pthread_t, realm: Realm)?>(nil)
            for _ in 0..<1000 {
                try onAnotherThread {
                    guard let known = first.withLock({ $0 }) else {
                        let realm = try Realm(configuration: configuration)
                        return first.withLock { $0 = (pthread_self(), realm) }
                    }
                    if known.thread == pthread_self() { _ = known.realm.objects(Entry.self).count }
                }
            }
        }
        expect(result, says: "A realm was used on thread", "belongs to thread")
    }

    // MARK: B8

    @Test func `B8: the samples of the article on threads compile as they stand, and nothing is lifted for them`()
        throws
    {
        let samples = try ThreadsArticle.samples()
        #expect(samples.count >= 6)
        for sample in samples {
            #expect(try ThreadsArticle.has(sample), "\(sample.joined(separator: "\n"))")
        }
        #expect(try !ThreadsArticle.text().contains("@preconcurrency"))
    }

    @Test func `B8: the samples of the article on threads do what it says`() async {
        await #expect(processExitsWith: .success) {
            let types: [ObjectBase.Type] = [
                ThreadsArticle.Book.self, ThreadsArticle.Person.self, ThreadsArticle.Address.self,
            ]
            Realm.Configuration.defaultConfiguration = Realm.Configuration(
                inMemoryIdentifier: "article", objectTypes: types)
            let library = try await ThreadsArticle.Library()
            try await library.add("Emma")
            let id = try await ThreadsArticle.add("Ulysses")
            try await ThreadsArticle.add(["Faust", "Solaris"].map { ThreadsArticle.Row(title: $0) })
            let readAtOnce = Atomic(0)
            try onAnotherThread {
                let realm = try Realm()
                #expect(
                    Set(realm.objects(ThreadsArticle.Book.self).map(\.title)) == [
                        "Emma", "Ulysses", "Faust", "Solaris",
                    ])
                #expect(realm.object(ofType: ThreadsArticle.Book.self, forPrimaryKey: id)?.title == "Ulysses")
                let ann = ThreadsArticle.Person(value: [
                    "id": 1, "name": "Ann", "age": 40, "address": ["street": "Oak"],
                ])
                try realm.write { realm.add(ann) }
                ThreadsArticle.readAtOnce(realm) { _ in readAtOnce.add(1, ordering: .relaxed) }
                try ThreadsArticle.grow(ann.freeze())
                try ThreadsArticle.move(ann, realm)
                #expect(ann.age == 41 && ann.address?.street == "Elm")
                let queue = DispatchQueue(label: "elsewhere")
                ThreadsArticle.growElsewhere(realm, queue)
                queue.sync {}
                realm.refresh()
                #expect(ann.age == 42)
            }
            #expect(readAtOnce.load(ordering: .relaxed) == 4)
            try await ThreadsArticle.close(.defaultConfiguration)
            #expect(!Realm.fileExists(for: .defaultConfiguration))
        }
    }

    // MARK: B11

    @MainActor @Test
    func `B11: a small write with a deadline passes a long import, and the main actor goes on meanwhile`()
        async throws
    {
        let configuration = configuration
        let entries = try Repository<Entry>(configuration: configuration)
        let rowCount = 400
        let hasBegun = Atomic(false)
        let mayGoOn = Atomic(false)
        let importing = Task.detached {
            try await entries.performWrite(forEach: 1...rowCount, batchSize: 20) { entries, id in
                try entries.add(Entry(value: ["id": id]))
                hasBegun.store(true, ordering: .releasing)
                while !mayGoOn.load(ordering: .acquiring) { usleep(1000) }
            }
        }
        await wait { hasBegun.load(ordering: .acquiring) }

        // The user saves: in the middle of a batch.
        let saving = Task {
            try await entries.performWrite(priority: .userInitiated, timeout: .seconds(300)) { entries in
                try entries.add(Entry(value: ["id": 0, "title": "draft"]))
                return entries.count
            }
        }
        try await wait { try Realm.diagnostics(for: configuration).waitingWriteCount == 1 }
        let waiting = try Realm.diagnostics(for: configuration)
        #expect(waiting.longestWait > .zero && waiting.currentWriter?.contains("firn.performWrite") == true)
        // Nothing of the main actor waits for that: it came here, and reads.
        #expect(entries.count == 0)
        mayGoOn.store(true, ordering: .releasing)

        // After the batch that was under way, and not after the import.
        #expect(try await saving.value == 21)
        #expect(entries.find(primaryKey: 0)?.title == "draft")
        try await importing.value
        entries.realm.refresh()
        #expect(entries.count == rowCount + 1)
        #expect(try Realm.diagnostics(for: configuration).waitingWriteCount == 0)
    }

    @Test func `B11: a small write whose deadline passes is not made, and says who is writing`() async throws {
        let entries = try Repository<Entry>(configuration: configuration)
        try await whileAnotherWrites(configuration) {
            let error = await #expect(throws: Realm.Error.self) {
                try await entries.performWrite(timeout: .milliseconds(20)) { try $0.add(Entry(value: ["id": 1])) }
            }
            #expect(error?.code == .timedOut && error?.message.contains("the realm of thread") == true)
        }
        #expect(try await entries.performWrite { $0.count } == 0)
    }

    // MARK: B13

    /// What a change of one object costs in a ring of `count`, of which each links to the next and to three others: how
    /// many calls of LMDB the writer makes, and how many an observer, and which objects that is told of.
    private static func changeInRing(
        of count: Int, isObserved: Bool = true
    ) throws -> (writing: Int, delivering: Int, modified: [Int]) {
        let directory = try TemporaryRealm()
        let configuration = directory.configuration([Entry.self])
        let realm = try Realm(configuration: configuration)
        try realm.write {
            let entries = (0..<count).map { Entry(value: ["id": $0]) }
            realm.add(entries)
            for (id, entry) in entries.enumerated() {
                entry.next = entries[(id + 1) % count]
                for step in 2...4 { entry.others.append(entries[(id + step) % count]) }
            }
        }
        var modified: [Int] = []
        let token = realm.objects(Entry.self).observe { change in
            if case .update(_, _, _, let positions) = change { modified = positions }
        }
        if !isObserved { token.invalidate() }
        realm.refresh()
        let writing = Mutex(0)
        try onAnotherThread {
            let other = try Realm(configuration: configuration)
            let entry = try #require(other.object(ofType: Entry.self, forPrimaryKey: count / 2))
            let calls = try Faults.callCount { try other.write { entry.title = "changed" } }
            writing.withLock { $0 = calls }
        }
        let delivering = Faults.callCount { realm.refresh() }
        withExtendedLifetime(token) {}
        return (writing.withLock { $0 }, delivering, modified)
    }

    @Test
    func `B13: a change in a graph of cycles costs what lies four links around it, and nothing of that the writer`()
        throws
    {
        let small = try Self.changeInRing(of: 250)
        let large = try Self.changeInRing(of: 1000)
        // Links lead at most four on, four times.
        #expect(small.modified == Array(125 - 16...125) && large.modified == Array(500 - 16...500))
        #expect(large.delivering < small.delivering + small.delivering / 2, "\(small), \(large)")
        #expect(try Self.changeInRing(of: 1000, isObserved: false).writing == large.writing)
    }

    // MARK: B16

    @Test func `B16: what a task has written every task reads once the call has returned`() async throws {
        let configuration = configuration
        let (writer, reader) = (try await Desk(configuration), try await Desk(configuration))
        let entries = try Repository<Entry>(configuration: configuration)
        for round in 0..<20 {
            let written = 3 * round
            let inBackground = Task { try await entries.performWrite { try $0.add(Entry(value: ["id": written])) } }
            try await inBackground.value
            #expect(await reader.count() == written + 1)
            try await Task { try await writer.add(written + 1, "") }.value
            #expect(
                try await onNewThread { try Realm(configuration: configuration).objects(Entry.self).count } == written
                    + 2)
            try await onNewThread {
                let realm = try Realm(configuration: configuration)
                try realm.write { realm.add(Entry(value: ["id": written + 2])) }
            }
            #expect(try await Task.detached { try await entries.performWrite { $0.count } }.value == written + 3)
        }
    }

    // MARK: B17

    @Test func `B17: threads that have read and live on take no places of readers`() throws {
        let configuration = configuration
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.add(Entry(value: ["id": 1])) }
        // The pool grows: none of its threads ends.
        let threadCount = 200
        let isEnough = DispatchSemaphore(value: 0)
        let counts = Mutex<[Int]>([])
        for _ in 0..<threadCount {
            let hasRead = DispatchSemaphore(value: 0)
            Thread {
                let count = try? Realm(configuration: configuration).objects(Entry.self).freeze().count
                counts.withLock { $0.append(count ?? -1) }
                hasRead.signal()
                isEnough.wait()
            }.start()
            hasRead.wait()
        }
        var options = EnvironmentOptions(path: directory.fileURL.path, databases: [])
        options.takesWhatIsThere = true
        // Places that were ever taken: LMDB gives none back while the file is open, but to another reader.
        let placeCount = Calls.environmentInformation(try Environment.open(options).raw).me_numreaders
        for _ in 0..<threadCount { isEnough.signal() }
        #expect(counts.withLock { $0 } == Array(repeating: 1, count: threadCount))
        #expect(placeCount >= 1 && placeCount < 10)
        withExtendedLifetime(realm) {}
    }
}
