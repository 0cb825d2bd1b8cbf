import Foundation
import LMDB
import TestSupport
import Testing

/// Forks, and other processes with the same file.
@Suite struct ProcessTests {
    let directory = TemporaryDirectory()
    var path: String { directory.path("store") }

    @Test func `in a fork's child everything throws, nothing is freed, and the parent goes on`() async {
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            let path = directory.path("store")
            let environment = try Environment.open(testOptions(path))
            try environment.write { try $0.fill(environment.plain, 0..<10) }
            var snapshot: ReadTransaction? = try environment.beginRead()
            var write: WriteTransaction? = try environment.beginWrite(onWriterThread: true)
            try write?.put(environment.plain, ByteKey("a"), ByteKey("x"))
            let status = SystemCall.inFork {
                func isRefused(_ body: () throws -> Void) -> Bool {
                    do { try body() } catch { return (error as? LMDBError)?.code == .usedAfterFork }
                    return false
                }
                guard isRefused({ _ = try environment.beginRead() }) else { return 1 }
                guard isRefused({ _ = try environment.beginWrite() }) else { return 2 }
                guard isRefused({ try write?.commit() }) else { return 3 }
                snapshot = nil
                write = nil
                return 0
            }
            #expect(status == 0)
            // The parent's snapshot still has its place.
            #expect(environment.readers().contains { $0.transactionID == snapshot?.id })
            #expect(try snapshot?.statistics(environment.plain).entryCount == 10)
            try write?.commit()
            #expect(try environment.count() == 11)
        }
    }

    @Test func `a fork's child opens the file anew`() async {
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            let path = directory.path("store")
            let environment = try Environment.open(testOptions(path))
            let status = SystemCall.inFork {
                do {
                    let own = try Environment.open(testOptions(path))
                    guard own !== environment else { return 1 }
                    try own.write { try $0.fill(own.plain, 0..<10) }
                } catch {
                    return 2
                }
                return 0
            }
            #expect(status == 0)
            #expect(try environment.count() == 10)
            try environment.write { _ in }
        }
    }

    @Test func `a fork's child does not keep its parent's gate locked`() async throws {
        let (ready, path) = (Baton(directory.path("ready")), path)
        let environment = try Environment.open(testOptions(path))
        let companion = Companion {
            let processes = ready.take().split(separator: " ").compactMap { Int32($0) }
            kill(processes[0], SIGKILL)
            defer { kill(processes[1], SIGKILL) }
            try environment.write { _ in }
        }
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, ready = ready as Baton] in
            alarm(60)
            let environment = try Environment.open(testOptions(path))
            let write = try environment.beginWrite()
            _ = SystemCall.inFork {
                alarm(60)
                // It lives on when its parent is killed.
                ready.pass("\(getppid()) \(getpid())")
                while true { pause() }
            }
            withExtendedLifetime(write) {}
        }
        try companion.value()
    }

    @Test func `a fork's child opens the file while its parent's other threads look at files`() async {
        // What they hold at the fork nobody gives back in the child.
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            let path = directory.path("store")
            do { _ = try Environment.open(testOptions(path)) }
            let isOver = Locked(false)
            try await onThreads(3) { number in
                if number > 0 {
                    while !isOver.withLock({ $0 }) { _ = Environment.isOpen(path) }
                } else {
                    for _ in 0..<100 {
                        let status = SystemCall.inFork {
                            alarm(20)
                            do { _ = try Environment.open(testOptions(path)) } catch { return 1 }
                            return 0
                        }
                        #expect(status == 0)
                        guard status == 0 else { break }
                    }
                    isOver.withLock { $0 = true }
                }
            }
        }
    }

    @Test func `a file that others delete all the time is opened, or made, and never an empty one`() async throws {
        let (isOver, path, end) = (Locked(false), path, directory.path("end"))
        let deleter = Companion {
            var count = 0
            // The test may go on much later than the process has ended.
            while access(end, F_OK) != 0, !isOver.withLock({ $0 }) {
                do {
                    if try Environment.deleteFiles(path) { count += 1 }
                } catch let error as LMDBError where error.code == .alreadyOpen {}
            }
            return count
        }
        await #expect(processExitsWith: .success) { [path = path as String, end = end as String] in
            alarm(300)
            defer { _ = FileManager.default.createFile(atPath: end, contents: nil) }
            for number in 0..<400 as Range<UInt64> {
                let environment = try Environment.open(testOptions(path))
                try environment.write { try $0.put(environment.plain, ByteKey(number), ByteKey("x")) }
                // The lock is that which others find.
                let mapped = try ProcessTests.mappedFiles()
                #expect(!mapped.contains { $0.hasSuffix("(deleted)") })
            }
        }
        isOver.withLock { $0 = true }
        #expect(try deleter.value() > 0)
        _ = try Environment.open(testOptions(path))
    }

    /// What the process has mapped from directories of tests.
    static func mappedFiles() throws -> [Substring] {
        try String(contentsOfFile: "/proc/self/maps", encoding: .utf8).split(separator: "\n")
            .filter { $0.contains("firn-test") }
    }

    @Test func `a lock file that a program of another kind takes away is noticed`() async throws {
        let (ready, path) = (Baton(directory.path("ready")), path)
        do { _ = try Environment.open(testOptions(path)) }
        let opener = Companion {
            _ = ready.take()
            return try Environment.open(testOptions(path))
        }
        await #expect(processExitsWith: .success) { [path = path as String, ready = ready as Baton] in
            alarm(60)
            let lock = path + "-lock"
            let descriptor = open(lock, O_RDWR | O_CLOEXEC)
            var status = stat()
            #expect(fstat(descriptor, &status) == 0)
            var range = flock()
            range.l_type = Int16(F_WRLCK)
            range.l_len = 1
            #expect(fcntl(descriptor, F_SETLK, &range) == 0)
            ready.pass()
            // LMDB waits for the lock in the other process.
            func isWaitedFor() throws -> Bool {
                try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n")
                    .contains { $0.contains("->") && $0.contains(":\(status.st_ino) ") }
            }
            // Should the opener be that late, it meets no lock file, which it must notice as well.
            let end = ContinuousClock.now + .seconds(20)
            while try !isWaitedFor(), ContinuousClock.now < end { sched_yield() }
            unlink(lock)
        }
        let environment = try opener.value()
        let processID = getpid()
        await #expect(processExitsWith: .success) { [path = path as String, processID = processID as Int32] in
            let user = try Environment.otherProcess(using: path)
            #expect(user == processID)
        }
        withExtendedLifetime(environment) {}
    }

    @Test func `two processes write in turns and see each other's commits`() async throws {
        let environment = try Environment.open(testOptions(path))
        let path = path
        let companion = Companion {
            for number in 0..<200 as Range<UInt64> {
                try environment.write { try $0.put(environment.plain, ByteKey(number, 0 as UInt32), ByteKey("x")) }
            }
        }
        await #expect(processExitsWith: .success) { [path = path as String] in
            let environment = try Environment.open(testOptions(path))
            for number in 0..<200 as Range<UInt64> {
                try environment.write { try $0.put(environment.plain, ByteKey(number, 1 as UInt32), ByteKey("x")) }
            }
        }
        try companion.value()
        #expect(try environment.count() == 400)
    }

    @Test func `two processes that create one file at once share it`() async throws {
        for round in 0..<4 {
            let path = directory.path("store\(round)")
            if round % 2 == 1 {
                // One of them takes away the lock file of a store that was deleted.
                do { _ = try Environment.open(testOptions(path)) }
                try FileManager.default.removeItem(atPath: path)
            }
            func run(_ number: UInt64) async {
                await #expect(processExitsWith: .success) { [path = path as String, number = number as UInt64] in
                    var options = testOptions(path)
                    options.initialize = { try $0.put($1[0], ByteKey("made once"), ByteKey(number)) }
                    let environment = try Environment.open(options)
                    try environment.write { try $0.put(environment.plain, ByteKey(number), ByteKey("x")) }
                }
            }
            async let first: Void = run(1)
            async let second: Void = run(2)
            _ = await (first, second)
            #expect(try Environment.open(testOptions(path)).count() == 3)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).count == 12)
    }

    @Test func `a process killed at any moment leaves a store with every commit it acknowledged`() async throws {
        for round in 0..<5 {
            let (ready, path) = (Baton(directory.path("ready\(round)")), directory.path("store\(round)"))
            let companion = Companion {
                let processID = try #require(Int32(ready.take()))
                // Some commits later than now.
                let log = path + "-acknowledged"
                while (try? Data(contentsOf: URL(fileURLWithPath: log)))?.count ?? 0 < 50 + 37 * round { sched_yield() }
                kill(processID, SIGKILL)
            }
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, ready = ready as Baton] in
                alarm(60)
                let environment = try Environment.open(testOptions(path))
                let log = open(path + "-acknowledged", O_WRONLY | O_CREAT, 0o600)
                ready.pass("\(getpid())")
                for number in 0... as PartialRangeFrom<UInt64> {
                    try environment.write { try $0.fill(environment.plain, number * 3..<number * 3 + 3) }
                    Glibc.write(log, "x", 1)
                }
            }
            try companion.value()
            let acknowledged = try Data(contentsOf: URL(fileURLWithPath: path + "-acknowledged")).count
            let environment = try Environment.open(testOptions(path))
            let count = try environment.count()
            #expect(count % 3 == 0)
            #expect(count / 3 == acknowledged || count / 3 == acknowledged + 1)
            let cursor = try environment.beginRead().makeCursor(environment.plain)
            while try cursor.next() {
                let isWhole = cursor.value.count == 4080 && cursor.value.allSatisfy { $0 == cursor.key.last }
                #expect(isWhole)
            }
            try environment.write { try $0.fill(environment.plain, 0..<3) }
        }
    }
}
