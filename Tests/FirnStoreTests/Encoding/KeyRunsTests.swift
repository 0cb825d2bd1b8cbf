import FirnStore
import TestSupport
import Testing

@Suite struct KeyRunsTests {
    @Test func `consecutive keys take two numbers together`() {
        var bytes: [UInt8] = []
        KeyRuns.append([3, 4, 5, 9, 200, 201] as [UInt64], to: &bytes)
        #expect(hex(bytes) == "03 03 02 04 00 bf 01 01")
    }

    @Test func `what was written is read back, run by run and key by key`() throws {
        try RandomRuns(1...50).run { seed in
            var random = SeededGenerator(seed: seed)
            let spread = UInt64.random(in: 0...60, using: &random)
            var keys = Set((0..<Int.random(in: 0...100, using: &random)).map { _ in random.next() >> spread })
            if seed.isMultiple(of: 3) { keys.formUnion([0, 1, .max - 1, .max]) }
            let sorted = keys.sorted()
            var bytes: [UInt8] = [7]
            KeyRuns.append(sorted, to: &bytes)
            bytes.append(8)
            try bytes.withUnsafeBytes { bytes in
                var reader = VarintReader(bytes, from: 1)
                let runs = try KeyRuns(reading: &reader)
                try #require(Array(runs.keys) == sorted)
                try #require(runs.keyCount == UInt64(sorted.count))
                try #require(Array(runs) == KeyRuns.runs(of: sorted))
                try #require(reader.next() == 8, "the reader stands behind the runs")
            }
        }
    }

    @Test(arguments: [
        [], [1], [1, 5], [2, 5, 0, 0, 0], [0xFF, 0xFF, 3, 1], [1] + [UInt8](repeating: 0xFF, count: 9) + [1, 1],
    ])
    func `bytes that are no runs are refused`(bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            var reader = VarintReader(bytes)
            #expect(throws: FormatError.self) { _ = try KeyRuns(reading: &reader) }
        }
    }
}
