import CFirnSystem
import CThreadIdentity

/// The plan by which a test makes the n-th LMDB call of its thread fail, or counts these calls.
///
/// Calls made by a writer thread count for the thread that they serve. Other threads are not touched, so tests that
/// inject faults run beside others.
@usableFromInline
package enum Faults {
    struct Plan {
        var callsBefore: Int
        var returnCode: Int32
        var hasFired = false
        var isRepeating: Bool
        var onlyChanges: Bool
    }

    private static let plans = Locked<[UInt64: Plan]>([:])
    /// Threads that now work for another one, and for which.
    private static let served = Locked<[UInt64: UInt64]>([:])

    /// Runs `body` with the `number`-th call from now (from 1) failing with `returnCode`, and the later ones too if
    /// `isRepeating`; with `onlyChanges` calls that only read neither count nor fail. Tells whether that call was reached, and how `body` ended.
    package static func withFailure<Value>(
        ofCall number: Int, returnCode: Int32, isRepeating: Bool = false, onlyChanges: Bool = false,
        _ body: () throws -> Value
    ) -> (hasFired: Bool, outcome: Result<Value, any Error>) {
        let thread = firn_thread_token()
        plans.withLock {
            $0[thread] = Plan(
                callsBefore: number - 1, returnCode: returnCode, isRepeating: isRepeating, onlyChanges: onlyChanges)
            firn_set_faults_are_armed(true)
        }
        let outcome = Result(catching: body)
        let hasFired = plans.withLock { plans in
            let plan = plans.removeValue(forKey: thread)
            firn_set_faults_are_armed(!plans.isEmpty)
            return plan?.hasFired ?? false
        }
        return (hasFired, outcome)
    }

    /// Runs `body` and counts the LMDB calls that it makes and that could fail.
    package static func callCount(_ body: () throws -> Void) rethrows -> Int {
        let thread = firn_thread_token()
        // No call is so late that it would fail.
        plans.withLock {
            $0[thread] = Plan(callsBefore: .max, returnCode: 0, isRepeating: false, onlyChanges: false)
            firn_set_faults_are_armed(true)
        }
        func end() -> Int {
            plans.withLock { plans in
                let plan = plans.removeValue(forKey: thread)
                firn_set_faults_are_armed(!plans.isEmpty)
                return plan.map { Int.max - $0.callsBefore } ?? 0
            }
        }
        do {
            try body()
        } catch {
            _ = end()
            throw error
        }
        return end()
    }

    /// The return code that the call being made is to fail with, or nil.
    @inline(never)
    @usableFromInline
    package static func next(isChange: Bool) -> Int32? {
        let ownThread = firn_thread_token()
        let thread = served.withLock { $0[ownThread] } ?? ownThread
        return plans.withLock { plans -> Int32? in
            guard var plan = plans[thread], isChange || !plan.onlyChanges else { return nil }
            defer { plans[thread] = plan }
            if plan.callsBefore > 0 {
                plan.callsBefore -= 1
                return nil
            }
            if plan.hasFired && !plan.isRepeating { return nil }
            plan.hasFired = true
            return plan.returnCode
        }
    }

    /// Runs `body`, whose calls count for `thread`.
    static func serving(_ thread: UInt64, _ body: () -> Int32) -> Int32 {
        guard firn_faults_are_armed() else { return body() }
        let ownThread = firn_thread_token()
        served.withLock { $0[ownThread] = thread }
        defer { _ = served.withLock { $0.removeValue(forKey: ownThread) } }
        return body()
    }
}
