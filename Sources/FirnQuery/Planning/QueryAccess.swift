import FirnStore

/// A way to objects that needs no scan.
indirect enum QueryAccess: Sendable {
    /// Those whose values stand in ranges of an index.
    case index(StoredTable, StoredIndex, [IndexRange], text: String)
    /// Those that a column of theirs links to objects.
    case links(to: [RowID], StoredColumn, StoredTable)
    /// Those that a column of theirs links to objects that have a way to them.
    case linking(to: QueryAccess, StoredColumn, StoredTable)
    /// Those that any of several ways leads to.
    case union([QueryAccess])

    /// The way in words, for plans.
    var explanation: String {
        switch self {
        case .index(let table, let index, _, let text):
            "index \(table.columns(of: index).map(\.name).joined(separator: ", ")): \(text)"
        case .links(_, let column, _): "links by \(column.name)"
        case .linking(let access, let column, let table):
            "\(access.explanation), then links by \(table.name).\(column.name)"
        case .union(let parts): parts.map(\.explanation).joined(separator: " or ")
        }
    }

    /// How many objects the way leads to, about, or the limit where there are at least so many.
    func estimate(_ connection: Connection, atMost limit: Int) -> Int {
        switch self {
        case .index(let table, let index, let ranges, _):
            var count = 0
            for range in ranges {
                count += connection.indexEntryCount(table.id, index, in: range, atMost: limit - count)
                if count >= limit { return limit }
            }
            return count
        case .links(let targets, let column, _):
            var count = 0
            for target in targets where count < limit {
                count += connection.backlinkCount(to: target, column: column.id, atMost: limit - count)
            }
            return count
        case .linking(let access, let column, let table):
            let targets = access.estimate(connection, atMost: limit)
            // Links spread over their targets: each target has about as many as there are origins for each.
            guard targets < limit, let target = column.target else { return limit }
            let perTarget = max(1, connection.count(table.id) / max(1, connection.count(target)))
            return min(limit, targets * perTarget)
        case .union(let parts):
            var count = 0
            for part in parts {
                count += part.estimate(connection, atMost: limit - count)
                if count >= limit { return limit }
            }
            return count
        }
    }

    /// Whether it is the entries of one value in an index, whose keys ascend.
    var isOneValue: Bool {
        if case .index(_, _, let ranges, _) = self { ranges.count == 1 && ranges[0].isOneValue } else { false }
    }

    /// Calls `body` with the objects' keys, each once, ascending, until it answers false.
    @inline(__always)
    func forEachKey(_ connection: Connection, _ body: (ObjectKey) -> Bool) {
        if isOneValue, case .index(let table, let index, let ranges, _) = self {
            return connection.forEachIndexEntry(table.id, index, in: ranges[0]) { body($1) }
        }
        for key in keys(connection) {
            guard body(key) else { return }
        }
    }

    /// The objects' keys, each once, ascending.
    func keys(_ connection: Connection) -> [ObjectKey] {
        var keys: [ObjectKey] = []
        switch self {
        case .index(let table, let index, let ranges, _):
            for range in ranges {
                connection.forEachIndexEntry(table.id, index, in: range) { _, key in
                    keys.append(key)
                    return true
                }
            }
        case .links(let targets, let column, _):
            for target in targets { keys += connection.backlinks(to: target, column: column.id).map(\.origin) }
        case .linking(let access, let column, _):
            guard let target = column.target else { return [] }
            for key in access.keys(connection) {
                keys += connection.backlinks(to: RowID(table: target, key: key), column: column.id).map(\.origin)
            }
        case .union(let parts):
            for part in parts { keys += part.keys(connection) }
        }
        return keys.sortedAndUnique()
    }

    /// How many objects the way leads to.
    func count(_ connection: Connection) -> Int {
        // An object has one value, so that ranges which share none count each object once.
        if case .index(let table, let index, let ranges, _) = self, ranges.count == 1 {
            return connection.indexEntryCount(table.id, index, in: ranges[0], atMost: .max)
        }
        return keys(connection).count
    }

    /// Whether an object that the way leads to needs no further test of what it stands for.
    var isExact: Bool {
        switch self {
        case .index(_, _, let ranges, _): ranges.allSatisfy(\.isExact)
        case .links: true
        case .linking(let access, _, _): access.isExact
        case .union(let parts): parts.allSatisfy(\.isExact)
        }
    }
}

extension [ObjectKey] {
    fileprivate func sortedAndUnique() -> [ObjectKey] {
        var isAscending = true
        for index in indices.dropFirst() where self[index - 1] >= self[index] {
            isAscending = false
            break
        }
        if isAscending { return self }
        var unique: [ObjectKey] = []
        unique.reserveCapacity(count)
        for key in sorted() where unique.last != key { unique.append(key) }
        return unique
    }
}
