import FirnStore

/// Values as they will be stored: all that they hold has been read, and all objects among them have been added, so that
/// what is written may be what they were read from.
struct PreparedValues {
    /// A list or map that stands in an `any`. Those that it holds come behind it.
    struct Nested {
        let kind: CollectionKind
        /// A map's keys.
        var keys: [String] = []
        var items: [StoredValue] = []
    }

    /// The values. A collection among them has its number in `nested` for an id, until it is made.
    var items: [StoredValue] = []
    var nested: [Nested] = []

    /// The values, where no collection is among them.
    var storedValues: [StoredValue]? { nested.isEmpty ? items : nil }

    /// Has `put` store the values, then fills the collections among them. `place` is that of any collection of the
    /// column.
    func write(
        _ connection: Connection, _ place: CollectionPlace, _ put: ([StoredValue]) throws(StoreError) -> Void
    ) throws(StoreError) {
        if nested.isEmpty { return try put(items) }
        var ids = [UInt64](repeating: 0, count: nested.count)
        try put(values(items, connection, &ids))
        for (number, collection) in nested.enumerated() {
            let place = CollectionPlace(row: place.row, slot: place.slot, nestedID: ids[number])
            let values = try values(collection.items, connection, &ids)
            if collection.kind == .list {
                if !values.isEmpty { try connection.listInsert(place, values, at: 0) }
            } else {
                for (key, value) in zip(collection.keys, values) {
                    try connection.mapSet(place, key, value)
                }
            }
        }
    }

    /// What records hold for items: collections among them are made, empty.
    private func values(
        _ items: [StoredValue], _ connection: Connection, _ ids: inout [UInt64]
    ) throws(StoreError) -> [StoredValue] {
        var values = items
        for (index, item) in items.enumerated() {
            guard case .collection(_, let number) = item else { continue }
            values[index] = try connection.makeCollection(nested[Int(number)].kind)
            if case .collection(_, let id) = values[index] { ids[Int(number)] = id }
        }
        return values
    }
}
