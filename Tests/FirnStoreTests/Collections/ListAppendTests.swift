import Foundation
import LMDB
import TestSupport
import Testing

@testable import FirnStore

/// Adding one element at a time to the end of a list, which leaves all pointers good.
@Suite struct ListAppendTests {
    @Test func `appending one by one fills leaves as appending at once does`() throws {
        let fixture = try ListFixture()
        let numbers = (0..<3000).map { StoredValue.int($0) }
        try fixture.write {
            for number in numbers { try fixture.connection.listAppend(fixture.place(.numbers), number) }
        }
        let (problems, leaves) = try fixture.check(.numbers)
        #expect(problems == [])
        #expect(leaves.dropLast().allSatisfy { $0 == 255 })
        #expect(fixture.elements(.numbers) == numbers)
    }

    @Test func `values of all kinds are appended, in one write and in several`() throws {
        let tags: [Tag] = [.null, .true, .int64, .double, .decimal128, .date, .string, .data, .objectID, .uuid]
        try RandomRuns(1...5).run { seed in
            var random = SeededGenerator(seed: seed)
            let fixture = try ListFixture()
            let place = fixture.place(.values)
            var expected: [StoredValue] = []
            for _ in 0..<4 {
                try fixture.write {
                    for _ in 0..<300 {
                        let value = random.value(tags.randomElement(using: &random) ?? .null)
                        try fixture.connection.listAppend(place, value)
                        expected.append(value)
                    }
                    try fixture.connection.listAppend(place, .string(String(repeating: "long", count: 500)))
                    expected.append(.string(String(repeating: "long", count: 500)))
                    try #require(fixture.elements(.values) == expected)
                }
                try #require(fixture.elements(.values) == expected)
                try #require(IntegrityChecker.check(fixture.connection) == [])
            }
        }
    }

    @Test func `an element is there at once, whatever is done between two`() throws {
        let fixture = try ListFixture()
        let connection = fixture.connection
        let (numbers, values) = (fixture.place(.numbers), fixture.place(.values))
        var expected: [StoredValue] = []
        try fixture.write {
            for number in 0..<2000 as Range<Int64> {
                try connection.listAppend(numbers, .int(number))
                expected.append(.int(number))
                try #require(connection.count(numbers) == expected.count)
                try #require(connection.listElement(numbers, at: expected.count - 1) == .int(number))
                switch number % 50 {
                case 10:
                    try connection.listInsert(numbers, .int(-number), at: expected.count / 2)
                    expected.insert(.int(-number), at: expected.count / 2)
                case 20:
                    try connection.listRemove(numbers, expected.count - 3..<expected.count)
                    expected.removeLast(3)
                case 30: try connection.listAppend(values, .int(number))
                case 40: try connection.applyPending()
                case 45: try #require(connection.listIndex(numbers, of: .int(number)) == expected.count - 1)
                default: break
                }
            }
            try #require(fixture.elements(.numbers) == expected)
        }
        #expect(fixture.elements(.numbers) == expected)
        #expect(connection.count(values) == 40)
        #expect(IntegrityChecker.check(connection) == [])
    }

    @Test func `what was lent stays good while a list is appended to`() throws {
        let fixture = try ListFixture()
        let connection = fixture.connection
        let place = fixture.place(.texts)
        func text(_ number: Int) -> StoredValue { .string("text \(number)") }
        try fixture.write {
            for number in 0..<10 { try connection.listAppend(place, text(number)) }
            let stamp = connection.stamp
            let owner = try #require(connection.record(fixture.row.table, fixture.row.key))
            let leaf = try #require(connection.withListElements(place, from: 0) { record, _ in record })
            for number in 10..<100 {
                let count = connection.changeCount
                try connection.listAppend(place, text(number))
                try #require(connection.changeCount != count)
            }
            #expect(connection.stamp == stamp)
            #expect(connection.record(fixture.row.table, fixture.row.key)?.base == owner.base)
            #expect((0..<100).map { leaf.value($0) } == (0..<100).map(text))
        }
    }

    @Test func `links are noted as they are appended`() throws {
        let fixture = try CollectionFixture()
        let connection = fixture.connection
        let (owner, targets) = try fixture.write {
            (try fixture.insertNode(0), try (1...100).map { try fixture.insertNode($0) })
        }
        let (list, anyList) = (try fixture.place(owner, "list"), try fixture.place(owner, "anyList"))
        try fixture.write {
            for target in targets + targets {
                try connection.listAppend(list, target.link)
            }
            for target in targets { try connection.listAppend(anyList, target.typedLink) }
            _ = try connection.delete([targets[3]])
            try #require(connection.count(list) == 198)
            try connection.listAppend(list, targets[5].link)
        }
        #expect(connection.count(list) == 199)
        #expect(fixture.elements(anyList)[3] == .null)
    }

    @Test func `an embedded object is appended once`() throws {
        let fixture = try CollectionFixture()
        let connection = fixture.connection
        let owner = try fixture.write { try fixture.insertNode(0) }
        let parts = try fixture.place(owner, "parts")
        try fixture.write {
            let part = try fixture.insertPart()
            try connection.listAppend(parts, part.link)
            let error = #expect(throws: StoreError.self) { try connection.listAppend(parts, part.link) }
            #expect(error?.code == .alreadyOwned)
            for _ in 0..<10 { try connection.listAppend(parts, fixture.insertPart().link) }
        }
        #expect(connection.count(parts) == 11)
    }

    @Test func `a nested list is appended to, and gone with its owner`() throws {
        let fixture = try CollectionFixture()
        let connection = fixture.connection
        let owner = try fixture.write { try fixture.insertNode(0) }
        try fixture.write {
            let value = try connection.makeCollection(.list)
            try fixture.set(owner, "any", value)
            let nested = try fixture.place(owner, "any", nested: value)
            for number in 0..<600 as Range<Int64> { try connection.listAppend(nested, .int(number)) }
            try #require(connection.count(nested) == 600)
            try fixture.set(owner, "any", .null)
            let error = #expect(throws: StoreError.self) { try connection.listAppend(nested, .int(1)) }
            #expect(error?.code == .noSuchObject)
        }
        #expect(try fixture.pairCounts() == [0, 0, 0])
    }

    @Test func `many links appended in one write are taken over before the commit`() throws {
        let fixture = try CollectionFixture()
        let connection = fixture.connection
        let (owner, target) = try fixture.write { (try fixture.insertNode(0), try fixture.insertNode(1)) }
        let list = try fixture.place(owner, "list")
        let count = 20_000
        try fixture.write {
            let write = try #require(connection.write)
            write.pendingByteLimit = 1 << 18
            for _ in 0..<count {
                try connection.listAppend(list, target.link)
                try #require(write.pendingByteCount < 1 << 19)
            }
        }
        #expect(connection.count(list) == count)
    }

    @Test func `an append that is rolled back leaves nothing, and the next write begins anew`() throws {
        let fixture = try ListFixture()
        let connection = fixture.connection
        let place = fixture.place(.numbers)
        try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "test")))
        for number in 0..<300 as Range<Int64> { try connection.listAppend(place, .int(number)) }
        connection.rollback()
        #expect(connection.count(place) == 0)
        try fixture.write {
            try connection.listAppend(place, .int(1))
            try connection.listAppend(place, .int(2))
        }
        #expect(fixture.elements(.numbers) == [.int(1), .int(2)])
    }
}
