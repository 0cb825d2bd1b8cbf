import LMDB

/// What a write has yet to do to the entries of sets and maps: which record is to stand under a key, or none.
///
/// Entries that come in no order so reach LMDB sorted, as values of an index do (`IndexChanges`), and those of new
/// collections behind all others, in full pages. The last word on a key wins. Only whole keys wait: what a cut one is
/// about stands in the record, and LMDB's order tells those that are cut to the same bytes apart.
final class EntryChanges {
    /// One change; the bytes of key and record stand in `arena`, one behind the other.
    private struct Change {
        /// Bytes 1 to 16 of the key, big-endian: most comparisons end here. Byte 0 is that of an id below 2^56.
        var high: UInt64
        var low: UInt64
        var offset: UInt32
        var keyByteCount: UInt16
        /// 0 where no record is to stand there.
        var recordByteCount: UInt16
    }

    /// What waits for a key.
    enum Waiting {
        /// Good until the next change.
        case record(RecordView)
        case gone
    }

    @exclusivity(unchecked) private var changes: [Change] = []
    @exclusivity(unchecked) private var arena = KeyBuffer(limit: .max)
    /// The newest change of each key.
    @exclusivity(unchecked) private var newest = BytePositions()
    /// Collections from this id on were made after the last `apply`: LMDB has nothing of them but under cut keys.
    @exclusivity(unchecked) private var firstUnknownID: UInt64
    /// Knows the keys that were applied of collections from an id on, so that LMDB need not be asked for others.
    @exclusivity(unchecked) private var applied: ByteFilter?
    @exclusivity(unchecked) private var firstFilteredID: UInt64

    /// No collection from `nextID` on is there yet.
    init(nextID: UInt64) {
        firstUnknownID = nextID
        firstFilteredID = nextID
    }

    /// From how many changes on it pays to make the filter.
    private static var filterMinimum: Int { 4096 }

    var isEmpty: Bool { changes.isEmpty }

    /// How much memory the changes hold.
    var sizeInBytes: Int {
        changes.count * MemoryLayout<Change>.stride + arena.count + newest.sizeInBytes
    }

    /// Notes the record that is to stand under a key, or that none is. Neither is among what waits.
    func append(_ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer?) {
        let words = EntryChanges.words(of: key)
        changes.append(
            Change(
                high: words.high, low: words.low, offset: UInt32(arena.count), keyByteCount: UInt16(key.count),
                recordByteCount: UInt16(record?.count ?? 0)))
        arena.append(key)
        if let record { arena.append(record) }
        newest.note(key, at: changes.count - 1) { self.key(changes[$0]) }
    }

    /// What waits for a key; nil where that is what LMDB has.
    func find(_ key: UnsafeRawBufferPointer) -> Waiting? {
        guard let position = newest.find(key, in: { self.key(changes[$0]) }) else { return nil }
        let record = record(changes[position])
        guard record.count > 0, let base = record.baseAddress else { return .gone }
        return .record(RecordView(base))
    }

    /// Whether LMDB may have an entry under a whole key for which nothing waits.
    func mayBeStored(_ key: UnsafeRawBufferPointer) -> Bool {
        let id = EntryKey.collectionID(of: key)
        guard id < firstUnknownID else { return false }
        guard let applied, id >= firstFilteredID else { return true }
        return applied.mayContain(key)
    }

    /// Does what waits, in the order of the keys, and forgets it. Collections from `nextID` on are still to come.
    func apply(with cursor: Cursor, nextID: UInt64) throws {
        if applied == nil {
            // Who applies little by little asks LMDB for those.
            if changes.count < EntryChanges.filterMinimum { firstFilteredID = nextID } else { applied = ByteFilter() }
        }
        changes.sort(by: precedes)
        var isBehindAll = try !cursor.last()
        var last = KeyBuffer(limit: .max)
        if !isBehindAll { last.append(cursor.key) }
        for (position, change) in changes.enumerated() {
            let next = position + 1
            if next < changes.count, isSameKey(change, changes[next]) { continue }
            let key = key(change)
            if !isBehindAll { isBehindAll = last.bytes.order(against: key) < 0 }
            let record = record(change)
            if record.count > 0 {
                try cursor.put(key, record, isBehindAll ? .append : [])
                if EntryKey.collectionID(of: key) >= firstFilteredID { applied?.insert(key) }
            } else if !isBehindAll, try cursor.seek(key) {
                try cursor.delete()
            }
        }
        removeAll()
        firstUnknownID = nextID
    }

    private func removeAll() {
        newest.removeAll(changes.count)
        changes.removeAll(keepingCapacity: true)
        arena.removeAll()
    }

    // MARK: Bytes

    private func key(_ change: Change) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: arena.storage + Int(change.offset), count: Int(change.keyByteCount))
    }

    /// The bytes of a change's record; none where none is to stand there.
    private func record(_ change: Change) -> UnsafeRawBufferPointer {
        let offset = Int(change.offset) + Int(change.keyByteCount)
        return UnsafeRawBufferPointer(start: arena.storage + offset, count: Int(change.recordByteCount))
    }

    private func precedes(_ left: Change, _ right: Change) -> Bool {
        if left.high != right.high { return left.high < right.high }
        if left.low != right.low { return left.low < right.low }
        let order = key(left).order(against: key(right))
        // Offsets grow with time, so changes of one key keep their order.
        return order != 0 ? order < 0 : left.offset < right.offset
    }

    private func isSameKey(_ left: Change, _ right: Change) -> Bool {
        left.high == right.high && left.low == right.low && key(left).holdsSameBytes(as: key(right))
    }

    private static func words(of key: UnsafeRawBufferPointer) -> (high: UInt64, low: UInt64) {
        if key.count >= 17 {
            return (
                UInt64(bigEndian: key.loadUnaligned(fromByteOffset: 1, as: UInt64.self)),
                UInt64(bigEndian: key.loadUnaligned(fromByteOffset: 9, as: UInt64.self))
            )
        }
        var padded: (UInt64, UInt64) = (0, 0)
        withUnsafeMutableBytes(of: &padded) { $0.copyBytes(from: key.dropFirst()) }
        return (UInt64(bigEndian: padded.0), UInt64(bigEndian: padded.1))
    }
}
