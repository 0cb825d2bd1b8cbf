import Glibc
import LMDB
import TestSupport
import Testing

@Suite struct TransactionTests {
    let directory = TemporaryDirectory()
    let environment: Environment
    var plain: Database { environment.plain }
    var sorted: Database { environment.sorted }

    init() throws {
        environment = try Environment.open(testOptions(directory.path("store")))
    }

    @Test func `what is committed is read by the next transaction, and not by the one before`() throws {
        let before = try environment.beginRead()
        try environment.write { try $0.put(plain, ByteKey(1 as UInt64), ByteKey(2 as UInt64)) }
        #expect(try before.get(plain, ByteKey(1 as UInt64)) == nil)
        let after = try environment.beginRead()
        #expect(try bytes(after.get(plain, ByteKey(1 as UInt64))) == [0, 0, 0, 0, 0, 0, 0, 2])
        #expect(after.id == before.id + 1)
        try before.renew()
        #expect(before.id == after.id)
        #expect(try before.get(plain, ByteKey(1 as UInt64)) != nil)
    }

    @Test func `what is aborted or dropped was never there, and the next writer gets in`() throws {
        let aborted = try environment.beginWrite()
        try aborted.put(plain, ByteKey("a"), ByteKey("1"))
        aborted.abort()
        aborted.abort()
        do {
            let dropped = try environment.beginWrite()
            try dropped.put(plain, ByteKey("b"), ByteKey("1"))
        }
        #expect(try environment.count() == 0)
        try environment.write { try $0.put(plain, ByteKey("c"), ByteKey("1")) }
        #expect(try environment.count() == 1)
    }

    @Test func `an ended transaction throws`() throws {
        let write = try environment.beginWrite()
        try write.commit()
        _ = failure(.closed) { try write.put(plain, ByteKey("a"), ByteKey("1")) }
        _ = failure(.closed) { try write.commit() }
        let read = try environment.beginRead()
        read.abort()
        _ = failure(.closed) { _ = try read.get(plain, ByteKey("a")) }
        _ = failure(.closed) { _ = try read.makeCursor(plain) }
    }

    @Test func `a child is part of its parent when it commits, and nothing when it aborts`() throws {
        try environment.write { parent in
            try parent.put(plain, ByteKey("a"), ByteKey("1"))
            let first = try parent.makeChild()
            try first.put(plain, ByteKey("b"), ByteKey("1"))
            try first.commit()
            let second = try parent.makeChild()
            #expect(try second.delete(plain, ByteKey("a")))
            second.abort()
            try parent.put(plain, ByteKey("c"), ByteKey("1"))
        }
        #expect(try environment.count() == 3)
    }

    @Test func `keys of no bytes and of more than 511 are refused and the transaction goes on`() throws {
        try environment.write { transaction in
            let value = ByteKey("1")
            _ = failure(.badSize) { try transaction.put(plain, [UInt8](repeating: 1, count: 512), value) }
            _ = failure(.badSize) { try transaction.put(plain, [], value) }
            try transaction.put(plain, [UInt8](repeating: 1, count: 511), value)
        }
        #expect(try environment.count() == 1)
    }

    @Test func `what exists and is not to be overwritten is an error and the transaction goes on`() throws {
        try environment.write { transaction in
            try transaction.put(plain, ByteKey("b"), ByteKey("1"))
            _ = failure(.keyExists) { try transaction.put(plain, ByteKey("b"), ByteKey("2"), .noOverwrite) }
            _ = failure(.keyExists) { try transaction.put(plain, ByteKey("a"), ByteKey("2"), .append) }
            try transaction.put(sorted, ByteKey("b"), ByteKey(2 as UInt64))
            // LMDB takes a pair that is there in silence: uniqueness needs a look-up.
            try transaction.put(sorted, ByteKey("b"), ByteKey(2 as UInt64))
            _ = failure(.keyExists) { try transaction.put(sorted, ByteKey("b"), ByteKey(2 as UInt64), .noDuplicate) }
            _ = failure(.keyExists) {
                try transaction.put(sorted, ByteKey("b"), ByteKey(1 as UInt64), .appendDuplicate)
            }
        }
        #expect(try environment.count() == 1)
        #expect(try environment.count(sorted) == 1)
    }

    @Test func `deleting tells whether it was there`() throws {
        try environment.write { transaction in
            for number in 1...3 as ClosedRange<UInt64> { try transaction.put(sorted, ByteKey("a"), ByteKey(number)) }
            #expect(try transaction.delete(sorted, ByteKey("a"), ByteKey(2 as UInt64)))
            #expect(try !transaction.delete(sorted, ByteKey("a"), ByteKey(2 as UInt64)))
            #expect(try transaction.statistics(sorted).entryCount == 2)
            #expect(try transaction.delete(sorted, ByteKey("a")))
            #expect(try !transaction.delete(sorted, ByteKey("a")))
            try transaction.put(plain, ByteKey("a"), ByteKey("1"))
            try transaction.clear(plain)
            #expect(try transaction.get(plain, ByteKey("a")) == nil)
        }
    }

    @Test func `after an error of a write the commit throws it and keeps nothing`() throws {
        let transaction = try environment.beginWrite()
        try transaction.put(plain, ByteKey("a"), ByteKey("1"))
        let (hasFired, _) = Faults.withFailure(ofCall: 1, returnCode: -30796) {
            try transaction.put(plain, ByteKey("b"), ByteKey("1"))
        }
        #expect(hasFired)
        _ = failure(.corrupted) { try transaction.commit() }
        #expect(try environment.count() == 0)
        try environment.write { try $0.put(plain, ByteKey("a"), ByteKey("1")) }
        #expect(try environment.count() == 1)
    }

    @Test func `room on a dirty page of its own still holds the value, on a clean one it is new`() throws {
        try environment.write { try $0.fill(plain, 7..<8) }
        try environment.write { transaction in
            let fresh = try transaction.reserve(plain, ByteKey(7 as UInt64), byteCount: 4080)
            fresh.initializeMemory(as: UInt8.self, repeating: 9, count: 4080)
            let again = try transaction.reserve(plain, ByteKey(7 as UInt64), byteCount: 4080)
            #expect(again == fresh)
            #expect(UnsafeRawBufferPointer(start: again, count: 4080).allSatisfy { $0 == 9 })
            again.storeBytes(of: 1, as: UInt8.self)
            let cursor = try transaction.makeCursor(plain)
            #expect(try cursor.seek(ByteKey(7 as UInt64)))
            let current = try cursor.reserve(ByteKey(7 as UInt64), byteCount: 4080, replacingCurrent: true)
            #expect(current == fresh)
            #expect(current.load(as: UInt8.self) == 1)
        }
        #expect(try environment.beginRead().get(plain, ByteKey(7 as UInt64))?.prefix(2).elementsEqual([1, 9]) == true)
    }

    @Test func `threads read one snapshot at once, each by cursors of its own, while another writes`() async throws {
        try environment.write { try $0.fill(plain, 0..<200) }
        let snapshot = try environment.beginRead()
        let environment = environment
        try await onThreads(4) { thread in
            if thread == 0 {
                for round in 0..<20 as Range<UInt64> {
                    try environment.write { try $0.fill(environment.plain, 1000 + round..<1001 + round) }
                }
                return
            }
            for _ in 0..<20 {
                let cursor = try snapshot.makeCursor(environment.plain)
                var count = 0
                while try cursor.next() { count += cursor.value.count }
                #expect(count == 200 * 4080)
                #expect(try snapshot.get(environment.plain, ByteKey(UInt64(thread))) != nil)
            }
        }
        #expect(try environment.count() == 220)
    }

    @Test func `statistics count pages, versions and readers`() throws {
        try environment.write { try $0.fill(plain, 0..<100) }
        let pinned = try environment.beginRead()
        try environment.write { try $0.clear(plain) }
        let statistics = try environment.statistics()
        #expect(statistics.fileBytes >= statistics.usedBytes + statistics.freeBytes)
        #expect(statistics.freeBytes >= 100 * 4096)
        #expect(statistics.lastTransactionID == pinned.id + 1)
        #expect(statistics.readers.contains { $0.transactionID == pinned.id && $0.processID == Int(getpid()) })
        // What this version freed the snapshot before it still sees.
        #expect(statistics.pinnedBytes >= 100 * 4096 && statistics.pinnedBytes <= statistics.freeBytes)
        let process = try #require(statistics.processes.first { $0.processID == Int(getpid()) })
        #expect(process.readerCount == statistics.readers.count { $0.processID == Int(getpid()) })
        #expect(process.commitsBehind == 1)
        pinned.abort()
        let after = try environment.statistics()
        #expect(!after.readers.contains { $0.transactionID == pinned.id })
        #expect(after.pinnedBytes == 0 && after.freeBytes == statistics.freeBytes)
    }
}
