import TestSupport
import Testing

@testable import FirnStore

@Suite struct AscendingNumbersTests {
    @Test(arguments: ["none", "one", "dense", "random", "clustered", "alike", "extreme", "squares"])
    func `a search answers as going over them all would`(_ spread: String) {
        var random = SeededGenerator(seed: 7)
        let numbers: [UInt64] =
            switch spread {
            case "none": []
            case "one": [5]
            case "dense": Array(100..<400)
            case "random": (0..<300).map { _ in .random(in: 0 ... .max, using: &random) }.sorted()
            case "clustered": Array(0..<150) + (0..<150).map { .max - 1000 + 3 * $0 }
            case "alike": Array(repeating: 7, count: 100) + Array(repeating: 9, count: 100) + [.max, .max]
            case "extreme": [0, 0, 1, .max - 1, .max, .max]
            default: (0..<300).map { $0 * $0 }
            }
        let searched = AscendingNumbers(numbers)
        let sought = Set(numbers.flatMap { [$0, $0 &+ 1, $0 &- 1] } + [0, 1, .max, .max / 2])
        for number in sought {
            let expected = numbers.firstIndex { $0 >= number } ?? numbers.count
            #expect(searched.firstIndex(notBelow: number) == expected, "\(number) in \(spread)")
        }
        for (index, number) in numbers.enumerated() { #expect(searched[index] == number) }
    }
}
