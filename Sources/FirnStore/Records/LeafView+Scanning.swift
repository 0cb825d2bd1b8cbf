/// Where a leaf's records begin, read with the entries' width known: for loops over many of them.
@usableFromInline
package struct LeafRecordOffsets {
    @usableFromInline let base: UnsafeRawPointer
    /// The record offset in entry 0.
    @usableFromInline let first: UnsafeRawPointer
    @usableFromInline let stride: Int

    @inlinable @inline(__always)
    init(_ leaf: LeafView) {
        base = leaf.base
        stride = leaf.entryByteCount
        first = leaf.base + (Leaf.byteCount &- 2)
    }

    /// The record at an index below the leaf's count.
    @inlinable @inline(__always)
    package subscript(_ index: Int) -> RecordView {
        RecordView(base + Int((first - index &* stride).littleEndian(at: 0, as: UInt16.self)))
    }
}

/// How the first record of a leaf begins: form and slot count. Most others begin alike, and one comparison tells.
@usableFromInline
package struct NarrowShape {
    @usableFromInline let header: UInt16
    @usableFromInline let entryOffset: Int

    @inlinable @inline(__always)
    init(header: UInt16, slot: Int) {
        self.header = header
        entryOffset = 2 &+ 2 &* slot
    }

    /// The slot's entry (tag in the low five bits, payload offset above) of a record of this shape.
    @inlinable @inline(__always)
    package func entry(of record: RecordView) -> UInt16? {
        guard record.base.littleEndian(at: 0, as: UInt16.self) == header else { return nil }
        return record.base.littleEndian(at: entryOffset, as: UInt16.self)
    }
}

extension LeafView {
    /// Where the records begin.
    @inlinable @inline(__always)
    package var recordOffsets: LeafRecordOffsets { LeafRecordOffsets(self) }

    /// The shape of the first record, if that is narrow and has the slot.
    @inlinable
    package func commonNarrowShape(slot: Int) -> NarrowShape? {
        guard count > 0 else { return nil }
        let record = record(at: 0)
        guard !record.isWide, slot < record.slotCount else { return nil }
        return NarrowShape(header: record.base.littleEndian(at: 0, as: UInt16.self), slot: slot)
    }
}
