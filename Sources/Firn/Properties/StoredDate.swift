import FirnStore
import Foundation

/// Dates as records hold them: seconds and nanoseconds of equal sign, since 1970.
enum StoredDate {
    /// Nanoseconds are truncated, so a date may come back up to a nanosecond nearer to 2001. NaN is stored as 1970,
    /// what lies beyond the representable seconds as the nearest of them.
    static func stored(_ date: Date) -> StoredValue {
        // Split before the epochs are changed: a Double holds more digits of the time since 2001.
        let interval = date.timeIntervalSinceReferenceDate
        guard !interval.isNaN else { return .date(seconds: 0, nanoseconds: 0) }
        let whole = interval.rounded(.towardZero)
        guard abs(whole) < secondsLimit else {
            return .date(seconds: whole < 0 ? Int64(-secondsLimit) : Int64(secondsLimit), nanoseconds: 0)
        }
        var seconds = Int64(whole) + referenceSeconds
        var nanoseconds = Int32((interval - whole) * 1e9)
        if seconds > 0, nanoseconds < 0 {
            seconds -= 1
            nanoseconds += 1_000_000_000
        } else if seconds < 0, nanoseconds > 0 {
            seconds += 1
            nanoseconds -= 1_000_000_000
        }
        return .date(seconds: seconds, nanoseconds: nanoseconds)
    }

    static func date(seconds: Int64, nanoseconds: Int32) -> Date {
        Date(timeIntervalSinceReferenceDate: Double(seconds &- referenceSeconds) + Double(nanoseconds) / 1e9)
    }

    private static let referenceSeconds: Int64 = 978_307_200
    private static let secondsLimit = 9.0e18
}
