import TestSupport
import Testing

@testable import LMDB

/// What the layers above rely on in the library itself. When one of these fails the library has changed: read its
/// change log before the test is.
@Suite struct LibraryTests {
    let directory = TemporaryDirectory()
    let environment: Environment
    var plain: Database { environment.plain }
    var sorted: Database { environment.sorted }

    init() throws {
        environment = try Environment.open(testOptions(directory.path("store")))
    }

    @Test func `it is version 0.9.24, whose faults this library goes around`() {
        let (major, minor, patch) = Calls.version()
        #expect([major, minor, patch] == [0, 9, 24])
    }

    @Test func `deleting forwards through sorted values visits each once`() throws {
        try environment.write { transaction in
            for (key, count) in [("a", 1000), ("b", 1), ("c", 1), ("d", 2), ("e", 997)] as [(StaticString, UInt64)] {
                for number in 0..<count { try transaction.put(sorted, ByteKey(key), ByteKey(number)) }
            }
            #expect(try transaction.statistics(sorted).entryCount == 2001)
            let cursor = try transaction.makeCursor(sorted)
            var visited = 0
            var isThere = try cursor.first()
            while isThere {
                visited += 1
                try cursor.delete()
                isThere = try cursor.current()
            }
            #expect(visited == 2001)
        }
        #expect(try environment.count(sorted) == 0)
    }

    @Test func `after a sorted value of another size is deleted and put, its neighbours are whole`() throws {
        // Replacing it in place mixes rows up (ITS#8447), so nothing here does.
        try environment.write { transaction in
            for number in 0..<500 as Range<UInt64> { try transaction.put(sorted, ByteKey("a"), ByteKey(number)) }
            for number in stride(from: 0, to: 500 as UInt64, by: 7) {
                #expect(try transaction.delete(sorted, ByteKey("a"), ByteKey(number)))
                try transaction.put(sorted, ByteKey("a"), ByteKey(number + 10_000))
            }
        }
        #expect(try environment.count(sorted) == 500)
    }

    @Test func `after the end next finds nothing until the cursor seeks again`() throws {
        // ITS#9723: the first value of a key, sought at the end, keeps the mark of the end; SET_KEY does not.
        try environment.write { transaction in
            for number in 0..<3 as Range<UInt64> { try transaction.put(sorted, ByteKey("a"), ByteKey(number)) }
            let cursor = try transaction.makeCursor(sorted)
            while try cursor.next() {}
            #expect(try cursor.seek(ByteKey("a")))
            #expect(try cursor.next())
            #expect(try cursor.next())
            #expect(try !cursor.next())
        }
    }

    @Test func `deleting the only key ends every walk`() throws {
        // ITS#10346: later versions were seen to start over or to loop.
        try environment.write { transaction in
            try transaction.put(plain, ByteKey("only"), ByteKey("x"))
            let cursor = try transaction.makeCursor(plain)
            #expect(try cursor.first())
            try cursor.delete()
            #expect(try !cursor.next())
            #expect(try !cursor.first())
        }
    }

    @Test func `values of 4,080 bytes take one page, one more byte takes two`() throws {
        try environment.write { transaction in
            let before = try transaction.statistics(plain).pageCount
            _ = try transaction.reserve(plain, ByteKey(1 as UInt64), byteCount: 4080)
                .initializeMemory(as: UInt8.self, repeating: 0, count: 4080)
            let one = try transaction.statistics(plain).pageCount
            _ = try transaction.reserve(plain, ByteKey(2 as UInt64), byteCount: 4081)
                .initializeMemory(as: UInt8.self, repeating: 0, count: 4081)
            let three = try transaction.statistics(plain).pageCount
            // The first value brings the tree's root as well.
            #expect(one - before == 2)
            #expect(three - one == 2)
        }
    }

    @Test func `a value of its own page has the page's number before it`() throws {
        try environment.write { transaction in
            try transaction.fill(plain, 0..<50)
            #expect(transaction.highestReservedPage >= 50 && transaction.highestReservedPage < 80)
        }
    }

    @Test func `a snapshot costs the pages freed after it until it ends`() throws {
        try environment.write { try $0.fill(plain, 0..<10) }
        let pinned = try environment.beginRead()
        for _ in 0..<50 { try environment.write { try $0.fill(plain, 0..<10) } }
        let grown = try environment.statistics().fileBytes
        #expect(grown > 50 * 10 * 4096)
        pinned.abort()
        for _ in 0..<50 { try environment.write { try $0.fill(plain, 0..<10) } }
        #expect(try environment.statistics().fileBytes == grown)
    }
}
