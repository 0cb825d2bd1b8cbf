import LMDB

/// The stored schema's bytes, in parts of at most 4,080 under "schema" in `meta`: varints, and strings as their byte
/// count and UTF-8.
///
///     form = 2, schema version, counter, next table, column and index id, number of tables, then each table:
///       id, name, flags (1 embedded), primary key's column id or 0, slot count, number of columns, then each column:
///         id, name, slot, type, flags (1 optional, 8 cascades, 16 denies), collection kind or 0, target table id or 0
///       number of indexes, then each index:
///         id, flags (1 unique), number of columns, their ids
///
/// Form 1, which knew indexes over one column only, has none of the latter; behind the target of each column stands the id of
/// its index or 0, and the column has the flag 4 where that is unique.
extension StoredSchema {
    private static var form: UInt64 { 2 }
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
            StoredSchema.form, schemaVersion, counter, UInt64(nextTableID), UInt64(nextColumnID), UInt64(nextIndexID),
            UInt64(tables.count),
        ] {
            Varint.append(number, to: &bytes)
        }
        for table in tables { table.append(to: &bytes) }
        return bytes
    }

    init(decoding bytes: UnsafeRawBufferPointer) throws {
        var reader = SchemaReader(bytes)
        let form = try reader.number()
        guard (1...StoredSchema.form).contains(form) else {
            throw StoreError(
                .newerFormat, "the file's schema has a newer form than this build reads; update the program")
        }
        schemaVersion = try reader.number()
        counter = try reader.number()
        nextTableID = try reader.id()
        nextColumnID = try reader.id()
        nextIndexID = try reader.id()
        tables = []
        for _ in 0..<(try reader.number()) { tables.append(try StoredTable(&reader, form: form)) }
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
        Varint.append(UInt64(indexes.count), to: &bytes)
        for index in indexes { index.append(to: &bytes) }
    }

    fileprivate init(_ reader: inout SchemaReader, form: UInt64) throws {
        id = TableID(rawValue: try reader.id())
        name = try reader.string()
        isEmbedded = try reader.number() & 1 != 0
        primaryKeyID = try reader.optionalID().map(ColumnID.init)
        slotCount = try reader.count(upTo: RecordBuilder.maximumSlotCount)
        columns = []
        var found: [StoredIndex] = []
        for _ in 0..<(try reader.number()) {
            let (column, flags) = try StoredColumn.read(&reader)
            guard column.slot < slotCount else { throw reader.corrupted("slot \(column.slot) of \(slotCount)") }
            columns.append(column)
            if form == 1, let id = try reader.optionalID() {
                found.append(StoredIndex(id: IndexID(rawValue: id), over: [column], isUnique: flags & 4 != 0))
            }
        }
        if form > 1 {
            for _ in 0..<(try reader.number()) { found.append(try StoredIndex(&reader, columns)) }
        }
        indexes = found
        // An initialiser calls no observer.
        assignIndexes()
    }
}

extension StoredIndex {
    fileprivate func append(to bytes: inout [UInt8]) {
        for number in [UInt64(id.rawValue), isUnique ? 1 : 0, UInt64(columns.count)] {
            Varint.append(number, to: &bytes)
        }
        for column in columns { Varint.append(UInt64(column.rawValue), to: &bytes) }
    }

    fileprivate init(_ reader: inout SchemaReader, _ columns: [StoredColumn]) throws {
        let id = IndexID(rawValue: try reader.id())
        let isUnique = try reader.number() & 1 != 0
        var parts: [StoredColumn] = []
        for _ in 0..<(try reader.count(upTo: columns.count)) {
            let columnID = ColumnID(rawValue: try reader.id())
            guard let column = columns.first(where: { $0.id == columnID }) else {
                throw reader.corrupted("column \(columnID.rawValue) of an index")
            }
            parts.append(column)
        }
        guard !parts.isEmpty else { throw reader.corrupted("the columns of an index") }
        self.init(id: id, over: parts, isUnique: isUnique)
    }
}

extension StoredColumn {
    fileprivate func append(to bytes: inout [UInt8]) {
        Varint.append(UInt64(id.rawValue), to: &bytes)
        bytes.append(lengthPrefixed: name)
        let flags: UInt64 =
            (isOptional ? 1 : 0) | (deleteRule == .cascade ? 8 : 0) | (deleteRule == .deny ? 16 : 0)
        let numbers = [
            UInt64(slot), UInt64(type.rawValue), flags, UInt64(collection?.rawValue ?? 0),
            UInt64(target?.rawValue ?? 0),
        ]
        for number in numbers { Varint.append(number, to: &bytes) }
    }

    fileprivate static func read(_ reader: inout SchemaReader) throws -> (column: StoredColumn, flags: UInt64) {
        let id = ColumnID(rawValue: try reader.id())
        let name = try reader.string()
        let slot = try reader.count(upTo: RecordBuilder.maximumSlotCount)
        guard let type = ColumnType(rawValue: UInt8(truncatingIfNeeded: try reader.number())) else {
            throw reader.corrupted("the type of column \(name)")
        }
        let flags = try reader.number()
        let kind = try reader.number()
        let column = StoredColumn(
            id: id, name: name, slot: slot, type: type, isOptional: flags & 1 != 0,
            collection: kind == 0 ? nil : CollectionKind(rawValue: UInt8(truncatingIfNeeded: kind)),
            target: try reader.optionalID().map(TableID.init),
            deleteRule: flags & 8 != 0 ? .cascade : flags & 16 != 0 ? .deny : .nullify)
        return (column, flags)
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
