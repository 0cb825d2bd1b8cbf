import Foundation
import LMDB
import TestSupport
import Testing

@testable import FirnStore

/// Entries of sets and maps that an open write keeps in memory.
@Suite struct WaitingEntryTests {
    private let fixture: CollectionFixture
    private var connection: Connection { fixture.connection }

    init() throws {
        fixture = try CollectionFixture()
    }

    /// A map and a set of one object: LMDB has `changed`, `kept` and `removed`, and the open write
    /// has changed that.
    private func withChanges(_ body: (_ map: CollectionPlace, _ set: CollectionPlace) throws -> Void) throws {
        let row = try fixture.write { try fixture.insertNode(Int64(connection.count(fixture.node.id))) }
        let map = try fixture.place(row, "texts")
        let set = try fixture.place(row, "words")
        try fixture.write {
            for key in ["changed", "kept", "removed"] {
                try connection.mapSet(map, key, .string("old"))
                try connection.setInsert(set, .string(key))
            }
        }
        try fixture.write {
            try connection.mapSet(map, "changed", .string("first"))
            try connection.mapSet(map, "changed", .string("new"))
            try connection.mapSet(map, "added", .string("new"))
            try connection.mapRemove(map, "removed")
            try connection.mapSet(map, "passing", .string("new"))
            try connection.mapRemove(map, "passing")
            try connection.setRemove(set, .string("removed"))
            try connection.setInsert(set, .string("added"))
            try connection.setInsert(set, .string("passing"))
            try connection.setRemove(set, .string("passing"))
            try #require(isWaiting)
            try body(map, set)
        }
    }

    private var isWaiting: Bool { connection.write?.entries.isEmpty == false }

    @Test func `a look-up by key sees what waits, and leaves it waiting`() throws {
        try withChanges { map, set in
            let keys = ["added", "changed", "kept", "passing", "removed"]
            let isThere = [true, true, true, false, false]
            #expect(keys.map { connection.mapValue(map, $0) != nil } == isThere)
            #expect(keys.prefix(3).map { connection.mapValue(map, $0) } == ["new", "new", "old"].map { .string($0) })
            let wereThere = try keys.map { try connection.mapRemove(map, $0) }
            #expect(wereThere == isThere)
            #expect(keys.dropFirst().map { connection.setContains(set, .string($0)) } == [true, true, false, false])
            let areNew = try keys.map { try connection.setInsert(set, .string($0)) }
            #expect(areNew == [false, false, false, true, true])
            #expect(connection.count(map) == 0)
            #expect(connection.count(set) == 5)
            #expect(isWaiting)
        }
    }

    @Test func `whoever walks entries or asks for positions sees what waits`() throws {
        try withChanges { map, _ in #expect(fixture.keys(map) == ["added", "changed", "kept"]) }
        try withChanges { _, set in
            #expect(fixture.entries(set) == ["added", "changed", "kept"].map { .string($0) })
        }
        try withChanges { map, _ in
            #expect(connection.count(map) == 3)
            #expect(connection.withEntry(map, at: 1) { $0.string(0) } == "new")
            try connection.mapSet(map, "b", .string("b"))
            #expect(connection.mapKey(map, at: 1) == "b")
        }
        try withChanges { map, _ in #expect(connection.mapKey(map, at: 2) == "kept") }
        try withChanges { _, set in
            #expect(connection.setPosition(set, of: .string("kept")) == 2)
            try connection.setInsert(set, .string("b"))
            #expect(connection.setPosition(set, of: .string("kept")) == 3)
        }
        try withChanges { map, _ in
            var keys: [String] = []
            connection.forEachEntry(map, from: 1) { _, key in
                keys.append(key())
                return true
            }
            #expect(keys == ["changed", "kept"])
        }
    }

    @Test func `dropping a collection takes what waits along`() throws {
        try withChanges { map, set in
            try connection.removeAll(map)
            #expect(connection.count(map) == 0)
            #expect(fixture.keys(map) == [])
            try connection.removeAll(set)
        }
        try withChanges { map, _ in try connection.delete(map.row.table, map.row.key) }
        #expect(try fixture.pairCounts() == [0, 0, 0])
    }

    @Test func `an element that links to an object goes with it while it waits`() throws {
        let (set, map) = try fixture.write {
            let holder = try fixture.insertNode(1)
            let (gone, kept) = (try fixture.insertNode(2), try fixture.insertNode(3))
            let set = try fixture.place(holder, "set")
            let map = try fixture.place(holder, "map")
            for row in [gone, kept] {
                try connection.setInsert(set, row.link)
                try connection.mapSet(map, "\(row.key)", row.link)
            }
            #expect(connection.linkedRows(holder, slot: map.slot).count == 2)
            try connection.mapSet(map, "again", gone.link)
            try connection.delete(gone.table, gone.key)
            #expect(connection.count(set) == 1)
            return (set, map)
        }
        #expect(fixture.entries(set).count == 1)
        #expect(fixture.entries(map).filter(\.isNull).count == 2)
    }

    @Test func `what a waiting record owns goes when it is replaced or removed`() throws {
        let long = String(repeating: "x", count: 3000)
        try fixture.write {
            let row = try fixture.insertNode(1)
            let parts = try fixture.place(row, "partMap")
            let (first, second) = (try fixture.insertPart("first"), try fixture.insertPart("second"))
            try connection.mapSet(parts, "a", first.link)
            try connection.mapSet(parts, "a", second.link)
            #expect(!fixture.exists(first) && fixture.exists(second))
            try connection.mapRemove(parts, "a")
            #expect(!fixture.exists(second))

            let texts = try fixture.place(row, "texts")
            try connection.mapSet(texts, "a", .string(long + "1"))
            try connection.mapSet(texts, "a", .string(long + "2"))
            #expect(connection.mapValue(texts, "a") == .string(long + "2"))
            try connection.mapSet(texts, "b", .string(long))
            try connection.mapRemove(texts, "b")

            let values = try fixture.place(row, "anyMap")
            let nested = try connection.makeCollection(.map)
            try connection.mapSet(values, "a", nested)
            try connection.mapSet(fixture.place(row, "anyMap", nested: nested), "deep", row.typedLink)
            try connection.mapSet(values, "a", .int(1))
        }
        // The counts of `texts` and `anyMap` with an entry each; one blob of one chunk.
        #expect(try fixture.pairCounts() == [0, 4, 1])
    }

    @Test func `keys that are cut stand beside those that wait`() throws {
        let cut = ["a", "b", "c"].map { String(repeating: "k", count: 600) + $0 }
        let whole = ["a", "kk", "z"]
        let (map, set) = try fixture.write {
            let row = try fixture.insertNode(1)
            let map = try fixture.place(row, "texts")
            let set = try fixture.place(row, "words")
            for (whole, cut) in zip(whole, cut) {
                for key in [whole, cut] {
                    try connection.mapSet(map, key, .string("old"))
                    try connection.mapSet(map, key, .string("new"))
                    #expect(try connection.setInsert(set, .string(key)))
                }
                #expect(try !connection.setInsert(set, .string(cut)))
            }
            for key in [cut[1], whole[1]] { #expect(try connection.mapRemove(map, key)) }
            for key in [cut[0], whole[0]] { #expect(try connection.setRemove(set, .string(key))) }
            #expect(connection.mapValue(map, cut[2]) == .string("new"))
            #expect(connection.mapValue(map, whole[2]) == .string("new"))
            return (map, set)
        }
        #expect(fixture.keys(map) == [whole[0], cut[0], cut[2], whole[2]])
        #expect(fixture.entries(set) == [cut[1], cut[2], whole[1], whole[2]].sorted().map { .string($0) })
    }

    @Test func `a write that is cancelled forgets what waits`() throws {
        struct Cancelled: Error {}
        var place: CollectionPlace?
        #expect(throws: Cancelled.self) {
            try withChanges { map, _ in
                place = map
                throw Cancelled()
            }
        }
        let map = try #require(place)
        #expect(fixture.keys(map) == ["changed", "kept", "removed"])
        #expect(connection.mapValue(map, "changed") == .string("old"))
    }

    @Test func `a write that fails while it gives LMDB what waits is lost, and the version from before is read`() throws
    {
        try withChanges { map, _ in
            _ = Faults.withFailure(ofCall: 1, returnCode: EIO, onlyChanges: true) {
                #expect(fixture.keys(map) == ["changed", "kept", "removed"])
            }
            #expect(connection.lostWriteError != nil)
            #expect(connection.mapValue(map, "changed") == .string("old"))
            #expect(connection.count(map) == 3)
            connection.rollback()
            try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "test")))
        }
    }

    @Test func `what waits goes to LMDB when it takes much memory`() throws {
        let count = 10_000
        let place = try fixture.write {
            let place = try fixture.place(fixture.insertNode(1), "words")
            let write = try #require(connection.write)
            write.pendingByteLimit = 100_000
            for number in 0..<count { try connection.setInsert(place, .string("\(number * 7919 % count)")) }
            #expect(write.pendingByteCount < 1_000_000)
            #expect(try connection.statistics(of: connection.store.databases.entries).entryCount > 0)
            for number in 0..<count { #expect(try !connection.setInsert(place, .string("\(number)"))) }
            for number in 0..<count / 2 { #expect(try connection.setRemove(place, .string("\(number)"))) }
            return place
        }
        #expect(fixture.entries(place).count == count / 2)
    }

    @Test func `a set and a map are Swift's, whatever is read between their changes`() throws {
        try RandomRuns(1...4).run { seed in
            var random = SeededGenerator(seed: seed)
            let row = try fixture.write { try fixture.insertNode(Int64(bitPattern: seed)) }
            let map = try fixture.place(row, "texts")
            let set = try fixture.place(row, "words")
            var values: [String: String] = [:]
            var words: Set<String> = []
            for _ in 0..<8 {
                try fixture.write {
                    for _ in 0..<60 {
                        let number = Int.random(in: 0..<30, using: &random)
                        // One in six is cut.
                        let word = String(repeating: "w", count: number % 6 == 0 ? 500 : 1) + "\(number)"
                        switch Int.random(in: 0..<12, using: &random) {
                        case 0..<3:
                            let value = "\(Int.random(in: 0..<5, using: &random))"
                            try connection.mapSet(map, word, .string(value))
                            values[word] = value
                        case 3..<5:
                            try #require(
                                try connection.mapRemove(map, word) == (values.removeValue(forKey: word) != nil))
                        case 5..<8:
                            try #require(
                                try connection.setInsert(set, .string(word)) == words.insert(word).inserted)
                        case 8..<10:
                            try #require(try connection.setRemove(set, .string(word)) == (words.remove(word) != nil))
                        case 10: try #require(fixture.keys(map).sorted() == values.keys.sorted())
                        default: try connection.applyPending()
                        }
                        try #require(connection.mapValue(map, word) == values[word].map { .string($0) })
                        try #require(connection.setContains(set, .string(word)) == words.contains(word))
                        try #require(connection.count(map) == values.count && connection.count(set) == words.count)
                    }
                }
                // Keys that are cut to the same bytes stand in the order in which they came.
                try #require(fixture.keys(map).sorted() == values.keys.sorted())
                let elements = fixture.entries(set)
                try #require(elements.count == words.count && Set(elements) == Set(words.map { .string($0) }))
            }
        }
    }
}
