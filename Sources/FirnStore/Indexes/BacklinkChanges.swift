import LMDB

/// What a write has yet to do to the backlinks: signed numbers of links, which add.
final class BacklinkChanges {
    /// So many links more (or fewer) from `origin`'s `column` to `target`.
    struct Entry: BitwiseCopyable {
        var table: TableID
        var column: ColumnID
        var target: ObjectKey
        var origin: ObjectKey
        var delta: Int32
        /// Whether the origin came with this write, so that it cannot have an entry yet.
        var isNewOrigin: Bool

        @inline(__always)
        var key: Backlink.Key { Backlink.Key(table: table, target: target, column: column) }
    }

    @exclusivity(unchecked) private var entries = GrowingBuffer<Entry>()
    @exclusivity(unchecked) private var touchedTables: Set<TableID> = []
    @exclusivity(unchecked) private var newestTable: TableID?

    /// Whether they came in the order of their keys.
    @exclusivity(unchecked) private(set) var isSorted = true

    var isEmpty: Bool { entries.count == 0 }

    /// How much memory the changes hold.
    var sizeInBytes: Int { entries.count * MemoryLayout<Entry>.stride }

    /// Whether a change is about links to objects of `table`.
    func touches(_ table: TableID) -> Bool {
        touchedTables.contains(table)
    }

    func append(_ entry: Entry) {
        if newestTable != entry.table {
            touchedTables.insert(entry.table)
            newestTable = entry.table
        }
        if let last = entries.last, isSorted { isSorted = !Self.precedes(entry, last) }
        entries.append(entry)
    }

    /// Puts the changes into `cursor`'s database in key order and forgets them.
    func apply(with cursor: Cursor) throws {
        var entries = entries.elements
        if !isSorted { entries.sort(by: BacklinkChanges.precedes) }
        var place = try Place(cursor)
        var position = 0
        while position < entries.count {
            var entry = entries[position]
            position += 1
            while position < entries.count, BacklinkChanges.isSameLink(entry, entries[position]) {
                entry.delta += entries[position].delta
                entry.isNewOrigin = entry.isNewOrigin && entries[position].isNewOrigin
                position += 1
            }
            if entry.delta != 0 { try BacklinkChanges.apply(entry, with: cursor, &place) }
        }
        self.entries.removeAll()
        touchedTables.removeAll(keepingCapacity: true)
        newestTable = nil
        isSorted = true
    }

    /// Where changes are while they are applied in key order: what sorts behind all that was there can be appended, which
    /// leaves pages full.
    private struct Place {
        private let end: Backlink.Key?
        /// Whether all that follows comes behind what was there.
        private(set) var isBehind = false
        /// The key that was appended last.
        private var last: Backlink.Key?

        init(_ cursor: Cursor) throws {
            end = try cursor.last() ? Backlink.Key(of: cursor.key) : nil
        }

        /// Comes to an entry; whether nothing has its key yet.
        @inline(__always)
        mutating func moves(to entry: Entry) -> Bool {
            let key = entry.key
            if !isBehind { isBehind = end.map { $0 < key } ?? true }
            guard isBehind, key != last, entry.delta > 0 else { return false }
            last = key
            return true
        }
    }

    @inline(__always)
    private static func apply(_ entry: Entry, with cursor: Cursor, _ place: inout Place) throws {
        let key = Backlink.key(table: entry.table, target: entry.target, column: entry.column)
        if place.moves(to: entry) {
            return try cursor.put(key, Backlink.value(origin: entry.origin, count: UInt32(entry.delta)), .append)
        }
        var count = Int64(entry.delta)
        if !entry.isNewOrigin, !place.isBehind {
            let found = try cursor.seekRange(key, Backlink.value(origin: entry.origin, count: 0))
            if found, Backlink.origin(of: cursor.value) == entry.origin {
                count += Int64(Backlink.count(of: cursor.value))
                // MDB_CURRENT with another value corrupts a sorted duplicate in 0.9.24: delete, then put.
                try cursor.delete()
            }
        }
        guard count > 0 else { return }
        let value = Backlink.value(origin: entry.origin, count: UInt32(count))
        if try !cursor.append(key, value) { try cursor.put(key, value) }
    }

    private static func precedes(_ left: Entry, _ right: Entry) -> Bool {
        left.key != right.key ? left.key < right.key : left.origin < right.origin
    }

    private static func isSameLink(_ left: Entry, _ right: Entry) -> Bool {
        left.origin == right.origin && left.key == right.key
    }
}

/// The bytes of a backlink.
///
///     key     target table u32 | target key u64 | origin column u32
///     value   origin key u64 | number of links u32
///
/// All big-endian, since both sort.
package enum Backlink {
    /// A key as it compares.
    struct Key: Comparable {
        let table: TableID
        let target: ObjectKey
        let column: ColumnID

        @inline(__always)
        static func < (left: Key, right: Key) -> Bool {
            if left.table != right.table { return left.table < right.table }
            if left.target != right.target { return left.target < right.target }
            return left.column < right.column
        }
    }

    static func key(table: TableID, target: ObjectKey, column: ColumnID) -> ByteKey {
        ByteKey(table.rawValue, target, column.rawValue)
    }

    static func value(origin: ObjectKey, count: UInt32) -> ByteKey {
        ByteKey(origin, count)
    }

    static func origin(of value: UnsafeRawBufferPointer) -> ObjectKey {
        UInt64(bigEndian: value.loadUnaligned(as: UInt64.self))
    }

    static func count(of value: UnsafeRawBufferPointer) -> UInt32 {
        UInt32(bigEndian: value.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    }

    static func table(ofKey key: UnsafeRawBufferPointer) -> TableID {
        TableID(rawValue: UInt32(bigEndian: key.loadUnaligned(as: UInt32.self)))
    }

    static func target(ofKey key: UnsafeRawBufferPointer) -> ObjectKey {
        UInt64(bigEndian: key.loadUnaligned(fromByteOffset: 4, as: UInt64.self))
    }

    static func column(ofKey key: UnsafeRawBufferPointer) -> ColumnID {
        ColumnID(rawValue: UInt32(bigEndian: key.loadUnaligned(fromByteOffset: 12, as: UInt32.self)))
    }
}

extension Backlink.Key {
    init(of key: UnsafeRawBufferPointer) {
        table = Backlink.table(ofKey: key)
        target = Backlink.target(ofKey: key)
        column = Backlink.column(ofKey: key)
    }
}
