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
    }

    @exclusivity(unchecked) private var entries = GrowingBuffer<Entry>()
    @exclusivity(unchecked) private var touchedTables: Set<TableID> = []
    @exclusivity(unchecked) private var newestTable: TableID?

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
        entries.append(entry)
    }

    /// Puts the changes into `cursor`'s database in key order and forgets them.
    func apply(with cursor: Cursor) throws {
        var entries = entries.elements
        entries.sort(by: BacklinkChanges.precedes)
        var end = try BacklinkEnd(cursor)
        var position = 0
        while position < entries.count {
            var entry = entries[position]
            position += 1
            while position < entries.count, BacklinkChanges.isSameLink(entry, entries[position]) {
                entry.delta += entries[position].delta
                entry.isNewOrigin = entry.isNewOrigin && entries[position].isNewOrigin
                position += 1
            }
            if entry.delta != 0 { try BacklinkChanges.apply(entry, with: cursor, &end) }
        }
        self.entries.removeAll()
        touchedTables.removeAll(keepingCapacity: true)
        newestTable = nil
    }

    private static func apply(_ entry: Entry, with cursor: Cursor, _ end: inout BacklinkEnd) throws {
        let key = Backlink.key(table: entry.table, target: entry.target, column: entry.column)
        var count = Int64(entry.delta)
        let place = end.place(of: (entry.table, entry.target, entry.column))
        if !entry.isNewOrigin, place == .before {
            let found = try cursor.seekRange(key, Backlink.value(origin: entry.origin, count: 0))
            if found, Backlink.origin(of: cursor.value) == entry.origin {
                count += Int64(Backlink.count(of: cursor.value))
                // MDB_CURRENT with another value corrupts a sorted duplicate in 0.9.24: delete, then put.
                try cursor.delete()
            }
        }
        guard count > 0 else { return }
        let value = Backlink.value(origin: entry.origin, count: UInt32(count))
        if place == .behind {
            try cursor.put(key, value, .append)
            end.last = (entry.table, entry.target, entry.column)
        } else if try !cursor.append(key, value) {
            try cursor.put(key, value)
        }
    }

    private static func precedes(_ left: Entry, _ right: Entry) -> Bool {
        if left.table != right.table { return left.table < right.table }
        if left.target != right.target { return left.target < right.target }
        if left.column != right.column { return left.column < right.column }
        return left.origin < right.origin
    }

    private static func isSameLink(_ left: Entry, _ right: Entry) -> Bool {
        left.origin == right.origin && left.target == right.target && left.column == right.column
            && left.table == right.table
    }
}

/// The end of the backlinks while changes are applied in key order: what sorts behind it is not there yet and can be
/// appended, which leaves pages full.
private struct BacklinkEnd {
    typealias Key = (table: TableID, target: ObjectKey, column: ColumnID)

    enum Place {
        /// Among the keys that were there, or one of them.
        case before
        /// The key that was appended last.
        case last
        case behind
    }

    var last: Key?
    private let lastBefore: Key?

    init(_ cursor: Cursor) throws {
        if try cursor.last() {
            last = (
                Backlink.table(ofKey: cursor.key), Backlink.target(ofKey: cursor.key),
                Backlink.column(ofKey: cursor.key)
            )
        }
        lastBefore = last
    }

    func place(of key: Key) -> Place {
        if let lastBefore, key <= lastBefore { return .before }
        return if let last, key <= last { .last } else { .behind }
    }
}

/// The bytes of a backlink.
///
///     key     target table u32 | target key u64 | origin column u32
///     value   origin key u64 | number of links u32
///
/// All big-endian, since both sort.
package enum Backlink {
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
