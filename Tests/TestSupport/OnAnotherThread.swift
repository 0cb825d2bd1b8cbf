import Foundation
import Synchronization

/// Runs a block on a new thread and waits for it.
package func onAnotherThread(_ body: @escaping @Sendable () throws -> Void) throws {
    let box = Box()
    let done = DispatchSemaphore(value: 0)
    Thread {
        do { try body() } catch { box.failure.withLock { $0 = error } }
        done.signal()
    }.start()
    done.wait()
    if let error = box.failure.withLock({ $0 }) { throw error }
}

private final class Box: Sendable {
    let failure = Mutex<(any Error)?>(nil)
}
