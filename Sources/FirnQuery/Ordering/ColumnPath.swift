import FirnStore

/// The way from an object to one value: a column of its own, or one behind links to one object each.
package struct ColumnPath: Sendable {
    /// The links on the way: the slot of each, and the table to which it leads.
    package let links: [(slot: Int, target: TableID)]
    /// Where the way ends.
    package let column: StoredColumn

    package init(links: [(slot: Int, target: TableID)] = [], to column: StoredColumn) {
        self.links = links
        self.column = column
    }

    /// Whether the way ends at the object where it began.
    package var isDirect: Bool { links.isEmpty }

    /// The value of an object; nil where a link on the way is nil. O(links) look-ups.
    package func value(of key: ObjectKey, in table: TableID, _ connection: Connection) -> StoredValue? {
        record(of: key, in: table, connection).map { connection.value($0, column) }
    }

    /// The record that has the value; nil where a link on the way is nil.
    func record(of key: ObjectKey, in table: TableID, _ connection: Connection) -> RecordView? {
        var record = connection.record(table, key)
        for link in links {
            guard let current = record, !current.isNull(link.slot) else { return nil }
            record = connection.record(link.target, current.link(link.slot))
        }
        return record
    }
}
