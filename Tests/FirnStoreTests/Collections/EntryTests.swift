import Foundation
import LMDB
import TestSupport
import Testing

@testable import FirnStore

/// Sets and maps.
@Suite struct EntryTests {
    private let fixture: CollectionFixture
    private var connection: Connection { fixture.connection }

    init() throws {
        fixture = try CollectionFixture()
    }

    @Test func `a set has each value once, null first, then in the order of their bytes`() throws {
        let words: [StoredValue] = [.string("b"), .null, .string("a"), .string("b"), .string(""), .null, .string("ä")]
        let place = try fixture.write {
            let place = try fixture.place(fixture.insertNode(1), "words")
            let isNew = try words.map { try connection.setInsert(place, $0) }
            #expect(isNew == [true, true, true, false, true, false, true])
            return place
        }
        #expect(connection.count(place) == 5)
        #expect(fixture.entries(place) == [.null, .string(""), .string("a"), .string("b"), .string("ä")])
        #expect(connection.setContains(place, .string("ä")))
        #expect(!connection.setContains(place, .string("c")))
        #expect((0..<5).map { connection.setPosition(place, of: fixture.entries(place)[$0]) } == [0, 1, 2, 3, 4])
        #expect(connection.setPosition(place, of: .string("c")) == nil)
        #expect(connection.withEntry(place, at: 3) { $0.string(0) } == "b")
    }

    @Test func `a set that loses its last value leaves nothing behind`() throws {
        let place = try fixture.write {
            let place = try fixture.place(fixture.insertNode(1), "words")
            try connection.setInsert(place, .string(String(repeating: "x", count: 5000)))
            try connection.setInsert(place, .string("y"))
            return place
        }
        #expect(try fixture.pairCounts() == [0, 3, 2])
        let wasThere = try fixture.write {
            try ["y", "y", String(repeating: "x", count: 5000)].map { try connection.setRemove(place, .string($0)) }
        }
        #expect(wasThere == [true, false, true])
        #expect(try fixture.pairCounts() == [0, 0, 0])
        #expect(try fixture.value(place.row, "words").isNull)
        #expect(connection.count(place) == 0)
    }

    @Test func `in a set of any values numbers of all types are one`() throws {
        try fixture.write {
            let row = try fixture.insertNode(1)
            let place = try fixture.place(row, "anySet")
            let isNew = try [
                StoredValue.int(1), .double(1), .float(1), .bool(true), .string("1"), row.typedLink, .null,
                .double(1.5),
            ].map { try connection.setInsert(place, $0) }
            #expect(isNew == [true, false, false, true, true, true, true, true])
            #expect(connection.setContains(place, .float(1.5)))
            #expect(
                fixture.entries(place) == [.null, .bool(true), .int(1), .double(1.5), .string("1"), row.typedLink])
        }
    }

    @Test func `a map has one value a key, in the order of the keys' bytes`() throws {
        let place = try fixture.write {
            let place = try fixture.place(fixture.insertNode(1), "texts")
            for key in ["b", "", "a", "\0", "a\0b", "ab", "🙂"] { try connection.mapSet(place, key, .string(key + "!")) }
            try connection.mapSet(place, "a", .string("other"))
            return place
        }
        #expect(fixture.keys(place) == ["", "\0", "a", "a\0b", "ab", "b", "🙂"])
        #expect((0..<7).map { connection.mapKey(place, at: $0) } == fixture.keys(place))
        #expect(connection.mapValue(place, "a") == .string("other"))
        #expect(connection.mapValue(place, "a\0b") == .string("a\0b!"))
        #expect(connection.mapValue(place, "c") == nil)
        let wasThere = try fixture.write { try ["a", "a"].map { try connection.mapRemove(place, $0) } }
        #expect(wasThere == [true, false])
        #expect(connection.count(place) == 6)
    }

    @Test func `keys that are cut to equal bytes stay apart`() throws {
        let lengths = [470, 471, 472, 479, 480, 481, 511, 512, 1023, 1024, 1025, 70_000, 1 << 20]
        let keys = lengths.flatMap { length in
            ["a", "b"].map { String(repeating: "k", count: length - 1) + $0 }
        }
        let (map, set) = try fixture.write {
            let row = try fixture.insertNode(1)
            let map = try fixture.place(row, "texts")
            let set = try fixture.place(row, "words")
            for key in keys {
                try connection.mapSet(map, key, .string(String(repeating: "v", count: 900) + "\(key.utf8.count)"))
                #expect(try connection.setInsert(set, .string(key)))
                #expect(try !connection.setInsert(set, .string(key)))
            }
            return (map, set)
        }
        #expect(connection.count(map) == keys.count)
        #expect(Set(fixture.keys(map)) == Set(keys))
        for key in keys {
            #expect(connection.mapValue(map, key) == .string(String(repeating: "v", count: 900) + "\(key.utf8.count)"))
            #expect(connection.setContains(set, .string(key)))
            let position = try #require(connection.setPosition(set, of: .string(key)))
            #expect(connection.withEntry(set, at: position) { connection.string($0, 0) == key })
        }
        try fixture.write {
            for key in keys.dropFirst(2).dropLast() {
                let wasThere = try (connection.mapRemove(map, key), connection.setRemove(set, .string(key)))
                #expect(wasThere == (true, true))
            }
        }
        #expect(connection.count(map) == 3)
        try fixture.write { try connection.removeAll(map) }
        try fixture.write { try connection.removeAll(set) }
        #expect(try fixture.pairCounts() == [0, 0, 0])
    }

    @Test func `a key with a dot or a dollar sign is refused, and the error spells one that is not`() throws {
        try fixture.write {
            let place = try fixture.place(fixture.insertNode(1), "texts")
            let error = #expect(throws: StoreError.self) {
                try connection.mapSet(place, "New York.Brooklyn", .string("x"))
            }
            #expect(error?.code == .invalidMapKey)
            #expect(error?.message.contains("New York%2EBrooklyn") == true)
            #expect(throws: StoreError.self) { try connection.mapSet(place, "a$b", .string("x")) }
            #expect(connection.count(place) == 0)
        }
    }

    @Test func `a value or key beyond the limit is refused and leaves nothing behind`() throws {
        let long = String(repeating: "x", count: valueByteLimit + 1)
        let changes = try fixture.changes {
            let place = try fixture.place(fixture.insertNode(1), "texts")
            for (key, value) in [(long, "x"), ("x", long)] {
                let error = #expect(throws: StoreError.self) { try connection.mapSet(place, key, .string(value)) }
                #expect(error?.code == .valueTooLarge)
            }
        }
        #expect(changes.tables[fixture.node.id]?.inserted.count == 1)
        #expect(try fixture.pairCounts() == [0, 0, 0])
    }

    @Test func `an equal value is no change, another one is noted for the object's property`() throws {
        let place = try fixture.write {
            let place = try fixture.place(fixture.insertNode(1), "texts")
            try connection.mapSet(place, "a", .string("x"))
            return place
        }
        let version = connection.version
        try fixture.write { try connection.mapSet(place, "a", .string("x")) }
        #expect(connection.version == version)
        let changes = try fixture.changes { try connection.mapSet(place, "a", .string("y")) }
        let column = try #require(fixture.node["texts"]).id
        #expect(changes.tables[fixture.node.id]?.modified == [column: [place.row.key...place.row.key]])
    }

    @Test func `a rollback leaves a map as it was`() throws {
        let place = try fixture.write {
            let place = try fixture.place(fixture.insertNode(1), "texts")
            for number in 0..<10 { try connection.mapSet(place, "\(number)", .string("x")) }
            return place
        }
        try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "test")))
        for number in 5..<300 { try connection.mapSet(place, "\(number)", .string("y")) }
        try connection.mapRemove(place, "1")
        #expect(connection.count(place) == 299)
        connection.rollback()
        #expect(connection.count(place) == 10)
        #expect(connection.mapValue(place, "5") == .string("x"))
        try fixture.check()
    }

    @Test func `positions follow what the write does`() throws {
        try fixture.write {
            let place = try fixture.place(fixture.insertNode(1), "texts")
            for number in 100..<400 {
                try connection.mapSet(place, "\(number)", .string("\(number)"))
                if number % 60 == 0 { #expect(connection.mapKey(place, at: number - 100) == "\(number)") }
            }
            var walked: [String] = []
            connection.forEachEntry(place, from: 290) { record, key in
                walked.append(key() + record.string(0))
                return walked.count < 5
            }
            #expect(walked == ["390390", "391391", "392392", "393393", "394394"])
        }
    }

    // Pages that a split leaves half empty would make it twice as many.
    @Test func `what is inserted in order fills its pages`() throws {
        try fixture.write {
            let place = try fixture.place(fixture.insertNode(1), "words")
            for number in 0..<20_000 { try connection.setInsert(place, .string("\(1_000_000 + number)")) }
        }
        let pages = try connection.statistics(of: connection.store.databases.entries).pageCount
        // 8 of a node's header, 8 + 10 of key, 13 of record, 2 of the page's pointer.
        #expect(pages < 20_000 * 42 / 4080 * 11 / 10)
    }

    @Test func `every failing write of a set or map ends in an error or gets through, and nothing is half done`() throws
    {
        let (set, map) = try fixture.write {
            let row = try fixture.insertNode(1)
            let set = try fixture.place(row, "words")
            let map = try fixture.place(row, "anyMap")
            for number in 0..<50 { try connection.setInsert(set, .string("word \(number)")) }
            return (set, map)
        }
        let long = String(repeating: "k", count: 3000)
        var isDone = false
        try Faults.failingEachCall(returnCode: EIO, onlyChanges: true) {
            try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "faults")))
            do {
                try connection.setInsert(set, .string(long))
                try connection.setRemove(set, .string("word 7"))
                let nested = try connection.makeCollection(.map)
                try connection.mapSet(map, long, nested)
                try connection.mapSet(fixture.place(map.row, "anyMap", nested: nested), "a", map.row.typedLink)
                try connection.mapSet(map, "b", .string(long))
                try connection.mapRemove(map, "b")
                try connection.commit()
                isDone = true
            } catch {
                if connection.isWriting { connection.rollback() }
                throw error
            }
        } check: { _, _ in
            try fixture.check()
            #expect(connection.count(set) == 50)
            #expect(connection.count(map) == (isDone ? 1 : 0))
        }
        #expect(isDone)
    }
}
