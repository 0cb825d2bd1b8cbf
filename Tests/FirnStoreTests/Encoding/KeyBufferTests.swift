import FirnStore
import Testing

@Suite struct KeyBufferTests {
    @Test func `integers are appended most significant byte first`() {
        var buffer = KeyBuffer()
        buffer.appendBigEndian(0x0102_0304 as UInt32)
        buffer.appendBigEndian(5 as UInt64)
        buffer.append(6)
        #expect(hex(buffer.bytes) == "01 02 03 04 00 00 00 00 00 00 00 05 06")
        buffer.truncate(to: 2)
        #expect(hex(buffer.bytes) == "01 02")
        buffer.removeAll()
        #expect(hex(buffer.bytes) == "")
    }

    @Test func `a key is cut at the limit, in the middle of an integer too`() {
        var buffer = KeyBuffer(limit: 10)
        buffer.appendBigEndian(1 as UInt64)
        #expect(buffer.isCut == false)
        buffer.appendBigEndian(0x0203_0405 as UInt32)
        #expect(buffer.isCut && hex(buffer.bytes) == "00 00 00 00 00 00 00 01 02 03")
        buffer.append(9)
        [7, 7].withUnsafeBytes { buffer.append($0) }
        #expect(buffer.count == 10)
        buffer.appendBehindCut(0x0A)
        #expect(hex(buffer.bytes) == "00 00 00 00 00 00 00 01 02 03 00 00 00 0a")
    }

    @Test func `a key of exactly the limit counts as cut`() {
        var buffer = KeyBuffer(limit: 8)
        buffer.appendBigEndian(1 as UInt64)
        #expect(buffer.isCut == true)
    }

    @Test func `a buffer without a limit grows`() {
        var buffer = KeyBuffer(limit: .max)
        let piece = [UInt8](0...255)
        for _ in 0..<100 { piece.withUnsafeBytes { buffer.append($0) } }
        #expect(buffer.bytes.elementsEqual((0..<25600).map { UInt8(truncatingIfNeeded: $0) }))
        #expect(buffer.isCut == false)
    }
}
