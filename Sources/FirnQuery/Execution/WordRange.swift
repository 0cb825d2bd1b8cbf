/// A range of integers or doubles as one of unsigned words in the same order, so that one comparison answers.
///
/// In a scan of data in no order a branch on the value is mispredicted half the time, and with it go all loads that the
/// processor had begun behind it; two comparisons become branches, one does not.
struct WordRange: Equatable, Sendable {
    private let lowest: UInt64
    private let span: UInt64
    private let isInverted: Bool

    init(_ range: ValueRange<Int64>) {
        self.init(
            isEmpty: range.lower > range.upper, lowest: WordRange.word(range.lower),
            highest: WordRange.word(range.upper),
            isInverted: range.isInverted)
    }

    init(_ range: ValueRange<Double>) {
        self.init(
            isEmpty: range.lower > range.upper, lowest: WordRange.word(range.lower),
            highest: WordRange.word(range.upper),
            isInverted: range.isInverted)
    }

    private init(isEmpty: Bool, lowest: UInt64, highest: UInt64, isInverted: Bool) {
        // The empty range is all but every word.
        self.lowest = isEmpty ? 0 : lowest
        span = isEmpty ? .max : highest &- lowest
        self.isInverted = isInverted != isEmpty
    }

    @inline(__always)
    func contains(_ word: UInt64) -> Bool {
        (word &- lowest <= span) != isInverted
    }

    /// The words of integers are in their order.
    @inline(__always)
    static func word(_ value: Int64) -> UInt64 {
        UInt64(bitPattern: value) ^ 1 << 63
    }

    /// The words of doubles are in their order; -0.0 has that of 0.0, and every NaN one beyond the infinities.
    @inline(__always)
    static func word(_ value: Double) -> UInt64 {
        let bits = (value + 0).bitPattern
        return bits ^ (UInt64(bitPattern: Int64(bitPattern: bits) >> 63) | 1 << 63)
    }
}
