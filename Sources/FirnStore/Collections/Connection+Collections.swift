extension Connection {
    /// Whether the object is there and, for a collection nested in an `any`, whether that still is.
    package func exists(_ place: CollectionPlace) -> Bool {
        fatalError("not built")
    }

    /// The number of elements: 0 for a collection that is not there.
    package func count(_ place: CollectionPlace) -> Int {
        fatalError("not built")
    }

    /// Removes all elements. Embedded objects among them are deleted.
    package func removeAll(_ place: CollectionPlace) throws(StoreError) {
        fatalError("not built")
    }

    /// Makes an empty list or map, which the caller puts into an `any` column, or into a collection in one, at once.
    package func makeCollection(_ kind: CollectionKind) throws(StoreError) -> StoredValue {
        fatalError("not built")
    }
}
