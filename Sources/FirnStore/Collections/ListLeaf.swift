/// A leaf of a list while a write changes it: a narrow record in memory, edited byte by byte. See `ListNodeView`.
///
/// The record stays where it is as long as the leaf is there. Between its entries and its payloads there may be a gap, into
/// which the entries of appended elements grow, so that nothing moves for them. Readers, who go by the entries' offsets, do
/// not notice.
final class ListLeaf {
    /// What a record has beside entries and payloads: form, count and the entry of its end.
    static let frameByteCount = 4

    private let base: UnsafeMutableRawPointer
    /// Whether LMDB does not have this content yet.
    @exclusivity(unchecked) var isDirty = true
    /// How many bytes between entries and payloads are free.
    @exclusivity(unchecked) private var gap = 0

    /// A leaf without elements.
    init() {
        base = .allocate(byteCount: ListNodeView.byteLimit, alignment: 16)
        base.storeLittleEndian(UInt16(RecordView.narrowForm), at: 0)
        base.storeLittleEndian(UInt16(ListLeaf.frameByteCount << 5), at: 2)
    }

    /// A copy of a leaf that was validated.
    init(copying record: RecordView) {
        base = .allocate(byteCount: ListNodeView.byteLimit, alignment: 16)
        base.copyMemory(from: record.base, byteCount: record.byteCount)
        isDirty = false
    }

    deinit { base.deallocate() }

    /// Good until the next change.
    var record: RecordView { RecordView(base) }

    /// The record as LMDB is to have it. Good until the next change.
    var bytes: UnsafeRawBufferPointer {
        setGap(0)
        return record.bytes
    }

    var count: Int { Int(base.load(fromByteOffset: 1, as: UInt8.self)) }

    /// How many bytes LMDB is to have.
    var byteCount: Int { offset(count) - gap }

    /// Where an element's payload begins; of the one behind the last, where the record ends.
    private func offset(_ slot: Int) -> Int { Int(entries[slot] &>> 5) }

    /// The entries, the end's included. The format's byte order is that of every machine Swift runs on under Linux.
    private var entries: UnsafeMutablePointer<UInt16> {
        (base + 2).assumingMemoryBound(to: UInt16.self)
    }

    /// How many bytes an element takes, its entry included.
    func byteCount(of slot: Int) -> Int { 2 + offset(slot + 1) - offset(slot) }

    /// Whether the leaf takes some of the builder's values in place of an element, or besides what it has.
    func fits(_ values: RecordBuilder, _ slots: Range<Int>, replacing slot: Int? = nil) -> Bool {
        let (removedCount, removedByteCount) = slot.map { (1, byteCount(of: $0)) } ?? (0, 0)
        return count - removedCount + slots.count <= ListNodeView.elementLimit
            && byteCount - removedByteCount + values.byteCount(of: slots) <= ListNodeView.byteLimit
    }

    /// How many elements the left of two leaves gets if the leaf and the builder's values, inserted at a position, are
    /// shared out; nil where two are too few.
    func cut(inserting values: RecordBuilder, at position: Int, _ sharing: ListTree.Sharing) -> Int? {
        let inserted = values.slotCount
        let total = count + inserted
        let totalByteCount = byteCount + values.byteCount(of: 0..<inserted) + ListLeaf.frameByteCount
        var leftByteCount = ListLeaf.frameByteCount
        var best: (cut: Int, distance: Int)?
        for cut in 1..<total {
            let last = cut - 1
            leftByteCount +=
                last < position
                ? byteCount(of: last)
                : last < position + inserted
                    ? values.byteCount(of: last - position..<cut - position) : byteCount(of: last - inserted)
            let rightByteCount = totalByteCount - leftByteCount
            guard leftByteCount <= ListNodeView.byteLimit, cut <= ListNodeView.elementLimit else { break }
            guard rightByteCount <= ListNodeView.byteLimit, total - cut <= ListNodeView.elementLimit else { continue }
            let distance =
                switch sharing {
                case .evenly: abs(leftByteCount - rightByteCount)
                case .leftFull: total - cut
                case .rightFull: cut
                }
            if distance < best?.distance ?? .max { best = (cut, distance) }
        }
        return best?.cut
    }

    // MARK: Changing

    /// Inserts some of the values that the builder was given since `begin`; they fit.
    func insert(_ values: RecordBuilder, _ slots: Range<Int>, at position: Int) {
        replace(position..<position, with: values, slots)
    }

    /// Appends the elements of another leaf from one on, by way of a builder that nobody needs.
    func append(contentsOf other: ListLeaf, from position: Int, with builder: RecordBuilder) {
        builder.begin()
        builder.copySlots(position..<other.count, of: other.record)
        insert(builder, 0..<builder.slotCount, at: count)
    }

    /// Writes a value over an element where the record keeps its shape so; see `RecordView.patchInPlace`.
    func patch(_ value: StoredValue, at position: Int) -> Bool {
        guard RecordView.patchInPlace(base, slot: position, value: value) else { return false }
        isDirty = true
        return true
    }

    func remove(_ range: Range<Int>) {
        setGap(0)
        let count = count
        let (removedStart, removedEnd, end) = (offset(range.lowerBound), offset(range.upperBound), offset(count))
        let shift = -2 * range.count
        let tailShift = shift - (removedEnd - removedStart)
        moveEntries(from: range.upperBound, count: count, by: -range.count)
        shiftOffsets(0..<range.lowerBound, by: shift)
        shiftOffsets(range.lowerBound..<count - range.count + 1, by: tailShift)
        let start = ListLeaf.frameByteCount + 2 * count
        movePayloads(start..<removedStart, by: shift)
        movePayloads(removedEnd..<end, by: tailShift)
        setCount(count - range.count)
    }

    /// Puts the builder's values in the place of as many elements, or of none; they fit.
    func replace(_ range: Range<Int>, with values: RecordBuilder, _ slots: Range<Int>) {
        precondition(range.isEmpty || range.count == slots.count, "elements are inserted, or replaced one for one")
        guard !slots.isEmpty else { return }
        let count = count
        setGap(0)
        let growth = slots.count - range.count
        let (removedStart, removedEnd, end) = (offset(range.lowerBound), offset(range.upperBound), offset(count))
        let payloads = values.payloads(of: slots)
        let shift = 2 * growth
        let tailShift = shift + payloads.count - (removedEnd - removedStart)
        precondition(end + tailShift <= ListNodeView.byteLimit, "what is put into a leaf fits")
        // From the end, since everything moves towards it, but for the tail of a replacement, which moves alone.
        movePayloads(removedEnd..<end, by: tailShift)
        movePayloads(ListLeaf.frameByteCount + 2 * count..<removedStart, by: shift)
        moveEntries(from: range.upperBound, count: count, by: growth)
        shiftOffsets(0..<range.lowerBound, by: shift)
        shiftOffsets(range.lowerBound + slots.count..<count + growth + 1, by: tailShift)
        let target = removedStart + shift
        if let source = payloads.baseAddress {
            (base + target).copyMemory(from: source, byteCount: payloads.count)
        }
        values.fillEntries(of: slots, entries + range.lowerBound, offset: target)
        setCount(count + growth)
    }

    /// Puts all values that the builder was given since `begin` behind the last element; false where they do not fit, or
    /// there is none.
    func append(_ values: RecordBuilder) -> Bool {
        let (count, added) = (count, values.slotCount)
        let (entryByteCount, payloadByteCount) = (2 * added, values.payloadByteCount)
        let room = ListNodeView.byteLimit - byteCount - entryByteCount - payloadByteCount
        guard count > 0, added > 0, count + added <= ListNodeView.elementLimit, room >= 0 else { return false }
        if gap < entryByteCount || offset(count) + payloadByteCount > ListNodeView.byteLimit {
            // As many more as can follow, if they are like these.
            let more = min(
                ListNodeView.elementLimit - count - added, room * added / (entryByteCount + payloadByteCount))
            setGap(entryByteCount + 2 * more)
        }
        let target = offset(count)
        (base + target).copyMemory(
            from: values.scratch + RecordBuilder.frontByteCount, byteCount: payloadByteCount)
        for slot in 0..<added {
            let entry = RecordEntry(rawValue: values.entries[slot])
            entries[count + slot] = UInt16(entry.code & 31) | UInt16(truncatingIfNeeded: entry.offset + target) &<< 5
        }
        entries[count + added] = UInt16(truncatingIfNeeded: (target + payloadByteCount) << 5)
        gap -= entryByteCount
        base.storeBytes(of: UInt8(count + added), toByteOffset: 1, as: UInt8.self)
        isDirty = true
        return true
    }

    private func setGap(_ byteCount: Int) {
        let distance = byteCount - gap
        guard distance != 0 else { return }
        let count = count
        movePayloads(ListLeaf.frameByteCount + 2 * count + gap..<offset(count), by: distance)
        shiftOffsets(0..<count + 1, by: distance)
        gap = byteCount
    }

    private func setCount(_ count: Int) {
        base.storeBytes(of: UInt8(count), toByteOffset: 1, as: UInt8.self)
        isDirty = true
        if count == 1, record.tag(0) == .int8 { widenOnlyInteger() }
    }

    /// Keeps the rule that eight bytes of a record end each integer; see `RecordBuilder.widenOnlyInteger`.
    private func widenOnlyInteger() {
        let value = Int16(truncatingIfNeeded: record.int64AloneInRecord)
        base.storeLittleEndian(UInt16(6 << 5) | UInt16(Tag.int16.rawValue), at: 2)
        base.storeLittleEndian(UInt16(8 << 5), at: 4)
        base.storeLittleEndian(value, at: 6)
    }

    private func moveEntries(from slot: Int, count: Int, by distance: Int) {
        guard distance != 0 else { return }
        let source = base + 2 + 2 * slot
        (source + 2 * distance).copyMemory(from: source, byteCount: 2 * (count + 1 - slot))
    }

    private func movePayloads(_ range: Range<Int>, by distance: Int) {
        guard distance != 0, !range.isEmpty else { return }
        (base + range.lowerBound + distance).copyMemory(from: base + range.lowerBound, byteCount: range.count)
    }

    private func shiftOffsets(_ slots: Range<Int>, by distance: Int) {
        // Two's complement: adding wraps around for what moves forward.
        let distance = UInt16(truncatingIfNeeded: distance << 5)
        let entries = entries
        for slot in slots { entries[slot] &+= distance }
    }
}

extension RecordView {
    /// The integer of one byte that is all of a record.
    fileprivate var int64AloneInRecord: Int8 { base.load(fromByteOffset: 6, as: Int8.self) }

    /// Whether an element may have something outside its node: a blob, a link that is counted, a nested collection.
    func mayOwn(_ slot: Int) -> Bool {
        switch tag(slot) {
        case .link, .typedLink, .collection, .blob: true
        default: false
        }
    }
}

extension RecordBuilder {
    /// The payloads of some of the slots that were added since `begin`, one after the other; good until the next change.
    func payloads(of slots: Range<Int>) -> UnsafeRawBufferPointer {
        let start = payloadOffset(slots.lowerBound)
        let byteCount = payloadOffset(slots.upperBound) - start
        return UnsafeRawBufferPointer(start: scratch + RecordBuilder.frontByteCount + start, count: byteCount)
    }

    /// How many bytes of a leaf the slots take.
    func byteCount(of slots: Range<Int>) -> Int {
        2 * slots.count + payloadOffset(slots.upperBound) - payloadOffset(slots.lowerBound)
    }

    /// Writes the narrow entries of some slots, the first of whose payloads begins at `offset` of its record.
    fileprivate func fillEntries(of slots: Range<Int>, _ target: UnsafeMutablePointer<UInt16>, offset: Int) {
        let distance = offset - payloadOffset(slots.lowerBound)
        for (index, slot) in slots.enumerated() {
            let entry = RecordEntry(rawValue: entries[slot])
            target[index] = UInt16(entry.code & 31) | UInt16(truncatingIfNeeded: entry.offset + distance) &<< 5
        }
    }

    private func payloadOffset(_ slot: Int) -> Int {
        slot < slotCount ? RecordEntry(rawValue: entries[slot]).offset : payloadByteCount
    }
}
