import FirnStore

/// How many values of a column of numbers there are, their sum, the smallest and the largest; nil and NaN aside.
package struct ColumnSummary: Sendable {
    package private(set) var count = 0
    /// Of integers, exactly.
    package private(set) var integerSum: Int128 = 0
    /// Of floats and doubles.
    package private(set) var sum = 0.0
    private var smallestInteger = Int64.max
    private var largestInteger = Int64.min
    private var smallestReal = Double.infinity
    private var largestReal = -Double.infinity

    private let slot: Int
    private let type: ColumnType
    private let isOptional: Bool

    /// Nil for a column that holds no integers, floats or doubles.
    init?(_ column: StoredColumn) {
        guard column.collection == nil, [.int, .float, .double].contains(column.type) else { return nil }
        slot = column.slot
        type = column.type
        isOptional = column.isOptional
    }

    /// The smallest value; nil where there is none.
    package var smallest: StoredValue? { count == 0 ? nil : value(smallestInteger, smallestReal) }

    /// The largest value; nil where there is none.
    package var largest: StoredValue? { count == 0 ? nil : value(largestInteger, largestReal) }

    private func value(_ integer: Int64, _ real: Double) -> StoredValue {
        switch type {
        case .int: .int(integer)
        case .float: .float(Float(real))
        default: .double(real)
        }
    }

    /// Adds a record's value. What a required column lacks reads as zero.
    @inline(__always)
    mutating func add(_ record: RecordView) {
        if isOptional, record.isNull(slot) { return }
        if type == .int {
            let value = record.int64(slot)
            integerSum &+= Int128(value)
            smallestInteger = min(smallestInteger, value)
            largestInteger = max(largestInteger, value)
        } else {
            let value = type == .float ? Double(record.float(slot)) : record.double(slot)
            if value.isNaN { return }
            sum += value
            smallestReal = min(smallestReal, value)
            largestReal = max(largestReal, value)
        }
        count += 1
    }

    /// Adds what another has counted.
    mutating func add(_ other: ColumnSummary) {
        count += other.count
        integerSum &+= other.integerSum
        sum += other.sum
        smallestInteger = min(smallestInteger, other.smallestInteger)
        largestInteger = max(largestInteger, other.largestInteger)
        smallestReal = min(smallestReal, other.smallestReal)
        largestReal = max(largestReal, other.largestReal)
    }
}

extension TableQuery {
    /// What a column's numbers come to, over all objects that match, on all processors where the table is large; nil where that
    /// takes more than a scan: in a write, through an index, and for a column of another type.
    ///
    /// Sums of floats are sums of the sums of stretches of the table, the same ones for the same table.
    package func summary(of column: StoredColumn, in connection: Connection) -> ColumnSummary? {
        guard let empty = ColumnSummary(column) else { return nil }
        let query = plan(connection)
        guard case .scan = query.plan,
            let parts = query.foldWhole(
                table.id, connection, into: empty,
                { summary, selection in selection.forEachRecord { record, _ in summary.add(record) } })
        else { return nil }
        return parts.reduce(into: empty) { $0.add($1) }
    }
}
