import FirnStore
import Testing

@Suite struct VarintTests {
    private static let values: [UInt64] = (0..<64).flatMap { bit -> [UInt64] in
        let power: UInt64 = 1 << UInt64(bit)
        return [power - 1, power, power + 1, .max - power]
    }

    @Test func `seven bits a byte, the lowest first`() {
        var bytes: [UInt8] = []
        Varint.append(0, to: &bytes)
        Varint.append(127, to: &bytes)
        Varint.append(300, to: &bytes)
        Varint.append(.max, to: &bytes)
        #expect(hex(bytes) == "00 7f ac 02 ff ff ff ff ff ff ff ff ff 01")
    }

    @Test func `what was written is read back`() {
        var bytes: [UInt8] = []
        var buffer = KeyBuffer(limit: .max)
        for value in Self.values {
            let start = bytes.count
            Varint.append(value, to: &bytes)
            Varint.append(value, to: &buffer)
            #expect(bytes.count - start == Varint.byteCount(of: value))
        }
        #expect(buffer.bytes.elementsEqual(bytes))
        bytes.withUnsafeBytes { bytes in
            var reader = VarintReader(bytes)
            for value in Self.values { #expect(reader.next() == value) }
            #expect(reader.isAtEnd)
            #expect(reader.next() == nil)
        }
    }

    @Test func `bytes that end early or hold more than 64 bits are no number`() {
        let malformed: [[UInt8]] = [
            [], [0x80], [UInt8](repeating: 0xFF, count: 9), [UInt8](repeating: 0xFF, count: 9) + [2],
            [UInt8](repeating: 0x80, count: 12),
        ]
        for bytes in malformed {
            bytes.withUnsafeBytes {
                var reader = VarintReader($0)
                #expect(reader.next() == nil)
                #expect(reader.offset == 0)
            }
        }
    }

    @Test func `zigzag keeps small what is near zero`() {
        #expect([0, -1, 1, -2, 2].map { Varint.zigzag($0) } == [0, 1, 2, 3, 4])
        for value in [Int64.min, .min + 1, -7, 0, 7, .max] { #expect(Varint.unzigzag(Varint.zigzag(value)) == value) }
    }

    @Test func `bytes between numbers are lent where they lie`() {
        [UInt8]([2, 7, 8, 9]).withUnsafeBytes {
            var reader = VarintReader($0)
            #expect(reader.next() == 2)
            #expect(reader.next(byteCount: 2).map { hex($0) } == "07 08")
            #expect(reader.next(byteCount: 2) == nil)
            #expect(reader.next(byteCount: -1) == nil)
            #expect(reader.next() == 9)
        }
    }
}
