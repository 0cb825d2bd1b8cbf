/// Many records under one key of LMDB, always 4,080 bytes: what one overflow page carries.
///
///     0     version u64      the version that last wrote the leaf
///     8     base key u64     at most the first key
///     16    count u16        entries
///     18    fill u16         where the records end
///     20    garbage u16      bytes before fill that belong to no record
///     22    delta width u8   2, 4 or 8 bytes
///     23    0 u8
///     24    records, in any order
///     fill  free
///     …     entries, from the end downwards: entry i at 4080 - (i + 1) × (width + 2)
///             key - base key   2, 4 or 8 bytes
///             record offset    u16
///     4080
///
/// Entries are in ascending order of their keys. A record says itself where it ends (`RecordView`).
@usableFromInline package enum Leaf {
    /// The size of every leaf.
    @inlinable package static var byteCount: Int { 4080 }
    /// Where the records begin.
    @inlinable package static var headerByteCount: Int { 24 }
    /// The largest record: one that has a leaf for itself, with an entry of two and two bytes.
    @inlinable package static var maximumRecordByteCount: Int { byteCount - headerByteCount - 4 }

    @inlinable package static var versionOffset: Int { 0 }
    @inlinable package static var baseKeyOffset: Int { 8 }
    @inlinable package static var countOffset: Int { 16 }
    @inlinable package static var fillOffset: Int { 18 }
    @inlinable package static var garbageOffset: Int { 20 }
    @inlinable package static var deltaWidthOffset: Int { 22 }

    /// The narrowest entry that holds a distance from the base key: 2, 4 or 8 bytes.
    @inlinable package static func deltaWidth(for delta: UInt64) -> Int {
        delta <= 0xFFFF ? 2 : delta <= 0xFFFF_FFFF ? 4 : 8
    }
}
