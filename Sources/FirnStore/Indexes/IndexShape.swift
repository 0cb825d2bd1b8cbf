/// An index and where in a record the values of its keys are.
struct IndexShape {
    /// One of the values.
    struct Part {
        let slot: Int
        let type: ColumnType
        /// Whether a record without the value has nil, and not the zero of its type.
        let isNullable: Bool
    }

    let index: StoredIndex
    let columns: [StoredColumn]
    let parts: [Part]

    init(_ index: StoredIndex, in table: StoredTable) {
        self.index = index
        columns = table.columns(of: index)
        parts = columns.map { Part(slot: $0.slot, type: $0.type, isNullable: $0.zero.isNull) }
    }

    /// Whether one of a record's values is nil, so that no other object is in its way.
    func hasNull(_ record: RecordView) -> Bool {
        parts.contains { $0.isNullable && record.isNull($0.slot) }
    }
}

extension Connection {
    /// Puts the index key of a record's values into `keyScratch`.
    func makeIndexKey(_ record: RecordView, _ shape: IndexShape) {
        keyScratch.removeAll()
        IndexKey.append(shape.index.id, to: &keyScratch)
        for position in shape.parts.indices {
            let part = shape.parts[position]
            if record.isNull(part.slot) {
                OrderedValue.append(shape.columns[position].zero, part.type, to: &keyScratch)
            } else if record.tag(part.slot) == .blob || part.type == .any {
                // The key is cut long before the blob's first chunk ends; the whole value keeps the cut where it is.
                OrderedValue.append(value(record, shape.columns[position]), part.type, to: &keyScratch)
            } else {
                OrderedValue.append(record, part.slot, to: &keyScratch)
            }
        }
    }

    /// The ordered values of an index key, whole: what tells apart objects whose keys are cut.
    func wholeIndexKey(_ record: RecordView, _ shape: IndexShape) -> [UInt8] {
        var buffer = KeyBuffer(limit: .max)
        for column in shape.columns { OrderedValue.append(value(record, column), column.type, to: &buffer) }
        return buffer.withBytes { Array($0) }
    }
}
