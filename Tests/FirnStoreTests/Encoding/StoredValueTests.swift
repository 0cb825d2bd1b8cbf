import FirnStore
import Foundation
import Testing

@Suite struct StoredValueTests {
    @Test func `values are equal when they are stored alike`() {
        #expect(StoredValue.double(.nan) == .double(.nan))
        #expect(StoredValue.double(0) != .double(-0.0))
        #expect(StoredValue.float(0) != .float(-0.0))
        #expect(StoredValue.int(1) != .double(1))
        #expect(StoredValue.string("\u{E9}") != .string("e\u{301}"), "canonically equivalent, other bytes")
        #expect(StoredValue.data(Data([1])) != .coded(Data([1])))
        #expect(
            StoredValue.decimal(DecimalParts(coefficient: 1, exponent: 0).bits)
                != .decimal(DecimalParts(coefficient: 10, exponent: -1).bits))
    }

    @Test func `equal values have one hash`() {
        let strings: Set<StoredValue> = [.string("\u{E9}"), .string("e\u{301}"), .string("\u{E9}")]
        #expect(strings.count == 2)
        #expect(Set<StoredValue>([.double(.nan), .double(.nan), .null, .null]).count == 2)
    }

    /// Far dates once came as days that calendars give them and that are none, and fractions of seconds not at all.
    @Test(
        arguments: [
            (0, 0, "1970-01-01T00:00:00Z"), (0, 1, "1970-01-01T00:00:00.000000001Z"),
            (0, -500_000_000, "1969-12-31T23:59:59.500000000Z"), (253_402_300_799, 0, "9999-12-31T23:59:59Z"),
            (253_402_300_800, 0, "date(253402300800, 0)"), (-62_135_596_800, 0, "date(-62135596800, 0)"),
            (-62_135_596_801, -5, "date(-62135596801, -5)"),
            (9_000_000_000_000_000_000, 7, "date(9000000000000000000, 7)"), (.min, 0, "date(-9223372036854775808, 0)"),
        ] as [(Int64, Int32, String)])
    func `dates are shown as days where calendars have them, else as seconds`(
        seconds: Int64, nanoseconds: Int32, text: String
    ) {
        #expect(StoredValue.date(seconds: seconds, nanoseconds: nanoseconds).text == text)
    }
}
