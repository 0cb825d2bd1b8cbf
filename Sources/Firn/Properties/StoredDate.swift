import FirnStore
import Foundation

/// Dates as records hold them: seconds and nanoseconds of equal sign, since 1970.
enum StoredDate {
    /// Nanoseconds are truncated, so a date may come back up to a nanosecond nearer to 2001; one that came back is
    /// stored as it was. NaN is stored as 1970, what lies beyond the representable seconds as the nearest of them.
    static func stored(_ date: Date) -> StoredValue {
        // Split before the epochs are changed: a Double holds more digits of the time since 2001.
        let interval = date.timeIntervalSinceReferenceDate
        guard !interval.isNaN else { return .date(seconds: 0, nanoseconds: 0) }
        let whole = interval.rounded(.towardZero)
        guard abs(whole) < secondsLimit else {
            // Counted from 2001, so that a Double holds the limit when it comes back.
            let limit = Int64(whole < 0 ? -secondsLimit : secondsLimit)
            return .date(seconds: limit + referenceSeconds, nanoseconds: 0)
        }
        let seconds = Int64(whole) + referenceSeconds
        let nanoseconds = Int32((interval - whole) * 1e9)
        let truncated = normalized(seconds, nanoseconds)
        if self.date(truncated) != date {
            // Near 2001 the next nanosecond may be meant: its Double, times 1e9, can fall just short of it.
            let next = normalized(seconds, nanoseconds + (interval < 0 ? -1 : 1))
            if self.date(next) == date { return .date(seconds: next.seconds, nanoseconds: next.nanoseconds) }
        }
        return .date(seconds: truncated.seconds, nanoseconds: truncated.nanoseconds)
    }

    /// Gives both parts one sign, and the nanoseconds less than a second.
    private static func normalized(_ seconds: Int64, _ nanoseconds: Int32) -> (seconds: Int64, nanoseconds: Int32) {
        let second: Int32 = 1_000_000_000
        var seconds = seconds + Int64(nanoseconds / second)
        var nanoseconds = nanoseconds % second
        if seconds > 0, nanoseconds < 0 {
            seconds -= 1
            nanoseconds += second
        } else if seconds < 0, nanoseconds > 0 {
            seconds += 1
            nanoseconds -= second
        }
        return (seconds, nanoseconds)
    }

    private static func date(_ parts: (seconds: Int64, nanoseconds: Int32)) -> Date {
        date(seconds: parts.seconds, nanoseconds: parts.nanoseconds)
    }

    static func date(seconds: Int64, nanoseconds: Int32) -> Date {
        Date(timeIntervalSinceReferenceDate: Double(seconds &- referenceSeconds) + Double(nanoseconds) / 1e9)
    }

    private static let referenceSeconds: Int64 = 978_307_200
    private static let secondsLimit = 9.0e18
}
