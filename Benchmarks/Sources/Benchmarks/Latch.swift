import Dispatch
import Synchronization

/// Lets one thread wait for another, and tells when that came.
final class Latch: Sendable {
    private let time = Mutex(ContinuousClock.now)
    private let semaphore = DispatchSemaphore(value: 0)

    func open() {
        time.withLock { $0 = .now }
        semaphore.signal()
    }

    func wait() -> ContinuousClock.Instant {
        semaphore.wait()
        return time.withLock { $0 }
    }
}
