/// Runs of object keys.
extension [ClosedRange<ObjectKey>] {
    /// The same keys as sorted runs of which none touches the next.
    func normalized() -> [ClosedRange<ObjectKey>] {
        var result: [ClosedRange<ObjectKey>] = []
        for range in sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = result.last, last.upperBound == .max || range.lowerBound <= last.upperBound + 1 {
                result[result.count - 1] = last.lowerBound...Swift.max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }

    /// Whether sorted, disjoint runs hold `key`; O(log runs).
    package func containsKey(_ key: ObjectKey) -> Bool {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle].upperBound < key { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low].contains(key)
    }

    /// Appends `key`, which often follows the last one.
    mutating func note(_ key: ObjectKey) {
        if let last, last.upperBound != .max, last.upperBound + 1 == key {
            self[count - 1] = last.lowerBound...key
        } else {
            append(key...key)
        }
    }

    /// Appends `key` unless it was the newest already.
    mutating func noteOnce(_ key: ObjectKey) {
        if let last, last.contains(key) { return }
        note(key)
    }

    /// Sorted, disjoint runs without `keys` (sorted).
    func removing(_ keys: [ObjectKey]) -> [ClosedRange<ObjectKey>] {
        guard !keys.isEmpty else { return self }
        var result: [ClosedRange<ObjectKey>] = []
        var next = 0
        for range in self {
            var lowest: ObjectKey? = range.lowerBound
            while let first = lowest, next < keys.count, keys[next] <= range.upperBound {
                let key = keys[next]
                next += 1
                guard key >= first else { continue }
                if key > first { result.append(first...key - 1) }
                lowest = key == range.upperBound ? nil : key + 1
            }
            if let lowest { result.append(lowest...range.upperBound) }
        }
        return result
    }

    /// The keys that are in one of two sorted, disjoint lists of runs; O(runs log runs).
    package func union(_ other: Self) -> Self {
        if other.isEmpty { return self }
        return isEmpty ? other : (self + other).normalized()
    }

    /// The keys of sorted, disjoint runs that are not in other such runs; O(runs).
    package func subtracting(_ other: Self) -> Self {
        if isEmpty || other.isEmpty { return self }
        var result: Self = []
        var next = 0
        for range in self {
            var lowest = range.lowerBound
            var isLeft = true
            while next < other.count, other[next].upperBound < lowest { next += 1 }
            var position = next
            while position < other.count, other[position].lowerBound <= range.upperBound {
                let hole = other[position]
                if hole.lowerBound > lowest { result.append(lowest...hole.lowerBound - 1) }
                guard hole.upperBound < range.upperBound else {
                    isLeft = false
                    break
                }
                lowest = Swift.max(lowest, hole.upperBound + 1)
                position += 1
            }
            if isLeft { result.append(lowest...range.upperBound) }
        }
        return result
    }

    /// How many keys the runs hold.
    package var keyCount: Int { reduce(0) { $0 + Int($1.upperBound - $1.lowerBound) + 1 } }
}
