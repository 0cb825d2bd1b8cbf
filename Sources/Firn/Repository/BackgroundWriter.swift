import Dispatch
import FirnStore
import LMDB
import Synchronization

/// Makes the writes of `performWrite`: those that wait together in one transaction, each as a part of its own, since the flushes of a
/// durable commit cost many times what a small write does.
///
/// It exists as long as there is something to do: a realm that is kept open keeps a version of the file.
///
/// SAFETY of `@unchecked Sendable`: `lanes`, `isWriting` and `hasEnded` are only touched in `condition.withLock`.
final class BackgroundWriter: @unchecked Sendable {
    private let configuration: Realm.Configuration
    private let queue = DispatchQueue(label: "firn.performWrite")
    private let condition = Condition()
    private var lanes = WriteLanes()
    /// Whether a transaction is open, or asked for.
    private var isWriting = false
    /// Whether it has let go of its realm, for good.
    private var hasEnded = false

    /// How long one transaction takes in further writes, and how long where somebody of this process waits for his turn.
    private static let longestGroup = (alone: Duration.milliseconds(100), watched: Duration.milliseconds(10))
    /// How long those who wrote last are waited for.
    private static let longestWait = Duration.microseconds(100)

    private static let writers = Locked<[RealmRegistry.Contents: BackgroundWriter]>([:])
    private static let lastID = Atomic<UInt64>(0)

    private init(_ configuration: Realm.Configuration) {
        self.configuration = configuration
    }

    // MARK: Asking

    /// Has a block run in a write of a realm like another one, and returns once that is committed.
    ///
    /// Throws what the block throws and what keeps the write from being committed, `CancellationError` where the task is cancelled
    /// before the write begins, and `.timedOut` where `timeout` is over before.
    static func perform<Result: Sendable>(
        like other: RealmContext, priority: TaskPriority, timeout: Duration?,
        _ body: @escaping @Sendable (RealmContext) throws -> Result
    ) async throws -> Result {
        let contents = RealmRegistry.Contents(other.configuration)
        let id = lastID.add(1, ordering: .relaxed).newValue
        let alarm = timeout.map { timeout in
            Task.detached {
                try await Task.sleep(for: timeout)
                giveUp(id, contents, timedOut(timeout, other))
            }
        }
        defer { alarm?.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enqueue(
                    WriteLanes.Write(
                        id: id, priority: priority, since: .now,
                        run: { context in
                            let result = try body(context)
                            return { continuation.resume(returning: result) }
                        },
                        fail: { continuation.resume(throwing: $0) }),
                    contents, other.configuration)
                // It was not to be found before.
                if Task.isCancelled { giveUp(id, contents, CancellationError()) }
            }
        } onCancel: {
            giveUp(id, contents, CancellationError())
        }
    }

    private static func enqueue(
        _ write: WriteLanes.Write, _ contents: RealmRegistry.Contents, _ configuration: Realm.Configuration
    ) {
        writers.withLock { writers in
            if let writer = writers[contents] { return writer.append(write) }
            let writer = BackgroundWriter(configuration)
            writers[contents] = writer
            writer.append(write)
            writer.queue.async { writer.serve(contents) }
        }
    }

    /// Takes a write back that has not begun.
    private static func giveUp(_ id: UInt64, _ contents: RealmRegistry.Contents, _ error: any Error) {
        let write = writers.withLock { writers in
            writers[contents].flatMap { writer in writer.condition.withLock { writer.lanes.remove(id) } }
        }
        write?.fail(error)
    }

    private static func timedOut(_ timeout: Duration, _ other: RealmContext) -> Realm.Error {
        let reason =
            other.connection.store.environment.currentWriterText.map { "\($0) is writing" }
            ?? "more urgent writes came before"
        return Realm.Error(
            .timedOut, "The write had no turn within \(timeout): \(reason); wait longer, or give it a higher priority",
            fileURL: other.fileURL)
    }

    /// How many writes of a place wait, and since when the first of them.
    static func waiting(at place: Realm.Configuration.Place) -> (count: Int, since: ContinuousClock.Instant?) {
        writers.withLock { writers in
            var count = 0
            var since: ContinuousClock.Instant?
            for (contents, writer) in writers where contents.place == place {
                let lanes = writer.condition.withLock { writer.lanes }
                count += lanes.count
                since = [since, lanes.oldest].compactMap { $0 }.min()
            }
            return (count, since)
        }
    }

    /// Waits until no writer of a place keeps a realm without having something to write: who has just been told that his write is
    /// kept would meet that realm otherwise.
    static func letIdleEnd(at place: Realm.Configuration.Place) {
        for writer in writers.withLock({ $0.filter { $0.key.place == place }.values }) {
            writer.condition.withLock {
                while !writer.hasEnded, writer.lanes.isEmpty, !writer.isWriting { writer.condition.wait() }
            }
        }
    }

    private func append(_ write: WriteLanes.Write) {
        condition.withLock {
            lanes.append(write)
            condition.signalAll()
        }
    }

    // MARK: Writing

    /// Makes writes until none is left. On the queue.
    private func serve(_ contents: RealmRegistry.Contents) {
        repeat {
            do {
                let context = try RealmRegistry.context(for: configuration, Confinement(queue), autorefreshes: false)
                while !isIdle { try serveGroup(context) }
            } catch {
                for write in condition.withLock({ lanes.removeAll() }) { write.fail(error) }
            }
        } while !ends(contents)
    }

    /// Ends, unless there is something to do again. Returns whether it has.
    private func ends(_ contents: RealmRegistry.Contents) -> Bool {
        Self.writers.withLock { writers in
            guard isIdle else { return false }
            writers[contents] = nil
            condition.withLock {
                hasEnded = true
                condition.signalAll()
            }
            return true
        }
    }

    private var isIdle: Bool { condition.withLock { lanes.isEmpty } }

    /// Makes one transaction, and then waits shortly for those who ask again. Throws where it could not begin.
    private func serveGroup(_ context: RealmContext) throws {
        condition.withLock { isWriting = true }
        defer { noteEnd() }
        try context.beginWrite(onWriterThread: false)
        context.openWrite?.endsByItself = true
        // All may have been taken back meanwhile.
        guard let first = take() else { return context.rollback() }
        let count: Int
        if isIdle {
            writeAlone(first, context)
            count = 1
        } else {
            count = writeTogether(first, context)
        }
        let deadline = ContinuousClock.now + Self.longestWait
        condition.withLock {
            let expected = count + lanes.count
            while lanes.count < expected, condition.wait(until: deadline) {}
        }
    }

    private func take(only priority: TaskPriority? = nil) -> WriteLanes.Write? {
        condition.withLock { lanes.popFirst(only: priority) }
    }

    /// Before those are told whose writes were made.
    private func noteEnd() { condition.withLock { isWriting = false } }

    private func writeAlone(_ write: WriteLanes.Write, _ context: RealmContext) {
        let outcome = Result { try context.finishWrite { try write.run(context) } }
        context.invalidateObjects()
        noteEnd()
        switch outcome {
        case .success(let tell): tell()
        case .failure(let error): write.fail(error)
        }
    }

    /// Makes writes of one priority until none is left, something more urgent has come, or it has taken long. Returns their number.
    private func writeTogether(_ first: WriteLanes.Write, _ context: RealmContext) -> Int {
        let start = ContinuousClock.now
        let environment = context.connection.store.environment
        var count = 0
        var kept: [(write: WriteLanes.Write, tell: () -> Void)] = []
        var next: WriteLanes.Write? = first
        while let write = next {
            count += 1
            do {
                kept.append((write, try context.part { try write.run(context) }))
            } catch {
                write.fail(error)
            }
            let longest = environment.waitingWriterCount > 0 ? Self.longestGroup.watched : Self.longestGroup.alone
            let goesOn = context.connection.lostWriteError == nil && ContinuousClock.now - start < longest
            next = goesOn ? take(only: first.priority) : nil
        }
        do {
            try context.commit()
            noteEnd()
            for (_, tell) in kept { tell() }
        } catch {
            noteEnd()
            for (write, _) in kept { write.fail(error) }
        }
        return count
    }
}
