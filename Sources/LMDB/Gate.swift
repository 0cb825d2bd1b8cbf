import CThreadIdentity
import Dispatch

/// What stands in front of LMDB's writer mutex: first come first served within the process, with a try, a deadline and
/// a name for the holder; then the `GateFile` between processes.
///
/// Who waits without a thread has a `WriterPlace`: it is told when the gate is free, and tries then. So nobody holds the gate who
/// has yet to be resumed somewhere: two threads of a pool that wait for each other's turns would be all that there is. Who waits on a
/// thread overtakes those. One who was told and does not try soon is passed over: his thread may have ended.
///
/// SAFETY of `@unchecked Sendable`: `holder`, `waiters` and `places` are only touched inside `condition.withLock`.
final class Gate: @unchecked Sendable {
    /// The right to write, from `enter` to `end`.
    final class Turn {
        private var gate: Gate?

        fileprivate init(_ gate: Gate) {
            self.gate = gate
        }

        deinit {
            end()
        }

        /// Lets the next one in. Does nothing the second time.
        func end() {
            guard let gate else { return }
            self.gate = nil
            gate.leave()
        }
    }

    /// Who has the turn.
    private struct Holder {
        let description: WriterDescription
        /// The thread that alone can end the write; nil where any can.
        let thread: UInt64?

        init(_ request: WriteRequest) {
            description = request.holder
            thread = request.onWriterThread ? nil : firn_thread_token()
        }

        /// Whether whoever asks would wait for himself.
        func isSame(as asking: WriterDescription) -> Bool {
            description.identity == asking.identity || thread == firn_thread_token()
        }
    }

    private final class Waiter {
        let holder: Holder
        var hasTurn = false

        init(_ holder: Holder) {
            self.holder = holder
        }
    }

    private let path: String
    private let file: GateFile?
    private let condition = Condition()
    private var holder: Holder?
    private var waiters: [Waiter] = []
    private var places: [WriterPlace] = []

    /// Without a file the gate holds within this process only.
    init(path: String, file: GateFile?) {
        self.path = path
        self.file = file
    }

    /// Waits for the turn as the request says, or throws `.writerTimeout`. Traps where the asking identity
    /// holds it, and where the asking thread does and would wait for ever.
    func enter(_ request: WriteRequest) throws -> Turn {
        try waitInLine(request)
        do {
            try file?.lock(triesOnly: request.triesOnly || request.place != nil, deadline: request.deadline)
        } catch {
            passOn()
            throw error
        }
        if let place = request.place { condition.withLock { places.removeAll { $0 === place } } }
        return Turn(self)
    }

    // MARK: Waiting without a thread

    /// How long who was told that the gate is free has to try, where others wait behind him.
    private static let patience = DispatchTimeInterval.milliseconds(50)

    /// Puts a place at the end of the line.
    func lineUp(_ place: WriterPlace) {
        condition.withLock { places.append(place) }
    }

    /// Takes a place out of the line.
    func leave(_ place: WriterPlace) {
        let continuations: [CheckedContinuation<Void, Never>] = condition.withLock {
            places.removeAll { $0 === place }
            return [place.takeContinuation(), invitation()].compactMap { $0 }
        }
        for continuation in continuations { continuation.resume() }
    }

    /// Returns when the gate is free and the place the first in line, or the place has left. By the time the caller tries, another
    /// may have come before.
    func waitUntilFree(_ place: WriterPlace) async {
        await withCheckedContinuation { continuation in
            let isFree = condition.withLock {
                place.isPassedOver = false
                place.watch &+= 1
                let isNext = next === place
                let mayTry = isNext ? holder == nil : !places.contains { $0 === place }
                if !mayTry { place.continuation = continuation }
                if holder == nil, places.count > 1 { watchNext() }
                return mayTry
            }
            if isFree { continuation.resume() }
        }
    }

    /// The first in line who was not passed over. In the lock.
    private var next: WriterPlace? { places.first { !$0.isPassedOver } }

    /// Who is to be told that the gate is free. In the lock.
    private func invitation() -> CheckedContinuation<Void, Never>? {
        guard holder == nil, waiters.isEmpty, let continuation = next?.takeContinuation() else { return nil }
        if places.count > 1 { watchNext() }
        return continuation
    }

    /// Passes the next one over, who was told that the gate is free, if he does not try in time. In the lock.
    private func watchNext() {
        guard let place = next else { return }
        place.watch &+= 1
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { [weak self, watch = place.watch] in
            self?.passOver(place, watch)
        }
    }

    private func passOver(_ place: WriterPlace, _ watch: Int) {
        let invited: CheckedContinuation<Void, Never>? = condition.withLock {
            guard holder == nil, next === place, place.continuation == nil, place.watch == watch else { return nil }
            place.isPassedOver = true
            return invitation()
        }
        invited?.resume()
    }

    /// Who holds the gate in this process.
    var currentHolder: WriterDescription? { condition.withLock { holder?.description } }

    /// The other process that holds it, as messages name it. Who waits for that holds it in this process.
    var otherHolder: String? { file?.otherHolder }

    /// How many wait for it in this process, with and without a thread.
    var waiterCount: Int { condition.withLock { waiters.count + places.count { !$0.isPassedOver } } }

    private func waitInLine(_ request: WriteRequest) throws {
        // Whoever still holds it is named after the lock is released: that may be slow, and traps.
        let obstacle: Holder? = condition.withLock {
            guard let current = holder else {
                holder = Holder(request)
                return nil
            }
            if current.isSame(as: request.holder) || request.triesOnly || request.place != nil {
                return current
            }
            let waiter = Waiter(Holder(request))
            waiters.append(waiter)
            while !waiter.hasTurn {
                guard let deadline = request.deadline else {
                    condition.wait()
                    continue
                }
                if !condition.wait(until: deadline), !waiter.hasTurn {
                    waiters.removeAll { $0 === waiter }
                    return holder
                }
            }
            return nil
        }
        guard let obstacle else { return }
        // Who waits as long as it takes is here because he would wait for himself.
        let isSame = obstacle.description.identity == request.holder.identity && request.place == nil
        if isSame || request.waitsForEver {
            fatalError(
                """
                a write was begun inside a write of the same database: \(request.holder.text) asks for what \
                \(obstacle.description.text) holds; use the transaction that is open, or end it first [\(path)]
                """)
        }
        throw LMDBError(
            .writerTimeout,
            "\(obstacle.description.text) has been writing for longer than this write may wait; end that write, or wait longer",
            path: path)
    }

    private func leave() {
        file?.unlock()
        passOn()
    }

    private func passOn() {
        let invited: CheckedContinuation<Void, Never>? = condition.withLock {
            if waiters.isEmpty {
                holder = nil
            } else {
                let next = waiters.removeFirst()
                holder = next.holder
                next.hasTurn = true
                condition.signalAll()
            }
            return invitation()
        }
        invited?.resume()
    }
}
