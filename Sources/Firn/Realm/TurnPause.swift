import FirnStore
import LMDB

/// How long a writer that waits without a thread lets pass before it tries again, where nobody tells when the one before has ended.
struct TurnPause {
    private var time = Duration.microseconds(100)
    private static let longest = Duration.milliseconds(5)

    /// To be asked after a try that failed. Nil where somebody of this process was faster, who tells when he ends; else what is waited
    /// for is another process, or a write of the realm itself that was left open.
    mutating func next(_ context: RealmContext) -> Duration? {
        guard context.isWriting || context.connection.store.environment.currentWriter == nil else { return nil }
        defer { time = min(time * 2, Self.longest) }
        return time
    }
}
