import Foundation
import Synchronization

/// How much a `Logger` says: each level says what those before it say, and more.
public enum LogLevel: UInt, Sendable, CaseIterable {
    /// Nothing.
    case off
    /// What ends the program.
    case fatal
    /// What went wrong: something that the program did was not done.
    case error
    /// What works, and will be trouble.
    case warn
    /// What happens in the large.
    case info
    /// What happens, in more detail.
    case detail
    /// What helps to find a fault.
    case debug
    /// Each step.
    case trace
    /// Everything.
    case all
}

extension LogLevel: Comparable {
    /// Whether the left one says less.
    public static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension LogLevel: CustomStringConvertible {
    /// The level as messages begin with it.
    public var description: String {
        switch self {
        case .off: "off"
        case .fatal: "fatal"
        case .error: "error"
        case .warn: "warning"
        case .info: "info"
        case .detail: "detail"
        case .debug: "debug"
        case .trace: "trace"
        case .all: "all"
        }
    }
}

/// Where the library says what it has no other way to say: what no call can throw, and what will be trouble.
///
///     Logger.shared = Logger(level: .info) { level, message in
///         journal.append("\(level): \(message)")
///     }
///
/// Any thread may use it. What the program can be told by an error it is told by that alone.
public final class Logger: Sendable {
    /// What receives the messages of the levels that are not left out.
    public typealias LogFunction = @Sendable (_ level: LogLevel, _ message: String) -> Void

    private let currentLevel: Atomic<UInt>
    private let logFunction: LogFunction

    /// A logger with a function that receives each message and its level: at once, on the thread where it comes up, whose realms the
    /// function must leave alone.
    public init(level: LogLevel, logFunction: @escaping LogFunction) {
        currentLevel = Atomic(level.rawValue)
        self.logFunction = logFunction
    }

    /// Up to which level messages are received. Setting it concerns messages from then on.
    public var level: LogLevel {
        get { LogLevel(rawValue: currentLevel.load(ordering: .relaxed)) ?? .all }
        set { currentLevel.store(newValue.rawValue, ordering: .relaxed) }
    }

    /// The logger of the library: unless another is set, one that writes warnings and what is worse to standard error.
    public static var shared: Logger {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    private static let current = Mutex(
        Logger(level: .warn) { level, message in
            FileHandle.standardError.write(Data("Firn: \(level): \(message)\n".utf8))
        })

    /// Hands a message on, unless its level is left out; it is not even made then.
    func log(_ messageLevel: LogLevel, _ message: @autoclosure () -> String) {
        if reports(messageLevel) { logFunction(messageLevel, message()) }
    }

    /// Whether messages of a level are received.
    func reports(_ messageLevel: LogLevel) -> Bool { messageLevel != .off && messageLevel <= level }
}
