import LMDB
import TestSupport
import Testing

@Suite struct CursorTests {
    let directory = TemporaryDirectory()
    let environment: Environment
    var plain: Database { environment.plain }
    var sorted: Database { environment.sorted }

    /// Keys 10, 20 … 50, each with its tenth as the value; and under 1 and 2 the sorted values 0, 2 … 2998 and 5.
    init() throws {
        let environment = try Environment.open(testOptions(directory.path("store")))
        self.environment = environment
        try environment.write { transaction in
            for number in 1...5 as ClosedRange<UInt64> {
                try transaction.put(environment.plain, ByteKey(number * 10), ByteKey(number))
            }
            for number in 0..<1500 as Range<UInt64> {
                try transaction.put(environment.sorted, ByteKey(1 as UInt32), ByteKey(number * 2))
            }
            try transaction.put(environment.sorted, ByteKey(2 as UInt32), ByteKey(5 as UInt64))
        }
    }

    func number(_ buffer: UnsafeRawBufferPointer) -> UInt64 {
        buffer.reduce(0) { $0 << 8 | UInt64($1) }
    }

    @Test func `moves leave key and value, and say when there is none`() throws {
        let read = try environment.beginRead()
        let cursor = try read.makeCursor(plain)
        #expect(try cursor.next())
        #expect(number(cursor.key) == 10)
        #expect(try cursor.last())
        #expect(number(cursor.value) == 5)
        #expect(try !cursor.next())
        #expect(try cursor.seek(ByteKey(30 as UInt64)))
        #expect(number(cursor.value) == 3)
        #expect(try cursor.previous())
        #expect(number(cursor.key) == 20)
        #expect(try !cursor.seek(ByteKey(31 as UInt64)))
        #expect(try cursor.seekRange(ByteKey(31 as UInt64)))
        #expect(number(cursor.key) == 40)
        #expect(try cursor.current())
        #expect(number(cursor.key) == 40)
        #expect(try !cursor.seekRange(ByteKey(51 as UInt64)))
        #expect(try cursor.first())
        #expect(try !cursor.previous())
    }

    @Test func `sorted values are found, counted and walked`() throws {
        let read = try environment.beginRead()
        let cursor = try read.makeCursor(sorted)
        let one = ByteKey(1 as UInt32)
        #expect(try cursor.seek(one, ByteKey(100 as UInt64)))
        #expect(number(cursor.key) == 1 && number(cursor.value) == 100)
        #expect(try cursor.duplicateCount() == 1500)
        #expect(try !cursor.seek(one, ByteKey(101 as UInt64)))
        #expect(try cursor.seekRange(one, ByteKey(101 as UInt64)))
        #expect(number(cursor.key) == 1 && number(cursor.value) == 102)
        #expect(try cursor.nextDuplicate())
        #expect(number(cursor.value) == 104)
        #expect(try cursor.lastDuplicate())
        #expect(number(cursor.key) == 1 && number(cursor.value) == 2998)
        #expect(try !cursor.nextDuplicate())
        #expect(try cursor.nextDistinct())
        #expect(number(cursor.key) == 2 && number(cursor.value) == 5)
        #expect(try cursor.previousDistinct())
        #expect(number(cursor.key) == 1 && number(cursor.value) == 2998)
        #expect(try !cursor.seekRange(one, ByteKey(2999 as UInt64)))
    }

    @Test func `many values come a page at a time, and a single one as itself`() throws {
        let read = try environment.beginRead()
        let cursor = try read.makeCursor(sorted)
        #expect(try cursor.seek(ByteKey(1 as UInt32)))
        var values: [UInt64] = []
        var hasMore = try cursor.multiple()
        while hasMore {
            for offset in stride(from: 0, to: cursor.value.count, by: 8) {
                values.append(number(UnsafeRawBufferPointer(rebasing: cursor.value[offset..<offset + 8])))
            }
            hasMore = try cursor.nextMultiple()
        }
        #expect(values == (0..<1500).map { $0 * 2 })
        #expect(try cursor.seek(ByteKey(2 as UInt32)))
        #expect(try cursor.multiple())
        #expect(number(cursor.value) == 5)
        #expect(try !cursor.nextMultiple())
    }

    @Test func `after a delete the position is the next pair, and next does not skip it`() throws {
        try environment.write { transaction in
            let cursor = try transaction.makeCursor(plain)
            #expect(try cursor.seek(ByteKey(20 as UInt64)))
            try cursor.delete()
            #expect(try cursor.current())
            #expect(number(cursor.key) == 30)
            try cursor.delete()
            #expect(try cursor.next())
            #expect(number(cursor.key) == 40)
        }
        #expect(try environment.count() == 3)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `walking, deleting and reading on agree with a sorted list of pairs`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        struct Pair: Equatable {
            var key: UInt64
            var value: UInt64
        }
        let transaction = try environment.beginWrite()
        try transaction.clear(sorted)
        var model: [Pair] = []
        for key in 0..<UInt64(40) {
            // Single values, some in the key's node, and some in a tree of their own.
            let count = [1, 1, 2, 3, 40, 700].randomElement(using: &generator) ?? 1
            for value in 0..<UInt64(count) {
                try transaction.put(sorted, ByteKey(key), ByteKey(value))
                model.append(Pair(key: key, value: value))
            }
        }
        let cursor = try transaction.makeCursor(sorted)
        func check(_ isThere: Bool, _ index: Int) {
            #expect(isThere == (index < model.count), "seed \(seed)")
            guard isThere, index < model.count else { return }
            #expect(Pair(key: number(cursor.key), value: number(cursor.value)) == model[index], "seed \(seed)")
        }
        while !model.isEmpty {
            var index = Int.random(in: 0..<model.count, using: &generator)
            let pair = model[index]
            check(try cursor.seek(ByteKey(pair.key), ByteKey(pair.value)), index)
            for _ in 0..<Int.random(in: 1...60, using: &generator) where index < model.count {
                switch Int.random(in: 0..<5, using: &generator) {
                case 0:
                    index += 1
                    check(try cursor.next(), index)
                case 1:
                    try cursor.delete()
                    model.remove(at: index)
                    check(try cursor.next(), index)
                case 2:
                    let key = model[index].key
                    try cursor.deleteAllDuplicates()
                    index = model.firstIndex { $0.key == key } ?? 0
                    model.removeAll { $0.key == key }
                    check(try cursor.current(), index)
                default:
                    try cursor.delete()
                    model.remove(at: index)
                    check(try cursor.current(), index)
                    if index < model.count { check(try cursor.current(), index) }
                }
            }
        }
        #expect(try transaction.statistics(sorted).entryCount == 0)
        transaction.abort()
    }

    @Test func `all values of a key go at once`() throws {
        try environment.write { transaction in
            let cursor = try transaction.makeCursor(sorted)
            #expect(try cursor.seek(ByteKey(1 as UInt32)))
            try cursor.deleteAllDuplicates()
            #expect(try cursor.first())
            #expect(number(cursor.key) == 2)
        }
        #expect(try environment.count(sorted) == 1)
    }

    @Test func `a cursor stores and moves to what it stored`() throws {
        try environment.write { transaction in
            let cursor = try transaction.makeCursor(plain)
            try cursor.put(ByteKey(60 as UInt64), ByteKey(6 as UInt64), .append)
            #expect(try cursor.current())
            #expect(number(cursor.value) == 6)
            let room = try cursor.reserve(ByteKey(70 as UInt64), byteCount: 8)
            room.storeBytes(of: UInt64(7).bigEndian, as: UInt64.self)
            #expect(try cursor.current())
            #expect(number(cursor.value) == 7)
        }
        #expect(try environment.count() == 7)
    }

    @Test func `cursors of a write transaction are closed once, by whoever comes first`() throws {
        let transaction = try environment.beginWrite()
        let closed = try transaction.makeCursor(plain)
        var dropped: Cursor? = try transaction.makeCursor(plain)
        let open = try transaction.makeCursor(plain)
        _ = dropped
        dropped = nil
        closed.close()
        closed.close()
        try transaction.commit()
        open.close()
    }

    @Test func `cursors of a child end with it and those of the parent go on`() throws {
        try environment.write { parent in
            let outer = try parent.makeCursor(plain)
            #expect(try outer.seek(ByteKey(10 as UInt64)))
            let child = try parent.makeChild()
            let inner = try child.makeCursor(plain)
            #expect(try inner.seek(ByteKey(20 as UInt64)))
            try inner.delete()
            try child.commit()
            inner.close()
            #expect(try outer.next())
            #expect(number(outer.key) == 30)
        }
    }

    @Test func `a cursor of a read transaction outlives its end, and is renewed with it`() throws {
        let read = try environment.beginRead()
        let cursor = try read.makeCursor(plain)
        try environment.write { try $0.put(plain, ByteKey(5 as UInt64), ByteKey(0 as UInt64)) }
        try read.renew()
        try cursor.renew()
        #expect(try cursor.first())
        #expect(number(cursor.key) == 5)
        read.abort()
        cursor.close()
    }

    @Test func `a cursor used after its write transaction traps`() async {
        await #expect(processExitsWith: .failure) { [path = directory.path("trap") as String] in
            let environment = try Environment.open(testOptions(path))
            let transaction = try environment.beginWrite()
            let cursor = try transaction.makeCursor(environment.plain)
            try transaction.commit()
            _ = try cursor.first()
        }
    }

    @Test func `reserving room among sorted values traps`() async {
        await #expect(processExitsWith: .failure) { [path = directory.path("trap") as String] in
            let environment = try Environment.open(testOptions(path))
            let cursor = try environment.beginWrite().makeCursor(environment.sorted)
            _ = try cursor.reserve(ByteKey("a"), byteCount: 8)
        }
    }
}
