import Firn
import Foundation
import Synchronization
import TestSupport
import Testing

/// What the tests of waking have in their realms.
final class WakingItem: Object {
    @Persisted(primaryKey: true) var id = 0
}

/// A realm that counts what its actor sees, without ever refreshing.
actor WakingCounter {
    private var realm: Realm!

    init(_ configuration: Realm.Configuration) async throws {
        realm = try await Realm(configuration: configuration, actor: self)
    }

    var count: Int { realm.objects(WakingItem.self).count }
    var isAutorefreshing: Bool { realm.autorefresh }
    func setAutorefresh(_ isOn: Bool) { realm.autorefresh = isOn }

    func writeAsync(_ id: Int) async -> (any Error)? {
        await withCheckedContinuation { continuation in
            realm.writeAsync {
                self.realm.add(WakingItem(value: ["id": id]))
            } onComplete: { error in
                self.assertIsolated()
                continuation.resume(returning: error)
            }
        }
    }

    func writeAsyncAndForget(_ id: Int, _ onComplete: @escaping @Sendable () -> Void) {
        realm.writeAsync { [realm] in
            realm!.add(WakingItem(value: ["id": id]))
        } onComplete: { _ in
            onComplete()
        }
    }
}

/// A thread with a run loop, and a realm of it.
final class LoopThread: Sendable {
    private let loop = Mutex<Loop?>(nil)
    private let hasEnded = DispatchSemaphore(value: 0)
    private let isEnding = Atomic(false)

    // `@unchecked Sendable`: used to send blocks only.
    private struct Loop: @unchecked Sendable {
        let loop: RunLoop
        /// A loop without anything to wait for ends at once.
        let timer = Timer(timeInterval: 1000, repeats: true) { _ in }
    }

    init() {
        let hasBegun = DispatchSemaphore(value: 0)
        Thread { [self] in
            let own = Loop(loop: RunLoop.current)
            loop.withLock { $0 = own }
            own.loop.add(own.timer, forMode: .default)
            own.loop.add(Timer(timeInterval: 0, repeats: false) { _ in hasBegun.signal() }, forMode: .default)
            while !isEnding.load(ordering: .acquiring) {
                _ = own.loop.run(mode: .default, before: Date(timeIntervalSinceNow: 1000))
            }
            hasEnded.signal()
        }.start()
        hasBegun.wait()
    }

    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            send { continuation.resume(with: Result(catching: body)) }
        }
    }

    func end() async {
        send {
            self.isEnding.store(true, ordering: .releasing)
            self.loop.withLock { $0 }?.timer.invalidate()
        }
        await withCheckedContinuation { continuation in
            Thread {
                self.hasEnded.wait()
                continuation.resume()
            }.start()
        }
    }

    private func send(_ body: @escaping @Sendable () -> Void) {
        loop.withLock { $0 }?.loop.add(Timer(timeInterval: 0, repeats: false) { _ in body() }, forMode: .default)
    }
}

@Suite(.timeLimit(.minutes(5))) struct AutorefreshTests {
    private let directory: TemporaryRealm
    private let configuration: Realm.Configuration

    init() throws {
        directory = try TemporaryRealm()
        configuration = directory.configuration([WakingItem.self])
    }

    /// Commits on a thread of its own.
    private func add(_ ids: Range<Int>) async throws {
        try await Self.add(ids, configuration)
    }

    private static func add(_ ids: Range<Int>, _ configuration: Realm.Configuration) async throws {
        try await onNewThread {
            let realm = try Realm(configuration: configuration)
            for id in ids { try realm.write { realm.add(WakingItem(value: ["id": id])) } }
        }
    }

    /// Tells others what a queue or thread has seen, and holds its realm.
    private final class Seen: @unchecked Sendable {  // `realm` is only used where it belongs.
        var realm: Realm?
        var count: Int { realm?.objects(WakingItem.self).count ?? -1 }
    }

    @Test func `a queue's realm moves when others commit`() async throws {
        let queue = DispatchQueue(label: "waking")
        let configuration = configuration
        let seen = Seen()
        try queue.sync { seen.realm = try Realm(configuration: configuration, queue: queue) }
        #expect(queue.sync { seen.realm?.autorefresh } == true)
        for round in 0..<5 {
            try await add(round * 10..<round * 10 + 10)
            await wait { queue.sync { seen.count } == round * 10 + 10 }
        }
        queue.sync { seen.realm = nil }
    }

    @Test func `a realm moves when another process commits`() async throws {
        let queue = DispatchQueue(label: "waking")
        let configuration = configuration
        let seen = Seen()
        try queue.sync { seen.realm = try Realm(configuration: configuration, queue: queue) }
        await #expect(processExitsWith: .success) { [path = directory.fileURL.path as String] in
            var configuration = Realm.Configuration(
                fileURL: URL(fileURLWithPath: path), objectTypes: [WakingItem.self])
            configuration.reservationInBytes = 1 << 34
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.add(WakingItem()) }
        }
        await wait { queue.sync { seen.count } == 1 }
        queue.sync { seen.realm = nil }
    }

    @Test func `an actor's realm moves when others commit`() async throws {
        let counter = try await WakingCounter(configuration)
        #expect(await counter.isAutorefreshing)
        try await add(0..<10)
        await wait { await counter.count >= 10 }
    }

    @MainActor @Test func `the main thread's realm moves when others commit`() async throws {
        let realm = try Realm(configuration: configuration)
        #expect(realm.autorefresh)
        try await Self.add(0..<10, configuration)
        await wait { realm.objects(WakingItem.self).count >= 10 }
    }

    @Test func `a realm of a thread with a run loop moves when others commit, while the loop sleeps`() async throws {
        let thread = LoopThread()
        let configuration = configuration
        let seen = Seen()
        try await thread.run { seen.realm = try Realm(configuration: configuration) }
        #expect(try await thread.run { seen.realm?.autorefresh == true })
        try await add(0..<10)
        try await wait { try await thread.run({ seen.count }) >= 10 }
        // Who holds on to the realm of a thread that has ended disturbs nobody.
        await thread.end()
        try await add(10..<20)
        seen.realm = nil
    }

    @Test func `a realm of a plain thread stays where it is until it is refreshed`() async throws {
        let configuration = configuration
        try await onNewThread {
            let realm = try Realm(configuration: configuration)
            #expect(!realm.autorefresh)
            realm.autorefresh = true
            try onAnotherThread {
                let other = try Realm(configuration: configuration)
                try other.write { other.add(WakingItem()) }
            }
            #expect(realm.objects(WakingItem.self).count == 0)
            #expect(realm.refresh())
            #expect(realm.objects(WakingItem.self).count == 1)
        }
    }

    @Test func `a realm that is told not to stays where it is, and catches up when told to`() async throws {
        let counter = try await WakingCounter(configuration)
        let witness = try await WakingCounter(configuration)
        await counter.setAutorefresh(false)
        #expect(await !counter.isAutorefreshing)
        try await add(0..<3)
        await wait { await witness.count >= 3 }
        #expect(await counter.count == 0)
        await counter.setAutorefresh(true)
        await wait { await counter.count >= 3 }
    }

    @Test func `who is told that a refresh is required may refresh`() async throws {
        let queue = DispatchQueue(label: "waking")
        let outcomes = Mutex<[Bool]>([])
        let configuration = configuration
        let seen = Seen()
        let token = try queue.sync {
            let realm = try Realm(configuration: configuration, queue: queue)
            realm.autorefresh = false
            seen.realm = realm
            return realm.observe { notification, realm in
                if notification == .refreshRequired { outcomes.withLock { $0.append(realm.refresh()) } }
            }
        }
        try await add(0..<1)
        await wait { outcomes.withLock { !$0.isEmpty } }
        #expect(outcomes.withLock { $0 } == [true])
        #expect(queue.sync { seen.count } == 1)
        token.invalidate()
        queue.sync { seen.realm = nil }
    }

    @Test func `what is found while walking stays, though others commit`() async throws {
        try await add(0..<100)
        let queue = DispatchQueue(label: "waking")
        let configuration = configuration
        let seen = Seen()
        try queue.sync { seen.realm = try Realm(configuration: configuration, queue: queue) }
        let ids: [Int] = try queue.sync {
            var ids: [Int] = []
            for item in seen.realm!.objects(WakingItem.self) {
                ids.append(item.id)
                if ids.count == 50 {
                    try onAnotherThread {
                        let other = try Realm(configuration: configuration)
                        try other.write { other.delete(other.objects(WakingItem.self)) }
                    }
                }
            }
            return ids
        }
        #expect(ids == Array(0..<100))
        await wait { queue.sync { seen.count } == 0 }
        queue.sync { seen.realm = nil }
    }

    @Test func `a realm that goes listens no more, and keeps neither actor nor queue`() async throws {
        weak var actor: WakingCounter?
        do {
            let counter = try await WakingCounter(configuration)
            actor = counter
            try await add(0..<1)
        }
        await wait { actor == nil }
        try await add(1..<2)
        #expect(try Realm.diagnostics(for: configuration).pinnedVersions.isEmpty)
    }

    @Test func `a frozen realm cannot be told to refresh`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try Realm(
                configuration: Realm.Configuration(
                    inMemoryIdentifier: UUID().uuidString, objectTypes: [WakingItem.self]))
            let frozen = realm.freeze()
            guard !frozen.autorefresh else { return }
            frozen.autorefresh = false
            frozen.autorefresh = true
        }
        expect(result, says: "autorefresh was set for a frozen realm, which never changes; use what thaw() gives")
    }
}
