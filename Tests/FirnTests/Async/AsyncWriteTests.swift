import Firn
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct AsyncWriteTests {
    private let directory: TemporaryRealm
    private let configuration: Realm.Configuration
    private let home: Home

    /// A queue and its realm.
    private final class Home: @unchecked Sendable {  // `realm` is only used on the queue.
        let queue = DispatchQueue(label: "writes")
        private var realm: Realm?
        private let events = Mutex<[String]>([])

        func open(_ configuration: Realm.Configuration) throws {
            try queue.sync { realm = try Realm(configuration: configuration, queue: queue) }
        }

        func close() { queue.sync { realm = nil } }

        @discardableResult
        func run<Value: Sendable>(_ body: @Sendable (Realm) throws -> Value) rethrows -> Value {
            try queue.sync {
                guard let realm else { fatalError("the realm is closed") }
                return try body(realm)
            }
        }

        func note(_ event: String) { events.withLock { $0.append(event) } }
        var noted: [String] { events.withLock { $0 } }

        func waitUntilIdle() async {
            await TestSupport.wait { run { !$0.isPerformingAsynchronousWriteOperations } }
        }
    }

    init() throws {
        directory = try TemporaryRealm()
        configuration = directory.configuration([WakingItem.self])
        home = Home()
        try home.open(configuration)
    }

    private func ids() -> [Int] {
        home.run { realm in
            _ = realm.refresh()
            return realm.objects(WakingItem.self).map(\.id).sorted()
        }
    }

    @Test func `writes are made in the order in which they were asked for, and then told`() async throws {
        let home = home
        try await whileAnotherWrites(configuration) {
            home.run { realm in
                for id in 0..<5 {
                    realm.writeAsync {
                        #expect(realm.isInWriteTransaction && realm.isPerformingAsynchronousWriteOperations)
                        realm.add(WakingItem(value: ["id": id]))
                        home.note("write \(id)")
                    } onComplete: { error in
                        #expect(error == nil && !realm.isInWriteTransaction)
                        #expect(realm.objects(WakingItem.self).count >= id + 1)
                        home.note("done \(id)")
                    }
                }
                #expect(realm.isPerformingAsynchronousWriteOperations && !realm.isInWriteTransaction)
            }
            for _ in 0..<50 { await Task.yield() }
            #expect(home.noted.isEmpty)
        }
        await home.waitUntilIdle()
        #expect(home.noted == (0..<5).flatMap { ["write \($0)", "done \($0)"] })
        #expect(ids() == [0, 1, 2, 3, 4])
        home.close()
    }

    @Test func `errors are told, and keep nothing of their write`() async throws {
        let home = home
        home.run { realm in
            realm.writeAsync { realm.add(WakingItem(value: ["id": 1])) }
            realm.writeAsync {
                realm.add(WakingItem(value: ["id": 2]))
                realm.add(WakingItem(value: ["id": 1]))
            } onComplete: { error in
                home.note((error as? Realm.Error)?.code == .duplicateValue ? "refused" : "\(String(describing: error))")
            }
        }
        await home.waitUntilIdle()
        #expect(home.noted == ["refused"], "\(home.noted)")
        #expect(ids() == [1])
        home.close()
    }

    @Test func `a block may end its write itself`() async throws {
        let home = home
        home.run { realm in
            realm.writeAsync {
                realm.add(WakingItem(value: ["id": 1]))
                realm.cancelWrite()
            } onComplete: {
                home.note("cancelled \($0 == nil)")
            }
            realm.writeAsync {
                realm.add(WakingItem(value: ["id": 2]))
                #expect(throws: Never.self) { try realm.commitWrite() }
            } onComplete: {
                home.note("committed \($0 == nil)")
            }
        }
        await home.waitUntilIdle()
        #expect(home.noted == ["cancelled true", "committed true"])
        #expect(ids() == [2])
        home.close()
    }

    @Test func `a begun write is kept if its block commits it`() async throws {
        let home = home
        home.run { realm in
            realm.beginAsyncWrite { realm.add(WakingItem(value: ["id": 1])) }
            realm.beginAsyncWrite {
                realm.add(WakingItem(value: ["id": 2]))
                realm.commitAsyncWrite(allowGrouping: true) { error in home.note("told \(error == nil)") }
                // It is there already, and told later.
                #expect(realm.objects(WakingItem.self).count == 1 && home.noted.isEmpty)
                #expect(!realm.isInWriteTransaction && realm.isPerformingAsynchronousWriteOperations)
            }
            realm.beginAsyncWrite {
                realm.add(WakingItem(value: ["id": 3]))
                #expect(throws: Never.self) { try realm.commitWrite() }
            }
            realm.beginAsyncWrite {
                realm.add(WakingItem(value: ["id": 3]))
                realm.commitAsyncWrite { error in home.note("told \(error == nil)") }
            }
        }
        await home.waitUntilIdle()
        #expect(home.noted == ["told true", "told false"])
        #expect(ids() == [2, 3])
        home.close()
    }

    @Test func `a write that was begun at once can be committed with a completion block`() async throws {
        let home = home
        home.run { realm in
            realm.beginWrite()
            realm.add(WakingItem(value: ["id": 1]))
            realm.commitAsyncWrite { error in home.note("told \(error == nil)") }
        }
        await home.waitUntilIdle()
        #expect(home.noted == ["told true"])
        #expect(ids() == [1])
        home.close()
    }

    @Test func `cancelled writes are not made, and cancelled commits not told`() async throws {
        let home = home
        try await whileAnotherWrites(configuration) {
            try home.run { realm in
                let ids = (0..<4).map { id in
                    realm.writeAsync {
                        realm.add(WakingItem(value: ["id": id]))
                    } onComplete: { _ in
                        home.note("done \(id)")
                    }
                }
                #expect(Set(ids).count == 4)
                try realm.cancelAsyncWrite(ids[0])
                try realm.cancelAsyncWrite(ids[2])
                try realm.cancelAsyncWrite(ids[2])
                try realm.cancelAsyncWrite(4711)
            }
        }
        await home.waitUntilIdle()
        #expect(home.noted == ["done 1", "done 3"])
        #expect(ids() == [1, 3])
        try home.run { realm in
            realm.beginWrite()
            realm.add(WakingItem(value: ["id": 4]))
            let id = realm.commitAsyncWrite { _ in home.note("told") }
            try realm.cancelAsyncWrite(id)
            #expect(!realm.isPerformingAsynchronousWriteOperations)
        }
        // Behind where the block would have been called.
        home.queue.sync {}
        #expect(home.noted.count == 2)
        #expect(ids() == [1, 3, 4])
        home.close()
    }

    @Test func `when all that wait are cancelled, later ones are made`() async throws {
        let home = home
        try await whileAnotherWrites(configuration) {
            try home.run { realm in
                let id = realm.writeAsync { realm.add(WakingItem(value: ["id": 1])) }
                try realm.cancelAsyncWrite(id)
                #expect(!realm.isPerformingAsynchronousWriteOperations)
                realm.writeAsync { realm.add(WakingItem(value: ["id": 2])) }
            }
        }
        await home.waitUntilIdle()
        #expect(ids() == [2])
        home.close()
    }

    @Test func `a synchronous write overtakes those that wait`() async throws {
        let home = home
        try home.run { realm in
            realm.writeAsync { home.note("asked for") }
            try realm.write {
                realm.add(WakingItem(value: ["id": 1]))
                home.note("at once")
            }
        }
        await home.waitUntilIdle()
        #expect(home.noted == ["at once", "asked for"])
        home.close()
    }

    @Test func `a write waits for one that is left open between blocks of the queue`() async throws {
        let home = home
        home.run { realm in
            realm.beginWrite()
            realm.add(WakingItem(value: ["id": 1]))
            realm.writeAsync {
                home.note("\(realm.objects(WakingItem.self).count)")
            }
        }
        for _ in 0..<50 { await Task.yield() }
        #expect(home.noted.isEmpty)
        try home.run { try $0.commitWrite() }
        await home.waitUntilIdle()
        #expect(home.noted == ["1"])
        home.close()
    }

    @Test func `a block asks for further writes`() async throws {
        let home = home
        @Sendable func add(_ realm: Realm, _ id: Int) {
            realm.writeAsync {
                realm.add(WakingItem(value: ["id": id]))
                if id < 10 { add(realm, id + 1) }
            }
        }
        home.run { add($0, 1) }
        await home.waitUntilIdle()
        #expect(ids() == Array(1...10))
        home.close()
    }

    @Test func `a realm is kept until its writes are made`() async throws {
        let home = home
        let isDone = Atomic(false)
        home.run { realm in
            realm.writeAsync { [realm] in
                realm.add(WakingItem(value: ["id": 1]))
            } onComplete: { _ in
                isDone.store(true, ordering: .releasing)
            }
        }
        home.close()
        await wait { isDone.load(ordering: .acquiring) }
        try home.open(configuration)
        #expect(ids() == [1])
        home.close()
    }

    @Test func `an actor writes, and is kept until it has`() async throws {
        let counter = try await WakingCounter(configuration)
        #expect(await counter.writeAsync(1) == nil)
        #expect(await counter.writeAsync(1) is Realm.Error)
        #expect(await counter.count == 1)
        let isDone = Atomic(false)
        weak var actor: WakingCounter?
        do {
            let forgotten = try await WakingCounter(configuration)
            actor = forgotten
            await forgotten.writeAsyncAndForget(2) { isDone.store(true, ordering: .releasing) }
        }
        await wait { isDone.load(ordering: .acquiring) }
        #expect(ids() == [1, 2])
        await wait { actor == nil }
        home.close()
    }

    @MainActor @Test func `the main thread writes in its run loop`() async throws {
        let realm = try Realm(configuration: configuration)
        let count = await withCheckedContinuation { continuation in
            realm.writeAsync {
                realm.add(WakingItem(value: ["id": 1]))
            } onComplete: { _ in
                continuation.resume(returning: realm.objects(WakingItem.self).count)
            }
        }
        #expect(count == 1)
        home.close()
    }

    @Test func `a thread writes in its run loop`() async throws {
        let thread = LoopThread()
        let configuration = configuration
        let count = Mutex(0)
        try await thread.run {
            let realm = try Realm(configuration: configuration)
            realm.writeAsync {
                realm.add(WakingItem(value: ["id": 1]))
            } onComplete: { _ in
                let found = realm.objects(WakingItem.self).count
                count.withLock { $0 = found }
            }
        }
        await wait { count.withLock { $0 } == 1 }
        await thread.end()
        home.close()
    }

    @Test func `a thread that ends before its turn does not hold others up`() async throws {
        let thread = LoopThread()
        let configuration = configuration
        try await whileAnotherWrites(configuration) {
            _ = try await thread.run {
                try Realm(configuration: configuration).writeAsync {}
            }
            await thread.end()
        }
        // All who have their turns behind it: in the background, on an actor, of a queue.
        for id in 0..<3 {
            #expect(try await WakingCounter(configuration).writeAsync(id) == nil)
        }
        #expect(ids() == [0, 1, 2])
    }

    @Test func `a queue that is suspended lets others write, and has its turn later`() async throws {
        let home = home
        let other = try await WakingCounter(configuration)
        home.run { realm in
            home.queue.suspend()
            realm.writeAsync { realm.add(WakingItem(value: ["id": 1])) }
        }
        #expect(await other.writeAsync(2) == nil)
        home.queue.resume()
        await home.waitUntilIdle()
        #expect(ids() == [1, 2])
    }

    @Test func `a read-only realm's write is told the reason`() async throws {
        home.close()
        var configuration = configuration
        configuration.readOnly = true
        try home.open(configuration)
        let home = home
        home.run { realm in
            realm.writeAsync {
                home.note("run")
            } onComplete: { error in
                home.note((error as? Realm.Error)?.code == .filePermissionDenied ? "refused" : "")
            }
        }
        await home.waitUntilIdle()
        #expect(home.noted == ["refused"])
        home.close()
    }

    @Test func `many queues and actors write at once, and none waits for ever`() async throws {
        let configuration = configuration
        let total = Mutex(0)
        let homes = try (0..<4).map { _ in
            let home = Home()
            try home.open(configuration)
            return home
        }
        for (number, home) in homes.enumerated() {
            home.run { realm in
                for id in 0..<25 {
                    realm.writeAsync {
                        realm.add(WakingItem(value: ["id": number * 100 + id]))
                    } onComplete: { error in
                        if error == nil { total.withLock { $0 += 1 } }
                    }
                }
            }
        }
        let counters = (4..<8).map { number in
            Task {
                let counter = try await WakingCounter(configuration)
                var count = 0
                for id in 0..<25 where await counter.writeAsync(number * 100 + id) == nil { count += 1 }
                return count
            }
        }
        for counter in counters { #expect(try await counter.value == 25) }
        for home in homes {
            await home.waitUntilIdle()
            home.close()
        }
        #expect(total.withLock { $0 } == 100)
        #expect(ids().count == 200)
        home.close()
    }
}

/// What must not be done, by what the message says.
@Suite struct AsyncWriteMisuseTests {
    private static func makeRealm() throws -> Realm {
        try Realm(
            configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [WakingItem.self]))
    }

    @Test func `a realm of a plain thread cannot be asked for a write`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try await onNewThread { _ = try AsyncWriteMisuseTests.makeRealm().writeAsync {} }
        }
        expect(
            result, says: "writeAsync was called for the realm of thread",
            "use write(_:), or open the realm for a queue with Realm(queue:)")
    }

    @Test func `a frozen realm cannot be asked for a write`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try AsyncWriteMisuseTests.makeRealm().freeze().beginAsyncWrite {}
        }
        expect(result, says: "beginAsyncWrite was called for a frozen realm; write to what its thaw() gives")
    }

    @MainActor @Test func `a commit without a write traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
            try AsyncWriteMisuseTests.makeRealm().commitAsyncWrite()
        }
        expect(result, says: "commitAsyncWrite was called outside of a write transaction")
    }
}
