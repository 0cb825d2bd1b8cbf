import Foundation
import LMDB
import Synchronization
import TestSupport
import Testing

/// Listening for commits, of this process and of others.
@Suite struct DoorbellTests {
    let directory = TemporaryDirectory()
    var path: String { directory.path("store") }

    /// Counts rings, and lets a thread wait for them.
    final class Rings: Sendable {
        private let number = Atomic(0)
        private let semaphore = DispatchSemaphore(value: 0)
        var count: Int { number.load(ordering: .acquiring) }

        func ring() {
            number.add(1, ordering: .releasing)
            semaphore.signal()
        }

        /// Waits until `condition` holds, looking again at each ring.
        func wait(until condition: () throws -> Bool) rethrows {
            while try !condition() { semaphore.wait() }
        }
    }

    private func commit(_ environment: Environment, _ number: UInt64 = 1) throws {
        try environment.write { try $0.put(environment.plain, ByteKey(number), ByteKey("x")) }
    }

    /// Whether any process listens, by the lock that says so.
    private func isMarked() -> Bool {
        let descriptor = open(path + "-gate", O_RDWR)
        defer { close(descriptor) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = 1
        lock.l_len = 1
        #expect(fcntl(descriptor, 36, &lock) == 0)  // F_OFD_GETLK
        return lock.l_type != Int16(F_UNLCK)
    }

    @Test func `each commit that made a version rings once it can be read`() throws {
        let environment = try Environment.open(testOptions(path))
        let counts = Mutex<[Int]>([])
        let listener = environment.listen {
            let count = try? environment.count()
            counts.withLock { $0.append(count ?? -1) }
        }
        for number in 0..<3 as Range<UInt64> { try commit(environment, number) }
        #expect(counts.withLock { $0 } == [1, 2, 3])
        try environment.write { _ in }
        try environment.beginWrite().abort()
        let transaction = try environment.beginWrite()
        let child = try transaction.makeChild()
        try child.put(environment.plain, ByteKey("child"), ByteKey("x"))
        try child.commit()
        #expect(counts.withLock { $0.count } == 3)
        try transaction.commit()
        #expect(counts.withLock { $0 } == [1, 2, 3, 4])
        withExtendedLifetime(listener) {}
    }

    @Test func `a listener that has stopped or gone is not called`() throws {
        let environment = try Environment.open(testOptions(path))
        let (first, second) = (Rings(), Rings())
        let stopped = environment.listen { first.ring() }
        var gone: CommitListener? = environment.listen { second.ring() }
        try commit(environment)
        stopped.stop()
        stopped.stop()
        try commit(environment)
        #expect(gone != nil)
        gone = nil
        try commit(environment)
        #expect(first.count == 1 && second.count == 2)
    }

    @Test func `listeners come and go on several threads while others commit`() async throws {
        let environment = try Environment.open(testOptions(path))
        try await onThreads(4) { thread in
            for number in 0..<200 as Range<UInt64> {
                if thread == 0 {
                    try environment.write { try $0.put(environment.plain, ByteKey(number), ByteKey("x")) }
                    continue
                }
                let rings = Rings()
                let listener = environment.listen { rings.ring() }
                let before = rings.count
                if thread == 1 {
                    try environment.write { try $0.put(environment.plain, ByteKey(number), ByteKey("y")) }
                    #expect(rings.count > before)
                }
                listener.stop()
            }
        }
        #expect(!isMarked())
    }

    @Test func `the file is marked while somebody listens`() throws {
        let environment = try Environment.open(testOptions(path))
        #expect(!isMarked())
        let first = environment.listen {}
        let second = environment.listen {}
        #expect(isMarked())
        first.stop()
        #expect(isMarked())
        try commit(environment)
        second.stop()
        #expect(!isMarked())
    }

    /// Commits the numbers up to 200 of one parity, each when the one before it is there. Returns how long a commit and the answer
    /// to it took.
    private static func play(_ path: String, parity: UInt64) throws -> [Duration] {
        let environment = try Environment.open(testOptions(path))
        let rings = Rings()
        let listener = environment.listen { rings.ring() }
        defer { listener.stop() }
        var times: [Duration] = []
        for number in 1...200 as ClosedRange<UInt64> where number % 2 == parity {
            try rings.wait { try environment.count() >= number - 1 }
            let start = ContinuousClock.now
            try environment.write { try $0.put(environment.plain, ByteKey(number), ByteKey("x")) }
            try rings.wait { try environment.count() >= min(number + 1, 200) }
            times.append(ContinuousClock.now - start)
        }
        return times
    }

    @Test func `two processes answer each other's commits at once`() async throws {
        let path = path
        let companion = Companion { try Self.play(path, parity: 1) }
        await #expect(processExitsWith: .success) { [path = path as String] in
            alarm(60)
            _ = try DoorbellTests.play(path, parity: 0)
        }
        // There and back.
        let times = try companion.value().sorted()
        #expect(times[times.count / 2] < .milliseconds(50))
    }

    @Test func `who only reads hears others too`() async throws {
        let (ready, path) = (Baton(directory.path("ready")), path)
        let environment = try Environment.open(testOptions(path))
        let companion = Companion {
            _ = ready.take()
            for number in 0..<5 as Range<UInt64> {
                try environment.write { try $0.put(environment.plain, ByteKey(number), ByteKey("x")) }
            }
        }
        await #expect(processExitsWith: .success) { [path = path as String, ready = ready as Baton] in
            alarm(60)
            let environment = try Environment.open(testOptions(path, isReadOnly: true))
            let rings = Rings()
            let listener = environment.listen { rings.ring() }
            ready.pass()
            try rings.wait { try environment.count() == 5 }
            listener.stop()
        }
        try companion.value()
    }

    @Test func `a stopped listener holds nobody up, and hears all when it goes on`() async throws {
        let (ready, path) = (Baton(directory.path("ready")), path)
        let environment = try Environment.open(testOptions(path))
        let companion = Companion {
            let processID = try #require(Int32(ready.take()))
            kill(processID, SIGSTOP)
            for number in 0..<100 as Range<UInt64> {
                try environment.write { try $0.put(environment.plain, ByteKey(number), ByteKey("x")) }
            }
            kill(processID, SIGCONT)
        }
        await #expect(processExitsWith: .success) { [path = path as String, ready = ready as Baton] in
            alarm(60)
            let environment = try Environment.open(testOptions(path))
            let rings = Rings()
            let listener = environment.listen { rings.ring() }
            ready.pass("\(getpid())")
            try rings.wait { try environment.count() == 100 }
            listener.stop()
        }
        try companion.value()
    }

    @Test func `the mark of a killed listener is gone`() async throws {
        let (ready, path) = (Baton(directory.path("ready")), path)
        let environment = try Environment.open(testOptions(path))
        let companion = Companion {
            let processID = try #require(Int32(ready.take()))
            let wasMarked = isMarked()
            kill(processID, SIGKILL)
            return wasMarked
        }
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, ready = ready as Baton] in
            alarm(60)
            let environment = try Environment.open(testOptions(path))
            let listener = environment.listen {}
            ready.pass("\(getpid())")
            while true { pause() }
            listener.stop()
        }
        #expect(try companion.value())
        #expect(!isMarked())
        try commit(environment)
    }

    @Test func `without inotify other processes' commits are looked for`() async throws {
        let (ready, path) = (Baton(directory.path("ready")), path)
        let environment = try Environment.open(testOptions(path))
        let companion = Companion {
            _ = ready.take()
            try environment.write { try $0.put(environment.plain, ByteKey("x"), ByteKey("x")) }
            _ = ready.take()
            try environment.write { try $0.put(environment.plain, ByteKey("y"), ByteKey("x")) }
        }
        await #expect(processExitsWith: .success) { [path = path as String, ready = ready as Baton] in
            alarm(60)
            let environment = try Environment.open(testOptions(path))
            var limit = rlimit(rlim_cur: 100, rlim_max: 100)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            var descriptors: [Int32] = []
            while case let descriptor = open("/dev/null", O_RDONLY), descriptor >= 0 { descriptors.append(descriptor) }
            // What is left is for the thread's pipe.
            for _ in 0..<2 { close(descriptors.removeLast()) }
            let rings = Rings()
            let listener = environment.listen { rings.ring() }
            for descriptor in descriptors { close(descriptor) }
            ready.pass()
            try rings.wait { try environment.count() == 1 }
            ready.pass()
            try rings.wait { try environment.count() == 2 }
            listener.stop()
        }
        try companion.value()
    }

    /// The thread sanitizer allows no new thread in the fork of a process that has several.
    private static let canForkThreads = ProcessInfo.processInfo.environment["TSAN_OPTIONS"] == nil

    @Test(.enabled(if: canForkThreads)) func `a fork's child listens anew, and its parent goes on`() async {
        await #expect(processExitsWith: .success) {
            alarm(60)
            let directory = TemporaryDirectory()
            let path = directory.path("store")
            let environment = try Environment.open(testOptions(path))
            let rings = Rings()
            let listener = environment.listen { rings.ring() }
            // What the child is to do has been done once, and the watching thread sleeps: a fork leaves locks of Swift's runtime held by
            // whoever made the metadata of a type at that moment.
            try environment.write { try $0.put(environment.plain, ByteKey("child"), ByteKey("x")) }
            try environment.write { _ = try $0.delete(environment.plain, ByteKey("child")) }
            usleep(200_000)
            let before = rings.count
            let status = SystemCall.inFork {
                alarm(60)
                do {
                    let own = try Environment.open(testOptions(path))
                    let ownRings = Rings()
                    let ownListener = own.listen { ownRings.ring() }
                    try own.write { try $0.put(own.plain, ByteKey("child"), ByteKey("x")) }
                    guard ownRings.count == 1, rings.count == before else { return 1 }
                    ownListener.stop()
                    listener.stop()
                } catch {
                    return 2
                }
                return 0
            }
            #expect(status == 0)
            // Heard, not only seen: once this process has made a newer version, the child's is not told of any more.
            try rings.wait { try rings.count > before && environment.count() == 1 }
            try environment.write { try $0.put(environment.plain, ByteKey("parent"), ByteKey("x")) }
            #expect(rings.count >= before + 2)
            listener.stop()
        }
    }
}
