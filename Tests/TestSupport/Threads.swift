import Foundation
import Synchronization

/// Runs `body` on a thread of its own and waits for it without blocking the pool of concurrent tests. The thread keeps nothing of what
/// `body` made: a test may look for what is left as soon as it has let go of that itself.
package func onNewThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    let outcome = Outcome<Value>()
    await withCheckedContinuation { continuation in
        Thread {
            outcome.make(body)
            continuation.resume()
        }.start()
    }
    return try outcome.take().get()
}

/// Runs `body` on `count` threads at once, with their numbers, and returns when all are done, with what they made in the order in
/// which they did.
@discardableResult
package func onThreads<Value: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: Value.self) { group in
        for number in 0..<count {
            group.addTask { try await onNewThread { try body(number) } }
        }
        return try await group.reduce(into: []) { $0.append($1) }
    }
}

/// Waits until `condition` holds, letting other tests run meanwhile. What has not come after five minutes does not come: the run ends
/// with a message that names the place, rather than never.
package func wait(
    file: StaticString = #fileID, line: UInt = #line, isolation: isolated (any Actor)? = #isolation,
    until condition: () async throws -> Bool
) async rethrows {
    let deadline = ContinuousClock.now + .seconds(300)
    while try await !condition() {
        precondition(ContinuousClock.now < deadline, "a test waited for five minutes in vain", file: file, line: line)
        try? await Task.sleep(for: .milliseconds(1))
    }
}

/// Runs `body` on a new thread and waits for it.
package func onAnotherThread(_ body: @escaping @Sendable () throws -> Void) throws {
    try Companion(body).value()
}

/// Work on a thread of its own that begins at once, for what must go on while the test waits for another process:
/// an exit test blocks a thread of the pool until that has ended, and on a small machine there are no more.
package final class Companion<Value: Sendable>: Sendable {
    private let outcome = Outcome<Value>()
    private let isDone = DispatchSemaphore(value: 0)

    package init(_ body: @escaping @Sendable () throws -> Value) {
        Thread { [self] in
            outcome.make(body)
            isDone.signal()
        }.start()
    }

    /// Waits for the work and gives what came of it, once; to be called when it cannot take long any more.
    package func value() throws -> Value {
        isDone.wait()
        return try outcome.take().get()
    }
}

/// How something ended on another thread.
private final class Outcome<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)

    func make(_ body: () throws -> Value) {
        let made = Result(catching: body)
        result.withLock { $0 = made }
    }

    /// The outcome, which this object forgets.
    func take() -> Result<Value, any Error> {
        let made = result.withLock { result in
            defer { result = nil }
            return result
        }
        guard let made else { fatalError("nothing has been made yet") }
        return made
    }
}
