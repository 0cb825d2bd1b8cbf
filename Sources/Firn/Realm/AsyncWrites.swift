import LMDB

/// The number of a write that was asked for with `writeAsync`, `beginAsyncWrite` or `commitAsyncWrite`.
public typealias AsyncTransactionId = UInt32

/// The writes that a realm has been asked for and that have not had their turn, in order.
struct AsyncWrites {
    /// Told how a write has ended: nil, or with what error.
    typealias Completion = ((any Error)?) -> Void

    struct Request {
        let id: AsyncTransactionId
        let block: () -> Void
        /// Whether the write commits after the block; else the block does, or nothing is kept.
        let commits: Bool
        let onComplete: Completion?
    }

    private(set) var lastID: AsyncTransactionId = 0
    var waiting: [Request] = []
    /// The first one's place in the line of writers.
    var place: WriterPlace?
    var pause = TurnPause()
    /// The places of the tasks that wait for their turns with `asyncWrite`.
    var tasksPlaces: [WriterPlace] = []
    /// Whether a block is running.
    var isRunning = false
    /// Of commits that are done, what has not been told.
    var completions: [AsyncTransactionId: Completion] = [:]

    var isIdle: Bool { waiting.isEmpty && !isRunning && completions.isEmpty }

    mutating func makeID() -> AsyncTransactionId {
        lastID &+= 1
        return lastID
    }
}
