import TestSupport
import Testing

@testable import FirnStore

@Suite struct BytePositionsTests {
    /// Byte strings in the order in which they came.
    private final class Strings {
        private(set) var all: [[UInt8]] = []
        private var positions = BytePositions()

        func append(_ string: [UInt8]) {
            all.append(string)
            string.withUnsafeBytes { bytes in positions.note(bytes, at: all.count - 1) { lent($0) } }
        }

        func find(_ string: [UInt8]) -> Int? {
            string.withUnsafeBytes { bytes in positions.find(bytes) { lent($0) } }
        }

        func removeAll() {
            positions.removeAll(all.count)
            all = []
        }

        var sizeInBytes: Int { positions.sizeInBytes }

        // SAFETY: the arrays outlive the look at their bytes, and none changes meanwhile.
        private func lent(_ position: Int) -> UnsafeRawBufferPointer { all[position].withUnsafeBytes { $0 } }
    }

    @Test func `of equal bytes the last position is found`() {
        let strings = Strings()
        #expect(strings.find([1]) == nil)
        for string: [UInt8] in [[1], [], [1, 0], [1], [0]] { strings.append(string) }
        #expect(strings.find([1]) == 3)
        #expect(strings.find([]) == 1)
        #expect(strings.find([1, 0]) == 2)
        #expect(strings.find([0]) == 4)
        #expect(strings.find([0, 0]) == nil)
    }

    @Test func `thousands of positions are found however the table grows, and none once they are forgotten`() {
        var random = SeededGenerator(seed: 1)
        let strings = Strings()
        var expected: [[UInt8]: Int] = [:]
        for position in 0..<5000 {
            let string = (0..<Int.random(in: 0...12, using: &random)).map { _ in UInt8.random(in: 0...3, using: &random)
            }
            strings.append(string)
            expected[string] = position
        }
        #expect(expected.allSatisfy { strings.find($0.key) == $0.value })
        strings.removeAll()
        #expect(expected.allSatisfy { strings.find($0.key) == nil })
        strings.append([7])
        #expect(strings.find([7]) == 0)
    }

    @Test func `forgetting a few does not take the time of a table that once was large`() {
        let strings = Strings()
        for number in 0..<1000 { strings.append([UInt8(number / 256), UInt8(number % 256)]) }
        strings.removeAll()
        #expect(strings.sizeInBytes >= 1000 * 4)
        strings.append([1])
        strings.removeAll()
        #expect(strings.sizeInBytes == 0)
    }
}
