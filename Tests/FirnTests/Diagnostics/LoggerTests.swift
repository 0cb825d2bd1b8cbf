import Foundation
import Synchronization
import Testing

@testable import Firn

@Suite struct LoggerTests {
    final class Counter: Object {
        @Persisted var number = 0

        override static func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Messages: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }

        func add(_ level: LogLevel, _ message: String) {
            lines.withLock { $0.append("\(level): \(message)") }
        }
    }

    @Test func `levels are Realm's, in its order`() {
        #expect(LogLevel.allCases == [.off, .fatal, .error, .warn, .info, .detail, .debug, .trace, .all])
        #expect(LogLevel.allCases.map(\.rawValue) == Array(0...8))
        #expect(LogLevel.allCases.sorted() == LogLevel.allCases)
        #expect(
            LogLevel.allCases.map(\.description) == [
                "off", "fatal", "error", "warning", "info", "detail", "debug", "trace", "all",
            ])
    }

    @Test(arguments: LogLevel.allCases) func `a logger receives messages up to its level`(level: LogLevel) {
        let messages = Messages()
        let logger = Logger(level: level) { messages.add($0, $1) }
        #expect(logger.level == level)
        let sent = LogLevel.allCases.dropFirst()
        for other in sent { logger.log(other, "text") }
        logger.log(.off, "nothing")
        #expect(messages.all == sent.filter { $0 <= level }.map { "\($0): text" })
        logger.level = .off
        logger.log(.fatal, "nothing")
        #expect(messages.all.count == sent.filter { $0 <= level }.count)
        logger.level = .fatal
        logger.log(.fatal, "text")
        #expect(messages.all.last == "fatal: text")
    }

    @Test func `a message that nobody receives is not made`() {
        let logger = Logger(level: .warn) { _, _ in }
        var count = 0
        func message() -> String {
            count += 1
            return ""
        }
        logger.log(.info, message())
        #expect(count == 0)
        logger.log(.warn, message())
        #expect(count == 1)
    }

    @Test func `the library's own logger writes warnings and worse to standard error`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            #expect(Logger.shared.level == .warn)
            Logger.shared.log(.warn, "something to know")
            Logger.shared.log(.info, "something to skip")
            Logger.shared.level = .info
            Logger.shared.log(.info, "something more")
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("Firn: warning: something to know\nFirn: info: something more\n"), "\(output)")
        #expect(!output.contains("skip"))
    }

    // MARK: Pinned versions

    /// A store with an object in it, in which a frozen realm and a live one of another thread are left behind; gives what the
    /// logger has received after each number of commits.
    private static func messages(afterCommits counts: [Int], level: LogLevel) throws -> [[String]] {
        let messages = Messages()
        Logger.shared = Logger(level: level) { messages.add($0, $1) }
        let configuration = Realm.Configuration(inMemoryIdentifier: "pinned", objectTypes: [Counter.self])
        let realm = try Realm(configuration: configuration)
        let counter = Counter()
        try realm.write { realm.add(counter) }
        let frozen = realm.freeze()
        var received: [[String]] = []
        for count in counts {
            for _ in 0..<count { try realm.write { counter.number += 1 } }
            received.append(messages.all)
        }
        withExtendedLifetime(frozen) {}
        return received
    }

    @Test func `who keeps a version through more than 5,000 commits is warned of, once`() async {
        await #expect(processExitsWith: .success) {
            let received = try LoggerTests.messages(afterCommits: [5000, 200, 300], level: .warn)
            #expect(received[0] == [])
            #expect(received[1].count == 1)
            #expect(received[2] == received[1])
            let message = try #require(received[1].first)
            #expect(message.hasPrefix("warning: Version 2 of pinned has been kept since 2"), "\(message)")
            #expect(message.contains(" by a frozen realm of thread "), "\(message)")
            #expect(message.contains(", and 50") && message.contains(" commits have followed."), "\(message)")
            #expect(message.contains("Realm.diagnostics(for:)"), "\(message)")
        }
    }

    @Test func `who does not want to be warned is not`() async {
        await #expect(processExitsWith: .success) {
            let received = try LoggerTests.messages(afterCommits: [5200], level: .error)
            #expect(received == [[]])
        }
    }
}
