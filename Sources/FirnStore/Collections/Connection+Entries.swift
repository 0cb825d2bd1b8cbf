extension Connection {
    // MARK: Sets

    /// Whether a set has a value, by the equality of ordered values: in an `any`, numbers of all types compare.
    package func setContains(_ place: CollectionPlace, _ value: StoredValue) -> Bool {
        fatalError("not built")
    }

    /// Adds a value to a set; false where it has that already.
    @discardableResult
    package func setInsert(_ place: CollectionPlace, _ value: StoredValue) throws(StoreError) -> Bool {
        fatalError("not built")
    }

    /// Removes a value from a set; false where it does not have that.
    @discardableResult
    package func setRemove(_ place: CollectionPlace, _ value: StoredValue) throws(StoreError) -> Bool {
        fatalError("not built")
    }

    // MARK: Maps

    /// Lends the record whose slot 0 is the value for a key; nil where the map does not have that.
    package func withMapValue<R>(_ place: CollectionPlace, _ key: String, _ body: (RecordView) -> R) -> R? {
        fatalError("not built")
    }

    /// The value for a key; nil where the map does not have that.
    package func mapValue(_ place: CollectionPlace, _ key: String) -> StoredValue? {
        fatalError("not built")
    }

    /// Puts a value under a key. An equal one is no change; an embedded object that goes is deleted. Throws
    /// `.invalidMapKey` for a key with `.` or `$`.
    package func mapSet(_ place: CollectionPlace, _ key: String, _ value: StoredValue) throws(StoreError) {
        fatalError("not built")
    }

    /// Removes a key; false where the map does not have that. An embedded object that goes is deleted.
    @discardableResult
    package func mapRemove(_ place: CollectionPlace, _ key: String) throws(StoreError) -> Bool {
        fatalError("not built")
    }

    // MARK: Positions

    /// The key at a position that the map has, in the order of the keys' bytes. The positions of a collection are found
    /// once a stamp, in O(entries).
    package func mapKey(_ place: CollectionPlace, at position: Int) -> String {
        fatalError("not built")
    }

    /// Lends the record whose slot 0 is the element or value at a position that the set or map has. See `mapKey`.
    package func withEntry<R>(_ place: CollectionPlace, at position: Int, _ body: (RecordView) -> R) -> R {
        fatalError("not built")
    }

    /// The position of a value in a set; nil where the set does not have that.
    package func setPosition(_ place: CollectionPlace, of value: StoredValue) -> Int? {
        fatalError("not built")
    }

    /// Lends the records of a set or map from a position on, in order, until `body` answers false. Slot 0 is the element
    /// or value; `key` makes a map's key.
    package func forEachEntry(
        _ place: CollectionPlace, from position: Int = 0, _ body: (_ record: RecordView, _ key: () -> String) -> Bool
    ) {
        fatalError("not built")
    }
}
