import Foundation
import Synchronization

/// Work that threads share, each doing a part of it.
struct Parts {
    let count: Int
    let threads: Int

    /// Has each thread add up its range, and adds up what they have.
    func sum(_ part: @Sendable (Range<Int>) throws -> Sum) throws -> Sum {
        let results = Mutex<[Result<Sum, any Error>]>([])
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            let result = Result { try part(count * thread / threads..<count * (thread + 1) / threads) }
            results.withLock { $0.append(result) }
        }
        var total = Sum()
        for result in results.withLock({ $0 }) { total.add(try result.get()) }
        return total
    }
}

extension Parts {
    /// The same while a thread more writes, again and again what is given, until all have read. The sum tells of what was read.
    func sum(
        beside writes: [[Int]], write: @escaping @Sendable ([Int]) throws -> Void,
        read part: @Sendable (Range<Int>) throws -> Sum
    ) throws -> Sum {
        let outcome = Outcome()
        let written = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            do {
                var next = 0
                while !outcome.isOver {
                    try write(writes[next % writes.count])
                    next += 1
                }
            } catch {
                outcome.fail(error)
            }
            written.signal()
        }
        let total = Result { try sum(part) }
        outcome.end()
        written.wait()
        try outcome.check()
        return try total.get()
    }

    /// A hundred at a time.
    static func batches(of ids: ArraySlice<Int>) -> [[Int]] {
        stride(from: ids.startIndex, to: ids.endIndex, by: 100).map { Array(ids[$0..<min($0 + 100, ids.endIndex)]) }
    }
}

extension Sum {
    /// Adds what another thread has added up. Scores are 1,024ths, whose sums do not depend on the order.
    mutating func add(_ other: Sum) {
        count += other.count
        counters &+= other.counters
        scores += other.scores
    }
}

/// What a second thread brings.
enum Gain {
    /// The time that two threads take for some work, as a multiple of what one takes; the better of three.
    static func measure(_ work: (_ threads: Int) throws -> Sum) throws -> Measurement {
        var ratios: [Double] = []
        for _ in 0..<3 {
            let one = try time { try work(1) }
            let two = try time { try work(2) }
            ratios.append(two / one)
        }
        return Measurement(value: ratios.min() ?? 0, unit: .multiple, answer: "")
    }

    /// The same for reckoning that touches no memory: what the machine gives at that moment.
    static func ofArithmetic(_ count: Int) throws -> Measurement {
        try measure { threads in
            try Parts(count: count, threads: threads).sum { range in
                var sum = Sum()
                for number in range {
                    var value = UInt64(truncatingIfNeeded: number)
                    // About as long as reading an object takes.
                    for _ in 0..<64 { value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407 }
                    sum.counters &+= Int(truncatingIfNeeded: value)
                }
                return sum
            }
        }
    }

    private static func time(_ work: () throws -> Sum) throws -> Double {
        let start = ContinuousClock.now
        // Looked at, so that it is not left out.
        let sum = try work()
        let spent = (ContinuousClock.now - start).seconds
        return sum == Sum() ? .infinity : spent
    }
}

/// What threads tell each other of work under way.
final class Outcome: Sendable {
    private let state = Mutex<(isOver: Bool, error: (any Error)?)>((false, nil))

    var isOver: Bool { state.withLock { $0.isOver } }

    func end() {
        state.withLock { $0.isOver = true }
    }

    func fail(_ error: any Error) {
        state.withLock { $0.error = error }
    }

    /// Throws what went wrong.
    func check() throws {
        if let error = state.withLock({ $0.error }) { throw error }
    }
}
