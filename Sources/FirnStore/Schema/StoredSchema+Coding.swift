import LMDB

/// The stored schema's bytes, in parts of at most 4,080 under "schema" in `meta`: varints, and strings as their byte
/// count and UTF-8.
///
///     form = 1, schema version, counter, next table, column and index id, number of tables, then each table:
///       id, name, flags (1 embedded), primary key's column id or 0, slot count, number of columns, then each column:
///         id, name, slot, type, flags (1 optional, 2 indexed, 4 unique, 8 cascades, 16 denies), collection kind or 0,
///         target table id or 0, index id or 0
extension StoredSchema {
    private static var partByteCount: Int { 4080 }

    /// Reads the schema of a transaction's version; empty in a new file.
    static func load(from transaction: Transaction, databases: Databases) throws(StoreError) -> StoredSchema {
        do {
            var bytes: [UInt8] = []
            var part: UInt32 = 0
            while let chunk = try transaction.get(databases.meta, MetaKey.schema(part: part)) {
                bytes.append(contentsOf: chunk)
                part += 1
            }
            guard !bytes.isEmpty else { return .empty }
            return try bytes.withUnsafeBytes { try StoredSchema(decoding: $0) }
        } catch {
            throw StoreError(wrapping: error)
        }
    }

    func store(_ write: WriteState) throws {
        let cursor = try write.cursor(write.databases.meta)
        var part: UInt32 = 0
        try encoded().withUnsafeBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: StoredSchema.partByteCount) {
                let end = min(start + StoredSchema.partByteCount, bytes.count)
                try cursor.put(
                    MetaKey.schema(part: part), UnsafeRawBufferPointer(rebasing: bytes[start..<end]), [])
                part += 1
            }
        }
        while try cursor.seek(MetaKey.schema(part: part)) {
            try cursor.delete()
            part += 1
        }
    }

    func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        for number in [
            1, schemaVersion, counter, UInt64(nextTableID), UInt64(nextColumnID), UInt64(nextIndexID),
            UInt64(tables.count),
        ] {
            Varint.append(number, to: &bytes)
        }
        for table in tables { table.append(to: &bytes) }
        return bytes
    }

    init(decoding bytes: UnsafeRawBufferPointer) throws {
        var reader = SchemaReader(bytes)
        guard try reader.number() == 1 else {
            throw StoreError(
                .newerFormat, "the file's schema has a newer form than this build reads; update the program")
        }
        schemaVersion = try reader.number()
        counter = try reader.number()
        nextTableID = try reader.id()
        nextColumnID = try reader.id()
        nextIndexID = try reader.id()
        tables = []
        for _ in 0..<(try reader.number()) { tables.append(try StoredTable(&reader)) }
    }
}

extension StoredTable {
    fileprivate func append(to bytes: inout [UInt8]) {
        Varint.append(UInt64(id.rawValue), to: &bytes)
        bytes.append(lengthPrefixed: name)
        for number in [
            isEmbedded ? 1 : 0, UInt64(primaryKeyID?.rawValue ?? 0), UInt64(slotCount), UInt64(columns.count),
        ] {
            Varint.append(number, to: &bytes)
        }
        for column in columns { column.append(to: &bytes) }
    }

    fileprivate init(_ reader: inout SchemaReader) throws {
        id = TableID(rawValue: try reader.id())
        name = try reader.string()
        isEmbedded = try reader.number() & 1 != 0
        primaryKeyID = try reader.optionalID().map(ColumnID.init)
        slotCount = try reader.count(upTo: RecordBuilder.maximumSlotCount)
        columns = []
        for _ in 0..<(try reader.number()) {
            let column = try StoredColumn(&reader)
            guard column.slot < slotCount else { throw reader.corrupted("slot \(column.slot) of \(slotCount)") }
            columns.append(column)
        }
    }
}

extension StoredColumn {
    fileprivate func append(to bytes: inout [UInt8]) {
        Varint.append(UInt64(id.rawValue), to: &bytes)
        bytes.append(lengthPrefixed: name)
        let flags: UInt64 =
            (isOptional ? 1 : 0) | (index != nil ? 2 : 0) | (index?.isUnique == true ? 4 : 0)
            | (deleteRule == .cascade ? 8 : 0) | (deleteRule == .deny ? 16 : 0)
        let numbers = [
            UInt64(slot), UInt64(type.rawValue), flags, UInt64(collection?.rawValue ?? 0),
            UInt64(target?.rawValue ?? 0),
            UInt64(index?.id.rawValue ?? 0),
        ]
        for number in numbers { Varint.append(number, to: &bytes) }
    }

    fileprivate init(_ reader: inout SchemaReader) throws {
        id = ColumnID(rawValue: try reader.id())
        name = try reader.string()
        slot = try reader.count(upTo: RecordBuilder.maximumSlotCount)
        guard let type = ColumnType(rawValue: UInt8(truncatingIfNeeded: try reader.number())) else {
            throw reader.corrupted("the type of column \(name)")
        }
        self.type = type
        let flags = try reader.number()
        isOptional = flags & 1 != 0
        deleteRule = flags & 8 != 0 ? .cascade : flags & 16 != 0 ? .deny : .nullify
        let kind = try reader.number()
        collection = kind == 0 ? nil : CollectionKind(rawValue: UInt8(truncatingIfNeeded: kind))
        target = try reader.optionalID().map(TableID.init)
        let indexID = try reader.optionalID()
        index = indexID.map { StoredIndex(id: IndexID(rawValue: $0), isUnique: flags & 4 != 0) }
    }
}

extension [UInt8] {
    fileprivate mutating func append(lengthPrefixed text: String) {
        Varint.append(UInt64(text.utf8.count), to: &self)
        append(contentsOf: text.utf8)
    }
}

/// Reads the schema's numbers and strings, and says where it cannot.
private struct SchemaReader {
    private var reader: VarintReader

    init(_ bytes: UnsafeRawBufferPointer) {
        reader = VarintReader(bytes)
    }

    mutating func number() throws -> UInt64 {
        guard let number = reader.next() else { throw corrupted("a number") }
        return number
    }

    mutating func id() throws -> UInt32 {
        guard let id = UInt32(exactly: try number()) else { throw corrupted("an id") }
        return id
    }

    mutating func optionalID() throws -> UInt32? {
        let id = try id()
        return id == 0 ? nil : id
    }

    mutating func count(upTo limit: Int) throws -> Int {
        guard let count = Int(exactly: try number()), count <= limit else { throw corrupted("a count") }
        return count
    }

    mutating func string() throws -> String {
        guard let count = Int(exactly: try number()), let bytes = reader.next(byteCount: count) else {
            throw corrupted("a name")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    func corrupted(_ what: String) -> StoreError {
        StoreError(.corrupted, "the file's schema cannot be read at byte \(reader.offset) (\(what)); run `firn check`")
    }
}
