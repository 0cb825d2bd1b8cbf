import FirnStore

/// A way to objects that needs no scan.
indirect enum QueryAccess: Sendable {
    /// Those whose values stand in ranges of an index.
    case index(IndexWay)
    /// Those whose keys stand in ranges, where the key is the primary key.
    case keys(KeyWay)
    /// Those that a column of theirs links to objects.
    case links(to: [RowID], StoredColumn, StoredTable)
    /// Those that a column of theirs links to objects that have a way to them.
    case linking(to: QueryAccess, StoredColumn, StoredTable)
    /// Those that any of several ways leads to.
    case union([QueryAccess])

    /// The way in words, for plans.
    var explanation: String {
        switch self {
        case .index(let way): "index \(way.columnNames): \(way.text)"
        case .keys(let way): "primary key \(way.column.name): \(way.condition.text(.short))"
        case .links(_, let column, _): "links by \(column.name)"
        case .linking(let access, let column, let table):
            "\(access.explanation), then links by \(table.name).\(column.name)"
        case .union(let parts): parts.map(\.explanation).joined(separator: " or ")
        }
    }

    /// How many objects the way leads to, about, or the limit where there are at least so many.
    func estimate(_ connection: Connection, atMost limit: Int) -> Int {
        switch self {
        case .index(let way):
            var count = 0
            for range in way.ranges {
                count += connection.indexEntryCount(way.table.id, way.index, in: range, atMost: limit - count)
                if count >= limit { return limit }
            }
            return count
        case .keys(let way):
            var count = 0
            for range in way.ranges where count < limit {
                count += connection.count(way.table, keys: range, atMost: limit - count)
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
        if case .index(let way) = self { way.oneValue != nil } else { false }
    }

    /// Calls `body` with the objects' keys, each once, ascending, until it answers false.
    @inline(__always)
    func forEachKey(_ connection: Connection, _ body: (ObjectKey) -> Bool) {
        if case .index(let way) = self, let range = way.oneValue {
            return connection.forEachIndexEntry(way.table.id, way.index, in: range) { body($1) }
        }
        for key in keys(connection) {
            guard body(key) else { return }
        }
    }

    /// The objects' keys, each once, ascending.
    func keys(_ connection: Connection) -> [ObjectKey] {
        var keys: [ObjectKey] = []
        switch self {
        case .index(let way):
            for range in way.ranges {
                connection.forEachIndexEntry(way.table.id, way.index, in: range) { _, key in
                    keys.append(key)
                    return true
                }
            }
        case .keys(let way):
            for range in way.ranges {
                connection.forEachRecord(in: way.table, from: range.lowerBound) { key, _ in
                    guard key <= range.upperBound else { return false }
                    keys.append(key)
                    return key < range.upperBound
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
        if case .index(let way) = self, way.ranges.count == 1 { return way.count(connection) }
        return keys(connection).count
    }

    /// Whether an object that the way leads to needs no further test of what it stands for.
    var isExact: Bool {
        switch self {
        case .index(let way): way.ranges.allSatisfy(\.isExact)
        case .keys, .links: true
        case .linking(let access, _, _): access.isExact
        case .union(let parts): parts.allSatisfy(\.isExact)
        }
    }
}

/// Ranges of an index.
///
/// A class, so that a way is handed on without a copy of all that is in it.
final class IndexWay: Sendable {
    let table: StoredTable
    let index: StoredIndex
    let ranges: [IndexRange]
    /// The range with the entries of one value, whose keys ascend, where the way is no more than that.
    let oneValue: IndexRange?
    /// What the ranges stand for, all of which holds.
    private let conditions: [QueryExpression]

    init(_ table: StoredTable, _ index: StoredIndex, _ ranges: [IndexRange], for conditions: [QueryExpression]) {
        self.table = table
        self.index = index
        self.ranges = ranges
        self.conditions = conditions
        oneValue = ranges.count == 1 && ranges[0].isOneValue ? ranges[0] : nil
    }

    /// The smallest key of an object with the one value. One search.
    func firstKey(_ connection: Connection) -> ObjectKey? {
        oneValue.flatMap { connection.firstIndexKey(table.id, index, ofValueIn: $0) }
    }

    /// How many objects have the values of a range, where there is one.
    func count(_ connection: Connection) -> Int {
        connection.indexEntryCount(table.id, index, in: ranges[0], atMost: .max)
    }

    /// What the ranges stand for, in words.
    var text: String { conditions.map { $0.text(.short) }.joined(separator: " AND ") }

    /// The names of the index's columns.
    var columnNames: String { table.columns(of: index).map(\.name).joined(separator: ", ") }
}

/// Ranges of integer primary keys.
///
/// A class, so that a way is handed on without a copy of all that is in it.
final class KeyWay: Sendable {
    let table: TableID
    let column: StoredColumn
    /// In ascending order; no two have a key in common.
    let ranges: [ClosedRange<ObjectKey>]
    /// What the ranges stand for.
    let condition: QueryExpression

    init(_ table: TableID, _ column: StoredColumn, _ values: [ClosedRange<Int64>], for condition: QueryExpression) {
        self.table = table
        self.column = column
        ranges = values.map { objectKey(ofInteger: $0.lowerBound)...objectKey(ofInteger: $0.upperBound) }
        self.condition = condition
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
