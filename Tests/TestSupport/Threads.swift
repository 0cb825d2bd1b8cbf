import Foundation

/// Runs `body` on a thread of its own and waits for it without blocking the pool of concurrent tests.
package func onNewThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Result(catching: body)) }.start()
    }
}

/// Runs `body` on `count` threads at once, with their numbers, and returns when all are done.
package func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<count {
            group.addTask { try await onNewThread { try body(number) } }
        }
        try await group.waitForAll()
    }
}
