import FoundationEssentials

/// One object's stored properties, read where they lie.
///
///     narrow, up to 2,047 bytes          wide, anything else
///     0   form = 1   u8                  0   form = 2   u8
///     1   count      u8                  1   0          u8
///                                        2   count      u16
///     2   count+1 × entry u16            4   count+1 × entry u32
///           bits 0…4   tag                     bits 0…7   tag
///           bits 5…15  payload offset          bits 8…31  payload offset
///     …   payloads in slot order, each up to the offset of the next entry
///
/// All integers are little-endian and unaligned; offsets count from the record's start. The last entry (tag 0) is no
/// slot: its offset is the record's byte count, so that a record says itself where it ends. An entry without a payload
/// (null, false, true) carries the offset at which the next payload begins.
///
///     tag                payload
///     int8 … int64       two's complement of that width
///     float, double      IEEE 754, 4 and 8 bytes
///     decimal128         IEEE 754, binary integer encoding, 16 bytes
///     date               seconds since 1970 i64, nanoseconds i32 of the same sign
///     string, data, coded  the bytes
///     objectID, uuid     the bytes, 12 and 16
///     link               object key, rotated left by one bit, its lowest two to eight bytes (`LinkForm`)
///     typedLink          table u32, object key u64
///     collection         kind u8, id u64
///     blob               kind u8 (the tag it stands for), id u64, byte count u32
///
/// A writer takes the narrowest integer, with one exception: every integer ends at least eight bytes behind the
/// record's start (an int8 alone in its record is written as int16), because a reader of any width loads the eight
/// bytes that end it.
///
/// A view trusts its bytes but for the slot: an index that the record does not have reads as missing. Bytes from a file
/// that may be damaged are for `validate(_:)` first. The view is good as long as the bytes are.
@usableFromInline package struct RecordView {
    /// The record's first byte.
    @usableFromInline package let base: UnsafeRawPointer

    /// A view of the record that begins at `base`.
    @inlinable package init(_ base: UnsafeRawPointer) { self.base = base }

    /// The value of `form` in narrow records.
    @inlinable package static var narrowForm: UInt8 { 1 }
    /// The value of `form` in wide records.
    @inlinable package static var wideForm: UInt8 { 2 }
    /// The largest record an 11 bit offset can end.
    @inlinable package static var maximumNarrowByteCount: Int { 2047 }

    /// Whether offsets have 24 bits instead of 11.
    @inlinable package var isWide: Bool { base.load(as: UInt8.self) != RecordView.narrowForm }

    /// How many slots the record has. Slots behind them are missing: their properties were added later.
    @inlinable package var slotCount: Int {
        isWide ? Int(base.littleEndian(at: 2, as: UInt16.self)) : Int(base.load(fromByteOffset: 1, as: UInt8.self))
    }

    /// How many bytes the record has, entries and payloads together.
    @inlinable package var byteCount: Int {
        if isWide {
            let count = Int(base.littleEndian(at: 2, as: UInt16.self))
            return Int(base.littleEndian(at: 4 &+ 4 &* count, as: UInt32.self) >> 8)
        }
        let count = Int(base.load(fromByteOffset: 1, as: UInt8.self))
        return Int(base.littleEndian(at: 2 &+ 2 &* count, as: UInt16.self) >> 5)
    }

    /// The record's bytes.
    @inlinable package var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base, count: byteCount)
    }

    /// The entry of a slot, or `RecordEntry.missing`.
    @inlinable @inline(__always) package func entry(_ slot: Int) -> RecordEntry {
        let head = base.littleEndian(at: 0, as: UInt16.self)
        if head & 0xFF == UInt16(RecordView.narrowForm) {
            // A negative slot is a huge unsigned one.
            guard UInt(bitPattern: slot) < UInt(head >> 8) else { return .missing }
            return RecordEntry(narrow: base.littleEndian(at: 2 &+ 2 &* slot))
        }
        guard UInt(bitPattern: slot) < UInt(base.littleEndian(at: 2, as: UInt16.self)) else { return .missing }
        return RecordEntry(rawValue: base.littleEndian(at: 4 &+ 4 &* slot))
    }

    /// Where the payload of a slot that the record has ends.
    @inlinable @inline(__always) package func endOffset(_ slot: Int) -> Int {
        isWide
            ? Int(base.littleEndian(at: 8 &+ 4 &* slot, as: UInt32.self) >> 8)
            : Int(base.littleEndian(at: 4 &+ 2 &* slot, as: UInt16.self) >> 5)
    }

    /// The tag of a slot, nil where the slot is missing (or its tag is from a later format).
    @inlinable @inline(__always) package func tag(_ slot: Int) -> Tag? { Tag(code: entry(slot).code) }

    /// Whether the slot holds null or is missing.
    @inlinable package func isNull(_ slot: Int) -> Bool {
        let code = entry(slot).code
        return code == Tag.null.rawValue || code == RecordEntry.missing.code
    }

    /// The payload of a slot, whatever its tag; empty where the slot is missing.
    @inlinable package func payload(_ slot: Int) -> UnsafeRawBufferPointer {
        let entry = entry(slot)
        guard entry.code != RecordEntry.missing.code else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(start: base + entry.offset, count: endOffset(slot) &- entry.offset)
    }
}

/// A slot's entry, in the bits of a wide record: the tag in the low 8, the payload's offset in the high 24.
@usableFromInline package struct RecordEntry {
    /// The bits.
    @usableFromInline package let rawValue: UInt32

    /// An entry from the bits of a wide record.
    @inlinable @inline(__always) package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// An entry from the bits of a narrow record.
    @inlinable @inline(__always) package init(narrow: UInt16) {
        rawValue = UInt32(narrow & 31) | UInt32(narrow >> 5) &<< 8
    }

    /// An entry from its two parts.
    @inlinable @inline(__always) package init(code: UInt8, offset: Int) {
        rawValue = UInt32(code) | UInt32(truncatingIfNeeded: offset) &<< 8
    }

    /// What a slot has that the record does not know; its code is no tag's.
    @inlinable package static var missing: RecordEntry { RecordEntry(rawValue: 0xFF) }

    /// The raw value of the tag.
    @inlinable @inline(__always) package var code: UInt8 { UInt8(truncatingIfNeeded: rawValue) }

    /// Where the payload begins, from the record's start.
    @inlinable @inline(__always) package var offset: Int { Int(rawValue &>> 8) }
}
