import Foundation
import LMDB
import TestSupport
import Testing

@testable import FirnStore

/// Random changes of lists, compared with arrays after each transaction, with the nodes checked.
@Suite struct ListModelTests {
    @Test func `a list is what an array is`() throws {
        try RandomRuns(1...4).run { seed in
            var model = try ListModel(seed: seed)
            for _ in 0..<10 { try model.runTransaction() }
        }
    }
}

struct ListModel {
    let fixture: ListFixture
    var random: SeededGenerator
    var lists: [ListFixture.Column: [StoredValue]] = [.numbers: [], .texts: [], .values: [], .links: []]

    init(seed: UInt64) throws {
        fixture = try ListFixture()
        random = SeededGenerator(seed: seed)
    }

    /// Up to 60 random changes, then a commit, or a rollback one time in five.
    mutating func runTransaction() throws {
        let before = lists
        let connection = fixture.connection
        try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "model test")))
        for _ in 0..<Int.random(in: 1...60, using: &random) {
            let column = try #require(ListFixture.Column.allCases.randomElement(using: &random))
            try change(column)
        }
        if chance(3) { try compare() }
        if chance(5) {
            connection.rollback()
            lists = before
        } else {
            try connection.commit()
        }
        try compare()
    }

    private mutating func change(_ column: ListFixture.Column) throws {
        let connection = fixture.connection
        let place = fixture.place(column)
        var list = lists[column] ?? []
        let count = list.count
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<45,
            _ where count == 0:
            let several = chance(6) ? Int.random(in: 0...700, using: &random) : Int.random(in: 1...3, using: &random)
            let values = (0..<several).map { _ in value(column) }
            let index = chance(3) ? count : chance(4) ? 0 : Int.random(in: 0...count, using: &random)
            if index == count, chance(2) {
                for value in values { try connection.listAppend(place, value) }
            } else {
                try connection.listInsert(place, values, at: index)
            }
            list.insert(contentsOf: values, at: index)
        case 45..<60:
            let index = Int.random(in: 0..<count, using: &random)
            let value = value(column)
            try connection.listSet(place, value, at: index)
            list[index] = value
        case 60..<82:
            let index = chance(3) ? count - 1 : Int.random(in: 0..<count, using: &random)
            let range = index..<min(count, index + (chance(4) ? Int.random(in: 1...600, using: &random) : 1))
            try connection.listRemove(place, range)
            list.removeSubrange(range)
        case 82..<92:
            let (source, target) = (
                Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random)
            )
            try connection.listMove(place, from: source, to: target)
            list.insert(list.remove(at: source), at: target)
        case 92..<99:
            let (a, b) = (Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random))
            try connection.listSwap(place, a, b)
            list.swapAt(a, b)
        default:
            try connection.listRemove(place, 0..<count)
            list = []
        }
        lists[column] = list
        if chance(3), !list.isEmpty {
            let index = Int.random(in: 0..<list.count, using: &random)
            try #require(connection.listElement(place, at: index) == list[index])
        }
    }

    private mutating func value(_ column: ListFixture.Column) -> StoredValue {
        switch column {
        case .numbers:
            return .int(Int64.random(in: .min ... .max, using: &random) >> Int64.random(in: 0..<64, using: &random))
        case .links: return .link(fixture.row.key)
        case .texts: return chance(4) ? .null : .string(text())
        case .values:
            let tags = Tag.allCases.filter { ![.link, .typedLink, .collection, .blob].contains($0) }
            return chance(3) ? .string(text()) : random.value(tags.randomElement(using: &random) ?? .null)
        }
    }

    private mutating func text() -> String {
        let lengths = [700, 1000, 1023, 1024, 1025, 5000]
        let length =
            chance(12)
            ? lengths[Int.random(in: 0..<lengths.count, using: &random)] : Int.random(in: 1...20, using: &random)
        return String(repeating: "x", count: length - 1) + String(Int.random(in: 0...9, using: &random))
    }

    private mutating func chance(_ oneIn: Int) -> Bool {
        Int.random(in: 0..<oneIn, using: &random) == 0
    }

    private func compare() throws {
        for column in ListFixture.Column.allCases {
            let expected = lists[column] ?? []
            try #require(fixture.elements(column) == expected)
            try #require(fixture.connection.count(fixture.place(column)) == expected.count)
            let (problems, leaves) = try fixture.check(column)
            try #require(problems.isEmpty, "\(problems)")
            try #require(leaves.reduce(0, +) == expected.count)
            if let value = expected.last {
                let index = fixture.connection.listIndex(fixture.place(column), of: value)
                try #require(index == expected.firstIndex(of: value))
            }
        }
    }
}
