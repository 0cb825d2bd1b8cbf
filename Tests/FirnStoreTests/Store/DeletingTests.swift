import LMDB
import TestSupport
import Testing

@testable import FirnStore

/// Deleting objects: what happens to links that lead to them, and what goes with them.
@Suite struct DeletingTests {
    private let fixture: CollectionFixture
    private var connection: Connection { fixture.connection }

    init() throws {
        fixture = try CollectionFixture()
    }

    private func insertNodes(_ ids: Range<Int64>) throws -> [RowID] {
        try fixture.write { try ids.map { try fixture.insertNode($0) } }
    }

    // MARK: Links

    @Test func `links to a deleted object become null, and leave lists and sets`() throws {
        let rows = try insertNodes(0..<4)
        let (origin, gone, other) = (rows[0], rows[1], rows[2])
        let nested = try fixture.write { () -> [StoredValue] in
            try fixture.set(origin, "one", gone.link)
            try fixture.set(other, "any", gone.typedLink)
            for row in [gone, other, gone, gone, other] { try fixture.append(fixture.place(origin, "list"), row.link) }
            for row in [gone, other] { try connection.setInsert(fixture.place(origin, "set"), row.link) }
            for (key, row) in [("a", gone), ("b", other)] {
                try connection.mapSet(fixture.place(origin, "map"), key, row.link)
                try connection.mapSet(fixture.place(origin, "anyMap"), key, row.typedLink)
            }
            try fixture.append(fixture.place(origin, "anyList"), .int(1), gone.typedLink, other.typedLink)
            for value in [gone.typedLink, .int(1)] { try connection.setInsert(fixture.place(origin, "anySet"), value) }
            let list = try connection.makeCollection(.list)
            let map = try connection.makeCollection(.map)
            try fixture.set(origin, "any", list)
            try fixture.append(fixture.place(origin, "any", nested: list), gone.typedLink, map, gone.typedLink)
            try connection.mapSet(fixture.place(origin, "any", nested: map), "x", gone.typedLink)
            return [list, map]
        }
        let column = try #require(fixture.node["list"]).id
        #expect(connection.backlinks(to: gone, column: column).map(\.count) == [3])
        let changes = try fixture.changes {
            let tables = try connection.delete([gone, gone])
            #expect(tables == [fixture.node.id])
            #expect(connection.deletedRows.rows == [gone])
        }
        #expect(try fixture.value(origin, "one").isNull)
        #expect(try fixture.value(other, "any").isNull)
        #expect(fixture.elements(try fixture.place(origin, "list")) == [other.link, other.link])
        #expect(fixture.entries(try fixture.place(origin, "set")) == [other.link])
        #expect(fixture.entries(try fixture.place(origin, "map")) == [.null, other.link])
        #expect(fixture.entries(try fixture.place(origin, "anyMap")) == [.null, other.typedLink])
        #expect(fixture.elements(try fixture.place(origin, "anyList")) == [.int(1), .null, other.typedLink])
        #expect(fixture.entries(try fixture.place(origin, "anySet")) == [.int(1)])
        #expect(fixture.elements(try fixture.place(origin, "any", nested: nested[0])) == [.null, nested[1], .null])
        #expect(fixture.entries(try fixture.place(origin, "any", nested: nested[1])) == [.null])
        let table = try #require(changes.tables[fixture.node.id])
        #expect(table.deleted == [gone.key...gone.key])
        let names = ["one", "list", "set", "map", "anyMap", "anyList", "anySet", "any"]
        #expect(Set(table.modified.keys) == Set(names.compactMap { fixture.node[$0]?.id }))
    }

    @Test func `a list forgets deleted objects before it is looked at, also where one comes back with the same key`()
        throws
    {
        let rows = try insertNodes(0..<6)
        let list = try fixture.place(rows[0], "list")
        try fixture.write { try fixture.append(list, rows[1].link, rows[2].link, rows[3].link) }
        try fixture.write {
            try connection.delete(rows[1].table, rows[1].key)
            #expect(connection.count(list) == 2)
            try connection.delete(rows[2].table, rows[2].key)
            let again = try fixture.insertNode(2)
            #expect(again == rows[2])
            let column = try #require(fixture.node["list"]).id
            #expect(connection.backlinks(to: again, column: column).isEmpty)
            try fixture.append(list, again.link)
        }
        #expect(fixture.elements(list) == [rows[3].link, rows[2].link])
        try fixture.write {
            try connection.delete(rows[2].table, rows[2].key)
            try fixture.insertNode(2)
            try connection.delete(rows[0].table, rows[0].key)
        }
        #expect(try fixture.pairCounts() == [0, 0, 0])
    }

    @Test func `linkedRows goes through collections of any depth`() throws {
        let rows = try insertNodes(0..<3)
        try fixture.write {
            var place = try fixture.place(rows[0], "any")
            for depth in 0..<50 {
                let nested = try connection.makeCollection(depth % 2 == 0 ? .list : .map)
                if depth == 0 { try fixture.set(rows[0], "any", nested) }
                if depth > 0, depth % 2 == 1 { try fixture.append(place, rows[1].typedLink, nested) }
                if depth > 0, depth % 2 == 0 { try connection.mapSet(place, "down", nested) }
                place = try fixture.place(rows[0], "any", nested: nested)
            }
            try connection.mapSet(place, "end", rows[2].typedLink)
        }
        let linked = connection.linkedRows(rows[0], slot: try fixture.slot(fixture.node.id, "any"))
        #expect(linked.filter { $0 == rows[1] }.count == 25)
        #expect(linked.filter { $0 == rows[2] }.count == 1)
        try fixture.write { try fixture.set(rows[0], "any", .int(1)) }
        #expect(try fixture.pairCounts() == [0, 0, 0])
    }

    // MARK: Rules

    @Test func `what a property cascades to goes too, whoever else links to it`() throws {
        let rows = try insertNodes(0..<5)
        try fixture.write {
            try fixture.set(rows[0], "owned", rows[1].link)
            try fixture.append(fixture.place(rows[1], "ownedList"), rows[2].link, rows[0].link, rows[2].link)
            try fixture.set(rows[3], "one", rows[2].link)
            try fixture.append(fixture.place(rows[3], "ownedList"), rows[2].link, rows[4].link)
        }
        try fixture.write { try connection.delete([rows[0]]) }
        #expect(rows.map { fixture.exists($0) } == [false, false, false, true, true])
        #expect(try fixture.value(rows[3], "one").isNull)
        #expect(fixture.elements(try fixture.place(rows[3], "ownedList")) == [rows[4].link])
    }

    @Test func `a chain of objects goes without growing the stack`() throws {
        let rows = try insertNodes(0..<10_000)
        try fixture.write {
            for index in rows.indices.dropLast() { try fixture.set(rows[index], "owned", rows[index + 1].link) }
            try fixture.set(rows[9_999], "owned", rows[0].link)
        }
        try fixture.write { try connection.delete([rows[5_000]]) }
        #expect(connection.count(fixture.node.id) == 0)
    }

    @Test func `an object that must not go while it links to one that stays is refused, and nothing has changed`()
        throws
    {
        let rows = try insertNodes(0..<4)
        try fixture.write {
            try fixture.set(rows[0], "kept", rows[1].link)
            try fixture.set(rows[2], "owned", rows[0].link)
        }
        let version = connection.version
        try fixture.write {
            for row in [rows[0], rows[2]] {
                let error = #expect(throws: StoreError.self) { try connection.delete([rows[3], row]) }
                #expect(error?.code == .deletionDenied)
                #expect(error?.message.contains("'kept'") == true)
            }
        }
        #expect(connection.version == version)
        #expect(rows.allSatisfy { fixture.exists($0) })
        try fixture.write { try connection.delete([rows[1], rows[0]]) }
        #expect(rows.map { fixture.exists($0) } == [false, false, true, true])
        #expect(try fixture.value(rows[2], "owned").isNull)
    }

    @Test func `an object that others must keep can go`() throws {
        let rows = try insertNodes(0..<2)
        try fixture.write { try fixture.set(rows[0], "kept", rows[1].link) }
        try fixture.write { try connection.delete([rows[1]]) }
        #expect(try fixture.value(rows[0], "kept").isNull)
        try fixture.write { try connection.delete([rows[0]]) }
    }

    @Test func `orphans are those to which no property links any more that cascades`() throws {
        let rows = try insertNodes(0..<5)
        try fixture.write {
            try fixture.set(rows[0], "owned", rows[1].link)
            try fixture.set(rows[0], "one", rows[2].link)
            try fixture.set(rows[2], "owned", rows[3].link)
        }
        let tables = try fixture.write {
            try [[rows[1], rows[3]], [rows[2]]].map { try connection.deleteOrphans($0) }
        }
        #expect(tables == [[], [fixture.node.id]])
        #expect(rows.map { fixture.exists($0) } == [true, true, false, false, true])
    }

    @Test func `a kept object goes with no other, and is an orphan no more, until its call ends`() throws {
        let rows = try insertNodes(0..<4)
        try fixture.write {
            for index in 0..<3 { try fixture.set(rows[index], "owned", rows[index + 1].link) }
        }
        let tables = try fixture.write {
            try connection.withKeptObjects {
                connection.keep(rows[2])
                let none = try connection.deleteOrphans([rows[2]])
                return [none, try connection.deleteOrphans([rows[0]])]
            }
        }
        #expect(tables == [[], [fixture.node.id]])
        #expect(rows.map { fixture.exists($0) } == [false, false, true, true])
        try fixture.write { try connection.deleteOrphans([rows[2]]) }
        #expect(rows.map { fixture.exists($0) } == [false, false, false, false])
    }

    // MARK: Whole tables

    @Test func `all objects of a table go with what they own`() throws {
        let rows = try insertNodes(0..<300)
        try fixture.write {
            for (index, row) in rows.enumerated() {
                try fixture.set(row, "kept", rows[(index + 1) % 300].link)
                try fixture.append(fixture.place(row, "list"), rows[0].link, row.link)
                let part = try fixture.insertPart("part")
                try fixture.set(row, "part", part.link)
                try fixture.set(part, "node", row.link)
                try fixture.append(fixture.place(row, "numbers"), .int(1))
                try connection.mapSet(
                    fixture.place(row, "texts"), "a", .string(String(repeating: "x", count: 2000)))
            }
        }
        let changes = try fixture.changes {
            let tables = try connection.deleteAll([fixture.node.id])
            #expect(tables == [fixture.node.id, fixture.part.id])
            #expect(connection.deletedRows.rows.count == 600)
        }
        #expect(changes.tables[fixture.part.id]?.deleted.map(\.count) == [300])
        #expect(try fixture.pairCounts() == [0, 0, 0])
        #expect(try connection.statistics(of: connection.store.databases.backlinks).entryCount == 0)
    }

    @Test func `links from other tables to one that loses all objects are taken away`() throws {
        let rows = try insertNodes(0..<3)
        let part = try fixture.write {
            let part = try fixture.insertPart()
            try fixture.set(rows[0], "part", part.link)
            try fixture.append(fixture.place(rows[0], "parts"), fixture.insertPart().link, fixture.insertPart().link)
            try connection.mapSet(fixture.place(rows[1], "partMap"), "a", fixture.insertPart().link)
            return part
        }
        #expect(connection.owner(of: part)?.owner == rows[0])
        try fixture.write { try connection.deleteAll([fixture.part.id]) }
        #expect(try fixture.value(rows[0], "part").isNull)
        #expect(connection.count(try fixture.place(rows[0], "parts")) == 0)
        #expect(fixture.entries(try fixture.place(rows[1], "partMap")) == [.null])
    }

    // MARK: Embedded objects

    @Test func `an embedded object has one owner and goes with it`() throws {
        let rows = try insertNodes(0..<2)
        let (part, inner) = try fixture.write {
            let part = try fixture.insertPart("outer")
            let inner = try fixture.insertPart("inner")
            try fixture.set(rows[0], "part", part.link)
            try fixture.set(part, "part", inner.link)
            for (row, column) in [(rows[1], "part"), (inner, "part")] {
                let error = #expect(throws: StoreError.self) { try fixture.set(row, column, part.link) }
                #expect(error?.code == .alreadyOwned)
            }
            #expect(throws: StoreError.self) {
                try fixture.append(fixture.place(rows[1], "parts"), fixture.insertPart().link, inner.link)
            }
            #expect(throws: StoreError.self) {
                try connection.mapSet(fixture.place(rows[1], "partMap"), "a", inner.link)
            }
            return (part, inner)
        }
        #expect(connection.count(fixture.part.id) == 2)
        #expect(connection.owner(of: inner)?.owner == part)
        try fixture.write { try fixture.set(rows[0], "part", fixture.insertPart("another").link) }
        #expect(!fixture.exists(part) && !fixture.exists(inner))
        #expect(connection.count(fixture.part.id) == 1)
        try fixture.write { try connection.delete([rows[0]]) }
        #expect(connection.count(fixture.part.id) == 0)
    }

    @Test func `an embedded object goes when a list or map loses it, and takes its own with it`() throws {
        let row = try insertNodes(0..<1)[0]
        let parts = try fixture.place(row, "parts")
        let map = try fixture.place(row, "partMap")
        try fixture.write {
            for _ in 0..<4 { try fixture.append(parts, fixture.insertPart().link) }
            for key in ["a", "b", "c"] { try connection.mapSet(map, key, fixture.insertPart().link) }
            let inner = try fixture.insertPart("inner")
            try connection.set(
                fixture.part.id, try #require(connection.lastKey(fixture.part.id)) - 1, slot: 1, inner.link)
        }
        #expect(connection.count(fixture.part.id) == 8)
        try fixture.write {
            try connection.listRemove(parts, 0..<1)
            try connection.listSet(parts, fixture.insertPart().link, at: 0)
            try connection.listMove(parts, from: 0, to: 2)
            try connection.mapRemove(map, "a")
            try connection.mapSet(map, "b", .null)
        }
        #expect(connection.count(fixture.part.id) == 5)
        try fixture.write { try connection.removeAll(parts) }
        #expect(connection.count(fixture.part.id) == 2)
        let last = try #require(connection.linkedRows(row, slot: map.slot).first)
        try fixture.write { try connection.delete([last]) }
        #expect(connection.count(fixture.part.id) == 0)
        #expect(fixture.entries(map) == [.null, .null])
    }

    // A loose list was forgotten: it kept its link to the object that went.
    @Test func `a collection that nothing holds yet forgets deleted objects too`() throws {
        let rows = try insertNodes(0..<2)
        let list = try fixture.write {
            let list = try connection.makeCollection(.list)
            try fixture.append(fixture.place(rows[0], "any", nested: list), rows[1].typedLink, .int(1))
            try connection.delete([rows[1]])
            try fixture.set(rows[0], "any", list)
            return list
        }
        #expect(fixture.elements(try fixture.place(rows[0], "any", nested: list)) == [.null, .int(1)])
    }

    @Test func `what nobody took goes at commit`() throws {
        let row = try insertNodes(0..<1)[0]
        try fixture.write {
            _ = try fixture.insertPart()
            let list = try connection.makeCollection(.list)
            _ = try connection.makeCollection(.map)
            try fixture.append(fixture.place(row, "any", nested: list), row.typedLink)
            try fixture.check()
        }
        #expect(connection.count(fixture.part.id) == 0)
        #expect(try fixture.pairCounts() == [0, 0, 0])
    }

    @Test func `a deep tree of embedded objects goes without growing the stack`() throws {
        let row = try insertNodes(0..<1)[0]
        try fixture.write {
            var owner = row
            for _ in 0..<10_000 {
                let part = try fixture.insertPart()
                try fixture.set(owner, "part", part.link)
                owner = part
            }
        }
        try fixture.write { try fixture.set(row, "part", .null) }
        #expect(connection.count(fixture.part.id) == 0)
    }

    @Test func `a nested collection that is gone takes no more elements`() throws {
        let row = try insertNodes(0..<1)[0]
        for kind in [CollectionKind.list, .map] {
            try fixture.write {
                let nested = try connection.makeCollection(kind)
                try fixture.set(row, "any", nested)
                let place = try fixture.place(row, "any", nested: nested)
                #expect(connection.exists(place))
                try fixture.set(row, "any", .int(1))
                #expect(!connection.exists(place))
                #expect(connection.count(place) == 0)
                let error = #expect(throws: StoreError.self) {
                    if kind == .list {
                        try connection.listInsert(place, [.int(1)], at: 0)
                    } else {
                        try connection.mapSet(place, "a", .int(1))
                    }
                }
                #expect(error?.code == .noSuchObject)
            }
        }
    }

    // MARK: Faults

    @Test func `every failing delete ends in an error or gets through, and nothing is half done`() throws {
        let rows = try insertNodes(0..<4)
        try fixture.write {
            try fixture.set(rows[0], "owned", rows[1].link)
            try fixture.append(fixture.place(rows[2], "list"), rows[0].link, rows[1].link, rows[3].link)
            try connection.mapSet(fixture.place(rows[2], "map"), "a", rows[1].link)
            try connection.setInsert(fixture.place(rows[2], "set"), rows[1].link)
            try fixture.append(fixture.place(rows[1], "parts"), fixture.insertPart().link, fixture.insertPart().link)
            try connection.mapSet(
                fixture.place(rows[1], "texts"), "a", .string(String(repeating: "x", count: 2000)))
        }
        var isDone = false
        try Faults.failingEachCall(returnCode: 5, onlyChanges: true) {
            try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "faults")))
            do {
                try connection.delete([rows[0]])
                #expect(connection.count(try fixture.place(rows[2], "list")) == 1)
                try connection.commit()
                isDone = true
            } catch {
                if connection.isWriting { connection.rollback() }
                throw error
            }
        } check: { _, _ in
            try fixture.check()
            #expect(connection.count(fixture.node.id) == (isDone ? 2 : 4))
            #expect(connection.count(fixture.part.id) == (isDone ? 0 : 2))
        }
        #expect(isDone)
    }
}
