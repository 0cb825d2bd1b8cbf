import CFirnSystem
import Glibc

/// A POSIX mutex with a condition variable that waits by the monotonic clock.
///
/// Waiting is why it is not a `Mutex`: that one has no condition. SAFETY of `@unchecked Sendable`: the two are made for
/// use by many threads and their addresses never change.
package final class Condition: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let forkGeneration = firn_fork_generation()
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init() {
        mutex.initialize(to: pthread_mutex_t())
        condition.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        // In a fork's child the threads that wait are gone, and destroying would wait for them.
        guard forkGeneration == firn_fork_generation() else { return }
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    package func withLock<Value>(_ body: () throws -> Value) rethrows -> Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }

    /// Waits for a signal, or for no reason at all; inside `withLock` only.
    package func wait() {
        pthread_cond_wait(condition, mutex)
    }

    /// As `wait()`, until `deadline` at most; false when that came first.
    package func wait(until deadline: ContinuousClock.Instant) -> Bool {
        let remaining = ContinuousClock.now.duration(to: deadline).components
        guard remaining.seconds > 0 || (remaining.seconds == 0 && remaining.attoseconds > 0) else { return false }
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        // A deadline beyond this is as good as none, and would overflow.
        time.tv_sec += Int(min(remaining.seconds, 1 << 32))
        time.tv_nsec += Int(remaining.attoseconds / 1_000_000_000)
        if time.tv_nsec >= 1_000_000_000 {
            time.tv_nsec -= 1_000_000_000
            time.tv_sec += 1
        }
        return pthread_cond_timedwait(condition, mutex, &time) != ETIMEDOUT
    }

    package func signalAll() {
        pthread_cond_broadcast(condition)
    }
}
