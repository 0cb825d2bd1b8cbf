extension Connection {
    // MARK: Reading

    /// The element at a position that the list has. O(log n), and free of any search in the leaf that was read last.
    package func listElement(_ place: CollectionPlace, at index: Int) -> StoredValue {
        guard let value = withListElements(place, from: index, { value($0, $1.lowerBound) }) else {
            preconditionFailure("index \(index) is out of bounds of a list of \(count(place))")
        }
        return value
    }

    /// Lends the node that holds the element at `index` as a record whose slots are elements, with the slots from that
    /// element on to the node's end; nil where the list ends before. O(log n), and free of any search in the leaf that
    /// was read last.
    package func withListElements<R>(
        _ place: CollectionPlace, from index: Int, _ body: (RecordView, Range<Int>) -> R
    ) -> R? {
        precondition(index >= 0, "a list's positions begin with 0")
        guard let leaf = listLeaf(place, holding: index) else { return nil }
        return body(leaf.record, index - leaf.elements.lowerBound..<leaf.elements.count)
    }

    /// The first position of a value, by the equality of `StoredValue`, but strings and data wherever they are stored.
    /// O(elements).
    package func listIndex(_ place: CollectionPlace, of value: StoredValue) -> Int? {
        var index = 0
        while let leaf = listLeaf(place, holding: index) {
            for slot in 0..<leaf.elements.count where isEqual(leaf.record, slot, value) {
                return leaf.elements.lowerBound + slot
            }
            index = leaf.elements.upperBound
        }
        return nil
    }

    private func listLeaf(_ place: CollectionPlace, holding index: Int) -> ListReading.Leaf? {
        if let leaf = listReading.leaf, leaf.stamp == stamp, leaf.elements.contains(index), leaf.place == place {
            return leaf
        }
        guard let id = collectionID(place) else { return nil }
        do {
            guard let (record, first) = try listLeaf(id, holding: index) else { return nil }
            let leaf = ListReading.Leaf(
                place: place, record: record, elements: first..<first + record.slotCount, stamp: stamp)
            listReading.leaf = leaf
            return leaf
        } catch {
            unreadable(error)
        }
    }

    // MARK: Changing

    /// Inserts elements before the one at `index`, or at the end. Throws `.alreadyOwned` or `.valueTooLarge`, and nothing
    /// has changed then.
    package func listInsert(_ place: CollectionPlace, _ values: [StoredValue], at index: Int) throws(StoreError) {
        guard !values.isEmpty else { return }
        try change { write in
            let owner = try owner(of: place)
            write.grows = true
            // First, since it may refuse.
            let values = try acquire(values, owner, write)
            try insertIntoList(collectionID(place) ?? makeListID(place, write), values, at: index, write)
            try noteChange(owner, write)
        }
    }

    /// Replaces the element at a position that the list has. An equal value is no change; an embedded object that goes is
    /// deleted.
    package func listSet(_ place: CollectionPlace, _ value: StoredValue, at index: Int) throws(StoreError) {
        if let leaf = listLeaf(place, holding: index), isEqual(leaf.record, index - leaf.elements.lowerBound, value) {
            return
        }
        try change { write in
            let owner = try owner(of: place)
            guard let id = collectionID(place) else { throw StoreError.noListElement(at: index) }
            let value = try acquire(value, owner, write)
            try setInList(id, value, at: index, write) { try release($0, $1, owner, write) }
            try noteChange(owner, write)
        }
    }

    /// Removes the elements at positions that the list has. Embedded objects among them are deleted.
    package func listRemove(_ place: CollectionPlace, _ range: Range<Int>) throws(StoreError) {
        guard !range.isEmpty else { return }
        try change { write in
            let owner = try owner(of: place)
            guard let id = collectionID(place) else { throw StoreError.noListElement(at: range.lowerBound) }
            try removeFromList(id, range, write) { try release($0, $1, owner, write) }
            // A list that is a value in an `any` stays when it is empty.
            if place.nestedID == nil, listCount(id) == 0 {
                try dropList(id, write)
                try dropCollectionID(place, write)
            }
            try noteChange(owner, write)
        }
    }

    /// Takes the element at `source` out and puts it back so that it then stands at `destination`.
    package func listMove(_ place: CollectionPlace, from source: Int, to destination: Int) throws(StoreError) {
        guard source != destination else { return }
        try rearrange(place, source) { try $0.move(from: source, to: destination) }
    }

    /// Exchanges two elements.
    package func listSwap(_ place: CollectionPlace, _ first: Int, _ second: Int) throws(StoreError) {
        guard first != second else { return }
        try rearrange(place, first) { try $0.swap(first, second) }
    }

    private func rearrange(
        _ place: CollectionPlace, _ index: Int, _ body: (ListTree) throws -> Void
    ) throws(StoreError) {
        try change { write in
            let owner = try owner(of: place)
            guard let id = collectionID(place) else { throw StoreError.noListElement(at: index) }
            write.grows = true
            try body(write.lists.tree(id))
            try noteChange(owner, write)
        }
    }

    private func makeListID(_ place: CollectionPlace, _ write: WriteState) throws -> UInt64 {
        let id = try makeCollectionID(place, write)
        try makeList(id, write)
        return id
    }
}

extension StoreError {
    fileprivate static func noListElement(at index: Int) -> StoreError {
        StoreError(.noSuchObject, "a list without elements has none at \(index)")
    }
}
