import FirnQuery
import TestSupport
import Testing

@Suite struct SorterTests {
    @Test func `numbers come in the order of their keys, and with equal keys as they ascend`() throws {
        try RandomRuns(1...20).run { seed in
            var generator = SeededGenerator(seed: seed)
            let count = Int.random(in: 0...2000, using: &generator)
            let limit = Bool.random(using: &generator) ? Int.random(in: 0...400, using: &generator) : Int.max
            // Keys that end in the one zero that they have, so that none begins with another.
            let keys = (0..<count).map { _ in
                (0..<Int.random(in: 0...40, using: &generator)).map { _ in UInt8.random(in: 1...2, using: &generator) }
                    + [0]
            }
            var parts = [Sorter(limit: limit), Sorter(limit: limit)]
            for (number, key) in keys.enumerated() {
                key.withUnsafeBytes { parts[number * 2 / count].add(UInt64(number), key: $0) }
            }
            parts[0].add(parts[1])
            let sorted = keys.indices.sorted {
                keys[$0] == keys[$1] ? $0 < $1 : keys[$0].lexicographicallyPrecedes(keys[$1])
            }
            try #require(parts[0].numbers() == sorted.prefix(limit).map(UInt64.init))
        }
    }
}
