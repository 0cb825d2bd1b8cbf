import Glibc
import LMDB

/// How the entries of an index lie in the `index` database.
///
///     grouped   key: index id | ordered value           values: object keys u64
///     packed    key: index id                           values: ordered value, padded with zeros | object key u64
///
/// Both big-endian, sorted, and of one width a key, which LMDB keeps without a header for each. Grouped suits values that
/// repeat: eight bytes an object. Packed suits values of one width that rarely do: an entry of its own in the tree would
/// take another 10 bytes and the index id, and each probe of a search would touch two places instead of one.
package enum IndexLayout: Equatable, Sendable {
    case grouped
    case packed(valueByteCount: Int)

    /// The layout of an index over values of these types. Part of the format.
    package init(_ types: [ColumnType]) {
        guard types.count == 1 else {
            self = .grouped
            return
        }
        self =
            switch types[0] {
            case .float: .packed(valueByteCount: 5)
            case .double: .packed(valueByteCount: 9)
            case .date, .objectID: .packed(valueByteCount: 13)
            case .uuid: .packed(valueByteCount: 17)
            case .bool, .int, .decimal, .string, .data, .link, .any, .coded: .grouped
            }
    }
}

/// The entries of one index, reached through a cursor. An *entry key* is the index id and the ordered value, as
/// `IndexKey` and `OrderedValue` write them.
struct IndexEntries {
    let cursor: Cursor
    let id: IndexID
    let layout: IndexLayout

    /// Adds an entry; one that is there already is no error.
    func insert(_ entryKey: UnsafeRawBufferPointer, _ key: ObjectKey) throws {
        switch layout {
        case .grouped:
            // New objects have the largest keys, and an appended page stays full.
            try withUnsafeBytes(of: key.bigEndian) { value in
                if try !cursor.append(entryKey, value) { try cursor.put(entryKey, value) }
            }
        case .packed(let width):
            try withPacked(entryKey, key, width) { try cursor.put($0, $1) }
        }
    }

    /// Adds an entry behind all others of the database, and leaves pages full.
    func append(_ entryKey: UnsafeRawBufferPointer, _ key: ObjectKey, isNewValue: Bool) throws {
        switch layout {
        case .grouped where isNewValue:
            try withUnsafeBytes(of: key.bigEndian) { try cursor.put(entryKey, $0, .append) }
        case .grouped: try insert(entryKey, key)
        case .packed(let width):
            try withPacked(entryKey, key, width) { try cursor.put($0, $1, .appendDuplicate) }
        }
    }

    /// Removes an entry, if it is there.
    func remove(_ entryKey: UnsafeRawBufferPointer, _ key: ObjectKey) throws {
        if try seek(entryKey, key) { try cursor.delete() }
    }

    /// Whether the entry is there.
    func contains(_ entryKey: UnsafeRawBufferPointer, _ key: ObjectKey) throws -> Bool {
        try seek(entryKey, key)
    }

    private func seek(_ entryKey: UnsafeRawBufferPointer, _ key: ObjectKey) throws -> Bool {
        switch layout {
        case .grouped: try withUnsafeBytes(of: key.bigEndian) { try cursor.seek(entryKey, $0) }
        case .packed(let width): try withPacked(entryKey, key, width) { try cursor.seek($0, $1) }
        }
    }

    /// The smallest key of an object with the value. One descent.
    func first(_ entryKey: UnsafeRawBufferPointer) throws -> ObjectKey? {
        switch layout {
        case .grouped:
            return try cursor.seek(entryKey) ? IndexEntries.key(cursor.value, at: 0) : nil
        case .packed(let width):
            return try withPacked(entryKey, 0, width) { idBytes, packed in
                guard try cursor.seekValue(idBytes, notBelow: packed), hasSameValue(packed, width) else { return nil }
                return IndexEntries.key(cursor.value, at: width)
            }
        }
    }

    /// The keys of the objects with the value, in order.
    func keys(_ entryKey: UnsafeRawBufferPointer) throws -> [ObjectKey] {
        var keys: [ObjectKey] = []
        switch layout {
        case .grouped:
            guard try cursor.seek(entryKey) else { return [] }
            // A key with one value has it in place; further ones come a page at a time.
            var isThere = try cursor.multiple()
            while isThere {
                let page = cursor.value
                for offset in stride(from: 0, to: page.count, by: 8) { keys.append(IndexEntries.key(page, at: offset)) }
                isThere = try cursor.nextMultiple()
            }
        case .packed(let width):
            try withPacked(entryKey, 0, width) { idBytes, packed in
                var isThere = try cursor.seekValue(idBytes, notBelow: packed)
                while isThere, hasSameValue(packed, width) {
                    keys.append(IndexEntries.key(cursor.value, at: width))
                    isThere = try cursor.nextDuplicate()
                }
            }
        }
        return keys
    }

    /// Whether more than one object has the value.
    func hasSeveral(_ entryKey: UnsafeRawBufferPointer) throws -> Bool {
        switch layout {
        case .grouped: return try cursor.seek(entryKey) && cursor.duplicateCount() > 1
        case .packed(let width):
            return try withPacked(entryKey, 0, width) { idBytes, packed in
                guard try cursor.seekValue(idBytes, notBelow: packed), hasSameValue(packed, width) else { return false }
                return try cursor.nextDuplicate() && hasSameValue(packed, width)
            }
        }
    }

    /// How many objects have the value. O(1) where entries are grouped, else O(count).
    func count(_ entryKey: UnsafeRawBufferPointer) throws -> Int {
        switch layout {
        case .grouped: try cursor.seek(entryKey) ? cursor.duplicateCount() : 0
        case .packed: try keys(entryKey).count
        }
    }

    /// Removes every entry of the index.
    func removeAll() throws {
        var prefix = KeyBuffer()
        IndexKey.append(id, to: &prefix)
        // Each step seeks anew: where a cursor stands after a deletion differs between versions of LMDB.
        while try prefix.withBytes({ try cursor.seekRange($0) }), IndexKey.id(of: cursor.key)?.id == id {
            try cursor.deleteAllDuplicates()
        }
    }

    private func hasSameValue(_ packed: UnsafeRawBufferPointer, _ width: Int) -> Bool {
        guard let found = cursor.value.baseAddress, let sought = packed.baseAddress else { return false }
        return memcmp(found, sought, width) == 0
    }

    /// Lends the index id and the packed entry of `key`. A value that is short is padded with zeros.
    func withPacked<R>(
        _ entryKey: UnsafeRawBufferPointer, _ key: ObjectKey, _ width: Int,
        _ body: (_ idBytes: UnsafeRawBufferPointer, _ packed: UnsafeRawBufferPointer) throws -> R
    ) rethrows -> R {
        let idByteCount = IndexKey.byteCount(of: id)
        return try Self.withPacked(UnsafeRawBufferPointer(rebasing: entryKey[idByteCount...]), key, width) {
            try body(UnsafeRawBufferPointer(rebasing: entryKey[..<idByteCount]), $0)
        }
    }

    /// Lends the packed entry of a value's ordered bytes and `key`.
    static func withPacked<R>(
        _ value: UnsafeRawBufferPointer, _ key: ObjectKey, _ width: Int,
        _ body: (_ packed: UnsafeRawBufferPointer) throws -> R
    ) rethrows -> R {
        var storage: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        return try withUnsafeMutableBytes(of: &storage) { storage in
            storage.copyMemory(from: value)
            storage.storeBytes(of: key.bigEndian, toByteOffset: width, as: UInt64.self)
            return try body(UnsafeRawBufferPointer(rebasing: storage[..<(width + 8)]))
        }
    }

    static func key(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> ObjectKey {
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
