import Glibc
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
    /// Open addressing over the values of a unique index: a position in `entries` plus one, of the newest entry.
    @exclusivity(unchecked) private var slots: [UInt32] = []
    private let isUnique: Bool

    init(id: IndexID, isUnique: Bool) {
        self.id = id
        self.isUnique = isUnique
    }

    var isEmpty: Bool { entries.isEmpty }

    /// How much memory the changes hold.
    var sizeInBytes: Int { entries.count * MemoryLayout<Entry>.stride + arena.count + slots.count * 4 }

    /// Notes that `key` has, or no longer has, the value whose index key is `bytes` (index id included).
    func append(_ bytes: UnsafeRawBufferPointer, key: ObjectKey, isInsert: Bool) {
        let value = UnsafeRawBufferPointer(rebasing: bytes[IndexKey.byteCount(of: id)...])
        let offset = arena.count
        arena.append(contentsOf: value)
        entries.append(
            Entry(
                prefix: IndexChanges.prefix(of: value), key: key, offset: offset, byteCount: UInt16(value.count),
                isInsert: isInsert))
        if isUnique { remember(value, position: entries.count) }
    }

    /// The newest word on a value of a unique index: nil when there is none, else the key or that it is gone.
    func lookUp(_ bytes: UnsafeRawBufferPointer) -> Found? {
        guard !slots.isEmpty else { return nil }
        let value = UnsafeRawBufferPointer(rebasing: bytes[IndexKey.byteCount(of: id)...])
        let position = slots[slot(of: value)]
        guard position != 0 else { return nil }
        let entry = entries[Int(position) - 1]
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
        entries.removeAll(keepingCapacity: true)
        arena.removeAll(keepingCapacity: true)
        for index in slots.indices { slots[index] = 0 }
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
        compare(bytes(of: left, arena), bytes(of: right, arena))
    }

    private static func bytes(of entry: Entry, _ arena: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: arena[entry.offset..<entry.offset + Int(entry.byteCount)])
    }

    /// Byte order, the shorter first where one begins with the other.
    private static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        guard let leftBase = left.baseAddress, let rightBase = right.baseAddress else {
            return left.count - right.count
        }
        let order = memcmp(leftBase, rightBase, min(left.count, right.count))
        return order != 0 ? Int(order) : left.count - right.count
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

    // MARK: Values of a unique index

    private func remember(_ value: UnsafeRawBufferPointer, position: Int) {
        if (position + 1) * 2 > slots.count { grow() }
        slots[slot(of: value)] = UInt32(position)
    }

    private func grow() {
        slots = [UInt32](repeating: 0, count: max(64, slots.count * 2))
        // The newest entry was not remembered yet; it is by the caller.
        for (index, entry) in entries.dropLast().enumerated() {
            let found = arena.withUnsafeBytes { arena in
                slot(of: IndexChanges.bytes(of: entry, arena))
            }
            slots[found] = UInt32(index + 1)
        }
    }

    /// The slot that holds `value`, or the free one where it would go.
    private func slot(of value: UnsafeRawBufferPointer) -> Int {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: IndexChanges.hash(value)) & mask
        return arena.withUnsafeBytes { arena in
            while slots[slot] != 0 {
                let entry = entries[Int(slots[slot]) - 1]
                let other = UnsafeRawBufferPointer(rebasing: arena[entry.offset..<entry.offset + Int(entry.byteCount)])
                if other.count == value.count, IndexChanges.compare(other, value) == 0 { return slot }
                slot = (slot + 1) & mask
            }
            return slot
        }
    }

    /// A hash of the value's words (multiply and fold); values here are not an adversary's choice of cost: a table
    /// lives for one transaction and is at most half full.
    private static func hash(_ value: UnsafeRawBufferPointer) -> UInt64 {
        var hash: UInt64 = 0x9E37_79B9_7F4A_7C15 ^ UInt64(value.count)
        var offset = 0
        while offset + 8 <= value.count {
            hash = fold(hash ^ value.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        while offset < value.count {
            hash = fold(hash ^ UInt64(value[offset]))
            offset += 1
        }
        return hash
    }

    private static func fold(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return product.high ^ product.low
    }
}
