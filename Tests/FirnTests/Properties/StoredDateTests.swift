import FirnStore
import Foundation
import TestSupport
import Testing

@testable import Firn

@Suite struct StoredDateTests {
    @Test(arguments: [0, 0.5, -0.5, 1e9 + 0.25, -978_307_200, -978_307_200.5, 7e8 + 0.123456789, -2e9 - 0.75])
    func `a date comes back within a nanosecond`(interval: Double) throws {
        let date = Date(timeIntervalSinceReferenceDate: interval)
        guard case .date(let seconds, let nanoseconds) = StoredDate.stored(date) else {
            Issue.record("no date was stored")
            return
        }
        #expect(seconds.signum() * Int64(nanoseconds).signum() >= 0)
        #expect(abs(nanoseconds) < 1_000_000_000)
        let back = StoredDate.date(seconds: seconds, nanoseconds: nanoseconds)
        #expect(abs(back.timeIntervalSince(date)) < 1e-9 + date.timeIntervalSinceReferenceDate.ulp)
    }

    @Test func `NaN is stored as 1970, infinities as the nearest representable date`() {
        #expect(StoredDate.stored(Date(timeIntervalSinceReferenceDate: .nan)) == .date(seconds: 0, nanoseconds: 0))
        guard case .date(let far, 0) = StoredDate.stored(.init(timeIntervalSinceReferenceDate: .infinity)),
            case .date(let past, 0) = StoredDate.stored(.init(timeIntervalSinceReferenceDate: -.infinity))
        else {
            Issue.record("no date was stored")
            return
        }
        #expect(far > 0 && past < 0)
    }

    // A date that had been read and was stored again lost a nanosecond where a Double tells nanoseconds apart (some
    // weeks around 2001), and so did one at the limit: a query for it did not find its own object.
    @Test func `a date that was read is stored as it was`() {
        var generator = SeededGenerator(seed: 1)
        let intervals = (0..<2000).map { step in
            Double.random(in: -1...1, using: &generator) * [1, 1e3, 1e6, 1e9, 1e19][step % 5]
        }
        for interval in intervals + [0.29, -1.19e-7, 1e300, -1e300, .infinity, -.infinity, 9e18, -9e18] {
            let stored = StoredDate.stored(Date(timeIntervalSinceReferenceDate: interval))
            guard case .date(let seconds, let nanoseconds) = stored else { continue }
            #expect(StoredDate.stored(StoredDate.date(seconds: seconds, nanoseconds: nanoseconds)) == stored)
        }
        #expect(
            StoredDate.stored(.init(timeIntervalSinceReferenceDate: 0.29))
                == .date(seconds: 978_307_200, nanoseconds: 290_000_000))
    }
}
