/// Tells of most byte strings that were not noted that they were not (Bloom, 1970): two bits each of 4 MiB. Of a million
/// strings noted it takes one in 300 others for one of them, of ten million one in five.
struct ByteFilter {
    private var words = [UInt64](repeating: 0, count: 1 << 19)

    /// Notes a string.
    mutating func insert(_ bytes: UnsafeRawBufferPointer) {
        let hash = bytes.hash
        words[ByteFilter.word(hash)] |= ByteFilter.mask(hash)
        words[ByteFilter.word(hash >> 32)] |= ByteFilter.mask(hash >> 32)
    }

    /// Whether the string may have been noted.
    func mayContain(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let hash = bytes.hash
        return words[ByteFilter.word(hash)] & ByteFilter.mask(hash) != 0
            && words[ByteFilter.word(hash >> 32)] & ByteFilter.mask(hash >> 32) != 0
    }

    private static func word(_ bit: UInt64) -> Int { Int(truncatingIfNeeded: bit >> 6 & (1 << 19 - 1)) }
    private static func mask(_ bit: UInt64) -> UInt64 { 1 << (bit & 63) }
}
