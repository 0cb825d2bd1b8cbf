import Foundation
import LMDB
import Synchronization
import TestSupport
import Testing

@Suite struct GateTests {
    let directory = TemporaryDirectory()
    let environment: Environment
    var path: String { environment.path }

    init() throws {
        environment = try Environment.open(testOptions(directory.path("store")))
    }

    @Test func `a write that does not wait is refused with the name of the holder`() async throws {
        let write = try environment.beginWrite("the import, import.swift:12", onWriterThread: true)
        let environment = environment
        try await onNewThread {
            let error = failure(.writerTimeout) {
                _ = try environment.beginWrite(
                    WriteRequest(triesOnly: true, holder: WriterDescription(text: "a second writer")))
            }
            #expect(error?.message.contains("the import, import.swift:12") == true)
        }
        #expect(environment.currentWriter?.text == "the import, import.swift:12")
        write.abort()
        #expect(environment.currentWriter == nil)
    }

    @Test func `a write waits until its deadline, then leaves the line`() async throws {
        let write = try environment.beginWrite(onWriterThread: true)
        let environment = environment
        try await onNewThread {
            _ = failure(.writerTimeout) { _ = try environment.beginWrite("late", within: .milliseconds(20)) }
            _ = failure(.writerTimeout) { _ = try environment.beginWrite("late", within: .seconds(-1)) }
        }
        write.abort()
        try environment.write { _ in }
    }

    final class Order: Sendable {
        private let list = Mutex<[Int]>([])
        var numbers: [Int] { list.withLock { $0 } }
        func append(_ number: Int) { list.withLock { $0.append(number) } }
    }

    @Test func `writers get their turns in the order in which they asked`() async throws {
        let environment = environment
        let first = try environment.beginWrite("first", onWriterThread: true)
        let order = Order()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    try await onNewThread { try environment.write { _ in order.append(number) } }
                }
                // The line tells when this one stands in it.
                await wait { environment.waitingWriterCount > number }
            }
            first.abort()
            try await group.waitForAll()
        }
        #expect(order.numbers == Array(0..<8))
    }

    @Test func `many threads write one after another`() async throws {
        let environment = environment
        try await onThreads(8) { thread in
            for round in 0..<25 {
                try environment.write { transaction in
                    let key = ByteKey("counter")
                    let count = try transaction.get(environment.plain, key)?.loadUnaligned(as: UInt64.self) ?? 0
                    try transaction.put(environment.plain, key, ByteKey((count + 1).byteSwapped))
                    try transaction.put(environment.plain, ByteKey(UInt64(thread), UInt32(round)), ByteKey("x"))
                }
            }
        }
        let count = try environment.beginRead().get(environment.plain, ByteKey("counter"))
        #expect(count?.loadUnaligned(as: UInt64.self) == 200)
        #expect(try environment.count() == 201)
    }

    @Test func `a thread that would wait for itself under another identity traps, unless it waits shortly`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [path = directory.path("trap") as String] in
            let environment = try Environment.open(testOptions(path))
            let outer = try environment.beginWrite("the outer one")
            var inner = WriteRequest(holder: WriterDescription(text: "the inner one", identity: 7))
            inner.deadline = .now
            #expect(throws: LMDBError.self) { try environment.beginWrite(inner) }
            inner.deadline = nil
            _ = try environment.beginWrite(inner)
            withExtendedLifetime(outer) {}
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("the inner one asks for what the outer one holds"))
    }

    @Test func `a write inside a write of the same identity traps and names both`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [path = directory.path("trap") as String] in
            let environment = try Environment.open(testOptions(path))
            let outer = try environment.beginWrite("the outer one, a.swift:1")
            let inner = try environment.beginWrite("the inner one, b.swift:2")
            withExtendedLifetime((outer, inner)) {}
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("the inner one, b.swift:2 asks for what the outer one, a.swift:1 holds"))
    }

    @Test func `identities of the caller's own hold the gate like threads`() throws {
        func request(_ identity: UInt64) -> WriteRequest {
            WriteRequest(
                onWriterThread: true, triesOnly: true,
                holder: WriterDescription(text: "\(identity)", identity: identity))
        }
        let write = try environment.beginWrite(request(1 << 63))
        let error = failure(.writerTimeout) { _ = try environment.beginWrite(request(1 << 63 + 1)) }
        #expect(error?.message.contains("\(1 << 63 as UInt64)") == true)
        write.abort()
    }

    @Test func `a transaction of the writer thread begins on one thread and ends on another`() async throws {
        let environment = environment
        for number in 0..<10 as Range<UInt64> {
            nonisolated(unsafe) let write = try await onNewThread {
                nonisolated(unsafe) let write = try environment.beginWrite(onWriterThread: true)
                try write.put(environment.plain, ByteKey(number), ByteKey("x"))
                return Box(write)
            }.value
            try await onNewThread {
                try write.put(environment.plain, ByteKey(100 + number), ByteKey("x"))
                if number % 2 == 0 { try write.commit() } else { write.abort() }
            }
        }
        try environment.write { _ in }
        #expect(try environment.count() == 10)
        // LMDB's own mutex is free for other processes too.
        let path = path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let environment = try Environment.open(testOptions(path))
            try environment.write { try $0.put(environment.plain, ByteKey("other"), ByteKey("x")) }
        }
        #expect(try environment.count() == 11)
    }

    /// Carries a transaction from the thread that began it to the one that ends it.
    struct Box: @unchecked Sendable {
        let value: WriteTransaction
        init(_ value: WriteTransaction) { self.value = value }
    }

    @Test func `ending a transaction on another thread than it began on traps`() async {
        await #expect(processExitsWith: .failure) { [path = directory.path("trap") as String] in
            let environment = try Environment.open(testOptions(path))
            nonisolated(unsafe) let write = try environment.beginWrite()
            try await onNewThread { try write.commit() }
        }
    }

    @Test func `a stopped process holds the gate, and the error names it`() async throws {
        let (ready, done) = (Baton(directory.path("ready")), Baton(directory.path("done")))
        let environment = environment
        let path = path
        let companion = Companion {
            let processID = ready.take()
            let error = failure(.writerTimeout) { _ = try environment.beginWrite(within: .milliseconds(50)) }
            #expect(error?.message.contains("process \(processID) has") == true, "\(error?.message ?? "")")
            _ = failure(.writerTimeout) {
                _ = try environment.beginWrite(
                    WriteRequest(triesOnly: true, holder: WriterDescription(text: "a try")))
            }
            // Reading goes on all the while.
            #expect(try environment.count() == 0)
            #expect(try environment.otherProcess() == Int32(processID))
            // It may not have stopped yet, and would then miss the signal.
            while !Self.isStopped(processID) { sched_yield() }
            kill(try #require(Int32(processID)), SIGCONT)
            _ = done.take()
            try environment.write { _ in }
        }
        await #expect(processExitsWith: .success) {
            [path = path as String, ready = ready as Baton, done = done as Baton] in
            // Should the test that waits for this process die.
            alarm(60)
            let environment = try Environment.open(testOptions(path))
            let write = try environment.beginWrite()
            ready.pass("\(getpid())")
            raise(SIGSTOP)
            write.abort()
            done.pass()
        }
        try companion.value()
        #expect(try environment.otherProcess() == nil)
    }

    static func isStopped(_ processID: String) -> Bool {
        let status = try? String(contentsOfFile: "/proc/\(processID)/stat", encoding: .utf8)
        return status?.split(separator: ")").last?.hasPrefix(" T") ?? true
    }

    @Test(arguments: [false, true]) func `a killed writer blocks nobody and nothing of it is kept`(waits: Bool)
        async throws
    {
        let ready = Baton(directory.path("ready"))
        let environment = environment
        let path = path
        let companion = Companion {
            let processID = try #require(Int32(ready.take()))
            let waiting = waits ? Companion { try environment.write { _ in } } : nil
            kill(processID, SIGKILL)
            try environment.write { _ in }
            try waiting?.value()
        }
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, ready = ready as Baton] in
            // Should the test that waits for this process die.
            alarm(60)
            let environment = try Environment.open(testOptions(path))
            try environment.write { try $0.put(environment.plain, ByteKey("kept"), ByteKey("x")) }
            let write = try environment.beginWrite()
            try write.fill(environment.plain, 0..<5000)
            ready.pass("\(getpid())")
            while true { pause() }
        }
        try companion.value()
        #expect(try environment.count() == 1)
    }
}
