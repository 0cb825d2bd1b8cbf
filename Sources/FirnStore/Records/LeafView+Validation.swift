extension LeafView {
    /// Examines a leaf that may be damaged, or none at all, with all its records, and never reads outside the bytes
    /// given. Throws what is wrong where, counted from the leaf's start.
    ///
    /// An empty leaf passes, though a table's last leaf goes with its last record.
    package static func validate(_ bytes: UnsafeRawBufferPointer) throws(FormatError) {
        guard bytes.count == Leaf.byteCount, let base = bytes.baseAddress else {
            throw FormatError("a leaf has \(Leaf.byteCount) bytes, not \(bytes.count)", at: 0)
        }
        let leaf = LeafView(base)
        guard [2, 4, 8].contains(leaf.deltaWidth) else {
            throw FormatError("unknown delta width \(leaf.deltaWidth)", at: Leaf.deltaWidthOffset)
        }
        let zero = bytes[Leaf.deltaWidthOffset + 1]
        guard zero == 0 else { throw FormatError("byte is \(zero) instead of 0", at: Leaf.deltaWidthOffset + 1) }
        let count = leaf.count
        let entriesStart = Leaf.byteCount - count * leaf.entryByteCount
        guard leaf.fill >= Leaf.headerByteCount, leaf.fill <= entriesStart else {
            throw FormatError(
                "\(count) entries and a fill of \(leaf.fill) do not fit in one leaf", at: Leaf.countOffset)
        }
        var places: [Range<Int>] = []
        places.reserveCapacity(count)
        var previousKey: UInt64?
        for index in 0..<count {
            let entry = leaf.entryOffset(at: index, width: leaf.deltaWidth)
            let (key, isTooLarge) = leaf.baseKey.addingReportingOverflow(leaf.delta(at: index, width: leaf.deltaWidth))
            if isTooLarge { throw FormatError("the key of entry \(index) exceeds 64 bits", at: entry) }
            if let previousKey, key <= previousKey {
                throw FormatError("the key \(key) of entry \(index) does not ascend from \(previousKey)", at: entry)
            }
            previousKey = key
            let offset = leaf.recordOffset(at: index)
            guard offset >= Leaf.headerByteCount, offset < leaf.fill else {
                throw FormatError("the record of entry \(index) begins at \(offset), outside the records", at: entry)
            }
            do {
                let record = UnsafeRawBufferPointer(rebasing: bytes[offset..<leaf.fill])
                places.append(offset..<offset + (try RecordView.validate(record)))
            } catch {
                throw error.moved(by: offset, in: "record of key \(key)")
            }
        }
        places.sort { $0.lowerBound < $1.lowerBound }
        var end = Leaf.headerByteCount
        for place in places {
            guard place.lowerBound >= end else {
                throw FormatError("two records share bytes", at: place.lowerBound)
            }
            end = place.upperBound
        }
        let live = places.reduce(0) { $0 + $1.count }
        guard leaf.recordsByteCount == live else {
            throw FormatError(
                "\(live) bytes of records and \(leaf.garbageByteCount) of garbage do not add up to a fill of \(leaf.fill)",
                at: Leaf.garbageOffset)
        }
    }
}
