import Foundation
import LMDB

extension Connection {
    /// The record of the object with `key`, good for the current `stamp`. A look into the leaf that was read last is
    /// free of LMDB; else one descent of the tree.
    @inlinable
    package func record(_ table: TableID, _ key: ObjectKey) -> RecordView? {
        if isCached(table, key), let leaf = cachedLeaf {
            let view = LeafView(leaf)
            let place = view.find(key)
            return place.isFound ? view.record(at: place.index) : nil
        }
        return findRecord(table, key)
    }

    /// Whether `key` falls into the leaf that was read last.
    @inlinable
    func isCached(_ table: TableID, _ key: ObjectKey) -> Bool {
        cachedLeaf != nil && table == cachedTable && key <= cachedBound && key >= cachedBase
    }

    @usableFromInline
    func findRecord(_ table: TableID, _ key: ObjectKey) -> RecordView? {
        guard let leaf = leaf(table, holding: key) else { return nil }
        let place = leaf.find(key)
        return place.isFound ? leaf.record(at: place.index) : nil
    }

    /// The leaf in whose range `key` falls.
    func leaf(_ table: TableID, holding key: ObjectKey) -> LeafView? {
        // The cursor stands where the cached leaf is, and is about to move.
        cachedLeaf = nil
        if let tail = write?.tail(of: table), key >= tail.lowest {
            cache(tail.base, table: table, bound: .max)
            return LeafView(tail.base)
        }
        if write == nil, let place = leafMap(table)?.leaf(holding: key) {
            LeafView(place.base).prefetchEnds()
            cache(place.base, table: table, bound: place.bound)
            return LeafView(place.base)
        }
        do {
            let cursor = try objectsCursor()
            guard try cursor.seekRange(LeafKey.make(table, key)), LeafKey.table(of: cursor.key) == table,
                let base = cursor.value.baseAddress
            else { return nil }
            LeafView(base).prefetchEnds()
            cache(base, table: table, bound: LeafKey.bound(of: cursor.key))
            return LeafView(base)
        } catch {
            unreadable(error)
        }
    }

    /// The table's leaf map, made once so many look-ups went through LMDB that it pays.
    @inline(__always)
    private func leafMap(_ table: TableID) -> LeafMap? {
        if let leafMap, leafMap.table == table { return leafMap }
        descents &+= 1
        return descents & 511 == 0 ? makeLeafMap(table) : nil
    }

    @inline(never)
    private func makeLeafMap(_ table: TableID) -> LeafMap? {
        // Making it costs about 15 ns a leaf, each look-up without it about 150 ns.
        guard descents >= count(table) / 400 else { return nil }
        leafMap = LeafMap(self, table: table)
        return leafMap
    }

    func cache(_ leaf: UnsafeRawPointer, table: TableID, bound: ObjectKey) {
        cachedLeaf = leaf
        cachedTable = table
        cachedBase = LeafView(leaf).baseKey
        cachedBound = bound
    }

    /// Whether the object is there.
    @inlinable
    package func contains(_ table: TableID, _ key: ObjectKey) -> Bool {
        record(table, key) != nil
    }

    /// How many objects `table` holds. One look-up.
    package func count(_ table: TableID) -> Int {
        if let write, !write.isLost, let writer = write.existingTable(table) { return Int(writer.state.count) }
        return Int(tableState(table).count)
    }

    func tableState(_ table: TableID) -> TableState {
        do {
            guard let bytes = try transaction.get(store.databases.meta, MetaKey.table(table)) else {
                return TableState()
            }
            return try TableState(bytes)
        } catch {
            unreadable(error)
        }
    }

    // MARK: Values

    /// The value in `slot` as text; reads a blob in O(its chunks). Missing and null read as "".
    package func string(_ record: RecordView, _ slot: Int) -> String {
        guard record.tag(slot) == .blob else { return record.string(slot) }
        let blob = record.blob(slot)
        do {
            let cursor = try transaction.makeCursor(store.databases.blobs)
            return try Blob.readString(blob.id, byteCount: Int(blob.byteCount), with: cursor)
        } catch {
            unreadable(error)
        }
    }

    /// The value in `slot` as data; reads a blob in O(its chunks). Missing and null read as no bytes.
    package func data(_ record: RecordView, _ slot: Int) -> Data {
        guard record.tag(slot) == .blob else { return record.data(slot) }
        let blob = record.blob(slot)
        do {
            let cursor = try transaction.makeCursor(store.databases.blobs)
            return try Blob.read(blob.id, byteCount: Int(blob.byteCount), with: cursor)
        } catch {
            unreadable(error)
        }
    }

    /// The value in `slot`, with a blob's content in its place. Missing reads as `.null`.
    package func value(_ record: RecordView, _ slot: Int) -> StoredValue {
        guard record.tag(slot) == .blob else { return record.value(slot) }
        switch Tag(rawValue: record.blob(slot).kind) {
        case .data: return .data(data(record, slot))
        case .coded: return .coded(data(record, slot))
        default: return .string(string(record, slot))
        }
    }

    /// The value of `column`, where a record that has none, or null for a required column, reads as the column's zero.
    package func value(_ record: RecordView, _ column: StoredColumn) -> StoredValue {
        let value = value(record, column.slot)
        return value.isNull ? column.zero : value
    }
}

/// The keys of the `objects` database: table u32 and the leaf's upper bound u64, big-endian.
enum LeafKey {
    @inline(__always)
    static func make(_ table: TableID, _ bound: ObjectKey) -> ByteKey {
        ByteKey(table.rawValue, bound)
    }

    @inline(__always)
    static func table(of key: UnsafeRawBufferPointer) -> TableID {
        TableID(rawValue: UInt32(bigEndian: key.loadUnaligned(as: UInt32.self)))
    }

    @inline(__always)
    static func bound(of key: UnsafeRawBufferPointer) -> ObjectKey {
        UInt64(bigEndian: key.loadUnaligned(fromByteOffset: 4, as: UInt64.self))
    }
}
