import FirnStore
import Foundation
import TestSupport
import Testing

@Suite struct CodedValueTests {
    private static let id = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))

    /// Pins the format: these bytes are in files.
    @Test(arguments: [
        (CodedValue.null, "00"), (.scalar(.bool(false)), "01"), (.scalar(.bool(true)), "02"),
        (.scalar(.int(-1)), "03ff"), (.scalar(.int(300)), "042c01"), (.scalar(.int(70000)), "0570110100"),
        (.scalar(.int(1 << 40)), "060000000000010000"), (.unsigned(.max), "20ffffffffffffffff"),
        (.scalar(.float(1)), "070000803f"), (.scalar(.double(-0.0)), "080000000000000080"),
        (.scalar(.decimal(1)), "0901000000000000000000000000000000"),
        (.scalar(.date(seconds: -2, nanoseconds: -3)), "0afefffffffffffffffdffffff"),
        (.scalar(.string("aé")), "0b0361c3a9"), (.scalar(.data(Data([7]))), "0c0107"),
        (.scalar(.objectID(ObjectIDBytes(high: 1, low: 2))), "0d000000000000000100000002"),
        (.scalar(.uuid(id)), "0e000102030405060708090a0b0c0d0e0f"),
        (.array([.null, .scalar(.bool(true))]), "21020002"), (.array([]), "2100"),
        (
            .keyed([.init(name: "b", value: .null), .init(name: "a", value: .array([]))]), "220201612100016200"
        ),
    ])
    func `a value has these bytes, which are read as it`(value: CodedValue, bytes: String) throws {
        let encoded = try value.encoded()
        #expect(hex(encoded).split(separator: " ").joined() == bytes)
        #expect(try CodedValue(decoding: encoded).encoded() == encoded)
    }

    @Test func `names are sorted, and of two alike the last stays`() throws {
        let value = CodedValue.keyed([
            .init(name: "b", value: .scalar(.int(1))), .init(name: "a", value: .null), .init(name: "b", value: .null),
        ])
        #expect(
            try CodedValue(decoding: value.encoded())
                == .keyed([.init(name: "a", value: .null), .init(name: "b", value: .null)]))
    }

    @Test func `the name of a case is read without what follows`() {
        func caseName(_ bytes: [UInt8]) -> String? { bytes.withUnsafeBytes { CodedValue.caseName($0) } }
        #expect(caseName([34, 1, 2, 0x61, 0x62, 99]) == "ab")
        #expect(caseName([34, 2, 1, 0x61, 0, 1, 0x62, 0]) == nil)
        #expect(caseName([34, 1, 9, 0x61]) == nil)
        #expect(caseName([34]) == nil)
        #expect(caseName([11, 1, 0x61]) == nil)
        #expect(caseName([]) == nil)
    }

    @Test func `damaged bytes are an error and never read beyond their end`() throws {
        let value = CodedValue.keyed([
            .init(name: "text", value: .scalar(.string("hello"))),
            .init(
                name: "list",
                value: .array([
                    .scalar(.int(500)), .unsigned(.max), .scalar(.uuid(Self.id)), .scalar(.data(Data([1, 2]))),
                    .scalar(.date(seconds: 1, nanoseconds: 2)),
                ])),
        ])
        let whole = [UInt8](try value.encoded())
        for count in 0..<whole.count {
            #expect(throws: FormatError.self) { try decode(Array(whole[..<count])) }
        }
        #expect(throws: FormatError.self) { try decode(whole + [0]) }
        for index in whole.indices {
            for change in [UInt8(1), 0x80, 0xff] {
                var damaged = whole
                damaged[index] ^= change
                // Right or an error, but nothing else.
                _ = try? decode(damaged)
            }
        }
        for bad: [UInt8] in [
            [15, 0, 0], [16], [17], [18], [19, 0], [31], [35], [255], [11, 1, 0xff],
            [33, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1], [33, 0x80, 0x80, 0x80, 0x80, 4],
        ] {
            #expect(throws: FormatError.self) { try decode(bad) }
        }
    }

    @Test func `containers nest as deep as the limit`() throws {
        func nested(_ depth: Int) -> CodedValue { (0..<depth).reduce(.null) { value, _ in .array([value]) } }
        let deepest = nested(CodedValue.depthLimit)
        #expect(try CodedValue(decoding: deepest.encoded()) == deepest)
        #expect(throws: CodedDepthError.self) { try nested(CodedValue.depthLimit + 1).encoded() }
        let tooDeep = (0..<200_000).map { UInt8($0 % 2 == 0 ? 33 : 1) } + [0]
        #expect(throws: FormatError.self) { try decode(tooDeep) }
    }

    /// Reads bytes that have nothing behind them: what is read there is a fault.
    private func decode(_ bytes: [UInt8]) throws -> CodedValue {
        let pages = GuardedBytes(room: bytes.count)
        return try withExtendedLifetime(pages) { try CodedValue(decoding: pages.atEnd(bytes)) }
    }
}
