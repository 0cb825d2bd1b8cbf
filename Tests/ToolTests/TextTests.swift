import FirnTool
import Testing

@Suite struct TextTests {
    @Test func `columns are as wide as their widest word, and lines end with one`() {
        var table = TextTable([.left, .right, .left])
        table.add("a", "1,000", "last")
        table.add("longer", "2")
        table.add("b", "3", "")
        #expect(table.lines == ["  a       1,000  last", "  longer      2", "  b           3"])
    }

    @Test func `numbers have a comma between thousands`() {
        #expect([0, 999, 1000, 1_234_567, -1000].map(\.grouped) == ["0", "999", "1,000", "1,234,567", "-1,000"])
        #expect(UInt64.max.grouped == "18,446,744,073,709,551,615")
        #expect([0, 1, 2].map { $0.counted("object") } == ["0 objects", "1 object", "2 objects"])
    }

    @Test func `sizes are in the largest unit of which there is one`() {
        #expect(
            [0, 1023, 1024, 1536, 1 << 20, 3 << 30].map(\.byteText) == [
                "0 B", "1023 B", "1.0 KiB", "1.5 KiB", "1.0 MiB", "3.0 GiB",
            ])
        #expect(1_048_575.byteText == "1,024.0 KiB")
        #expect(UInt64.max.byteText == "16,777,216.0 TiB")
    }
}
