import FirnStore
import Foundation
import TestSupport
import Testing

@Suite struct OrderedValueTests {
    @Test func `the bytes of each type never change`() {
        #expect(ordered(.null) == "00")
        #expect(ordered(.bool(false)) == "01 00")
        #expect(ordered(.bool(true)) == "01 01")
        #expect(ordered(.int(-1)) == "01 7f ff ff ff ff ff ff ff")
        #expect(ordered(.int(258)) == "01 80 00 00 00 00 00 01 02")
        #expect(ordered(.float(1)) == "01 bf 80 00 00")
        #expect(ordered(.float(.nan)) == "01 00 00 00 00")
        #expect(ordered(.double(1)) == "01 bf f0 00 00 00 00 00 00")
        #expect(ordered(.double(-1)) == "01 40 0f ff ff ff ff ff ff")
        #expect(ordered(.double(-0.0)) == "01 80 00 00 00 00 00 00 00")
        #expect(ordered(.double(.nan)) == "01 00 00 00 00 00 00 00 00")
        #expect(ordered(.decimal(DecimalParts(coefficient: 12300, exponent: -4).bits)) == "01 05 80 01 0d 1f 00")
        #expect(
            ordered(.decimal(DecimalParts(isNegative: true, coefficient: 123, exponent: -2).bits))
                == "01 03 7f fe f2 e0 ff")
        #expect(ordered(.decimal(DecimalParts.zeroBits)) == "01 04")
        #expect(ordered(.date(seconds: 1, nanoseconds: 2)) == "01 80 00 00 00 00 00 00 01 80 00 00 02")
        #expect(ordered(.string("a\0b")) == "01 61 00 ff 62 00 01")
        #expect(ordered(.data(Data([0, 1]))) == "01 00 ff 01 00 01")
        #expect(
            ordered(.objectID(ObjectIDBytes(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C)))
                == "01 01 02 03 04 05 06 07 08 09 0a 0b 0c")
        #expect(ordered(.link(3)) == "01 00 00 00 00 00 00 00 00 00 00 00 03")
        #expect(ordered(.typedLink(table: 2, key: 3)) == "01 00 00 00 02 00 00 00 00 00 00 00 03")
    }

    @Test func `in an AnyRealmValue the rank of the type comes first and numbers share one form`() {
        #expect(orderedAny(.null) == "00")
        #expect(orderedAny(.bool(true)) == "01 01")
        #expect(orderedAny(.int(1)) == "02 05 80 01 0b 00")
        #expect(orderedAny(.double(1)) == "02 05 80 01 0b 00")
        #expect(orderedAny(.float(1)) == "02 05 80 01 0b 00")
        #expect(orderedAny(.decimal(DecimalParts(coefficient: 100, exponent: -2).bits)) == "02 05 80 01 0b 00")
        #expect(orderedAny(.double(0.1)) == orderedAny(.decimal(DecimalParts(coefficient: 1, exponent: -1).bits)))
        #expect(orderedAny(.double(-0x1p63)) == orderedAny(.int(.min)))
        #expect(orderedAny(.double(.nan)) == orderedAny(.decimal(DecimalParts.nanBits)))
        #expect(orderedAny(.double(-.infinity)) == orderedAny(.decimal(DecimalParts(.infinity, isNegative: true).bits)))
        #expect(orderedAny(.string("a")) == "03 61 00 01")
        #expect(orderedAny(.data(Data([7]))) == "04 07 00 01")
        #expect(orderedAny(.typedLink(table: 1, key: 2)) == "08 00 00 00 01 00 00 00 00 00 00 00 02")
    }

    @Test func `bytes sort as the values of a column do`() throws {
        let tags: [Tag] = [
            .true, .int64, .float, .double, .decimal128, .date, .string, .data, .objectID, .uuid, .link, .typedLink,
        ]
        try RandomRuns(1...20).run { seed in
            var random = SeededGenerator(seed: seed)
            for tag in tags {
                let values: [StoredValue] = (0..<25).map { _ in
                    random.value(Int.random(in: 0...12, using: &random) == 0 ? .null : tag, upTo: 4)
                }
                for a in values {
                    for b in values {
                        try #require(
                            orderOfBytes(a, b) { OrderedValue.append($0, to: &$1) } == ValueOrder.compare(a, b),
                            "\(a) and \(b)")
                    }
                }
            }
        }
    }

    @Test func `bytes sort as the values of an AnyRealmValue do, numbers of all types among each other`() throws {
        try RandomRuns(1...20).run { seed in
            var random = SeededGenerator(seed: seed)
            let values: [StoredValue] = (0..<60).map { _ in
                let tag: Tag =
                    [
                        .null, .true, .false, .int64, .float, .double, .decimal128, .int64, .double, .decimal128,
                        .string, .data, .date, .objectID, .uuid, .typedLink,
                    ].randomElement(using: &random) ?? .null
                return random.value(tag, upTo: 4)
            }
            for a in values {
                for b in values {
                    try #require(
                        orderOfBytes(a, b) { OrderedValue.appendAny($0, to: &$1) } == ValueOrder.compare(a, b),
                        "\(a) and \(b)")
                }
            }
        }
    }

    @Test func `an integer and a double compare exactly, whatever their size`() throws {
        try RandomRuns(1...10).run { seed in
            var random = SeededGenerator(seed: seed)
            for _ in 0..<500 {
                let integer = random.integer()
                let double = Bool.random(using: &random) ? random.double() : Double(integer).nextUp
                guard !double.isNaN else { continue }
                let expected: Int
                if double >= 0x1p63 {
                    expected = -1
                } else if double < -0x1p63 {
                    expected = 1
                } else {
                    let floor = Int64(double.rounded(.down))
                    expected = integer != floor ? (integer < floor ? -1 : 1) : Double(floor) < double ? -1 : 0
                }
                let order = orderOfBytes(.int(integer), .double(double)) { OrderedValue.appendAny($0, to: &$1) }
                try #require(order == expected, "\(integer) and \(double)")
            }
        }
    }

    @Test func `a compound sorts by its first part, then by its second`() throws {
        try RandomRuns(1...20).run { seed in
            var random = SeededGenerator(seed: seed)
            let values = (0..<40).map { _ in
                (StoredValue.string(random.string(upTo: 2)), StoredValue.int(Int64.random(in: -1...1, using: &random)))
            }
            for a in values {
                for b in values {
                    let order = orderOfBytes(a, b) {
                        OrderedValue.append($0.0, to: &$1)
                        OrderedValue.append($0.1, to: &$1)
                    }
                    let first = ValueOrder.compare(a.0, b.0)
                    try #require(order == (first != 0 ? first : ValueOrder.compare(a.1, b.1)))
                }
            }
        }
    }

    @Test func `values are read back, numbers of an AnyRealmValue as decimals`() throws {
        let forms: [(form: OrderedValue.Form, tag: Tag)] = [
            (.bool, .true), (.bool, .false), (.int, .int64), (.float, .float), (.double, .double),
            (.decimal, .decimal128), (.date, .date), (.string, .string), (.data, .data), (.objectID, .objectID),
            (.uuid, .uuid), (.link, .link), (.link, .typedLink), (.coded, .coded), (.any, .string), (.any, .null),
            (.any, .collection), (.any, .int64), (.any, .double), (.any, .decimal128),
        ]
        try RandomRuns(1...30).run { seed in
            var random = SeededGenerator(seed: seed)
            let chosen = (0..<12).map { _ in forms[Int.random(in: 0..<forms.count, using: &random)] }
            let values = chosen.map { random.value($0.1, upTo: 4) }
            var buffer = KeyBuffer(limit: .max)
            for (value, form) in zip(values, chosen) { OrderedValue.append(value, as: form.0, to: &buffer) }
            var reader = OrderedReader(buffer.bytes)
            for (value, form) in zip(values, chosen) {
                let read = try reader.next(as: form.0)
                try #require(ValueOrder.compare(read, value) == 0, "\(read) and \(value)")
            }
            try #require(reader.isAtEnd)
        }
    }

    @Test func `a key of 480 bytes or more is cut there, and reading it back says so`() {
        var buffer = KeyBuffer()
        buffer.appendBigEndian(7 as UInt32)
        // 4 + 1 + 473 + 2 are exactly 480.
        OrderedValue.append(.string(String(repeating: "x", count: 472)), to: &buffer)
        #expect(buffer.count == 479 && !buffer.isCut)
        for length in [473, 474, 475, 476, 10_000] {
            buffer.truncate(to: 4)
            OrderedValue.append(.string(String(repeating: "x", count: length)), to: &buffer)
            #expect(buffer.count == 480 && buffer.isCut)
        }
        var reader = OrderedReader(buffer.bytes, from: 4)
        #expect(throws: FormatError.self) { try reader.next(as: .string) }
    }

    @Test func `reading any bytes back gives a value or an error`() throws {
        let guarded = GuardedBytes(room: 64)
        try RandomRuns(1...20).run { seed in
            var random = SeededGenerator(seed: seed)
            for _ in 0..<200 {
                for form in OrderedValue.Form.allCases {
                    var bytes = random.bytes(upTo: 30)
                    if !bytes.isEmpty { bytes[0] = UInt8.random(in: 0...11, using: &random) }
                    if bytes.count > 1 { bytes[1] = UInt8.random(in: 0...7, using: &random) }
                    var reader = OrderedReader(guarded.atEnd(bytes))
                    if let value = try? reader.next(as: form) {
                        var buffer = KeyBuffer()
                        OrderedValue.append(value, as: form, to: &buffer)
                    }
                    try #require(reader.offset <= bytes.count)
                }
            }
        }
    }

    private func ordered(_ value: StoredValue) -> String {
        var buffer = KeyBuffer()
        OrderedValue.append(value, to: &buffer)
        return hex(buffer.bytes)
    }

    private func orderedAny(_ value: StoredValue) -> String {
        var buffer = KeyBuffer()
        OrderedValue.appendAny(value, to: &buffer)
        return hex(buffer.bytes)
    }

    private func orderOfBytes<Value>(_ a: Value, _ b: Value, _ append: (Value, inout KeyBuffer) -> Void) -> Int {
        var left = KeyBuffer()
        var right = KeyBuffer()
        append(a, &left)
        append(b, &right)
        if left.bytes.elementsEqual(right.bytes) { return 0 }
        return left.bytes.lexicographicallyPrecedes(right.bytes) ? -1 : 1
    }
}
