import FirnStore

// A managed set changes in a write transaction only; a value that cannot be stored poisons it.
extension MutableSet {
    /// Whether an element is there. Traps for a deleted object.
    public func contains(_ object: Element) -> Bool {
        switch state {
        case .unmanaged(let elements): return elements.contains(object)
        case .managed(let handle):
            let context = handle.checked()
            guard let value = context.stored(object._elementForm(), for: handle) else { return false }
            return context.connection.setContains(handle.place, value)
        }
    }

    /// Adds an element; does nothing where it is there.
    public func insert(_ object: Element) {
        switch state {
        case .unmanaged: change { $0.insert(object) }
        case .managed(let handle):
            handle.store(object._elementForm()) { connection, place, value throws(StoreError) in
                try connection.setInsert(place, value)
            }
        }
    }

    /// Adds elements; those that are there stay as they are.
    @inlinable
    public func insert(objectsIn objects: some Sequence<Element>) {
        _insert(Array(objects))
    }

    /// Takes an array: see `List`.
    @usableFromInline
    func _insert(_ objects: [Element]) {
        switch state {
        case .unmanaged:
            change { elements in
                for element in objects { elements.insert(element) }
            }
        case .managed(let handle):
            handle.store(objects) { connection, place, values throws(StoreError) in
                for value in values { try connection.setInsert(place, value) }
            }
        }
    }

    /// Removes an element; does nothing where it is not there. An object stays in the realm.
    public func remove(_ object: Element) {
        switch state {
        case .unmanaged: change { $0.remove(object) }
        case .managed(let handle):
            guard let context = handle.checkedForChange(),
                let value = context.stored(object._elementForm(), for: handle)
            else { return }
            handle.perform(context) { connection, place throws(StoreError) in
                try connection.setRemove(place, value)
            }
        }
    }

    /// Removes all elements. Objects stay in the realm.
    public func removeAll() {
        switch state {
        case .unmanaged: state = .unmanaged(DistinctElements())
        case .managed(let handle):
            handle.change { connection, place throws(StoreError) in try connection.removeAll(place) }
        }
    }

    // MARK: Algebra
    // Where this set is managed, the other one must be of the same realm: what is unmanaged could only be compared by adding it.

    /// Whether all elements of this set are in another one.
    public func isSubset(of possibleSuperset: MutableSet<Element>) -> Bool {
        guard let (handle, other) = managedPair(possibleSuperset) else {
            return allSatisfy { possibleSuperset.contains($0) }
        }
        let connection = handle.checked().connection
        return handle == other
            || handle.storedElements(.set).allSatisfy { connection.setContains(other.place, $0) }
    }

    /// Whether any element is in both sets.
    public func intersects(_ otherSet: MutableSet<Element>) -> Bool {
        guard let (handle, other) = managedPair(otherSet) else {
            return contains { otherSet.contains($0) }
        }
        let connection = handle.checked().connection
        return other.storedElements(.set).contains { connection.setContains(handle.place, $0) }
    }

    /// Adds the elements of another set.
    public func formUnion(_ other: MutableSet<Element>) {
        guard let (handle, source) = managedPair(other) else { return insert(objectsIn: other) }
        guard let context = handle.checkedForChange() else { return }
        let values = source.storedElements(.set)
        handle.perform(context) { connection, place throws(StoreError) in
            for value in values { try connection.setInsert(place, value) }
        }
    }

    /// Keeps only the elements that are in another set too.
    public func formIntersection(_ other: MutableSet<Element>) {
        guard let (handle, source) = managedPair(other) else {
            let others = Array(other)
            return change { $0.filter(others, areKept: true) }
        }
        removeElements(handle) { !$0.setContains(source.place, $1) }
    }

    /// Removes the elements of another set.
    public func subtract(_ other: MutableSet<Element>) {
        guard let (handle, source) = managedPair(other) else {
            let others = Array(other)
            return change { $0.filter(others, areKept: false) }
        }
        removeElements(handle) { $0.setContains(source.place, $1) }
    }

    private func removeElements(_ handle: CollectionHandle, where isRemoved: (Connection, StoredValue) -> Bool) {
        guard let context = handle.checkedForChange() else { return }
        let removed = handle.storedElements(.set).filter { isRemoved(context.connection, $0) }
        handle.perform(context) { connection, place throws(StoreError) in
            for value in removed { try connection.setRemove(place, value) }
        }
    }

    /// Where both sets are; nil where this one is unmanaged.
    private func managedPair(_ other: MutableSet) -> (CollectionHandle, CollectionHandle)? {
        guard let handle = state.handle else { return nil }
        guard let otherHandle = other.state.handle, otherHandle.owner.context === handle.owner.context else {
            misuse(
                "\(name) was compared or combined with a set that is not of its realm; use insert(objectsIn:) and "
                    + "remove(_:), or compare with Set(set)")
        }
        _ = otherHandle.checked()
        return (handle, otherHandle)
    }

    /// Changes the elements of an unmanaged set where they are.
    private func change(_ change: (inout DistinctElements<Element>) -> Void) {
        guard case .unmanaged(var elements) = state else { return }
        state = .unmanaged(DistinctElements())
        change(&elements)
        state = .unmanaged(elements)
    }
}
