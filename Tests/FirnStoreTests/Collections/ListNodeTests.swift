import Foundation
import LMDB
import TestSupport
import Testing

@testable import FirnStore

@Suite struct ListNodeTests {
    private func node(_ fixture: ListFixture, _ column: ListFixture.Column, _ node: UInt32) throws -> String {
        let connection = fixture.connection
        let id = try #require(connection.collectionID(fixture.place(column)))
        let bytes = try connection.transaction.get(connection.store.databases.lists, ListNodeView.key(id, node))
        return hex(try #require(bytes))
    }

    @Test func `the bytes of a leaf never change`() throws {
        let fixture = try ListFixture()
        try fixture.write {
            try fixture.connection.listInsert(fixture.place(.values), [.int(1), .null, .string("ab")], at: 0)
        }
        #expect(try node(fixture, .values, 0) == "01 03 43 01 60 01 6b 01 a0 01 01 61 62")
    }

    @Test func `the bytes of an inner node never change`() throws {
        let fixture = try ListFixture()
        try fixture.write {
            try fixture.connection.listInsert(fixture.place(.numbers), (0..<300).map { .int($0) }, at: 0)
        }
        let expected = "02 00 02 00 01 00 00 00 ff 00 00 00 00 00 00 00 02 00 00 00 2d 00 00 00 00 00 00 00"
        #expect(try node(fixture, .numbers, 0) == expected)
        #expect(try node(fixture, .numbers, 1).hasPrefix("01 ff "))
        #expect(try node(fixture, .numbers, 2).hasPrefix("01 2d "))
    }

    @Test func `the key of a node is the list's id and the node's`() throws {
        ListNodeView.key(258, 3).withBytes { #expect(hex($0) == "00 00 00 00 00 00 01 02 00 00 00 03") }
    }

    // MARK: A leaf in memory

    private func builder(_ values: [StoredValue]) -> RecordBuilder {
        let builder = RecordBuilder()
        builder.begin()
        for value in values { builder.add(value) }
        return builder
    }

    private func values(_ leaf: ListLeaf) -> [StoredValue] {
        (0..<leaf.count).map { leaf.record.value($0) }
    }

    @Test func `a leaf edited byte by byte is a record of the same values`() throws {
        try RandomRuns(1...20).run { seed in
            var random = SeededGenerator(seed: seed)
            let leaf = ListLeaf()
            var expected: [StoredValue] = []
            for _ in 0..<60 {
                let index = Int.random(in: 0...expected.count, using: &random)
                let new = (0..<Int.random(in: 1...4, using: &random)).map { _ in random.value() }
                let builder = builder(new)
                if Bool.random(using: &random), index < expected.count {
                    let end = min(expected.count, index + Int.random(in: 1...4, using: &random))
                    leaf.remove(index..<end)
                    expected.removeSubrange(index..<end)
                } else if index < expected.count, leaf.fits(builder, 0..<1, replacing: index) {
                    leaf.replace(index..<index + 1, with: builder, 0..<1)
                    expected[index] = new[0]
                } else if leaf.fits(builder, 0..<new.count) {
                    leaf.insert(builder, 0..<new.count, at: index)
                    expected.insert(contentsOf: new, at: index)
                }
                try #require(RecordView.validate(leaf.record.bytes) == leaf.byteCount)
                try #require(values(leaf) == expected)
            }
        }
    }

    @Test func `a leaf that is appended to stays a record of the same values, where it is`() throws {
        try RandomRuns(1...20).run { seed in
            var random = SeededGenerator(seed: seed)
            let leaf = ListLeaf()
            let base = leaf.record.base
            var expected: [StoredValue] = []
            for _ in 0..<400 {
                let new = (0..<(Int.random(in: 0..<4, using: &random) == 0 ? 2 : 1)).map { _ in random.value() }
                let builder = builder(new)
                let fits = leaf.fits(builder, 0..<new.count)
                if leaf.append(builder) {
                    try #require(fits)
                    expected += new
                } else if fits {
                    try #require(expected.isEmpty)
                    leaf.insert(builder, 0..<new.count, at: 0)
                    expected = new
                } else {
                    leaf.remove(0..<(expected.count + 1) / 2)
                    expected.removeSubrange(0..<(expected.count + 1) / 2)
                }
                try #require(values(leaf) == expected)
                guard Int.random(in: 0..<10, using: &random) == 0 else { continue }
                try #require(RecordView.validate(leaf.bytes) == leaf.byteCount)
                try #require(values(leaf) == expected)
            }
            #expect(leaf.record.base == base)
        }
    }

    @Test(arguments: [StoredValue.null, .int(300), .int(1 << 40), .string(String(repeating: "x", count: 500))])
    func `a leaf takes as much by appending as by inserting`(value: StoredValue) {
        let (appended, inserted) = (ListLeaf(), ListLeaf())
        let builder = builder([value])
        while inserted.fits(builder, 0..<1) {
            if !appended.append(builder) { appended.insert(builder, 0..<1, at: 0) }
            inserted.insert(builder, 0..<1, at: inserted.count / 2)
        }
        #expect(!appended.append(builder))
        #expect(hex(appended.bytes) == hex(inserted.bytes))
    }

    @Test func `a small integer that stays alone is widened`() throws {
        let leaf = ListLeaf()
        leaf.insert(builder([.int(7), .int(-1)]), 0..<2, at: 0)
        leaf.remove(0..<1)
        #expect(hex(leaf.record.bytes) == "01 01 c4 00 00 01 ff ff")
        #expect(values(leaf) == [.int(-1)])
    }

    @Test func `a leaf takes 255 elements`() {
        let leaf = ListLeaf()
        let full = builder(Array(repeating: .null, count: 255))
        #expect(leaf.fits(full, 0..<255))
        leaf.insert(full, 0..<255, at: 0)
        #expect(leaf.byteCount == 514)
        #expect(!leaf.fits(full, 0..<1))
        #expect(leaf.fits(full, 0..<1, replacing: 254))
    }

    @Test func `a leaf takes 2,000 bytes`() {
        let leaf = ListLeaf()
        leaf.insert(builder([.string(String(repeating: "x", count: 994))]), 0..<1, at: 0)
        #expect(leaf.byteCount == 1000)
        #expect(leaf.fits(builder([.string(String(repeating: "y", count: 998))]), 0..<1))
        #expect(!leaf.fits(builder([.string(String(repeating: "y", count: 999))]), 0..<1))
    }

    // MARK: Damage

    @Test func `bytes that are no node are refused, and nothing is read outside`() throws {
        let guarded = GuardedBytes(room: 4096)
        var inner: [UInt8] = []
        ListInner((1...3).map { ListInner.Child(id: $0, count: 5, node: nil) }).withBytes { inner = Array($0) }
        let leaf = ListLeaf()
        leaf.insert(builder([.int(1), .string("text"), .null, .double(2)]), 0..<4, at: 0)
        RandomRuns(1...20).run { seed in
            var random = SeededGenerator(seed: seed)
            for original in [inner, Array(leaf.record.bytes)] {
                for _ in 0..<50 {
                    var bytes = original
                    for _ in 0..<Int.random(in: 0...3, using: &random) {
                        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                            in: 0...255, using: &random)
                    }
                    bytes.removeLast(
                        Int.random(in: 0...bytes.count, using: &random) * Int.random(in: 0...1, using: &random))
                    guard let node = try? ListNodeView.validate(guarded.atEnd(bytes)) else { continue }
                    switch node {
                    case .leaf(let record): for slot in 0..<record.slotCount { _ = record.value(slot) }
                    case .inner(let children): _ = children.find(children.elementCount - 1)
                    }
                }
            }
        }
    }

    @Test func `a node says what is wrong with it`() throws {
        func problem(_ bytes: [UInt8]) -> String? {
            #expect(throws: FormatError.self) { try bytes.withUnsafeBytes { _ = try ListNodeView.validate($0) } }?
                .message
        }
        #expect(problem([1, 0, 0]) == "3 bytes are no node")
        #expect(problem([3, 0, 1, 0]) == "unknown node form 3 0")
        #expect(problem([1, 2, 0x80, 0]) == "a leaf of 2 elements does not end at 4")
        #expect(problem([2, 0, 1, 0]) == "a node of 1 children does not end at 4")
        #expect(problem([2, 0, 1, 0] + [1, 0, 0, 0] + [UInt8](repeating: 0, count: 8)) == "child 0 counts 0 elements")
        #expect(problem([2, 0, 1, 0] + [0, 0, 0, 0] + [1, 0, 0, 0, 0, 0, 0, 0]) == "child 0 is the root")
    }
}
