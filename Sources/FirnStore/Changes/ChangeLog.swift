import LMDB

/// What the newest commits changed, one entry a commit, for notifications in this process and in others.
///
///     key     version u64 | part u32, big-endian
///     value   at most 4,080 bytes of the entry
///
/// An entry is varints and key runs (`KeyRuns`):
///
///     form            1 fine, 2 coarse (more than 1 MiB: it names only the tables)
///     tables          number, then each table's id and, where fine:
///       inserted      key runs
///       deleted       key runs
///       columns       number, then each column's id and the key runs of the objects whose value changed
package enum ChangeLog {
    /// An entry of more bytes than this becomes coarse.
    package static let entryByteLimit = 1 << 20
    /// How many entries are kept at least; older ones go in batches.
    package static let entryLimit: UInt64 = 1024
    private static let batch: UInt64 = 64
    private static let partByteCount = 4080

    /// Appends the entry of the version that `write` makes, and drops the oldest ones.
    static func append(_ changes: ChangeSet, write: WriteState) throws {
        let cursor = try write.cursor(write.databases.log)
        let bytes = encode(changes)
        try bytes.withUnsafeBytes { bytes in
            var part: UInt32 = 0
            for start in stride(from: 0, to: bytes.count, by: partByteCount) {
                let end = min(start + partByteCount, bytes.count)
                try cursor.put(
                    ByteKey(write.state.version, part), UnsafeRawBufferPointer(rebasing: bytes[start..<end]), [])
                part += 1
            }
        }
        let kept = write.state.version + 1 - write.state.oldestLogVersion
        guard kept > entryLimit + batch else { return }
        let oldest = write.state.version + 1 - entryLimit
        while try cursor.first(), version(ofKey: cursor.key) < oldest { try cursor.delete() }
        write.state.oldestLogVersion = oldest
    }

    /// The entry of `version`, nil when the log no longer (or not yet) has it.
    package static func read(
        _ version: UInt64, in transaction: Transaction, databases: Databases
    ) throws -> ChangeSet? {
        let cursor = try transaction.makeCursor(databases.log)
        var bytes: [UInt8] = []
        var isThere = try cursor.seekRange(ByteKey(version, UInt32(0)))
        while isThere, self.version(ofKey: cursor.key) == version {
            bytes.append(contentsOf: cursor.value)
            isThere = try cursor.next()
        }
        return bytes.isEmpty ? nil : try bytes.withUnsafeBytes { try decode($0) }
    }

    static func version(ofKey key: UnsafeRawBufferPointer) -> UInt64 {
        UInt64(bigEndian: key.loadUnaligned(as: UInt64.self))
    }

    static func encode(_ changes: ChangeSet) -> [UInt8] {
        let fine = encode(changes, isCoarse: false)
        return fine.count <= entryByteLimit ? fine : encode(changes, isCoarse: true)
    }

    private static func encode(_ changes: ChangeSet, isCoarse: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        Varint.append(isCoarse ? 2 : 1, to: &bytes)
        Varint.append(UInt64(changes.tables.count), to: &bytes)
        for (id, table) in changes.tables.sorted(by: { $0.key < $1.key }) {
            Varint.append(UInt64(id.rawValue), to: &bytes)
            if isCoarse { continue }
            KeyRuns.append(runs: table.inserted, to: &bytes)
            KeyRuns.append(runs: table.deleted, to: &bytes)
            Varint.append(UInt64(table.modified.count), to: &bytes)
            for (column, keys) in table.modified.sorted(by: { $0.key < $1.key }) {
                Varint.append(UInt64(column.rawValue), to: &bytes)
                KeyRuns.append(runs: keys, to: &bytes)
            }
        }
        return bytes
    }

    static func decode(_ bytes: UnsafeRawBufferPointer) throws -> ChangeSet {
        var reader = VarintReader(bytes)
        var changes = ChangeSet()
        changes.isCoarse = try number(&reader) != 1
        for _ in 0..<(try number(&reader)) {
            let id = TableID(rawValue: UInt32(truncatingIfNeeded: try number(&reader)))
            var table = ChangeSet.Table()
            if !changes.isCoarse {
                table.inserted = Array(try KeyRuns(reading: &reader))
                table.deleted = Array(try KeyRuns(reading: &reader))
                for _ in 0..<(try number(&reader)) {
                    let column = ColumnID(rawValue: UInt32(truncatingIfNeeded: try number(&reader)))
                    table.modified[column] = Array(try KeyRuns(reading: &reader))
                }
            }
            changes.tables[id] = table
        }
        return changes
    }

    private static func number(_ reader: inout VarintReader) throws -> UInt64 {
        guard let number = reader.next() else {
            throw StoreError(.corrupted, "an entry of the change log ends at byte \(reader.offset); run `firn check`")
        }
        return number
    }
}
