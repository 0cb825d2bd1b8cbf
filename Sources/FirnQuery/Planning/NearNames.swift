/// Finds what somebody may have meant who wrote a name that is not there.
enum NearNames {
    /// Up to three names that differ in case alone, begin alike, or are few edits away; the nearest first.
    static func of(_ name: String, among candidates: [String]) -> [String] {
        let written = Array(name.lowercased().prefix(64))
        let limit = max(1, written.count / 3)
        let near = candidates.compactMap { candidate -> (name: String, distance: Int)? in
            let other = Array(candidate.lowercased().prefix(64))
            let distance = editDistance(written, other)
            let beginsAlike =
                written.count >= 3 && other.count >= 3 && (other.starts(with: written) || written.starts(with: other))
            return distance <= limit || beginsAlike ? (candidate, distance) : nil
        }
        return near.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
    }

    /// The fewest insertions, deletions, replacements and exchanges of neighbours that make one of the other.
    private static func editDistance(_ left: [Character], _ right: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, character) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var best = min(last[column + 1] + 1, current[column] + 1, last[column] + (character == other ? 0 : 1))
                if row > 0, column > 0, character == right[column - 1], left[row - 1] == other {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
