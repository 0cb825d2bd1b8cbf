import LMDB

/// What a write has yet to do to one index.
///
/// Random values so reach the B-tree sorted, which is what it likes best: a bulk insert pays one descent a value
/// instead of one that misses every cache. The last word on a (value, key) pair wins.
final class IndexChanges {
    /// One change; the value's bytes stand in `arena`.
    struct Entry {
        /// Bytes 1 to 8 of the value, big-endian (its first byte only tells nil from a value): most comparisons end here.
        var prefix: UInt64
        var key: ObjectKey
        var offset: Int
        var byteCount: UInt16
        var isInsert: Bool
    }

    private let id: IndexID
    @exclusivity(unchecked) private var entries: [Entry] = []
    @exclusivity(unchecked) private var arena: [UInt8] = []
    /// The newest entry of each value of a unique index.
    @exclusivity(unchecked) private var newest = BytePositions()
    private let isUnique: Bool

    init(id: IndexID, isUnique: Bool) {
        self.id = id
        self.isUnique = isUnique
    }

    var isEmpty: Bool { entries.isEmpty }

    /// How much memory the changes hold.
    var sizeInBytes: Int { entries.count * MemoryLayout<Entry>.stride + arena.count + newest.sizeInBytes }

    /// Notes that `key` has, or no longer has, the value whose index key is `bytes` (index id included).
    func append(_ bytes: UnsafeRawBufferPointer, key: ObjectKey, isInsert: Bool) {
        let value = UnsafeRawBufferPointer(rebasing: bytes[IndexKey.byteCount(of: id)...])
        let offset = arena.count
        arena.append(contentsOf: value)
        entries.append(
            Entry(
                prefix: IndexChanges.prefix(of: value), key: key, offset: offset, byteCount: UInt16(value.count),
                isInsert: isInsert))
        if isUnique {
            arena.withUnsafeBytes { arena in
                newest.note(value, at: entries.count - 1) { IndexChanges.bytes(of: entries[$0], arena) }
            }
        }
    }

    /// The newest word on a value of a unique index: nil when there is none, else the key or that it is gone.
    func lookUp(_ bytes: UnsafeRawBufferPointer) -> Found? {
        let value = UnsafeRawBufferPointer(rebasing: bytes[IndexKey.byteCount(of: id)...])
        let position = arena.withUnsafeBytes { arena in
            newest.find(value) { IndexChanges.bytes(of: entries[$0], arena) }
        }
        guard let position else { return nil }
        let entry = entries[position]
        return entry.isInsert ? .key(entry.key) : .gone
    }

    enum Found {
        case key(ObjectKey)
        case gone
    }

    // MARK: Applying

    /// Puts the changes into the index in key order and forgets them.
    func apply(to entries: IndexEntries, scratch: inout KeyBuffer) throws {
        arena.withUnsafeBytes { arena in
            self.entries.sort { IndexChanges.precedes($0, $1, arena) }
        }
        try arena.withUnsafeBytes { arena in
            var position = 0
            while position < self.entries.count {
                // Of a run about one (value, key) the last is the newest: the sort is stable by position.
                var last = position
                while last + 1 < self.entries.count,
                    IndexChanges.isSamePair(self.entries[position], self.entries[last + 1], arena)
                {
                    last += 1
                }
                let entry = self.entries[last]
                scratch.removeAll()
                IndexKey.append(id, to: &scratch)
                scratch.append(IndexChanges.bytes(of: entry, arena))
                if entry.isInsert {
                    try entries.insert(scratch.bytes, entry.key)
                } else {
                    try entries.remove(scratch.bytes, entry.key)
                }
                position = last + 1
            }
        }
        removeAll()
    }

    /// Forgets the changes.
    func removeAll() {
        newest.removeAll(entries.count)
        entries.removeAll(keepingCapacity: true)
        arena.removeAll(keepingCapacity: true)
    }

    private static func precedes(_ left: Entry, _ right: Entry, _ arena: UnsafeRawBufferPointer) -> Bool {
        if left.prefix != right.prefix { return left.prefix < right.prefix }
        let order = compare(left, right, arena)
        if order != 0 { return order < 0 }
        if left.key != right.key { return left.key < right.key }
        // Offsets grow with time, so equal pairs keep their order.
        return left.offset < right.offset
    }

    private static func isSamePair(_ left: Entry, _ right: Entry, _ arena: UnsafeRawBufferPointer) -> Bool {
        left.key == right.key && left.prefix == right.prefix && compare(left, right, arena) == 0
    }

    private static func compare(_ left: Entry, _ right: Entry, _ arena: UnsafeRawBufferPointer) -> Int {
        // Nine bytes hold the first and the prefix; equal prefixes of that length are equal but for nil's.
        bytes(of: left, arena).order(against: bytes(of: right, arena))
    }

    private static func bytes(of entry: Entry, _ arena: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: arena[entry.offset..<entry.offset + Int(entry.byteCount)])
    }

    private static func prefix(of value: UnsafeRawBufferPointer) -> UInt64 {
        var prefix: UInt64 = 0
        if value.count >= 9 {
            prefix = UInt64(bigEndian: value.loadUnaligned(fromByteOffset: 1, as: UInt64.self))
        } else {
            for index in 1..<9 { prefix = prefix << 8 | (index < value.count ? UInt64(value[index]) : 0) }
        }
        return prefix
    }
}
