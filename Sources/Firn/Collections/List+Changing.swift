import FirnStore
import Foundation

// Positions out of bounds trap, with the number of elements. A managed list changes in a write transaction only; a value that
// cannot be stored poisons it.
extension List {
    /// Adds an element at the end.
    public func append(_ object: Element) {
        switch state {
        case .unmanaged: change { $0.append(object) }
        case .managed(let handle):
            handle.store(object._elementForm()) { connection, place, value throws(StoreError) in
                try connection.listAppend(place, value)
            }
        }
    }

    /// Adds elements at the end.
    @inlinable
    public func append(objectsIn objects: some Sequence<Element>) {
        _insert(Array(objects), at: nil)
    }

    /// Puts an element before the one at a position, or at the end.
    public func insert(_ object: Element, at index: Int) {
        let count = count
        guard (0...count).contains(index) else { trapBounds(index, count, of: name) }
        switch state {
        case .unmanaged: change { $0.insert(object, at: index) }
        case .managed(let handle):
            handle.store(object._elementForm()) { connection, place, value throws(StoreError) in
                if index == count {
                    try connection.listAppend(place, value)
                } else {
                    try connection.listInsert(place, value, at: index)
                }
            }
        }
    }

    /// Puts elements before the one at a position, or at the end.
    @inlinable
    public func insert(contentsOf newElements: some Collection<Element>, at index: Int) {
        _insert(Array(newElements), at: index)
    }

    /// Inserts elements, at the end by default. Takes an array, since a client's own module makes one of anything much faster
    /// than this one could go over it.
    @usableFromInline
    func _insert(_ elements: [Element], at index: Int?) {
        if let index, !(0...count).contains(index) { trapBounds(index, count, of: name) }
        switch state {
        case .unmanaged:
            change { $0.insert(contentsOf: elements, at: index ?? $0.count) }
        case .managed(let handle):
            handle.store(elements) { connection, place, values throws(StoreError) in
                if values.isEmpty { return }
                try connection.listInsert(place, values, at: index ?? connection.count(place))
            }
        }
    }

    /// Replaces the element at a position. An embedded object that goes is deleted.
    public func replace(index: Int, object: Element) {
        checkIndex(index)
        guard case .managed(let handle) = state else { return change { $0[index] = object } }
        let form = object._elementForm()
        // A nested collection that is put where it is already would be emptied.
        if form.isNested, let context = handle.checkedForChange(),
            let stored = context.stored(form, for: handle),
            context.connection.listElement(handle.place, at: index) == stored
        {
            return
        }
        handle.store(form) { connection, place, value throws(StoreError) in
            try connection.listSet(place, value, at: index)
        }
    }

    /// Removes the element at a position. An object stays in the realm, unless it is embedded.
    public func remove(at index: Int) {
        checkIndex(index)
        removeSubrange(index..<index + 1)
    }

    /// Removes the first elements. Traps where there are fewer.
    public func removeFirst(_ number: Int = 1) {
        checkNumber(number)
        removeSubrange(0..<number)
    }

    /// Removes the last elements. Traps where there are fewer.
    public func removeLast(_ number: Int = 1) {
        checkNumber(number)
        let count = count
        removeSubrange(count - number..<count)
    }

    /// Removes the elements in a range.
    public func removeSubrange(_ range: some RangeExpression<Int>) {
        let range = checked(range)
        switch state {
        case .unmanaged: change { $0.removeSubrange(range) }
        case .managed(let handle):
            if range.isEmpty {
                _ = handle.checkedForChange()
                return
            }
            handle.change { connection, place throws(StoreError) in try connection.listRemove(place, range) }
        }
    }

    /// Removes the elements at positions.
    public func remove(atOffsets offsets: IndexSet) {
        for range in offsets.rangeView.reversed() {
            removeSubrange(range)
        }
    }

    /// Removes all elements. Objects stay in the realm, unless they are embedded.
    public func removeAll() {
        switch state {
        case .unmanaged: change { $0.removeAll() }
        case .managed(let handle):
            handle.change { connection, place throws(StoreError) in try connection.removeAll(place) }
        }
    }

    /// Puts elements in the place of those in a range.
    @inlinable
    public func replaceSubrange(_ range: some RangeExpression<Int>, with newElements: some Collection<Element>) {
        _replace(range, with: Array(newElements))
    }

    @usableFromInline
    func _replace(_ range: some RangeExpression<Int>, with elements: [Element]) {
        let range = checked(range)
        switch state {
        case .unmanaged: change { $0.replaceSubrange(range, with: elements) }
        case .managed(let handle):
            handle.store(elements) { connection, place, values throws(StoreError) in
                if handle.target?.table.isEmbedded == true {
                    // Removing those that come back would delete them.
                    let own = Set(range.map { connection.listElement(place, at: $0) })
                    if values.contains(where: { own.contains($0) }) {
                        var all = handle.storedElements(.list)
                        all.replaceSubrange(range, with: values)
                        return try connection.reorderList(place, to: all)
                    }
                }
                if !range.isEmpty { try connection.listRemove(place, range) }
                if !values.isEmpty { try connection.listInsert(place, values, at: range.lowerBound) }
            }
        }
    }

    /// Takes out the element at one position and puts it back so that it then stands at another.
    public func move(from: Int, to: Int) {
        checkIndex(from)
        checkIndex(to)
        switch state {
        case .unmanaged: change { $0.insert($0.remove(at: from), at: to) }
        case .managed(let handle):
            if from == to {
                _ = handle.checkedForChange()
                return
            }
            handle.change { connection, place throws(StoreError) in
                try connection.listMove(place, from: from, to: to)
            }
        }
    }

    /// Moves the elements at positions, in their order, before the one that stands at `destination` now.
    public func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
        guard (0...count).contains(destination) else { trapBounds(destination, count, of: name) }
        // Those before the destination from the last to the first, so that none changes another's position.
        for (passed, source) in offsets.filter({ $0 < destination }).reversed().enumerated() {
            move(from: source, to: destination - 1 - passed)
        }
        for (passed, source) in offsets.filter({ $0 >= destination }).enumerated() {
            move(from: source, to: destination + passed)
        }
    }

    /// Exchanges two elements.
    public func swapAt(_ index1: Int, _ index2: Int) {
        checkIndex(index1)
        checkIndex(index2)
        switch state {
        case .unmanaged: change { $0.swapAt(index1, index2) }
        case .managed(let handle):
            if index1 == index2 {
                _ = handle.checkedForChange()
                return
            }
            handle.change { connection, place throws(StoreError) in try connection.listSwap(place, index1, index2) }
        }
    }

    // MARK: What they share

    /// Changes the elements of an unmanaged list where they are.
    private func change(_ change: (inout [Element]) -> Void) {
        guard case .unmanaged(var elements) = state else { return }
        state = .unmanaged([])
        change(&elements)
        state = .unmanaged(elements)
    }

    private func checkIndex(_ index: Int) {
        let count = count
        guard index >= 0, index < count else { trapBounds(index, count, of: name) }
    }

    private func checkNumber(_ number: Int) {
        let count = count
        guard (0...count).contains(number) else {
            misuse("\(number) elements cannot be removed: \(name) has \(count) elements; ask `count` first")
        }
    }

    private func checked(_ range: some RangeExpression<Int>) -> Range<Int> {
        let count = count
        let range = range.relative(to: 0..<count)
        checkBounds(range, count, of: name)
        return range
    }
}
