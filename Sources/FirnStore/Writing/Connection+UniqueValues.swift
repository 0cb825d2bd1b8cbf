import LMDB

/// Unique indexes, other than that of a primary key, are judged when a write ends: what objects have meanwhile is nobody's
/// concern, so that two can exchange their values, and one can be given a list of them one by one.
extension Connection {
    /// Throws `.duplicateValue` where objects have the same values in a unique index. Looks at those values alone that the write
    /// gave an object while another one had them. Nothing may wait.
    func judgeUniqueValues(_ write: WriteState) throws {
        for writer in write.tables {
            for index in writer.indexes {
                for suspect in index.changes.suspects.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                    let keys = try suspect.withUnsafeBytes {
                        try entries(of: index.shape.index, write.cursor(store.databases.index)).keys($0)
                    }
                    let isCut = suspect.count >= KeyBuffer.keyLimit
                    guard let pair = isCut ? firstPair(keys, index.shape, writer.table.id) : firstPair(keys) else {
                        continue
                    }
                    throw duplicateValue(pair, index.shape, writer.table)
                }
            }
        }
    }

    private func firstPair(_ keys: [ObjectKey]) -> (ObjectKey, ObjectKey)? {
        keys.count > 1 ? (keys[0], keys[1]) : nil
    }

    /// The first two of the objects whose values are the same also behind the place where their keys are cut.
    private func firstPair(_ keys: [ObjectKey], _ shape: IndexShape, _ table: TableID) -> (ObjectKey, ObjectKey)? {
        var seen: [[UInt8]: ObjectKey] = [:]
        for key in keys {
            guard let record = record(table, key), !shape.hasNull(record) else { continue }
            let values = wholeIndexKey(record, shape)
            if let other = seen[values] { return (other, key) }
            seen[values] = key
        }
        return nil
    }

    /// The error that two objects have the same values.
    func duplicateValue(_ pair: (ObjectKey, ObjectKey), _ shape: IndexShape, _ table: StoredTable) -> StoreError {
        var values: [String] = []
        if let record = record(table.id, pair.0) {
            values = shape.columns.map { "\($0.name) = \(value(record, $0).text)" }
        }
        let names = shape.columns.map(\.name).joined(separator: ", ")
        var message = "two objects of class '\(table.name)' have \(values.joined(separator: ", "))"
        if let primaryKey = table.primaryKey {
            let texts = [pair.0, pair.1].map { key in record(table.id, key).map { value($0, primaryKey).text } ?? "?" }
            message += ", those with \(primaryKey.name) = \(texts[0]) and \(texts[1])"
        }
        return StoreError(
            .duplicateValue,
            message + ", and \(names) \(shape.columns.count == 1 ? "is" : "together are") unique; "
                + "give one of them another value, or delete it")
    }
}
