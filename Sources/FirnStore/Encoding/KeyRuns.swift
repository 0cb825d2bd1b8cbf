/// Ascending object keys as runs of consecutive ones: how many runs, then per run two varints, the distance from the
/// end of the run before (from 0 in the first) and how many keys follow its first.
///
/// A sequence that reads the runs as it goes, without a copy: the bytes must outlive it.
package struct KeyRuns: Sequence {
    /// How many runs there are.
    package let runCount: Int
    private let reader: VarintReader

    /// The runs that begin where `reader` stands, which is moved behind them. Throws where the bytes are not runs.
    package init(reading reader: inout VarintReader) throws(FormatError) {
        let start = reader.offset
        guard let count = reader.next(), let runCount = Int(exactly: count) else {
            throw FormatError("key runs have no count", at: start)
        }
        self.runCount = runCount
        self.reader = reader
        // Read once here, so that iterating cannot fail.
        var previousEnd: UInt64 = 0
        for index in 0..<runCount {
            let offset = reader.offset
            guard let distance = reader.next(), let more = reader.next() else {
                throw FormatError("the bytes end in run \(index) of \(runCount)", at: offset)
            }
            let (first, isTooLarge) = previousEnd.addingReportingOverflow(distance)
            let (last, isTooLong) = first.addingReportingOverflow(more)
            guard !isTooLarge, !isTooLong, distance > 0 || index == 0 else {
                throw FormatError("run \(index) of \(runCount) does not ascend", at: offset)
            }
            previousEnd = last
        }
    }

    /// The runs in ascending order.
    package func makeIterator() -> Iterator { Iterator(reader: reader, left: runCount) }

    /// The keys in ascending order.
    package var keys: some Sequence<UInt64> { self.lazy.flatMap { $0 } }

    /// How many keys there are.
    package var keyCount: UInt64 { reduce(0) { $0 &+ ($1.upperBound - $1.lowerBound) &+ 1 } }

    /// Yields the runs.
    package struct Iterator: IteratorProtocol {
        fileprivate var reader: VarintReader
        fileprivate var left: Int
        private var previousEnd: UInt64 = 0

        fileprivate init(reader: VarintReader, left: Int) {
            self.reader = reader
            self.left = left
        }

        /// The next run.
        package mutating func next() -> ClosedRange<UInt64>? {
            guard left > 0, let distance = reader.next(), let more = reader.next() else { return nil }
            left -= 1
            let first = previousEnd &+ distance
            previousEnd = first &+ more
            return first...previousEnd
        }
    }

    /// Appends keys, which must ascend, each once.
    package static func append(_ keys: some Collection<UInt64>, to bytes: inout [UInt8]) {
        append(runs: runs(of: keys), to: &bytes)
    }

    /// Appends runs, which must ascend without touching.
    package static func append(runs: [ClosedRange<UInt64>], to bytes: inout [UInt8]) {
        Varint.append(UInt64(runs.count), to: &bytes)
        var previousEnd: UInt64 = 0
        for run in runs {
            Varint.append(run.lowerBound - previousEnd, to: &bytes)
            Varint.append(run.upperBound - run.lowerBound, to: &bytes)
            previousEnd = run.upperBound
        }
    }

    /// The runs of consecutive keys among keys that ascend, each once.
    package static func runs(of keys: some Collection<UInt64>) -> [ClosedRange<UInt64>] {
        var runs: [ClosedRange<UInt64>] = []
        for key in keys {
            if let last = runs.last {
                precondition(key > last.upperBound, "Keys come in ascending order, each once")
                if key - last.upperBound == 1 {
                    runs[runs.count - 1] = last.lowerBound...key
                    continue
                }
            }
            runs.append(key...key)
        }
        return runs
    }
}
