import LMDB

/// What a call deletes: whole tables, and objects of others.
struct Deletion {
    let tables: Set<TableID>
    private(set) var rows: Set<RowID> = []
    /// The rows in the order in which they were found.
    private(set) var order: [RowID] = []

    init(tables: Set<TableID> = []) {
        self.tables = tables
    }

    func contains(_ row: RowID) -> Bool {
        tables.contains(row.table) || rows.contains(row)
    }

    mutating func insert(_ row: RowID) {
        if !tables.contains(row.table), rows.insert(row).inserted { order.append(row) }
    }
}

/// Deleting goes in three steps, so that a refusal leaves everything as it is and no chain of objects grows the stack: all
/// that goes is found, then judged by the rules that deny, then taken away.
extension Connection {
    /// Deletes those of the rows that are there, with all that goes with them; answers the tables that lost objects.
    @discardableResult
    func deleteRows(_ rows: [RowID], _ write: WriteState) throws -> Set<TableID> {
        var deletion = Deletion()
        for row in rows where contains(row.table, row.key) { deletion.insert(row) }
        guard !deletion.order.isEmpty else { return [] }
        try complete(&deletion, write)
        try judge(deletion, write)
        return try takeAway(deletion, write)
    }

    /// Adds what the objects own and cascade to, but for objects that are kept.
    func complete(_ deletion: inout Deletion, _ write: WriteState) throws {
        func insert(_ row: RowID) { if !write.kept.contains(row) { deletion.insert(row) } }
        // Nothing may wait for entries that are looked at while a record is lent.
        try flushEntries(write)
        for table in deletion.tables {
            for column in try tableWriter(table).owning {
                try takeAwayWaitingLinks(in: column, of: table, write)
                try forEachRecord(in: table) { _, record in
                    try forEachLinkedRow(record, column) { insert($0) }
                    return true
                }
            }
        }
        var position = 0
        while position < deletion.order.count {
            let row = deletion.order[position]
            position += 1
            for column in try tableWriter(row.table).owning {
                try forEachLinkedRow(row, column, write) { insert($0) }
            }
        }
    }

    /// Throws `.deletionDenied` where a column with that rule links to an object that stays. A changing schema is not
    /// judged by its rules.
    func judge(_ deletion: Deletion, _ write: WriteState) throws {
        if write.isChangingSchema { return }
        func judge(_ record: RecordView, _ column: StoredColumn, _ row: RowID) throws {
            var staying: RowID?
            try forEachLinkedRow(record, column) { if !deletion.contains($0) { staying = staying ?? $0 } }
            if let staying { throw deletionDenied(row, column, staying) }
        }
        for table in deletion.tables {
            for column in try tableWriter(table).denying {
                try takeAwayWaitingLinks(in: column, of: table, write)
                try forEachRecord(in: table) { key, record in
                    try judge(record, column, RowID(table: table, key: key))
                    return true
                }
            }
        }
        for row in deletion.order {
            for column in try tableWriter(row.table).denying {
                try takeAwayWaitingLinks(CollectionPlace(row: row, slot: column.slot), write)
                if let record = record(row.table, row.key) { try judge(record, column, row) }
            }
        }
    }

    private func forEachLinkedRow(
        _ row: RowID, _ column: StoredColumn, _ write: WriteState, _ body: (RowID) -> Void
    ) throws {
        try takeAwayWaitingLinks(CollectionPlace(row: row, slot: column.slot), write)
        if let record = record(row.table, row.key) { try forEachLinkedRow(record, column, body) }
    }

    /// Takes away links to the rows, then the rows; answers their tables.
    @discardableResult
    func takeAway(_ deletion: Deletion, _ write: WriteState) throws -> Set<TableID> {
        let rows = deletion.order.filter { contains($0.table, $0.key) }
            .sorted { ($0.table, $0.key) < ($1.table, $1.key) }
        var links: [(origin: RowID, column: StoredColumn, target: RowID)] = []
        for row in rows {
            for link in try incomingLinks(row, write) {
                guard let origin = column(link.column) else { continue }
                let originRow = RowID(table: origin.table.id, key: link.origin)
                if !deletion.contains(originRow) { links.append((originRow, origin.column, row)) }
            }
        }
        for link in links { try takeAwayLink(from: link.origin, link.column, to: link.target, write) }
        for row in rows { try removeObject(row, write) }
        return Set(rows.map(\.table))
    }

    /// Takes a link to an object that goes away: at once where it can be found by its value, else when its place is next
    /// looked at.
    func takeAwayLink(from origin: RowID, _ column: StoredColumn, to target: RowID, _ write: WriteState) throws {
        guard let record = record(origin.table, origin.key) else { return }
        if column.linkedRow(record, column.slot) == target {
            try replace(origin.table, origin.key, slot: column.slot, with: .null, write)
        } else if column.collection == .set {
            try removeElement(linkingTo: target, from: CollectionPlace(row: origin, slot: column.slot), column, write)
        } else {
            write.waitingLinks[CollectionPlace(row: origin, slot: column.slot), default: []].insert(target)
            try noteChange(ElementOwner(row: origin, column: column), write)
        }
    }

    /// Takes an object's record out of its table, with its index entries and all that it owns.
    private func removeObject(_ row: RowID, _ write: WriteState) throws {
        let writer = try tableWriter(row.table)
        guard let record = record(row.table, row.key) else { return }
        for index in writer.indexes { note(record, row.key, index, isInsert: false) }
        try releaseAll(record, row.key, writer, write)
        try removeRecord(writer, row.key)
        noteVanishing()
        write.unowned.remove(row)
        writer.state.count -= 1
        writer.isStateDirty = true
        writer.changes.noteDeletion(row.key)
    }
}

extension Connection {
    private func deletionDenied(_ row: RowID, _ column: StoredColumn, _ target: RowID) -> StoreError {
        StoreError(
            .deletionDenied,
            "\(name(of: row)) cannot be deleted while its property '\(column.name)', whose delete rule is `.deny`, links to "
                + "\(name(of: target)); delete that too, or take it out of the property first")
    }

    /// An object as messages name it: by its class and its primary key, or the key of the object where it has none.
    private func name(of row: RowID) -> String {
        guard let table = schema[row.table] else { return "an object of an unknown class" }
        guard let primaryKey = table.primaryKey, let record = record(row.table, row.key) else {
            return "the object \(row.key) of class '\(table.name)'"
        }
        return "the object of class '\(table.name)' with \(primaryKey.name) = \(value(record, primaryKey).text)"
    }
}
