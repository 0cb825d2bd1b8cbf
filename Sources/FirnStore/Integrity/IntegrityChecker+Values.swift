import LMDB

/// The object and column to which a value belongs, and whether it is an element of a collection there.
struct ElementPlace {
    let table: StoredTable
    let column: StoredColumn
    let row: RowID
    let isElement: Bool

    /// The place of what stands in a collection of this one.
    var element: ElementPlace { ElementPlace(table: table, column: column, row: row, isElement: true) }

    var text: String { "\(table.name).\(column.name) of object \(row.key)" }
}

extension IntegrityChecker {
    /// Checks a value of a record: its type, the links in it at any depth, and the collections that it holds.
    func checkValue(_ record: RecordView, _ slot: Int, _ place: ElementPlace) throws {
        checkType(record, slot, place)
        if record.tag(slot) == .collection {
            try checkCollections(under: record.collection(slot), place)
        } else if let target = place.column.linkedRow(record, slot) {
            try checkLink(to: target, count: 1, place)
        }
    }

    func checkType(_ record: RecordView, _ slot: Int, _ place: ElementPlace) {
        guard let tag = record.tag(slot), tag != .null else { return }
        let blobKind = tag == .blob ? Tag(rawValue: record.blob(slot).kind) : nil
        if !place.column.admits(tag, blobKind: blobKind, asElement: place.isElement) {
            report(.recordLayout, "\(place.text) (\(place.column.type.name)) holds \(tag)")
        }
    }

    /// Checks that a link leads to an object, and that there is a backlink with the number of the links.
    func checkLink(to target: RowID, count: Int, _ place: ElementPlace) throws {
        expectedBacklinks[place.column.id, default: 0] += count
        let found = try cursor(databases.backlinks).seek(
            Backlink.key(table: target.table, target: target.key, column: place.column.id),
            Backlink.value(origin: place.row.key, count: UInt32(truncatingIfNeeded: count)))
        if !found {
            report(.backlinks, "no backlink stands for the \(count) links from \(place.text) to \(target.key)")
        }
        if schema[target.table] == nil || !connection.contains(target.table, target.key) {
            report(.links, "\(place.text) leads to \(target.key), which is not there")
        }
    }

    /// Checks that an embedded object has one link to it. While a write is open, one that came with it may have none yet.
    func checkOwner(_ row: RowID, _ table: StoredTable) throws {
        let cursor = try cursor(databases.backlinks)
        var count = 0
        var isThere = try cursor.seekRange(
            Backlink.key(table: row.table, target: row.key, column: ColumnID(rawValue: 0)))
        while isThere, cursor.key.count == 16, cursor.value.count == 12, Backlink.table(ofKey: cursor.key) == row.table,
            Backlink.target(ofKey: cursor.key) == row.key
        {
            count += Int(Backlink.count(of: cursor.value))
            isThere = try cursor.next()
        }
        let isUnowned = connection.write?.unowned.contains(row) == true
        if count != (isUnowned ? 0 : 1) {
            report(.embedded, "embedded object \(row.key) of \(table.name) has \(count) owners")
        }
    }
}

extension StoredColumn {
    /// Whether a record may hold `tag` for this column, or an element of its collections.
    fileprivate func admits(_ tag: Tag, blobKind: Tag?, asElement: Bool) -> Bool {
        if collection != nil, !asElement { return tag == .collection }
        if tag == .blob { return blobKind.map { admits($0, blobKind: nil, asElement: asElement) } ?? false }
        return switch type {
        case .bool: tag == .true || tag == .false
        case .int: tag == .int8 || tag == .int16 || tag == .int32 || tag == .int64
        case .float: tag == .float
        case .double: tag == .double
        case .decimal: tag == .decimal128
        case .date: tag == .date
        case .string: tag == .string
        case .data: tag == .data
        case .objectID: tag == .objectID
        case .uuid: tag == .uuid
        case .link: tag == .link
        case .any: tag != .link && (tag != .collection || collection != .set)
        case .coded: tag == .coded
        }
    }
}
