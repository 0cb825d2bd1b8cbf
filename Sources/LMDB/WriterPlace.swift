/// A place in the line of those who wait for their turn to write without a thread: see `Environment.lineUp()`.
///
/// SAFETY of `@unchecked Sendable`: all that varies is only touched in the gate's lock.
package final class WriterPlace: @unchecked Sendable {
    private let gate: Gate
    /// Who waits to be told that the gate is free.
    var continuation: CheckedContinuation<Void, Never>?
    /// Whether those behind need not wait for it, until it waits again.
    var isPassedOver = false
    /// The number of the last time that somebody looked after it, or that it waited.
    var watch = 0

    init(_ gate: Gate) {
        self.gate = gate
        gate.lineUp(self)
    }

    /// Returns when it is worth trying: no other writer of the process is at work, and all who asked earlier have had their turns.
    /// Then begin a write with `WriteRequest.place`, which does not wait; where that throws `.writerTimeout`, somebody was faster,
    /// and this keeps its place. Returns at once after `leave()`.
    package func waitUntilFree() async {
        await withTaskCancellationHandler {
            await gate.waitUntilFree(self)
        } onCancel: {
            gate.leave(self)
        }
    }

    /// Gives the place up. Does nothing the second time, nor once the turn has come.
    package func leave() {
        gate.leave(self)
    }

    func takeContinuation() -> CheckedContinuation<Void, Never>? {
        defer { continuation = nil }
        return continuation
    }
}
