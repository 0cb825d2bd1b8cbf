import FirnStore

/// What objects of a table are sorted by: several values, the first one first.
package struct ObjectOrder: Sendable {
    /// A value to sort by, and in which direction.
    package struct Term: Sendable {
        package let path: ColumnPath
        package let isAscending: Bool

        package init(_ path: ColumnPath, isAscending: Bool) {
            self.path = path
            self.isAscending = isAscending
        }

        /// The direction and the path's names, for plans.
        var explanation: String {
            let name = path.isDirect ? path.column.name : "a linked \(path.column.name)"
            return isAscending ? name : "\(name) descending"
        }
    }

    package let terms: [Term]

    package init(_ terms: [Term] = []) {
        self.terms = terms
    }

    package var isEmpty: Bool { terms.isEmpty }

    /// The order in words, for plans.
    var explanation: String { "sort by \(terms.map(\.explanation).joined(separator: ", "))" }

    /// Objects in order; those that are alike stay as they come. O(n log n) and one copy of each value.
    package func sorted(_ keys: [ObjectKey], of table: TableID, limit: Int = .max, _ connection: Connection)
        -> [ObjectKey]
    {
        var sorter = Sorter(limit: limit)
        sorter.reserve(keys.count)
        var buffer = KeyBuffer(limit: .max)
        for (number, key) in keys.enumerated() {
            buffer.removeAll()
            append(key, of: table, connection, to: &buffer)
            buffer.withBytes { sorter.add(UInt64(number), key: $0) }
        }
        return sorter.numbers().map { keys[Int($0)] }
    }

    /// The bytes by which an object is sorted: of two, those that come first belong to the one that comes first.
    package func sortKey(of key: ObjectKey, in table: TableID, _ connection: Connection) -> [UInt8] {
        var buffer = KeyBuffer(limit: .max)
        append(key, of: table, connection, to: &buffer)
        return buffer.withBytes { Array($0) }
    }

    /// Whether an object's own values say where it stands.
    package var isDirect: Bool { terms.allSatisfy(\.path.isDirect) }

    /// Appends an object's values.
    private func append(_ key: ObjectKey, of table: TableID, _ connection: Connection, to buffer: inout KeyBuffer) {
        for term in terms {
            let value = term.path.value(of: key, in: table, connection)
            SortKey.append(value, of: term.path.column.type, isAscending: term.isAscending, to: &buffer)
        }
    }

    /// How to make keys of records alone, where that can be done.
    var shortKey: ShortSortKey? {
        guard terms.count == 1, let term = terms.first, term.path.isDirect else { return nil }
        return ShortSortKey(term.path.column, isAscending: term.isAscending)
    }
}

/// Keys by which values sort, also those that are behind a link which may be nil.
package enum SortKey {
    /// Appends one value: 01 and the ordered value, or 02 where a link on the way is nil, which sorts last; all bits the other
    /// way round where it descends.
    package static func append(
        _ value: StoredValue?, of type: ColumnType, isAscending: Bool, to buffer: inout KeyBuffer
    ) {
        let start = buffer.count
        buffer.append(value == nil ? 2 : 1)
        if let value { OrderedValue.append(value, type, to: &buffer) }
        if !isAscending { buffer.invert(from: start) }
    }
}

/// Keys of at most sixteen bytes that are made of a record with no way through memory.
struct ShortSortKey: Sendable {
    private let slot: Int
    private let type: ColumnType
    private let isOptional: Bool
    private let isAscending: Bool

    /// Nil for a column of another type.
    init?(_ column: StoredColumn, isAscending: Bool) {
        guard column.collection == nil else { return nil }
        switch column.type {
        case .bool, .int, .float, .double, .date: break
        default: return nil
        }
        slot = column.slot
        type = column.type
        isOptional = column.isOptional
        self.isAscending = isAscending
    }

    /// The record's key: a marker of what is not nil, and the ordered value. What a required column lacks reads as zero.
    @inline(__always)
    func key(of record: RecordView) -> UInt128 {
        var key: UInt128 = 0
        if !isOptional || !record.isNull(slot) { key = 1 << 120 | value(record) }
        return isAscending ? key : ~key
    }

    @inline(__always)
    private func value(_ record: RecordView) -> UInt128 {
        switch type {
        case .int: UInt128(UInt64(bitPattern: record.int64(slot)) ^ 1 << 63)
        case .double: UInt128(OrderedValue.orderedBits(record.double(slot)))
        case .float: UInt128(OrderedValue.orderedBits(record.float(slot)))
        case .date: date(record)
        default: record.bool(slot) ? 1 : 0
        }
    }

    private func date(_ record: RecordView) -> UInt128 {
        let (seconds, nanoseconds) = record.date(slot)
        return UInt128(UInt64(bitPattern: seconds) ^ 1 << 63) << 32 | UInt128(UInt32(bitPattern: nanoseconds) ^ 1 << 31)
    }
}

extension KeyBuffer {
    /// Makes the bytes from `start` on sort the other way round.
    fileprivate mutating func invert(from start: Int) {
        for index in start..<count {
            let byte = storage.load(fromByteOffset: index, as: UInt8.self)
            storage.storeBytes(of: ~byte, toByteOffset: index, as: UInt8.self)
        }
    }
}
