/// Changes a leaf where it lies: scratch memory, or a dirty page that `MDB_RESERVE` lent.
///
/// Records given to it must not lie in the leaf. Nothing here allocates but for 4,080 bytes of stack while compacting.
@usableFromInline package struct LeafEditor {
    /// The leaf's first byte.
    @usableFromInline package let base: UnsafeMutableRawPointer

    /// An editor of the leaf that begins at `base`.
    @inlinable package init(_ base: UnsafeMutableRawPointer) { self.base = base }

    /// The leaf as it is now.
    @inlinable package var view: LeafView { LeafView(base) }

    /// Makes the 4,080 bytes an empty leaf, whatever they were. Free bytes are zeroed: they go to the file.
    package func initialize(version: UInt64) {
        base.initializeMemory(as: UInt8.self, repeating: 0, count: Leaf.byteCount)
        setVersion(version)
        reset()
    }

    /// Says which version wrote the leaf.
    @inlinable package func setVersion(_ version: UInt64) {
        base.storeLittleEndian(version, at: Leaf.versionOffset)
    }

    /// The record at an index below `count`, to be patched in place.
    @inlinable package func mutableRecord(at index: Int) -> UnsafeMutableRawPointer {
        base + view.recordOffset(at: index)
    }

    // MARK: Inserting

    /// Inserts a record whose key the leaf does not hold; false, and nothing changed, when it does not fit even in a
    /// compacted leaf.
    ///
    /// A key beyond the last moves nothing; another moves the entries behind it.
    @inlinable package func insert(_ key: UInt64, _ record: UnsafeRawBufferPointer) -> Bool {
        let view = view
        let count = view.count
        let width = view.deltaWidth
        let baseKey = view.baseKey
        if count > 0, key > baseKey {
            let delta = key &- baseKey
            if delta > view.delta(at: count &- 1, width: width), Leaf.deltaWidth(for: delta) <= width,
                view.freeByteCount >= record.count &+ width &+ 2
            {
                place(record, key: key, at: count, of: count, width: width, baseKey: baseKey)
                return true
            }
        }
        return insertSlowly(key, record)
    }

    /// Whether `insert` would fit a record of that size under that key.
    package func fits(_ key: UInt64, recordByteCount: Int) -> Bool {
        let view = view
        let count = view.count
        let first = count > 0 ? min(key, view.firstKey) : key
        let last = count > 0 ? max(key, view.lastKey) : key
        let width = Leaf.deltaWidth(for: last - first)
        return Leaf.headerByteCount + view.recordsByteCount + recordByteCount + (count + 1) * (width + 2)
            <= Leaf.byteCount
    }

    @usableFromInline @inline(never)
    package func insertSlowly(_ key: UInt64, _ record: UnsafeRawBufferPointer) -> Bool {
        if view.count == 0 {
            guard record.count <= Leaf.maximumRecordByteCount else { return false }
            reset()
            base.storeLittleEndian(key, at: Leaf.baseKeyOffset)
            place(record, key: key, at: 0, of: 0, width: 2, baseKey: key)
            return true
        }
        let (index, isFound) = view.find(key)
        precondition(!isFound, "The leaf holds this key already: replace its record")
        if !makeRoom(for: key, recordByteCount: record.count) {
            guard fits(key, recordByteCount: record.count) else { return false }
            compact()
            guard makeRoom(for: key, recordByteCount: record.count) else { return false }
        }
        let view = view
        place(record, key: key, at: index, of: view.count, width: view.deltaWidth, baseKey: view.baseKey)
        return true
    }

    /// Gives the entries the base key and width that one more key needs; false when the free bytes in one piece do not
    /// suffice for that and the record.
    private func makeRoom(for key: UInt64, recordByteCount: Int) -> Bool {
        let view = view
        let count = view.count
        let baseKey = min(view.baseKey, key)
        let width = max(view.deltaWidth, Leaf.deltaWidth(for: max(view.lastKey, key) - baseKey))
        let entriesByteCount = (count + 1) * (width + 2)
        guard view.fill + recordByteCount + entriesByteCount <= Leaf.byteCount else { return false }
        if baseKey != view.baseKey || width != view.deltaWidth { rewriteEntries(baseKey: baseKey, width: width) }
        return true
    }

    /// Rewrites the entries to a base key that is not above the old one and a width that is not below it.
    private func rewriteEntries(baseKey: UInt64, width: Int) {
        let old = view
        let oldWidth = old.deltaWidth
        let distance = old.baseKey - baseKey
        // Downwards in memory is where the last entry goes: each new entry then covers only old ones moved before.
        for index in stride(from: old.count - 1, through: 0, by: -1) {
            let delta = old.delta(at: index, width: oldWidth) + distance
            let offset = old.recordOffset(at: index)
            storeEntry(at: index, width: width, delta: delta, recordOffset: offset)
        }
        base.storeLittleEndian(baseKey, at: Leaf.baseKeyOffset)
        base.storeLittleEndian(UInt8(width), at: Leaf.deltaWidthOffset)
    }

    /// Copies a record to the fill and enters it; the room is there.
    @inlinable @inline(__always)
    package func place(
        _ record: UnsafeRawBufferPointer, key: UInt64, at index: Int, of count: Int, width: Int, baseKey: UInt64
    ) {
        let fill = view.fill
        if let source = record.baseAddress { (base + fill).copyMemory(from: source, byteCount: record.count) }
        if index < count { moveEntries(from: index, to: index &+ 1, of: count, width: width) }
        storeEntry(at: index, width: width, delta: key &- baseKey, recordOffset: fill)
        base.storeLittleEndian(UInt16(truncatingIfNeeded: count &+ 1), at: Leaf.countOffset)
        setFill(fill &+ record.count)
    }

    // MARK: Removing and replacing

    /// Removes the record at an index below `count`.
    package func remove(at index: Int) {
        let view = view
        let count = view.count
        precondition(index >= 0 && index < count, "The leaf has no entry at this index")
        guard count > 1 else { return reset() }
        discardRecord(at: index)
        if index + 1 < count { moveEntries(from: index + 1, to: index, of: count, width: view.deltaWidth) }
        base.storeLittleEndian(UInt16(count - 1), at: Leaf.countOffset)
    }

    /// Replaces the record at an index below `count`; false, and nothing changed, when the new one does not fit even in
    /// a compacted leaf.
    ///
    /// A record that is not longer takes the old one's place; a longer one goes to the free bytes.
    package func replace(at index: Int, with record: UnsafeRawBufferPointer) -> Bool {
        let view = view
        precondition(index >= 0 && index < view.count, "The leaf has no entry at this index")
        guard let source = record.baseAddress else { preconditionFailure("A record is never empty") }
        let offset = view.recordOffset(at: index)
        let oldByteCount = RecordView(view.base + offset).byteCount
        let isLast = offset + oldByteCount == view.fill
        let growth = record.count - oldByteCount
        if growth <= 0 || isLast && growth <= view.freeByteCount {
            (base + offset).copyMemory(from: source, byteCount: record.count)
            if isLast { setFill(offset + record.count) } else { setGarbage(view.garbageByteCount - growth) }
            return true
        }
        if record.count > view.freeByteCount {
            let width = Leaf.deltaWidth(for: view.lastKey - view.firstKey)
            let needed =
                Leaf.headerByteCount + view.recordsByteCount + growth + view.count * (width + 2)
            guard needed <= Leaf.byteCount else { return false }
            compact(leavingOut: index)
        } else {
            discardRecord(at: index)
        }
        let fill = self.view.fill
        (base + fill).copyMemory(from: source, byteCount: record.count)
        let width = self.view.deltaWidth
        base.storeLittleEndian(
            UInt16(fill), at: self.view.entryOffset(at: index, width: width) + width)
        setFill(fill + record.count)
        return true
    }

    /// Appends all records of another leaf, whose keys are all larger; false, and nothing changed, when they do not fit.
    package func append(contentsOf right: LeafView) -> Bool {
        guard view.fitsTogether(with: right) else { return false }
        for index in 0..<right.count {
            let isInserted = insert(right.key(at: index), right.record(at: index).bytes)
            precondition(isInserted, "Records that fit together in bytes fit in a leaf")
        }
        return true
    }

    /// Packs the records in key order, without garbage, under the largest base key and the narrowest entries.
    package func compact() { compact(leavingOut: nil) }

    /// Packs the leaf; the record at `left` is dropped and its entry waits for a new offset.
    private func compact(leavingOut left: Int?) {
        withUnsafeTemporaryAllocation(byteCount: Leaf.byteCount, alignment: 8) { copy in
            guard let copyBase = copy.baseAddress, view.count > 0 else { return reset() }
            copyBase.copyMemory(from: base, byteCount: Leaf.byteCount)
            let old = LeafView(copyBase)
            let oldWidth = old.deltaWidth
            let width = Leaf.deltaWidth(for: old.lastKey - old.firstKey)
            let distance = old.delta(at: 0, width: oldWidth)
            var fill = Leaf.headerByteCount
            for index in 0..<old.count {
                storeEntry(
                    at: index, width: width, delta: old.delta(at: index, width: oldWidth) - distance,
                    recordOffset: fill)
                if index == left { continue }
                let record = old.record(at: index)
                let byteCount = record.byteCount
                (base + fill).copyMemory(from: record.base, byteCount: byteCount)
                fill += byteCount
            }
            base.storeLittleEndian(old.firstKey, at: Leaf.baseKeyOffset)
            base.storeLittleEndian(UInt8(width), at: Leaf.deltaWidthOffset)
            setFill(fill)
            setGarbage(0)
        }
    }

    // MARK: Parts

    /// Empties the leaf and keeps its version.
    private func reset() {
        base.storeLittleEndian(0 as UInt64, at: Leaf.baseKeyOffset)
        base.storeLittleEndian(0 as UInt16, at: Leaf.countOffset)
        setFill(Leaf.headerByteCount)
        setGarbage(0)
        base.storeLittleEndian(2 as UInt16, at: Leaf.deltaWidthOffset)
    }

    @inlinable package func setFill(_ fill: Int) {
        base.storeLittleEndian(UInt16(truncatingIfNeeded: fill), at: Leaf.fillOffset)
    }

    private func setGarbage(_ garbage: Int) {
        base.storeLittleEndian(UInt16(garbage), at: Leaf.garbageOffset)
    }

    /// Gives up the bytes of a record; those at the end of the record area become free at once.
    private func discardRecord(at index: Int) {
        let view = view
        let offset = view.recordOffset(at: index)
        let byteCount = view.record(at: index).byteCount
        if offset + byteCount == view.fill {
            setFill(offset)
        } else {
            setGarbage(view.garbageByteCount + byteCount)
        }
    }

    @inlinable @inline(__always)
    package func storeEntry(at index: Int, width: Int, delta: UInt64, recordOffset: Int) {
        let offset = view.entryOffset(at: index, width: width)
        switch width {
        case 2: base.storeLittleEndian(UInt16(truncatingIfNeeded: delta), at: offset)
        case 4: base.storeLittleEndian(UInt32(truncatingIfNeeded: delta), at: offset)
        default: base.storeLittleEndian(delta, at: offset)
        }
        base.storeLittleEndian(UInt16(truncatingIfNeeded: recordOffset), at: offset &+ width)
    }

    /// Moves the entries from an index to the last so that they begin at another index.
    @inlinable package func moveEntries(from index: Int, to newIndex: Int, of count: Int, width: Int) {
        let size = width &+ 2
        let byteCount = (count &- index) &* size
        let source = base + (Leaf.byteCount &- count &* size)
        (source + (index &- newIndex) &* size).copyMemory(from: source, byteCount: byteCount)
    }
}
