import CThreadIdentity

/// Who writes, for the messages of those who wait.
package struct WriterDescription: Sendable {
    /// What a person should read: the realm, the thread, the source line.
    package var text: String
    /// What may hold the gate once: the thread's token for a write that stays on its thread, else a number of the
    /// caller's own. Asking again under the identity that holds the gate traps.
    package var identity: UInt64

    package init(text: String, identity: UInt64 = firn_thread_token()) {
        self.text = text
        self.identity = identity
    }
}

/// How to begin a write transaction.
package struct WriteRequest: Sendable {
    /// Whether it begins, and therefore ends, on the environment's writer thread; needed where it may be ended by
    /// another thread than began it.
    package var onWriterThread: Bool
    /// How long to wait for the writers before; nil waits for as long as it takes.
    package var deadline: ContinuousClock.Instant?
    /// Whether not to wait at all.
    package var triesOnly: Bool
    /// The place in line, of one that waits without a thread: the write then begins at once or not at all.
    package var place: WriterPlace?
    /// Who asks.
    package var holder: WriterDescription

    var waitsForEver: Bool { deadline == nil && !triesOnly && place == nil }

    package init(
        onWriterThread: Bool = false, deadline: ContinuousClock.Instant? = nil, triesOnly: Bool = false,
        place: WriterPlace? = nil, holder: WriterDescription
    ) {
        self.onWriterThread = onWriterThread
        self.deadline = deadline
        self.triesOnly = triesOnly
        self.place = place
        self.holder = holder
    }
}
