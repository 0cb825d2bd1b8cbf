import LMDB
import TestSupport
import Testing

@Suite struct PageCheckTests {
    private let directory = TemporaryDirectory()
    private var path: String { directory.path("a") }

    /// An environment with trees of several levels in both databases, one of them inside of a key's values, and with
    /// free pages.
    private func makeEnvironment() throws -> Environment {
        let environment = try Environment.open(testOptions(path))
        try environment.write { transaction in
            try transaction.fill(environment.plain, 0..<500)
            for number in 0..<3000 as Range<UInt64> {
                try transaction.put(environment.sorted, ByteKey(number % 3), ByteKey(number), [])
                try transaction.put(environment.sorted, ByteKey(number + 10), ByteKey(number), [])
            }
        }
        try environment.write { transaction in
            for number in stride(from: 0, to: 500, by: 2) as StrideTo<UInt64> {
                _ = try transaction.delete(environment.plain, ByteKey(number))
            }
        }
        return environment
    }

    @Test func `a sound file has no problems, and every page is read once`() throws {
        let environment = try makeEnvironment()
        var pages: [String: [UInt64]] = [:]
        #expect(try PageCheck.check(path) { pages[$0, default: []].append($1) } == [])
        #expect(pages["plain"]?.count ?? 0 > 250)
        #expect(pages["sorted"]?.count ?? 0 > 3)
        let all = pages.values.joined()
        #expect(Set(all).count == all.count)
        let statistics = try environment.statistics()
        #expect(statistics.usedBytes == (all.count + 2) * 4096)
        #expect(statistics.freeBytes > 0)
        let counts = try PageCount.pages(path, during: environment.beginRead())
        #expect(counts["plain"] == pages["plain"]?.count)
        #expect(counts["sorted"] == pages["sorted"]?.count)
    }

    @Test func `the version of an open transaction is checked while others write`() throws {
        let environment = try makeEnvironment()
        let read = try environment.beginRead()
        try environment.write { try $0.fill(environment.plain, 1000..<1100) }
        #expect(try PageCheck.check(path, during: read) == [])
        // Two commits later the file no longer says where that version begins.
        try environment.write { try $0.fill(environment.plain, 1100..<1200) }
        let failure = failure(.other) { _ = try PageCheck.check(path, during: read) }
        #expect(failure?.message.contains("try again") == true)
        #expect(try PageCheck.check(path) == [])
    }

    @Test func `an empty store has no problems`() throws {
        _ = try Environment.open(testOptions(path))
        #expect(try PageCheck.check(path) == [])
    }
}
