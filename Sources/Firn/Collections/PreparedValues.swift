import FirnStore

/// Values as they will be stored: all that they hold has been read, and all objects among them have been added, so that
/// what is written may be what they were read from.
struct PreparedValues {
    /// A value, or the number of a nested collection.
    enum Item {
        case stored(StoredValue)
        case nested(Int)
    }

    /// A list or map that stands in an `any`. Those that it holds come behind it.
    struct Nested {
        let kind: CollectionKind
        /// A map's keys.
        var keys: [String] = []
        var items: [Item] = []
    }

    var items: [Item] = []
    var nested: [Nested] = []

    /// The values, where no collection is among them.
    var storedValues: [StoredValue]? {
        guard nested.isEmpty else { return nil }
        return items.compactMap { if case .stored(let value) = $0 { value } else { nil } }
    }

    /// Has `put` store the values, then fills the collections among them. `place` is that of any collection of the
    /// column.
    func write(
        _ connection: Connection, _ place: CollectionPlace, _ put: ([StoredValue]) throws(StoreError) -> Void
    ) throws(StoreError) {
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
        _ items: [Item], _ connection: Connection, _ ids: inout [UInt64]
    ) throws(StoreError) -> [StoredValue] {
        var values: [StoredValue] = []
        values.reserveCapacity(items.count)
        for item in items {
            switch item {
            case .stored(let value): values.append(value)
            case .nested(let number):
                let value = try connection.makeCollection(nested[number].kind)
                if case .collection(_, let id) = value { ids[number] = id }
                values.append(value)
            }
        }
        return values
    }
}
