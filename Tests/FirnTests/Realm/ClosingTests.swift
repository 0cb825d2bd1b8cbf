import Firn
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite struct ClosingTests {
    final class Page: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var title = ""
        @Persisted var notes: List<String>
        @Persisted var next: Page?
    }

    /// What a program holds of a realm of a queue.
    private final class Holder: @unchecked Sendable {
        // SAFETY: used on the queue only.
        let queue = DispatchQueue(label: "holder")
        var realm: Realm?
        var page: Page?
        var pages: Results<Page>?
        var notes: List<String>?
        var token: NotificationToken?
        let calls = Atomic(0)

        func open(_ configuration: Realm.Configuration) throws {
            try queue.sync {
                let realm = try Realm(configuration: configuration, queue: queue)
                try realm.write {
                    realm.add(Page(value: ["id": 1, "title": "one", "notes": ["a"]]), update: .modified)
                }
                self.realm = realm
                page = realm.object(ofType: Page.self, forPrimaryKey: 1)
                pages = realm.objects(Page.self).filter("id > 0")
                notes = page?.notes
                token = pages?.observe { [unowned self] _ in calls.add(1, ordering: .relaxed) }
            }
            queue.sync {}
        }

        var areInvalid: Bool {
            queue.sync { page?.isInvalidated == true && pages?.isInvalidated == true && notes?.isInvalidated == true }
        }
    }

    private let directory: TemporaryRealm
    private let configuration: Realm.Configuration

    init() throws {
        directory = try TemporaryRealm()
        configuration = directory.configuration([Page.self])
    }

    @Test func `C11: a file is closed with its objects alive, deleted, and made anew`() async throws {
        let holder = Holder()
        try holder.open(configuration)
        try await Realm.close(for: configuration)
        #expect(try Realm.deleteFiles(for: configuration))
        #expect(holder.areInvalid)
        let other = Holder()
        try other.open(configuration)
        try other.queue.sync {
            #expect(other.pages?.count == 1)
            try other.realm?.write { other.page?.title = "two" }
        }
        other.queue.sync {}
        holder.queue.sync {}
        // The initial calls, and the change; the closed realm heard nothing of it.
        await wait { other.calls.load(ordering: .relaxed) == 2 }
        #expect(holder.calls.load(ordering: .relaxed) == 1)
        try await Realm.close(for: configuration)
        #expect(other.areInvalid)
    }

    @MainActor @Test func `the realm of the main actor is closed, and opened again`() async throws {
        let realm = try await Realm.open(configuration: configuration)
        let page = Page(value: ["id": 1])
        try realm.write { realm.add(page) }
        try await Realm.close(for: configuration)
        #expect(page.isInvalidated)
        let again = try await Realm.open(configuration: configuration)
        #expect(again != realm)
        #expect(again.objects(Page.self).count == 1)
    }

    @Test func `what is frozen keeps the file open, and is named`() async throws {
        let holder = Holder()
        try holder.open(configuration)
        let frozen = Mutex(holder.queue.sync { holder.page.map { Frozen($0.freeze()) } })
        let error = await #expect(throws: Realm.Error.self) {
            try await Realm.close(for: configuration, timeout: .milliseconds(10))
        }
        #expect(error?.code == .alreadyOpen)
        #expect(error?.message.contains("a frozen realm of") == true, "\(error?.message ?? "")")
        #expect(frozen.withLock { $0?.value.title } == "one")
        #expect(holder.areInvalid)
        frozen.withLock { $0 = nil }
        try await Realm.close(for: configuration)
        #expect(try Realm.deleteFiles(for: configuration))
    }

    @Test func `a realm of another thread is waited for`() async throws {
        let configuration = configuration
        let isOpen = Atomic(false)
        let isEnough = DispatchSemaphore(value: 0)
        let thread = Companion {
            let realm = try Realm(configuration: configuration)
            isOpen.store(true, ordering: .releasing)
            isEnough.wait()
            withExtendedLifetime(realm) {}
        }
        await wait { isOpen.load(ordering: .acquiring) }
        let error = await #expect(throws: Realm.Error.self) {
            try await Realm.close(for: configuration, timeout: .milliseconds(10))
        }
        #expect(error?.message.contains("the realm of thread") == true, "\(error?.message ?? "")")
        async let closed: Void = Realm.close(for: configuration, timeout: .seconds(60))
        isEnough.signal()
        try thread.value()
        try await closed
        #expect(try Realm.deleteFiles(for: configuration))
    }

    @Test func `open writes are dropped, and writes that wait fail`() async throws {
        let holder = Holder()
        try holder.open(configuration)
        let outcome = Mutex<(any Error)?>(nil)
        holder.queue.sync {
            holder.realm?.beginWrite()
            holder.page?.title = "never"
            holder.realm?.writeAsync({}, onComplete: { error in outcome.withLock { $0 = error } })
        }
        try await Realm.close(for: configuration)
        #expect(outcome.withLock { ($0 as? Realm.Error)?.message.contains("closed before the write") } == true)
        let configuration = configuration
        let title = try await onNewThread {
            try Realm(configuration: configuration).object(ofType: Page.self, forPrimaryKey: 1)?.title
        }
        #expect(title == "one")
    }

    /// A realm of an actor.
    private actor Desk {
        private var realm: Realm!
        private var pages: Repository<Page>!
        private(set) var isAsking = false

        init(_ configuration: Realm.Configuration) async throws {
            realm = try await Realm(configuration: configuration, actor: self)
            pages = Repository(realm: realm)
        }

        func write(_ title: String?) async throws {
            isAsking = true
            try await realm.asyncWrite { if let title { realm.create(Page.self, value: ["id": 1, "title": title]) } }
        }

        func writeInBackground(_ begun: @escaping @Sendable () -> Void) async throws {
            try await pages.performWrite { pages in
                begun()
                try pages.add(Page(value: ["id": 2]))
            }
        }
    }

    @Test(arguments: ["title", nil])
    func `an actor's write that waits fails, whether or not it would use the realm`(_ title: String?) async throws {
        let configuration = configuration
        let desk = try await Desk(configuration)
        try await whileAnotherWrites(configuration) {
            let write = Task { try await desk.write(title) }
            // The actor answers once its write waits.
            await wait { await desk.isAsking }
            // The writer's realm stays open.
            await #expect(throws: Realm.Error.self) {
                try await Realm.close(for: configuration, timeout: .milliseconds(20))
            }
            let outcome = await write.result
            #expect(throws: Realm.Error.self) { try outcome.get() }
        }
    }

    @Test func `a background write goes on when the realm of its caller is closed`() async throws {
        let configuration = configuration
        let desk = try await Desk(configuration)
        let hasBegun = DispatchSemaphore(value: 0)
        let isClosing = DispatchSemaphore(value: 0)
        let write = Task {
            try await desk.writeInBackground {
                hasBegun.signal()
                isClosing.wait()
            }
        }
        try await onNewThread { hasBegun.wait() }
        await #expect(throws: Realm.Error.self) {
            try await Realm.close(for: configuration, timeout: .milliseconds(20))
        }
        isClosing.signal()
        try await write.value
        let count = try await onNewThread { try Realm(configuration: configuration).objects(Page.self).count }
        #expect(count == 1)
    }

    @Test func `a store in memory keeps its data, and closing what is closed does nothing`() async throws {
        let memory = Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Page.self])
        try await Realm.close(for: memory)
        let holder = Holder()
        try holder.open(memory)
        try await Realm.close(for: memory)
        #expect(holder.areInvalid)
        let count = try await onNewThread { try Realm(configuration: memory).objects(Page.self).count }
        #expect(count == 1)
        try await Realm.close(for: configuration)
        #expect(!Realm.fileExists(for: configuration))
        #expect(try Realm.deleteFiles(for: memory))
    }

    @Test func `what has ended keeps no version, though its token is kept`() async throws {
        let holder = Holder()
        try holder.open(configuration)
        await wait { holder.calls.load(ordering: .relaxed) == 1 }
        holder.token?.invalidate()
        let configuration = configuration
        for id in 2..<4 {
            try await onNewThread {
                let realm = try Realm(configuration: configuration)
                try realm.write { realm.add(Page(value: ["id": id])) }
            }
        }
        await wait {
            let pinned = (try? Realm.diagnostics(for: configuration))?.pinnedVersions ?? []
            return pinned.count == 1 && pinned[0].versionsBehind == 0
        }
    }

    @Test func `files can be deleted as soon as a background write is done`() async throws {
        var configuration = configuration
        configuration.durability = .relaxed
        for id in 0..<50 {
            func write() async throws {
                let pages = try await onNewThread { [configuration] in
                    try Repository<Page>(configuration: configuration)
                }
                try await pages.performWrite { try $0.add(Page(value: ["id": id])) }
            }
            try await write()
            #expect(try Realm.deleteFiles(for: configuration))
        }
    }

    @Test func `files are not deleted, nor waited for, while a background writer waits for its turn`() async throws {
        let pages = try await onNewThread { [configuration] in try Repository<Page>(configuration: configuration) }
        try await whileAnotherWrites(configuration) {
            let write = Task { try await pages.performWrite { try $0.add(Page(value: ["id": 1])) } }
            // Its writer has a realm, and asks for its turn.
            await wait {
                let holders = (try? Realm.diagnostics(for: configuration))?.pinnedVersions.flatMap(\.holders) ?? []
                return holders.contains { $0.contains("firn.performWrite") }
            }
            write.cancel()
            await #expect(throws: CancellationError.self) { try await write.value }
            let error = #expect(throws: Realm.Error.self) { try Realm.deleteFiles(for: configuration) }
            #expect(error?.code == .alreadyOpen)
        }
    }

    @Test func `a closed realm is of no use`() async {
        for use in 0..<5 {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                [use = use as Int] in
                let configuration = Realm.Configuration(
                    inMemoryIdentifier: UUID().uuidString, objectTypes: [Page.self])
                try await ClosingTests.useAfterClosing(configuration, use)
            }
            expect(result, says: "was used after Realm.close(for:) had closed its file; open a realm again")
        }
    }

    @MainActor private static func useAfterClosing(_ configuration: Realm.Configuration, _ use: Int) async throws {
        let realm = try await Realm.open(configuration: configuration)
        let page = Page(value: ["id": 1])
        try realm.write { realm.add(page) }
        let pages = realm.objects(Page.self)
        if use == 3 {
            // Whoever is told that the write has failed asks again.
            realm.beginWrite()
            realm.writeAsync({}, onComplete: { error in if error != nil { realm.writeAsync {} } })
        }
        try await Realm.close(for: configuration)
        switch use {
        case 0: _ = page.title
        case 1: _ = pages.count
        case 2: try await Repository<Page>(realm: realm).performWrite { try $0.add(Page()) }
        default: try realm.write {}
        }
    }
}
