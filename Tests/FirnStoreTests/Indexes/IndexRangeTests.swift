import FirnStore
import Foundation
import LMDB
import TestSupport
import Testing

/// Walks over ranges of indexes, against sorted arrays of plain values.
@Suite struct IndexRangeTests {
    /// A table with an index over one column, and what it holds.
    private struct Fixture {
        let directory = TemporaryDirectory()
        let connection: Connection
        var rows: [(key: ObjectKey, value: StoredValue)] = []

        var table: StoredTable { get throws { try #require(connection.schema["Row"]) } }
        var column: StoredColumn { get throws { try table.columns[0] } }

        init(_ type: ColumnType, _ values: [StoredValue]) throws {
            let store = try Store.open(StoreOptions(path: directory.path("a.firn"), durability: .relaxed))
            connection = try Connection(store: store)
            let columns = [ColumnDefinition(name: "value", type: type, isOptional: type != .any, isIndexed: true)]
            // Neighbours before and behind, whose entries no walk may meet.
            let other = { TableDefinition(name: $0, columns: columns) }
            try connection.prepare([other("A"), other("Row"), other("Z")], schemaVersion: 0, policy: .migrate)
            try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "test")))
            for name in ["A", "Row", "Z"] {
                let id = try #require(connection.schema[name]).id
                for value in values {
                    let key = try connection.insert(id) { $0.add(value) }
                    if name == "Row" { rows.append((key, value)) }
                }
            }
        }

        func keys(in range: IndexRange, backwards isBackwards: Bool = false, atMost limit: Int = .max) throws
            -> [ObjectKey]
        {
            var keys: [ObjectKey] = []
            try connection.forEachIndexEntry(table.id, column, in: range, backwards: isBackwards) { _, key in
                keys.append(key)
                return keys.count < limit
            }
            return keys
        }

        /// Checks a range in every way of reading it against the rows that it must have.
        func check(_ range: IndexRange, _ name: String, has isIn: (StoredValue) -> Bool) throws {
            let expected = rows.filter { isIn($0.value) }
            let ascending = expected.sorted { ($0.value.ordered, $0.key) < ($1.value.ordered, $1.key) }.map(\.key)
            let descending = expected.sorted {
                $0.value.ordered == $1.value.ordered ? $0.key < $1.key : $0.value.ordered > $1.value.ordered
            }.map(\.key)
            try #require(try keys(in: range) == ascending, "\(name)")
            let found = try keys(in: range, backwards: true)
            try #require(found == descending, "\(name), backwards \(found) \(descending)")
            for limit in [1, 3] where limit <= ascending.count {
                try #require(try keys(in: range, atMost: limit) == Array(ascending.prefix(limit)), "\(name)")
                try #require(
                    try keys(in: range, backwards: true, atMost: limit) == Array(descending.prefix(limit)), "\(name)")
            }
            for limit in [1, 5, 10_000] {
                let count = try connection.indexEntryCount(table.id, column, in: range, atMost: limit)
                try #require(count == min(limit, expected.count), "\(name)")
            }
            try #require(range.isExact, "\(name)")
        }

        func check(all values: [StoredValue]) throws {
            let column = try column
            let bounds = values.filter { !$0.isNull && !$0.isNotANumber }
            for bound in bounds {
                let place = bound.ordered
                func isBeside(_ value: StoredValue) -> Bool { !value.isNull && !value.isNotANumber }
                try check(IndexRange(column, equal: bound), "== \(bound)") { $0.ordered == place }
                try check(IndexRange(column, from: .open, to: .excluding(bound)), "< \(bound)") {
                    isBeside($0) && $0.ordered < place
                }
                try check(IndexRange(column, from: .open, to: .including(bound)), "<= \(bound)") {
                    isBeside($0) && $0.ordered <= place
                }
                try check(IndexRange(column, from: .excluding(bound), to: .open), "> \(bound)") { $0.ordered > place }
                try check(IndexRange(column, from: .including(bound), to: .open), ">= \(bound)") { $0.ordered >= place }
                guard let other = bounds.randomElement() else { continue }
                let both = IndexRange(column, from: .including(bound), to: .excluding(other))
                try check(both, "\(bound)..<\(other)") { $0.ordered >= place && $0.ordered < other.ordered }
                let halves = IndexRange(column, from: .including(bound), to: .open).intersection(
                    IndexRange(column, from: .open, to: .excluding(other)))
                try check(halves, "both of \(bound) and \(other)") { $0.ordered >= place && $0.ordered < other.ordered }
            }
            try check(IndexRange(column, equal: .null), "nil") { $0.isNull }
        }
    }

    @Test(
        arguments: [
            (
                .int, [.null, .null, .int(-5), .int(0), .int(0), .int(7), .int(.max), .int(.min), .int(255), .int(256)]
            ),
            (
                .double,
                [
                    .null, .double(.nan), .double(-.infinity), .double(-1.5), .double(0), .double(-0.0), .double(0.1),
                    .double(0.1), .double(.infinity),
                ]
            ),
            (
                .float,
                [.null, .float(.nan), .float(-2), .float(-.infinity), .float(0.5), .float(0.5), .float(.infinity)]
            ),
            (
                .string,
                [
                    .null, .string(""), .string("a"), .string("a"), .string("a\0"), .string("a\0b"), .string("ab"),
                    .string("b"), .string("é"), .string("日本"), .string("\u{10ffff}"),
                ]
            ),
            (
                .data,
                [
                    .null, .data(Data()), .data(Data([0])), .data(Data([0xff])), .data(Data([0xff, 0xff])),
                    .data(Data([1])),
                ]
            ),
            (.bool, [.null, .bool(false), .bool(true), .bool(true)]),
            (
                .date,
                [
                    .null, .date(seconds: -1, nanoseconds: -5), .date(seconds: 0, nanoseconds: 0),
                    .date(seconds: 0, nanoseconds: 1), .date(seconds: 0, nanoseconds: 1),
                    .date(seconds: .max, nanoseconds: 0),
                ]
            ),
            (
                .uuid,
                [
                    .null, .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))),
                    .uuid(
                        UUID(uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255))),
                    .uuid(UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255))),
                ]
            ),
            (
                .objectID,
                [
                    .null, .objectID(ObjectIDBytes(high: 0, low: 0)), .objectID(ObjectIDBytes(high: .max, low: .max)),
                    .objectID(ObjectIDBytes(high: 1, low: .max)), .objectID(ObjectIDBytes(high: 2, low: 0)),
                ]
            ),
            (
                .decimal,
                [
                    .null, .decimal(DecimalParts.nanBits), .decimal(DecimalParts.zeroBits),
                    .decimal(DecimalParts(isNegative: true, coefficient: 15, exponent: -1).bits),
                    .decimal(DecimalParts(isNegative: false, coefficient: 1, exponent: 2).bits),
                    .decimal(DecimalParts(isNegative: false, coefficient: 100, exponent: 0).bits),
                ]
            ),
        ] as [(ColumnType, [StoredValue])])
    func `a range has its values in order, from both ends, before and after a commit`(
        type: ColumnType, values: [StoredValue]
    ) throws {
        let fixture = try Fixture(type, values)
        try fixture.check(all: values)
        try fixture.connection.commit()
        try fixture.check(all: values)
    }

    @Test func `a range of values of any type has those of one type`() throws {
        let values: [StoredValue] = [
            .null, .bool(true), .int(3), .double(3), .double(3.5), .double(.nan), .int(-1), .string("a"), .string("b"),
            .data(Data("a".utf8)), .date(seconds: 3, nanoseconds: 0),
        ]
        let fixture = try Fixture(.any, values)
        let column = try fixture.column
        func keys(_ indices: Int...) -> [ObjectKey] { indices.map { fixture.rows[$0].key } }
        #expect(try fixture.keys(in: IndexRange(column, equal: .int(3))) == keys(2, 3))
        #expect(try fixture.keys(in: IndexRange(column, from: .open, to: .including(.int(3)))) == keys(6, 2, 3))
        #expect(try fixture.keys(in: IndexRange(column, from: .excluding(.double(3)), to: .open)) == keys(4))
        #expect(try fixture.keys(in: IndexRange(column, from: .including(.string("")), to: .open)) == keys(7, 8))
        #expect(try fixture.keys(in: IndexRange(column, from: .open, to: .excluding(.bool(true)))).isEmpty)
    }

    @Test func `a prefix has the strings that begin with it`() throws {
        let texts = ["", "a", "ab", "abc", "abd", "ac", "a\0", "a\0b", "b", "\u{10ffff}", "\u{10ffff}x"]
        let fixture = try Fixture(.string, texts.map { .string($0) } + [.null])
        for prefix in texts where !prefix.isEmpty {
            let range = Array(prefix.utf8).withUnsafeBytes { try? IndexRange(fixture.column, prefix: $0) }
            try fixture.check(#require(range), prefix) { value in
                if case .string(let text) = value { text.utf8.starts(with: prefix.utf8) } else { false }
            }
        }
    }

    @Test func `a range with a bound that was cut holds all that may be in it, and says that it is not exact`() throws {
        let long = String(repeating: "x", count: 600)
        let texts = ["w", long, long + "a", long + "b", "y"]
        let fixture = try Fixture(.string, texts.map { .string($0) })
        let column = try fixture.column
        for range in [
            IndexRange(column, equal: .string(long)),
            IndexRange(column, from: .excluding(.string(long)), to: .including(.string(long + "b"))),
            IndexRange(column, from: .including(.string(long)), to: .excluding(.string(long + "b"))),
        ] {
            #expect(!range.isExact)
            #expect(try Set(fixture.keys(in: range)) == Set(fixture.rows[1...3].map(\.key)))
        }
        let prefix = Array(long.utf8).withUnsafeBytes { try? IndexRange(fixture.column, prefix: $0) }
        #expect(try Set(fixture.keys(in: #require(prefix))) == Set(fixture.rows[1...3].map(\.key)))
    }

    /// Prefixes that end about where keys are cut once left a byte of the mark that ends a text in their ranges, in which then
    /// only texts were that end there. A NUL takes two bytes of a key.
    @Test(arguments: [ColumnType.string, .data], ["x", "\0", "x\0", "\0x"])
    func `a prefix about as long as a key has all that begins with it`(type: ColumnType, part: String) throws {
        let whole = Array(String(repeating: part, count: 480 / part.utf8.count).utf8)
        func value(_ bytes: [UInt8]) -> StoredValue {
            type == .data ? .data(Data(bytes)) : .string(String(decoding: bytes, as: UTF8.self))
        }
        let counts = Array(230...485)
        let contents: [[UInt8]] = counts.filter { $0 <= whole.count }.flatMap { count -> [[UInt8]] in
            [Array(whole.prefix(count)), whole.prefix(count) + [1]]
        }
        let fixture = try Fixture(type, contents.map(value) + [value(whole + [2]), value([0]), value([3]), .null])
        let limit = try IndexRange.byteLimit(of: #require(fixture.column.index))
        for count in counts {
            let prefix = Array((whole + whole).prefix(count))
            let range = try prefix.withUnsafeBytes { try IndexRange(fixture.column, prefix: $0) }
            let expected = fixture.rows.filter { row -> Bool in
                switch row.value {
                case .string(let text): return text.utf8.starts(with: prefix)
                case .data(let data): return data.starts(with: prefix)
                default: return false
                }
            }.map { $0.key }
            let found = try Set(fixture.keys(in: range))
            try #require(found.isSuperset(of: expected), "\(count) bytes")
            let keyCount = 1 + count + prefix.count { $0 == 0 }
            try #require(range.isExact == (keyCount < limit), "\(count) bytes")
            if range.isExact { try #require(found.count == expected.count, "\(count) bytes") }
        }
    }

    @Test func `many keys of one value come in order from both ends`() throws {
        let fixture = try Fixture(.int, (0..<3_000).map { .int(Int64($0 % 3)) })
        try fixture.connection.commit()
        try fixture.check(all: [.int(0), .int(1), .int(2)])
        let dates = try Fixture(.date, (0..<3_000).map { .date(seconds: Int64($0 % 3), nanoseconds: 0) })
        try dates.check(all: [.date(seconds: 0, nanoseconds: 0), .date(seconds: 2, nanoseconds: 0)])
    }
}

extension StoredValue {
    /// Where the value sorts among those of its type.
    fileprivate var ordered: Place {
        switch self {
        case .null: .nothing
        case .int(let value): .number(Double(value), value)
        case .double(let value): value.isNaN ? .notANumber : .number(value, 0)
        case .float(let value): value.isNaN ? .notANumber : .number(Double(value), 0)
        case .decimal(let bits):
            DecimalParts(bits: bits).kind == .finite
                ? .number(Double(DecimalParts(bits: bits).text) ?? 0, 0) : .notANumber
        case .bool(let value): .number(value ? 1 : 0, 0)
        case .date(let seconds, let nanoseconds): .number(Double(seconds), Int64(nanoseconds))
        case .string(let text): .bytes(Array(text.utf8))
        case .data(let data): .bytes(Array(data))
        case .uuid(let id): .bytes(withUnsafeBytes(of: id.uuid) { Array($0) })
        case .objectID(let id): .bytes(Array(id.text.utf8))
        default: .nothing
        }
    }

    fileprivate var isNotANumber: Bool { ordered == .notANumber }

    fileprivate enum Place: Comparable {
        case nothing, notANumber
        case number(Double, Int64)
        case bytes([UInt8])

        static func < (left: Place, right: Place) -> Bool {
            switch (left, right) {
            case (.number(let left, let leftRest), .number(let right, let rightRest)):
                left == right ? leftRest < rightRest : left < right
            case (.bytes(let left), .bytes(let right)): left.lexicographicallyPrecedes(right)
            case (.nothing, .nothing), (.notANumber, .notANumber), (_, .nothing): false
            case (.nothing, _): true
            case (_, .notANumber): false
            case (.notANumber, _): true
            default: false
            }
        }
    }
}
