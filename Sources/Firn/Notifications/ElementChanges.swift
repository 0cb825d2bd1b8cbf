import FirnStore

/// What is different between two versions of a sequence of elements, by positions.
///
/// Deletions and modifications are positions before, insertions positions after; each list ascends. Taking out the deleted elements
/// from the last to the first, and putting in the inserted ones from the first to the last, makes the one sequence of the other; the
/// modified elements, which are not deleted, are then to be read anew where they have come to stand.
struct ElementChanges: Equatable, Sendable {
    var deletions: [Int] = []
    var insertions: [Int] = []
    var modifications: [Int] = []

    var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

    init() {}

    /// All elements of a sequence that is gone.
    init(deleting count: Int) {
        deletions = Array(0..<count)
    }

    /// What makes the new sequence of the old one, with as few elements that move as can be: one that moves is deleted and inserted.
    /// O(n log n), for what lies between the common beginning and the common end.
    ///
    /// `replacing` makes an element that stands where another one stood a modification: so a list's element is replaced.
    init<Reference: Hashable>(
        from old: [Reference], to new: [Reference], replacing: Bool = false, isModified: (Reference) -> Bool
    ) {
        var start = 0
        while start < old.count, start < new.count, old[start] == new[start] { start += 1 }
        var oldEnd = old.count
        var newEnd = new.count
        while oldEnd > start, newEnd > start, old[oldEnd - 1] == new[newEnd - 1] {
            oldEnd -= 1
            newEnd -= 1
        }
        let kept = Self.kept(from: old[start..<oldEnd], to: new[start..<newEnd])
        for position in 0..<start where isModified(old[position]) { modifications.append(position) }
        var oldPosition = start
        var newPosition = start
        for (oldNext, newNext) in kept + [(oldEnd, newEnd)] {
            while replacing, oldPosition < oldNext, newPosition < newNext {
                modifications.append(oldPosition)
                oldPosition += 1
                newPosition += 1
            }
            deletions += oldPosition..<oldNext
            insertions += newPosition..<newNext
            if oldNext < oldEnd, isModified(old[oldNext]) { modifications.append(oldNext) }
            oldPosition = oldNext + 1
            newPosition = newNext + 1
        }
        for position in oldEnd..<old.count where isModified(old[position]) { modifications.append(position) }
    }

    /// The same for objects by their keys, of which some were made in between: one that was deleted and made anew is another one.
    init(
        from old: [ObjectKey], to new: [ObjectKey], made: [ClosedRange<ObjectKey>], replacing: Bool = false,
        isModified: (ObjectKey) -> Bool
    ) {
        if made.isEmpty || !old.contains(where: made.containsKey) {
            self.init(from: old, to: new, replacing: replacing, isModified: isModified)
        } else {
            self.init(
                from: old.map { Birth(key: $0, isLate: false) },
                to: new.map { Birth(key: $0, isLate: made.containsKey($0)) }, replacing: replacing
            ) { isModified($0.key) }
        }
    }

    private struct Birth: Hashable {
        let key: ObjectKey
        let isLate: Bool
    }

    /// The positions of those elements that stay in place, as many as can be: the longest that ascends in both.
    private static func kept<Reference: Hashable>(
        from old: ArraySlice<Reference>, to new: ArraySlice<Reference>
    ) -> [(old: Int, new: Int)] {
        if old.isEmpty || new.isEmpty { return [] }
        // An element may stand in a sequence more than once: the first one there is the first one here.
        var places: [Reference: [Int]] = [:]
        for position in new.indices.reversed() { places[new[position], default: []].append(position) }
        var pairs: [(old: Int, new: Int)] = []
        for position in old.indices {
            if let place = places[old[position]]?.popLast() { pairs.append((position, place)) }
        }
        // Patience sorting: ends[length] is the pair with which the best ascending row of that length ends.
        var ends: [Int] = []
        var previous = [Int](repeating: -1, count: pairs.count)
        for index in pairs.indices {
            var low = 0
            var high = ends.count
            while low < high {
                let middle = (low + high) / 2
                if pairs[ends[middle]].new < pairs[index].new { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = ends[low - 1] }
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var kept: [(old: Int, new: Int)] = []
        var index = ends.last ?? -1
        while index >= 0 {
            kept.append(pairs[index])
            index = previous[index]
        }
        return kept.reversed()
    }
}
