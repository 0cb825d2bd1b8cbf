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
