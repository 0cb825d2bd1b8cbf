import Foundation
import LMDB
import TestSupport
import Testing

@testable import FirnStore

@Suite struct ListTests {
    private func ints(_ range: Range<Int64>) -> [StoredValue] { range.map { .int($0) } }

    private func text(_ byteCount: Int) -> StoredValue { .string(String(repeating: "x", count: byteCount)) }

    // MARK: The shape of the tree

    @Test(arguments: [1, 7, 3000])
    func `appending leaves full leaves`(batch: Int) throws {
        let fixture = try ListFixture()
        let place = fixture.place(.numbers)
        try fixture.write {
            for start in stride(from: 0, to: 3000, by: batch) {
                let values = ints(Int64(start)..<Int64(min(3000, start + batch)))
                try fixture.connection.listInsert(place, values, at: start)
            }
        }
        let (problems, leaves) = try fixture.check(.numbers)
        #expect(problems == [])
        #expect(leaves.dropLast().allSatisfy { $0 == 255 })
        #expect(fixture.elements(.numbers) == ints(0..<3000))
    }

    @Test func `putting elements in front leaves full leaves too`() throws {
        let fixture = try ListFixture()
        let place = fixture.place(.numbers)
        try fixture.write {
            for number in 0..<1000 as Range<Int64> {
                try fixture.connection.listInsert(place, [.int(number)], at: 0)
            }
        }
        #expect(try fixture.check(.numbers).leaves.dropFirst().allSatisfy { $0 == 255 })
        #expect(fixture.elements(.numbers) == ints(0..<1000).reversed())
    }

    @Test func `inserting into a full leaf splits it by bytes`() throws {
        let fixture = try ListFixture()
        let place = fixture.place(.texts)
        try fixture.write {
            try fixture.connection.listInsert(place, [text(900), text(900)], at: 0)
            try fixture.connection.listInsert(place, Array(repeating: text(8), count: 18), at: 1)
            try fixture.connection.listInsert(place, [text(20)], at: 10)
        }
        #expect(try fixture.check(.texts).leaves == [10, 11])
    }

    @Test func `an element that fits beside neither neighbour gets a leaf of its own`() throws {
        let fixture = try ListFixture()
        let place = fixture.place(.texts)
        try fixture.write {
            try fixture.connection.listInsert(place, [text(989), text(1002)], at: 0)
            try fixture.connection.listInsert(place, [text(1020)], at: 1)
        }
        let (problems, leaves) = try fixture.check(.texts)
        #expect(problems == [])
        #expect(leaves == [1, 1, 1])
        #expect(fixture.elements(.texts) == [text(989), text(1020), text(1002)])
    }

    @Test func `an element that grows splits its leaf`() throws {
        let fixture = try ListFixture()
        let place = fixture.place(.texts)
        try fixture.write {
            try fixture.connection.listInsert(place, [text(989), .null, text(989)], at: 0)
            try fixture.connection.listSet(place, text(1020), at: 1)
        }
        let (problems, leaves) = try fixture.check(.texts)
        #expect(problems == [])
        #expect(leaves.count > 1)
        #expect(fixture.elements(.texts) == [text(989), text(1020), text(989)])
    }

    @Test func `leaves that run low merge, and a root with one child gives way to it`() throws {
        let fixture = try ListFixture()
        let place = fixture.place(.numbers)
        try fixture.write { try fixture.connection.listInsert(place, ints(0..<20_000), at: 0) }
        #expect(try fixture.check(.numbers).leaves.count == 79)
        try fixture.write {
            for index in (0..<20_000).reversed() where index % 100 != 0 {
                try fixture.connection.listRemove(place, index..<index + 1)
            }
        }
        let (problems, leaves) = try fixture.check(.numbers)
        #expect(problems == [])
        #expect(leaves.count < 4)
        #expect(fixture.elements(.numbers) == (0..<200).map { .int($0 * 100) })
        try fixture.write { try fixture.connection.listRemove(place, 10..<200) }
        #expect(try fixture.check(.numbers).leaves == [10])
        #expect(try fixture.nodeCount() == 1)
    }

    @Test func `elements go from the midst of several levels at once`() throws {
        let fixture = try ListFixture()
        let place = fixture.place(.numbers)
        try fixture.write { try fixture.connection.listInsert(place, ints(0..<100_000), at: 0) }
        try fixture.write { try fixture.connection.listRemove(place, 1000..<99_000) }
        #expect(try fixture.check(.numbers).problems == [])
        #expect(fixture.elements(.numbers) == ints(0..<1000) + ints(99_000..<100_000))
        #expect(try fixture.nodeCount() < 14)
    }

    @Test func `many elements inserted in the midst fill their leaves`() throws {
        let fixture = try ListFixture()
        let place = fixture.place(.numbers)
        try fixture.write { try fixture.connection.listInsert(place, ints(0..<1000), at: 0) }
        try fixture.write { try fixture.connection.listInsert(place, ints(0..<5100), at: 300) }
        let (problems, leaves) = try fixture.check(.numbers)
        #expect(problems == [])
        #expect(leaves.count <= 27)
        #expect(fixture.elements(.numbers) == ints(0..<300) + ints(0..<5100) + ints(300..<1000))
    }

    // MARK: Empty lists

    @Test func `an empty list that is a column has no node and no id`() throws {
        let fixture = try ListFixture()
        let place = fixture.place(.numbers)
        try fixture.write { try fixture.connection.listInsert(place, ints(0..<1000), at: 0) }
        try fixture.write { try fixture.connection.listRemove(place, 0..<1000) }
        #expect(fixture.connection.collectionID(place) == nil)
        #expect(try fixture.nodeCount() == 0)
        #expect(fixture.connection.count(place) == 0)
        try fixture.write { try fixture.connection.listInsert(place, [.int(1)], at: 0) }
        #expect(fixture.elements(.numbers) == [.int(1)])
    }

    @Test func `a list within an any keeps its root when it is empty`() throws {
        let fixture = try ListFixture()
        let connection = fixture.connection
        var id: UInt64 = 0
        try fixture.write {
            let list = try connection.makeCollection(.list)
            if case .collection(_, let made) = list { id = made }
            try connection.listInsert(fixture.place(.values), [list], at: 0)
        }
        let place = CollectionPlace(row: fixture.row, slot: fixture.place(.values).slot, nestedID: id)
        #expect(connection.exists(place))
        #expect(connection.count(place) == 0)
        try fixture.write { try connection.listInsert(place, [.int(1), .string("a")], at: 0) }
        #expect(connection.count(place) == 2)
        try fixture.write { try connection.listRemove(place, 0..<2) }
        #expect(connection.exists(place))
        try fixture.write { try connection.listRemove(fixture.place(.values), 0..<1) }
        #expect(!connection.exists(place))
        #expect(try fixture.nodeCount() == 0)
    }

    // MARK: Elements

    @Test func `a long string lives in a blob and is found like a short one`() throws {
        let fixture = try ListFixture()
        let place = fixture.place(.texts)
        let (short, long) = (text(1024), text(1025))
        try fixture.write { try fixture.connection.listInsert(place, [.null, short, long], at: 0) }
        #expect(fixture.connection.withListElements(place, from: 1) { $0.tag($1.lowerBound) } == .string)
        #expect(fixture.connection.withListElements(place, from: 2) { $0.tag($1.lowerBound) } == .blob)
        #expect(fixture.connection.listIndex(place, of: long) == 2)
        #expect(fixture.connection.listIndex(place, of: text(1026)) == nil)
        try fixture.write {
            try fixture.connection.listSwap(place, 0, 2)
            try fixture.connection.listMove(place, from: 1, to: 0)
        }
        #expect(fixture.elements(.texts) == [short, long, .null])
        try fixture.write { try fixture.connection.listSet(place, .string("b"), at: 1) }
        #expect(IntegrityChecker.check(fixture.connection) == [])
    }

    @Test func `a value that is refused changes nothing`() throws {
        let fixture = try ListFixture()
        let place = fixture.place(.texts)
        try fixture.write {
            expectStoreError(.valueTooLarge) {
                try fixture.connection.listInsert(place, [text(2000), text(valueByteLimit + 1)], at: 0)
            }
        }
        #expect(fixture.connection.collectionID(place) == nil)
        #expect(IntegrityChecker.check(fixture.connection) == [])
    }

    @Test func `the list of an object that went takes nothing, right after a change of it too`() throws {
        let fixture = try ListFixture()
        let place = fixture.place(.numbers)
        try fixture.write {
            try fixture.connection.listInsert(place, [.int(1)], at: 0)
            _ = try fixture.connection.delete([fixture.row])
            #expect(fixture.connection.count(place) == 0)
            expectStoreError(.noSuchObject) { try fixture.connection.listInsert(place, [.int(2)], at: 0) }
        }
        #expect(try fixture.nodeCount() == 0)
        #expect(IntegrityChecker.check(fixture.connection) == [])
    }

    @Test func `setting an equal value is no change`() throws {
        let fixture = try ListFixture()
        let place = fixture.place(.texts)
        try fixture.write { try fixture.connection.listInsert(place, [text(5), text(3000)], at: 0) }
        let version = fixture.connection.version
        try fixture.write {
            try fixture.connection.listSet(place, text(5), at: 0)
            try fixture.connection.listSet(place, text(3000), at: 1)
        }
        #expect(fixture.connection.version == version)
    }

    @Test func `an older snapshot keeps its elements while the list changes`() throws {
        let fixture = try ListFixture()
        let place = fixture.place(.numbers)
        try fixture.write { try fixture.connection.listInsert(place, ints(0..<2000), at: 0) }
        let old = try Connection(snapshot: fixture.connection.currentSnapshot, isFrozen: true)
        try fixture.write { try fixture.connection.listRemove(place, 5..<1995) }
        #expect(fixture.elements(.numbers, old) == ints(0..<2000))
        #expect(fixture.connection.count(place) == 10)
    }

    @Test func `changes of one write are seen in it, whichever lists they are of`() throws {
        let fixture = try ListFixture()
        let (numbers, values) = (fixture.place(.numbers), fixture.place(.values))
        try fixture.connection.beginWrite(WriteRequest(holder: WriterDescription(text: "test")))
        for number in 0..<600 as Range<Int64> {
            try fixture.connection.listInsert(numbers, [.int(number)], at: fixture.connection.count(numbers))
            try fixture.connection.listInsert(values, [.int(-number)], at: 0)
            try #require(fixture.connection.listElement(numbers, at: Int(number)) == .int(number))
            try #require(fixture.connection.count(values) == Int(number) + 1)
        }
        fixture.connection.rollback()
        #expect(fixture.connection.count(numbers) == 0)
        #expect(fixture.elements(.values) == [])
    }
}

/// Expects that `body` throws an error of the store with a code.
private func expectStoreError(
    _ code: StoreError.Code, _ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
) {
    let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) { try body() }
    #expect(error?.code == code, sourceLocation: sourceLocation)
}
