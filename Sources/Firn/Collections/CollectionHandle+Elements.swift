import FirnStore

/// Reading the elements of a collection, or the values of a map, whatever its kind.
extension CollectionHandle {
    /// Lends each element, in order, as a slot of a record. `body` changes nothing.
    func forEachElement(_ kind: CollectionKind, in connection: Connection, _ body: (RecordView, Int) -> Void) {
        guard kind == .list else {
            return connection.forEachEntry(place) { record, _ in
                body(record, 0)
                return true
            }
        }
        var index = 0
        while let count = connection.withListElements(
            place, from: index,
            { record, slots in
                for slot in slots { body(record, slot) }
                return slots.count
            })
        {
            index += count
        }
    }

    /// Lends the element at a position that the collection has, as a slot of a record.
    func withElement<R>(
        _ kind: CollectionKind, at position: Int, in connection: Connection, _ body: (RecordView, Int) -> R
    ) -> R {
        guard kind == .list else { return connection.withEntry(place, at: position) { body($0, 0) } }
        let element = connection.withListElements(place, from: position) { body($0, $1.lowerBound) }
        guard let element else { misuse("A list was asked for element \(position), which is behind its end") }
        return element
    }
}
