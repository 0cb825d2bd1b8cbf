/// A leaf, read where it lies. Trusts its bytes: those from a file that may be damaged are for `validate(_:)` first.
///
/// Good as long as the bytes are.
@usableFromInline package struct LeafView {
    /// The leaf's first byte.
    @usableFromInline package let base: UnsafeRawPointer

    /// A view of the leaf that begins at `base`.
    @inlinable package init(_ base: UnsafeRawPointer) { self.base = base }

    /// The version that last wrote the leaf.
    @inlinable package var version: UInt64 { base.littleEndian(at: Leaf.versionOffset) }
    /// The key that deltas are added to.
    @inlinable package var baseKey: UInt64 { base.littleEndian(at: Leaf.baseKeyOffset) }
    /// How many records the leaf has.
    @inlinable package var count: Int { Int(base.littleEndian(at: Leaf.countOffset, as: UInt16.self)) }
    /// Where the record area ends.
    @inlinable package var fill: Int { Int(base.littleEndian(at: Leaf.fillOffset, as: UInt16.self)) }
    /// How many bytes of the record area belong to no record.
    @inlinable package var garbageByteCount: Int { Int(base.littleEndian(at: Leaf.garbageOffset, as: UInt16.self)) }
    /// How many bytes an entry's delta has.
    @inlinable package var deltaWidth: Int { Int(base.load(fromByteOffset: Leaf.deltaWidthOffset, as: UInt8.self)) }

    /// How many bytes an entry has.
    @inlinable package var entryByteCount: Int { deltaWidth &+ 2 }
    /// How many bytes are free in one piece, for a record and its entry.
    @inlinable package var freeByteCount: Int { Leaf.byteCount &- fill &- count &* entryByteCount }
    /// How many bytes the header, the records and the entries have, garbage not counted.
    @inlinable package var usedByteCount: Int { Leaf.byteCount &- freeByteCount &- garbageByteCount }
    /// How many bytes the records have.
    @inlinable package var recordsByteCount: Int { fill &- Leaf.headerByteCount &- garbageByteCount }
    /// The leaf's 4,080 bytes.
    @inlinable package var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base, count: Leaf.byteCount)
    }

    @inlinable @inline(__always) package func entryOffset(at index: Int, width: Int) -> Int {
        Leaf.byteCount &- (index &+ 1) &* (width &+ 2)
    }

    /// The distance of a key from the base key, of an entry of known width.
    @inlinable @inline(__always) package func delta(at index: Int, width: Int) -> UInt64 {
        let offset = entryOffset(at: index, width: width)
        switch width {
        case 2: return UInt64(base.littleEndian(at: offset, as: UInt16.self))
        case 4: return UInt64(base.littleEndian(at: offset, as: UInt32.self))
        default: return base.littleEndian(at: offset, as: UInt64.self)
        }
    }

    /// The key of the record at an index below `count`.
    @inlinable @inline(__always) package func key(at index: Int) -> UInt64 {
        baseKey &+ delta(at: index, width: deltaWidth)
    }

    /// Where the record at an index below `count` begins.
    @inlinable @inline(__always) package func recordOffset(at index: Int) -> Int {
        let width = deltaWidth
        return Int(base.littleEndian(at: entryOffset(at: index, width: width) &+ width, as: UInt16.self))
    }

    /// The record at an index below `count`.
    @inlinable @inline(__always) package func record(at index: Int) -> RecordView {
        RecordView(base + recordOffset(at: index))
    }

    /// The smallest key; the leaf must not be empty.
    @inlinable package var firstKey: UInt64 { key(at: 0) }
    /// The largest key; the leaf must not be empty.
    @inlinable package var lastKey: UInt64 { key(at: count &- 1) }

    /// Where a key is, or where it would stand.
    ///
    /// O(1) where no key is missing between the base and this one, or between the first and the last; else a binary
    /// search over as many entries as keys are missing.
    @inlinable package func find(_ key: UInt64) -> (index: Int, isFound: Bool) {
        let count = count
        let baseKey = baseKey
        guard count > 0, key >= baseKey else { return (0, false) }
        let width = deltaWidth
        let delta = key &- baseKey
        // Where keys are dense from the base on, the key's distance is its index: one entry read, one cache line.
        if delta < UInt64(truncatingIfNeeded: count) {
            let guess = Int(truncatingIfNeeded: delta)
            if self.delta(at: guess, width: width) == delta { return (guess, true) }
        }
        let first = self.delta(at: 0, width: width)
        let last = self.delta(at: count &- 1, width: width)
        guard delta >= first else { return (0, false) }
        guard delta <= last else { return (count, false) }
        // Keys ascend by at least 1, so this many steps from the first lie at or behind the key; each key missing
        // between first and last can move it by one place to the left.
        let missing = (last &- first) &- UInt64(truncatingIfNeeded: count &- 1)
        let steps = delta &- first
        if missing == 0 { return (Int(truncatingIfNeeded: steps), true) }
        var high = steps < UInt64(truncatingIfNeeded: count) ? Int(truncatingIfNeeded: steps) : count &- 1
        var low = steps > missing ? Int(truncatingIfNeeded: steps &- missing) : 0
        // The first index whose delta is not below the key's lies in low ... high.
        while low < high {
            let middle = (low &+ high) &>> 1
            if self.delta(at: middle, width: width) < delta { low = middle &+ 1 } else { high = middle }
        }
        return (low, self.delta(at: low, width: width) == delta)
    }

    /// The record of a key.
    @inlinable package func record(of key: UInt64) -> RecordView? {
        let (index, isFound) = find(key)
        return isFound ? record(at: index) : nil
    }

    /// Whether the live records of this leaf and of another, whose keys are all larger, fit in one leaf.
    package func fitsTogether(with right: LeafView) -> Bool {
        guard count > 0, right.count > 0 else { return true }
        let width = Leaf.deltaWidth(for: right.lastKey &- firstKey)
        return Leaf.headerByteCount + recordsByteCount + right.recordsByteCount + (count + right.count) * (width + 2)
            <= Leaf.byteCount
    }
}
