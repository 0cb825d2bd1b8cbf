import Foundation
import Synchronization

extension ObjectId {
    /// A new identifier, unlike any other.
    ///
    /// Unique within the process whatever the clock does: identifiers only ever grow, and where more than 8,388,608 of one
    /// second are asked for, or the clock is set back, they run ahead into the seconds to come instead of starting over.
    /// Between processes five random bytes, drawn once by each, keep them apart; a process made by `fork` without `exec`
    /// shares them with its parent and must not generate any. Safe on any thread.
    public static func generate() -> ObjectId {
        let now = UInt64(seconds(of: Date()))
        let moment = latest.advance(to: now << 24 | firstCount)
        return ObjectId(
            seconds: UInt32(truncatingIfNeeded: moment >> 24), process: processMark,
            count: UInt32(truncatingIfNeeded: moment & 0xff_ffff))
    }

    /// A count for identifiers of a given second; starts over after 16,777,216.
    static func nextCount() -> UInt32 {
        UInt32(truncatingIfNeeded: counter.wrappingAdd(1, ordering: .relaxed).newValue & 0xff_ffff)
    }

    /// The whole seconds since 1970 that four bytes can hold.
    static func seconds(of date: Date) -> UInt32 {
        let seconds = date.timeIntervalSince1970
        guard seconds > 0 else { return 0 }
        return UInt32(exactly: Swift.min(seconds, Double(UInt32.max)).rounded(.down)) ?? 0
    }

    /// The second and the count of the latest identifier; only ever grows.
    package struct Sequence: ~Copyable {
        private let state: Atomic<UInt64>

        /// A sequence whose last moment was `start`.
        package init(_ start: UInt64 = 0) { state = Atomic(start) }

        /// The next moment: `floor`, or the one after the last where that is not less.
        package func advance(to floor: UInt64) -> UInt64 {
            var seen = state.load(ordering: .relaxed)
            while true {
                let next = Swift.max(seen &+ 1, floor)
                let (exchanged, original) = state.weakCompareExchange(
                    expected: seen, desired: next, ordering: .relaxed)
                if exchanged { return next }
                seen = original
            }
        }
    }

    private static let latest = Sequence()
    private static let counter = Atomic<UInt64>(UInt64.random(in: 0...0xff_ffff))
    private static let processMark = UInt64.random(in: 0...0xff_ffff_ffff)
    /// Where the count of each second starts: one more thing in which two processes differ.
    private static let firstCount = UInt64.random(in: 0...0x7f_ffff)
}
