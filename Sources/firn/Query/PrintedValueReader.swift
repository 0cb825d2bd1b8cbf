import FirnStore
import Foundation

/// Reads what `firn query` prints from records.
struct PrintedValueReader {
    let connection: Connection
    /// So deep embedded objects and collections are printed within each other.
    private static let depthLimit = 32

    /// The value of a column, or its collection.
    func value(_ record: RecordView, _ column: StoredColumn) -> PrintedValue {
        value(record, column, depth: 0)
    }

    private func value(_ record: RecordView, _ column: StoredColumn, depth: Int) -> PrintedValue {
        guard column.collection != nil else { return value(record, slot: column.slot, column, depth) }
        // A collection that is empty may have nothing in its slot.
        guard record.tag(column.slot) == .collection else {
            return column.collection == .map ? .object([]) : .array([])
        }
        return collection(record, column.slot, column, depth)
    }

    /// The value in a slot of a record, or of the record of an element.
    private func value(_ record: RecordView, slot: Int, _ column: StoredColumn, _ depth: Int) -> PrintedValue {
        if record.tag(slot) == .collection { return collection(record, slot, column, depth) }
        let value = record.isNull(slot) && slot == column.slot ? column.zero : connection.value(record, slot)
        switch value {
        case .link(let key):
            guard let target = column.target.flatMap({ connection.schema[$0] }) else { return .null }
            return link(target, key, depth)
        case .typedLink(let table, let key):
            guard let target = connection.schema[TableID(rawValue: table)] else { return .null }
            return .object([("class", .text(target.name)), ("object", link(target, key, depth))])
        default: return scalar(value)
        }
    }

    /// An embedded object as its properties; any other as its primary key, or the number of its row.
    private func link(_ table: StoredTable, _ key: ObjectKey, _ depth: Int) -> PrintedValue {
        guard let record = connection.record(table.id, key) else { return .null }
        if table.isEmbedded {
            guard depth < Self.depthLimit else { return .text("…") }
            return .object(table.columns.map { ($0.name, value(record, $0, depth: depth + 1)) })
        }
        guard let primaryKey = table.primaryKey else { return .number("\(key)") }
        return value(record, primaryKey, depth: depth)
    }

    private func collection(_ record: RecordView, _ slot: Int, _ column: StoredColumn, _ depth: Int) -> PrintedValue {
        guard depth < Self.depthLimit else { return .text("…") }
        let (kind, _) = record.collection(slot)
        switch CollectionKind(rawValue: kind) {
        case .list:
            let elements = (0..<connection.elementCount(of: record, slot)).compactMap { index in
                connection.listElement(of: record, slot, at: index).map { leaf, position in
                    element(leaf, position, column, depth)
                }
            }
            return .array(elements)
        case .map:
            var keys: [String] = []
            _ = connection.forEachMapKey(of: record, slot) { key in
                keys.append(key)
                return true
            }
            return .object(
                keys.map { key in
                    let entry = connection.mapEntry(of: record, slot, key: key)
                    return (key, entry.map { element($0, 0, column, depth) } ?? .null)
                })
        case .set, nil:
            var elements: [PrintedValue] = []
            _ = connection.forEachElement(of: record, slot) { record, slot in
                elements.append(element(record, slot, column, depth))
                return true
            }
            return .array(elements)
        }
    }

    private func element(_ record: RecordView, _ slot: Int, _ column: StoredColumn, _ depth: Int) -> PrintedValue {
        record.isNull(slot) ? .null : value(record, slot: slot, column, depth + 1)
    }

    private func scalar(_ value: StoredValue) -> PrintedValue {
        switch value {
        case .null: .null
        case .bool(let value): .bool(value)
        case .int(let value): .number("\(value)")
        case .float(let value): value.isFinite ? .number("\(value)") : .text("\(value)")
        case .double(let value): value.isFinite ? .number("\(value)") : .text("\(value)")
        case .decimal(let bits): .text(DecimalParts(bits: bits).text)
        case .date(let seconds, let nanoseconds): .text(Self.text(seconds, nanoseconds))
        case .string(let text): .text(text)
        case .data(let data): .data(data.base64EncodedString(), byteCount: data.count)
        case .objectID(let id): .text(id.text)
        case .uuid(let id): .text(id.uuidString)
        case .coded(let data): (try? CodedValue(decoding: data)).map(coded) ?? .null
        case .link, .typedLink, .collection, .blob: .null
        }
    }

    private func coded(_ value: CodedValue) -> PrintedValue {
        switch value {
        case .scalar(let value): scalar(value)
        case .unsigned(let value): .number("\(value)")
        case .array(let values): .array(values.map(coded))
        case .keyed(let pairs): .object(pairs.map { ($0.name, coded($0.value)) })
        }
    }

    /// `2020-02-29T12:00:00Z`, with as many digits behind the point as there are.
    private static func text(_ seconds: Int64, _ nanoseconds: Int32) -> String {
        let isBefore = nanoseconds < 0
        let whole = isBefore ? seconds - 1 : seconds
        // What no calendar reaches is a number of seconds.
        guard abs(whole) < 250_000_000_000 else { return "\(seconds)" }
        let text = Date(timeIntervalSince1970: Double(whole)).formatted(.iso8601)
        let fraction = Int(nanoseconds) + (isBefore ? 1_000_000_000 : 0)
        guard fraction > 0 else { return text }
        var digits = String(1_000_000_000 + fraction).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(text.dropLast()).\(digits)Z"
    }
}
