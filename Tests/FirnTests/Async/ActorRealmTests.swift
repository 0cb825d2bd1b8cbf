import Firn
import Foundation
import Synchronization
import TestSupport
import Testing

/// A realm of an actor as the documentation has it.
actor Library {
    private var realm: Realm!
    /// The books that were found last: live objects, kept over an `await`.
    private var found: [Book] = []

    final class Book: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var title = ""
        @Persisted var lent: List<String>
    }

    init(_ configuration: Realm.Configuration) async throws {
        realm = try await Realm(configuration: configuration, actor: self)
    }

    func add(_ id: Int, _ title: String = "") async throws {
        try await realm.asyncWrite {
            realm.add(Book(value: ["id": id, "title": title]))
        }
    }

    func increment(_ id: Int) async throws -> Int {
        try await realm.asyncWrite {
            let book = realm.object(ofType: Book.self, forPrimaryKey: id) ?? realm.create(Book.self, value: ["id": id])
            book.lent.append("x")
            return book.lent.count
        }
    }

    func fail(_ id: Int) async throws {
        try await realm.asyncWrite {
            realm.add(Book(value: ["id": id]))
            throw Failure()
        }
    }

    struct Failure: Error {}

    func find() { found = Array(realm.objects(Book.self)) }
    var foundTitles: [String] { found.map(\.title) }

    var count: Int {
        realm.refresh()
        return realm.objects(Book.self).count
    }

    func isSameRealm(_ configuration: Realm.Configuration) async throws -> Bool {
        let opened = try await Realm.open(configuration: configuration)
        return try await Realm(configuration: configuration, actor: self) == realm && opened == realm
            && realm.isInWriteTransaction == false
    }

    /// Leaves a write open over an `await`.
    func write(_ id: Int, while body: @Sendable () async throws -> Void) async throws {
        realm.beginWrite()
        realm.add(Book(value: ["id": id]))
        try await body()
        try realm.commitWrite()
    }

    func title(of book: Frozen<Book>) -> String? { book.value.thaw()?.title }
    func isOwn(_ book: Frozen<Book>) -> Bool { book.value.thaw()?.realm == realm }
    func frozen(_ id: Int) -> Frozen<Book>? { realm.object(ofType: Book.self, forPrimaryKey: id).map { Frozen($0) } }
    func reference(_ id: Int) -> ThreadSafeReference<Book>? {
        realm.object(ofType: Book.self, forPrimaryKey: id).map { ThreadSafeReference(to: $0) }
    }
    func title(_ reference: ThreadSafeReference<Book>) -> String? { realm.resolve(reference)?.title }
    func refresh() async -> Bool { await realm.asyncRefresh() }
}

@Suite struct ActorRealmTests {
    private let directory: TemporaryRealm
    private let configuration: Realm.Configuration

    init() throws {
        directory = try TemporaryRealm()
        configuration = directory.configuration([Library.Book.self])
    }

    @Test func `a realm of an actor is used on it, objects over an await too`() async throws {
        let library = try await Library(configuration)
        try await library.add(1, "Emma")
        try await library.add(2, "Ulysses")
        await library.find()
        for _ in 0..<20 { await Task.yield() }
        #expect(await library.foundTitles == ["Emma", "Ulysses"])
        #expect(try await library.isSameRealm(configuration))
    }

    @Test func `what an actor has written every realm sees once the call has returned`() async throws {
        let writer = try await Library(configuration)
        let reader = try await Library(configuration)
        let configuration = configuration
        for id in 0..<20 {
            try await writer.add(id)
            #expect(await reader.count == id + 1)
            let found = try await onNewThread {
                try Realm(configuration: configuration).objects(Library.Book.self).count
            }
            #expect(found == id + 1)
        }
        try await writer.add(20)
        // It may have moved by itself.
        _ = await reader.refresh()
        #expect(await reader.count == 21)
    }

    @Test func `many actors write at once, and none waits for ever`() async throws {
        var libraries: [Library] = []
        for _ in 0..<8 { libraries.append(try await Library(configuration)) }
        let configuration = configuration
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for library in libraries {
                for _ in 0..<3 {
                    group.addTask {
                        var last = 0
                        for _ in 0..<10 { last = try await library.increment(1) }
                        return last
                    }
                }
            }
            // Writers that wait on a thread stand among them.
            group.addTask {
                try await onNewThread {
                    let realm = try Realm(configuration: configuration)
                    for id in 100..<150 { try realm.write { realm.add(Library.Book(value: ["id": id])) } }
                    return 0
                }
            }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(counts.max() == 240)
        #expect(await libraries[0].count == 51)
    }

    @Test func `an error in the block rolls back, and goes on`() async throws {
        let library = try await Library(configuration)
        await #expect(throws: Library.Failure.self) { try await library.fail(1) }
        #expect(await library.count == 0)
        try await library.add(1)
        await #expect(throws: Realm.Error.self) { try await library.add(1) }
        #expect(await library.count == 1)
    }

    @Test func `while a write waits the actor does other work, and a cancelled one leaves the line`() async throws {
        let library = try await Library(configuration)
        let other = try await Library(configuration)
        let waiting = Mutex<Task<Void, any Error>?>(nil)
        try await whileAnotherWrites(configuration) {
            let cancelled = Task { try await library.add(1) }
            waiting.withLock { $0 = Task { try await other.add(2) } }
            for _ in 0..<50 { await Task.yield() }
            #expect(await library.count == 0)
            #expect(await other.count == 0)
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { try await cancelled.value }
        }
        try await waiting.withLock { $0 }?.value
        #expect(await library.count == 1)
        try await library.add(3)
        #expect(await other.count == 2)
    }

    @Test func `a task that is cancelled before it asks writes nothing`() async throws {
        let library = try await Library(configuration)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await library.add(1)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(await library.count == 0)
    }

    @Test func `a write waits for one that another task of its actor has left open`() async throws {
        let library = try await Library(configuration)
        let second = Mutex<Task<Void, any Error>?>(nil)
        try await library.write(1) {
            let task = Task { try await library.add(2) }
            second.withLock { $0 = task }
            try await Task.sleep(for: .milliseconds(20))
        }
        try await second.withLock { $0 }?.value
        #expect(await library.count == 2)
    }

    @Test func `a write waits for another process`() async throws {
        let library = try await Library(configuration)
        // The lock that another process would hold.
        let descriptor = open(directory.fileURL.path + "-gate", O_RDWR)
        #expect(descriptor >= 0)
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_len = 1
        #expect(fcntl(descriptor, 37, &lock) == 0)  // F_OFD_SETLK
        let adding = Task { try await library.add(1) }
        try await Task.sleep(for: .milliseconds(50))
        #expect(await library.count == 0)
        close(descriptor)
        try await adding.value
        #expect(await library.count == 1)
    }

    @Test func `frozen objects and references go from actor to actor`() async throws {
        let first = try await Library(configuration)
        let second = try await Library(configuration)
        try await first.add(1, "Emma")
        let frozen = try #require(await first.frozen(1))
        #expect(frozen.value.title == "Emma")
        #expect(await second.title(of: frozen) == "Emma")
        #expect(await second.isOwn(frozen))
        #expect(await first.isOwn(frozen))
        let reference = try #require(await first.reference(1))
        #expect(await second.title(reference) == "Emma")
    }

    @Test func `a realm does not keep its actor`() async throws {
        weak var actor: Library?
        do {
            let library = try await Library(configuration)
            actor = library
            try await library.add(1)
        }
        for _ in 0..<1000 where actor != nil { await Task.yield() }
        #expect(actor == nil)
    }

    @MainActor @Test func `the realm of the main actor is that of the main thread`() async throws {
        let realm = try await Realm.open(configuration: configuration)
        #expect(try Realm(configuration: configuration) == realm)
        let count = try await realm.asyncWrite {
            realm.add(Library.Book(value: ["id": 1]))
            return realm.objects(Library.Book.self).count
        }
        #expect(count == 1 && realm.objects(Library.Book.self).count == 1)
        #expect(await realm.asyncRefresh() == false)
        // Another thread may run the main actor then.
        for _ in 0..<20 { try await Task.sleep(for: .milliseconds(1)) }
        #expect(realm.objects(Library.Book.self).count == 1)
        #expect(try Realm(configuration: configuration, queue: .main) == realm)
        let again = try await Realm(configuration: configuration, downloadBeforeOpen: .never)
        #expect(again == realm)
    }

    @Test func `opening throws what opening throws, and the task's cancellation`() async throws {
        var missing = configuration
        missing.readOnly = true
        missing.fileURL = directory.directory.appendingPathComponent("missing.realm")
        let error = await #expect(throws: Realm.Error.self) { _ = try await Library(missing) }
        #expect(error?.code == .fileNotFound)
        let configuration = configuration
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await Library(configuration)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}

/// What must not be done with realms of actors, by what the message says.
@Suite struct ActorMisuseTests {
    private static func makeConfiguration() -> Realm.Configuration {
        Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Library.Book.self])
    }

    actor Leaky {
        func realm(_ configuration: Realm.Configuration) async throws -> Realm {
            try await Realm(configuration: configuration, actor: self)
        }
    }

    @Test func `using an actor's realm elsewhere traps, naming the actor`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let leaky = Leaky()
            let realm = try await leaky.realm(ActorMisuseTests.makeConfiguration())
            _ = realm.objects(Library.Book.self).count
        }
        expect(result, says: "A realm was used on thread", "belongs to the actor Leaky")
    }

    @Test func `writing on a realm of another actor traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let leaky = Leaky()
            let realm = try await leaky.realm(ActorMisuseTests.makeConfiguration())
            try await realm.asyncWrite {}
        }
        expect(result, says: "asyncWrite was called for the realm of the actor Leaky on no actor", "Realm(actor:)")
    }

    @Test func `a realm of a thread cannot be written asynchronously`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try Realm(configuration: ActorMisuseTests.makeConfiguration())
            try await realm.asyncWrite {}
        }
        expect(result, says: "asyncWrite was called for the realm of thread", "on no actor")
    }

    @Test func `opening for no actor traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try await Realm.open(configuration: ActorMisuseTests.makeConfiguration())
        }
        expect(result, says: "Realm.open was called by code that runs on no actor")
    }
}
