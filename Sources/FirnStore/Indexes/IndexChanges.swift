import LMDB

/// What a write has yet to do to one index.
///
/// Random values so reach the B-tree sorted, which is what it likes best: a bulk insert pays one descent a value
/// instead of one that misses every cache. The last word on a (value, key) pair wins.
final class IndexChanges {
    /// One change; the value's bytes stand in `arena`.
    struct Entry {
        /// Bytes 1 to 8 of the value, big-endian: most comparisons end here, since all values but nil have one first byte where
        /// their type is one.
        var prefix: UInt64
        var key: ObjectKey
        var offset: Int
        var byteCount: UInt16
        var firstByte: UInt8
        var isInsert: Bool
        /// Whether the value must be no other object's at the end of the write.
        var isJudged: Bool
    }

    private let id: IndexID
    @exclusivity(unchecked) private var entries: [Entry] = []
    @exclusivity(unchecked) private var arena: [UInt8] = []
    /// The newest entry of each value, where they are looked up.
    @exclusivity(unchecked) private var newest = BytePositions()
    private let findsNewest: Bool
    /// Index keys that several objects had when they were last looked at, and that one may have in the end.
    @exclusivity(unchecked) private(set) var suspects: Set<[UInt8]> = []

    /// With `findsNewest` the newest word on a value can be looked up.
    init(id: IndexID, findsNewest: Bool) {
        self.id = id
        self.findsNewest = findsNewest
    }

    var isEmpty: Bool { entries.isEmpty }

    /// How much memory the changes hold.
    var sizeInBytes: Int { entries.count * MemoryLayout<Entry>.stride + arena.count + newest.sizeInBytes }

    /// Notes that `key` has, or no longer has, the value whose index key is `bytes` (index id included).
    func append(_ bytes: UnsafeRawBufferPointer, key: ObjectKey, isInsert: Bool, isJudged: Bool) {
        let value = UnsafeRawBufferPointer(rebasing: bytes[IndexKey.byteCount(of: id)...])
        let offset = arena.count
        arena.append(contentsOf: value)
        entries.append(
            Entry(
                prefix: IndexChanges.prefix(of: value), key: key, offset: offset, byteCount: UInt16(value.count),
                firstByte: value[0], isInsert: isInsert, isJudged: isJudged))
        if findsNewest {
            arena.withUnsafeBytes { arena in
                newest.note(value, at: entries.count - 1) { IndexChanges.bytes(of: entries[$0], arena) }
            }
        }
    }

    /// The newest word on a value: nil when there is none, else the key or that it is gone.
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
        try drain { value, entry in
            scratch.removeAll()
            IndexKey.append(id, to: &scratch)
            scratch.append(value)
            if entry.isInsert {
                try entries.insert(scratch.bytes, entry.key)
                if entry.isJudged, try entries.hasSeveral(scratch.bytes) { suspect(scratch.bytes) }
            } else {
                try entries.remove(scratch.bytes, entry.key)
            }
        }
    }

    /// Notes an index key that several objects have.
    func suspect(_ bytes: UnsafeRawBufferPointer) {
        suspects.insert(Array(bytes))
    }

    /// Calls `body` with the last word on each (value, key), in their order, and forgets the changes.
    @inline(__always)
    func drain(_ body: (_ value: UnsafeRawBufferPointer, Entry) throws -> Void) rethrows {
        arena.withUnsafeBytes { arena in
            entries.sort { IndexChanges.precedes($0, $1, arena) }
        }
        try arena.withUnsafeBytes { arena in
            var position = 0
            while position < entries.count {
                // Of a run about one (value, key) the last is the newest: the sort is stable by position.
                var last = position
                while last + 1 < entries.count,
                    IndexChanges.isSamePair(entries[position], entries[last + 1], arena)
                {
                    last += 1
                }
                try body(IndexChanges.bytes(of: entries[last], arena), entries[last])
                position = last + 1
            }
        }
        removeAll()
    }

    /// Forgets the changes, but not what is suspect.
    func removeAll() {
        newest.removeAll(entries.count)
        entries.removeAll(keepingCapacity: true)
        arena.removeAll(keepingCapacity: true)
    }

    private static func precedes(_ left: Entry, _ right: Entry, _ arena: UnsafeRawBufferPointer) -> Bool {
        if left.firstByte != right.firstByte { return left.firstByte < right.firstByte }
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
