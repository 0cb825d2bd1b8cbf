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
}
