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

    /// Adds an element at the end; else as `listInsert`. Where the list was the last to change, and the element is no blob,
    /// this costs a copy into the list's last leaf and moves no pointer, so that the stamp stays.
    package func listAppend(_ place: CollectionPlace, _ value: StoredValue) throws(StoreError) {
        // SAFETY: `growingList` keeps it as long as the unmanaged reference is there, and nothing here changes either.
        let isAppended = hotGrowingList?._withUnsafeGuaranteedRef { list in
            list.stamp == stamp && list.place == place && list.append(value)
        }
        if isAppended == true {
            appendCount &+= 1
            return
        }
        try changeList(place) { list, write in
            write.grows = true
            // First, since it may refuse.
            let value = try acquire(value, list.owner, write)
            try insertIntoList(list.id ?? makeListID(list, write), value, at: nil, write)
        }
        growingList = growingList(place)
    }

    /// The list that was changed last, ready to grow; nil where it is not that one or nothing of it is in memory.
    private func growingList(_ place: CollectionPlace) -> GrowingList? {
        guard let list = openList(place), let id = list.id, let write, let tree = write.lists.existing(id) else {
            return nil
        }
        // An object that will have an owner is more than a link.
        if let target = list.owner.column.target, isEmbedded(target) { return nil }
        return GrowingList(list, tree, write, stamp)
    }

    /// Inserts an element before the one at `index`, or at the end. Throws `.alreadyOwned` or `.valueTooLarge`, and nothing
    /// has changed then.
    package func listInsert(_ place: CollectionPlace, _ value: StoredValue, at index: Int) throws(StoreError) {
        try changeList(place) { list, write in
            write.grows = true
            // First, since it may refuse.
            let value = try acquire(value, list.owner, write)
            try insertIntoList(list.id ?? makeListID(list, write), value, at: index, write)
        }
    }

    /// Inserts elements before the one at `index`, or at the end. Throws `.alreadyOwned` or `.valueTooLarge`, and nothing
    /// has changed then.
    package func listInsert(_ place: CollectionPlace, _ values: [StoredValue], at index: Int) throws(StoreError) {
        guard !values.isEmpty else { return }
        try changeList(place) { list, write in
            write.grows = true
            // First, since it may refuse.
            let values = try acquire(values, list.owner, write)
            try insertIntoList(list.id ?? makeListID(list, write), values, at: index, write)
        }
    }

    /// Replaces the element at a position that the list has. An equal value is no change; an embedded object that goes is
    /// deleted.
    package func listSet(_ place: CollectionPlace, _ value: StoredValue, at index: Int) throws(StoreError) {
        if let leaf = listLeaf(place, holding: index), isEqual(leaf.record, index - leaf.elements.lowerBound, value) {
            return
        }
        try changeList(place) { list, write in
            let id = try list.requireID(index)
            let value = try acquire(value, list.owner, write)
            try setInList(id, value, at: index, write) { try release($0, $1, list.owner, write) }
        }
    }

    /// Removes the elements at positions that the list has. Embedded objects among them are deleted.
    package func listRemove(_ place: CollectionPlace, _ range: Range<Int>) throws(StoreError) {
        guard !range.isEmpty else { return }
        try changeList(place) { list, write in
            let id = try list.requireID(range.lowerBound)
            try removeFromList(id, range, write) { try release($0, $1, list.owner, write) }
            // A list that is a value in an `any` stays when it is empty.
            if place.nestedID == nil, listCount(id) == 0 {
                try dropList(id, write)
                try dropCollectionID(place, write)
                list.id = nil
            }
        }
    }

    /// Takes the element at `source` out and puts it back so that it then stands at `destination`.
    package func listMove(_ place: CollectionPlace, from source: Int, to destination: Int) throws(StoreError) {
        guard source != destination else { return }
        try changeList(place) { list, write in
            write.grows = true
            try write.lists.tree(list.requireID(source)).move(from: source, to: destination)
        }
    }

    /// Exchanges two elements.
    package func listSwap(_ place: CollectionPlace, _ first: Int, _ second: Int) throws(StoreError) {
        guard first != second else { return }
        try changeList(place) { list, write in
            write.grows = true
            try write.lists.tree(list.requireID(first)).swap(first, second)
        }
    }

    /// The number of elements of the list that was changed last, if it is that one and nothing was changed since.
    func openListCount(_ place: CollectionPlace) -> Int? {
        guard let list = openList(place) else { return nil }
        return list.id.map { listCount($0) } ?? 0
    }

    /// The list that was changed last, if it is that one and nothing was changed since.
    private func openList(_ place: CollectionPlace) -> OpenList? {
        guard let list = openList, list.stamp == stamp, list.place == place else { return nil }
        return list
    }

    private func changeList(
        _ place: CollectionPlace, _ body: (OpenList, WriteState) throws -> Void
    ) throws(StoreError) {
        let unchanged = try change { write -> OpenList? in
            if let list = openList(place) {
                try body(list, write)
                return write.released.isEmpty ? list : nil
            }
            let list = OpenList(place: place, owner: try owner(of: place), id: collectionID(place))
            openList = list
            try body(list, write)
            try noteChange(list.owner, write)
            // What was released may take other objects along, even the owner.
            return write.released.isEmpty ? list : nil
        }
        unchanged?.stamp = stamp
    }

    private func makeListID(_ list: OpenList, _ write: WriteState) throws -> UInt64 {
        let id = try makeCollectionID(list.place, write)
        try makeList(id, write)
        list.id = id
        return id
    }
}

/// The list that a write changed last. While the stamp stays, so does all this, and the change has been noted.
final class OpenList {
    let place: CollectionPlace
    let owner: ElementOwner
    /// nil of a list that is empty and nowhere.
    @exclusivity(unchecked) var id: UInt64?
    /// Of the moment after the list's last change; 0 before that has succeeded.
    @exclusivity(unchecked) var stamp: UInt64 = 0

    init(place: CollectionPlace, owner: ElementOwner, id: UInt64?) {
        self.place = place
        self.owner = owner
        self.id = id
    }

    fileprivate func requireID(_ index: Int) throws -> UInt64 {
        guard let id else { throw StoreError(.noSuchObject, "a list without elements has none at \(index)") }
        return id
    }
}
