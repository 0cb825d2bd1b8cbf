/// A value and the lock that guards it.
///
/// The standard library's `Mutex` would do, but the thread sanitizer of Swift 6.3 does not see its lock on Linux and
/// reports every use as a race. SAFETY of `@unchecked Sendable`: `value` is only touched inside the lock.
package final class Locked<Value>: @unchecked Sendable {
    private let condition = Condition()
    private var value: Value

    package init(_ value: sending Value) {
        self.value = value
    }

    /// Lends the value to `body`, to one thread at a time. Not to be nested.
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try condition.withLock { try body(&value) }
    }
}
