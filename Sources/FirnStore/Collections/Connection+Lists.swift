extension Connection {
    /// The element at a position that the list has.
    package func listElement(_ place: CollectionPlace, at index: Int) -> StoredValue {
        fatalError("not built")
    }

    /// Lends the node that holds the element at `index` as a record whose slots are elements, with the slots from that
    /// element on to the node's end; nil where the list ends before.
    package func withListElements<R>(
        _ place: CollectionPlace, from index: Int, _ body: (RecordView, Range<Int>) -> R
    ) -> R? {
        fatalError("not built")
    }

    /// Inserts elements before the one at `index`, or at the end.
    package func listInsert(_ place: CollectionPlace, _ values: [StoredValue], at index: Int) throws(StoreError) {
        fatalError("not built")
    }

    /// Replaces the element at a position that the list has. An equal value is no change; an embedded object that goes is
    /// deleted.
    package func listSet(_ place: CollectionPlace, _ value: StoredValue, at index: Int) throws(StoreError) {
        fatalError("not built")
    }

    /// Removes the elements at positions that the list has. Embedded objects among them are deleted.
    package func listRemove(_ place: CollectionPlace, _ range: Range<Int>) throws(StoreError) {
        fatalError("not built")
    }

    /// Takes the element at `source` out and puts it back so that it then stands at `destination`.
    package func listMove(_ place: CollectionPlace, from source: Int, to destination: Int) throws(StoreError) {
        fatalError("not built")
    }

    /// Exchanges two elements.
    package func listSwap(_ place: CollectionPlace, _ first: Int, _ second: Int) throws(StoreError) {
        fatalError("not built")
    }

    /// The first position of a value, by the equality of `StoredValue`, but strings and data wherever they are stored.
    /// O(elements).
    package func listIndex(_ place: CollectionPlace, of value: StoredValue) -> Int? {
        fatalError("not built")
    }
}
