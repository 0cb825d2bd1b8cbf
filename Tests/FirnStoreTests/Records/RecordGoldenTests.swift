import FirnStore
import Foundation
import Testing

@Suite struct RecordGoldenTests {
    /// A record with null in slot 0 and the value in slot 1: form, count, and null's entry are the same in all of them.
    private func golden(_ value: StoredValue) -> String {
        let builder = RecordBuilder()
        builder.begin()
        builder.addNull()
        builder.add(value)
        return hex(builder.finishedBytes())
    }

    @Test func `the bytes of each tag never change`() {
        #expect(golden(.null) == "01 02 00 01 00 01 00 01")
        #expect(golden(.bool(false)) == "01 02 00 01 01 01 00 01")
        #expect(golden(.bool(true)) == "01 02 00 01 02 01 00 01")
        #expect(golden(.int(-2)) == "01 02 00 01 03 01 20 01 fe")
        #expect(golden(.int(-129)) == "01 02 00 01 04 01 40 01 7f ff")
        #expect(golden(.int(32768)) == "01 02 00 01 05 01 80 01 00 80 00 00")
        #expect(golden(.int(1 << 40)) == "01 02 00 01 06 01 00 02 00 00 00 00 00 01 00 00")
        #expect(golden(.float(1)) == "01 02 00 01 07 01 80 01 00 00 80 3f")
        #expect(golden(.double(1)) == "01 02 00 01 08 01 00 02 00 00 00 00 00 00 f0 3f")
        #expect(
            golden(.decimal(DecimalParts(coefficient: 5, exponent: -1).bits))
                == "01 02 00 01 09 01 00 03 05 00 00 00 00 00 00 00 00 00 00 00 00 00 3e 30")
        #expect(
            golden(.date(seconds: 258, nanoseconds: 1)) == "01 02 00 01 0a 01 80 02 02 01 00 00 00 00 00 00 01 00 00 00"
        )
        #expect(golden(.string("Firn")) == "01 02 00 01 0b 01 80 01 46 69 72 6e")
        #expect(golden(.data(Data([1, 0]))) == "01 02 00 01 0c 01 40 01 01 00")
        #expect(
            golden(.objectID(ObjectIDBytes(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C)))
                == "01 02 00 01 0d 01 80 02 01 02 03 04 05 06 07 08 09 0a 0b 0c")
        #expect(
            golden(.uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))))
                == "01 02 00 01 0e 01 00 03 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10")
        #expect(golden(.link(258)) == "01 02 00 01 0f 01 40 01 04 02")
        #expect(
            golden(.typedLink(table: 3, key: 258)) == "01 02 00 01 10 01 80 02 03 00 00 00 02 01 00 00 00 00 00 00")
        #expect(golden(.collection(kind: 2, id: 258)) == "01 02 00 01 11 01 20 02 02 02 01 00 00 00 00 00 00")
        #expect(
            golden(.blob(kind: 11, id: 258, byteCount: 5000))
                == "01 02 00 01 12 01 a0 02 0b 02 01 00 00 00 00 00 00 88 13 00 00")
        #expect(golden(.coded(Data([9]))) == "01 02 00 01 13 01 20 01 09")
    }

    @Test func `an int8 alone in its record is widened, so that eight bytes end it`() {
        let builder = RecordBuilder()
        builder.begin()
        builder.addInt(-2)
        let record = builder.finishedBytes()
        #expect(hex(record) == "01 01 c4 00 00 01 fe ff")
        #expect(record.withUnsafeBytes { $0.baseAddress.map { RecordView($0).int64(0) } } == -2)
    }

    @Test func `a record without slots is its form, its count and its end`() {
        let builder = RecordBuilder()
        builder.begin()
        #expect(hex(builder.finishedBytes()) == "01 00 80 00")
    }

    @Test func `a record over 2,047 bytes has entries of four`() throws {
        let builder = RecordBuilder()
        builder.begin()
        builder.addBool(true)
        builder.addString(String(repeating: "x", count: 2040))
        #expect(try #require(builder.finishedBytes().first) == 2, "8 and 2,040 are 2,048")
        builder.begin()
        builder.addBool(true)
        builder.addString(String(repeating: "x", count: 2039))
        #expect(try #require(builder.finishedBytes().first) == 1)
        builder.begin()
        builder.addBool(true)
        builder.addString(String(repeating: "x", count: 2040))
        let record = builder.finishedBytes()
        #expect(hex(record.prefix(18)) == "02 00 02 00 02 10 00 00 0b 10 00 00 00 08 08 00 78 78")
        #expect(record.count == 16 + 2040)
    }
}
