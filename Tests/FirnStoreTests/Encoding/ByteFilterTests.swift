import Testing

@testable import FirnStore

@Suite struct ByteFilterTests {
    @Test func `what was noted may be there, and nearly nothing else`() {
        var filter = ByteFilter()
        func bytes(_ number: Int) -> [UInt8] { Array("key \(number)".utf8) }
        for number in 0..<10_000 { bytes(number).withUnsafeBytes { filter.insert($0) } }
        let found = (0..<20_000).filter { number in bytes(number).withUnsafeBytes { filter.mayContain($0) } }
        #expect(found.prefix(10_000).elementsEqual(0..<10_000))
        #expect(found.count < 10_100)
    }
}
