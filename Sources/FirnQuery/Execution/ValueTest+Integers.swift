extension ValueTest {
    /// The integers that pass, as ranges in ascending order of which no two have a number in common; nil where they are not known,
    /// or all but some.
    var integerRanges: [ClosedRange<Int64>]? {
        switch self {
        case .always(false): return []
        case .integer(let test):
            guard !test.range.isInverted else { return nil }
            return test.range.isEmpty ? [] : [test.range.lower...test.range.upper]
        case .member(let test):
            guard case .integers(let integers) = test.members else { return nil }
            return Self.union(integers.map { $0...$0 })
        case .oneOf(let tests):
            var ranges: [ClosedRange<Int64>] = []
            for test in tests {
                guard let found = test.integerRanges else { return nil }
                ranges += found
            }
            return Self.union(ranges)
        case .all(let tests):
            var common: [ClosedRange<Int64>] = [.min ... .max]
            for test in tests {
                guard let ranges = test.integerRanges else { return nil }
                common = common.flatMap { range in
                    ranges.compactMap { $0.overlaps(range) ? $0.clamped(to: range) : nil }
                }
            }
            return Self.union(common)
        default: return nil
        }
    }

    private static func union(_ ranges: [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
        var union: [ClosedRange<Int64>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = union.last, last.upperBound >= range.lowerBound {
                union[union.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                union.append(range)
            }
        }
        return union
    }
}
