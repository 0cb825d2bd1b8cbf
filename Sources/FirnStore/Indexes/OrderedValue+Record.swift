extension OrderedValue {
    /// Appends a value of a column of `type`.
    package static func append(_ value: StoredValue, _ type: ColumnType, to buffer: inout KeyBuffer) {
        type == .any ? appendAny(value, to: &buffer) : append(value, to: &buffer)
    }

    /// Appends the value in a record's slot (not null, not a blob) as a column's index has it, with no copy of a
    /// string or data.
    static func append(_ record: RecordView, _ slot: Int, to buffer: inout KeyBuffer) {
        switch record.tag(slot) {
        case .int8, .int16, .int32, .int64:
            buffer.append(presentMarker)
            buffer.appendBigEndian(UInt64(bitPattern: record.int64(slot)) ^ 1 << 63)
        case .uuid:
            buffer.append(presentMarker)
            buffer.append(record.payload(slot))
        case .string, .data, .coded:
            buffer.append(presentMarker)
            append(text: record.payload(slot), to: &buffer)
        default:
            append(record.value(slot), to: &buffer)
        }
    }
}
