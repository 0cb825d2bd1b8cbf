import LMDB
import Testing

@Suite struct ByteKeyTests {
    func bytes(_ key: ByteKey) -> [UInt8] { key.withBytes(Array.init) }

    @Test func `numbers stand big-endian one after another`() {
        #expect(bytes(ByteKey(0x0102_0304 as UInt32)) == [1, 2, 3, 4])
        #expect(bytes(ByteKey(0x0102_0304_0506_0708 as UInt64)) == Array(1...8))
        #expect(bytes(ByteKey(0x0102_0304 as UInt32, 0x0506_0708 as UInt32)) == Array(1...8))
        #expect(bytes(ByteKey(0x0102_0304 as UInt32, 0x0506_0708_090A_0B0C as UInt64)) == Array(1...12))
        #expect(bytes(ByteKey(0x0102_0304_0506_0708 as UInt64, 0x090A_0B0C as UInt32)) == Array(1...12))
        #expect(bytes(ByteKey(0x0102_0304_0506_0708 as UInt64, 0x090A_0B0C_0D0E_0F10 as UInt64)) == Array(1...16))
        #expect(
            bytes(ByteKey(0x0102_0304 as UInt32, 0x0506_0708_090A_0B0C as UInt64, 0x0D0E_0F10 as UInt32))
                == Array(1...16))
        #expect(bytes(ByteKey("meta")) == Array("meta".utf8))
    }

    @Test func `keys sort as their numbers do`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<1000 {
            let (a, b) = (UInt32.random(in: 0...3, using: &generator), UInt32.random(in: 0...3, using: &generator))
            let (c, d) = (UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max))
            let isLess = bytes(ByteKey(a, c)).lexicographicallyPrecedes(bytes(ByteKey(b, d)))
            #expect(isLess == ((a, c) < (b, d)))
        }
    }

    @Test func `keys are equal by their bytes`() {
        #expect(ByteKey(1 as UInt32, 2 as UInt32) == ByteKey(1 << 32 | 2 as UInt64))
        #expect(ByteKey(0 as UInt32) != ByteKey(0 as UInt64))
        #expect(Set([ByteKey("a"), ByteKey("a"), ByteKey("b")]).count == 2)
    }

    @Test func `more than sixteen bytes trap`() async {
        await #expect(processExitsWith: .failure) {
            _ = ByteKey("seventeen bytes !")
        }
    }
}
