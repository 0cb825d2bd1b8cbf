/// A text folded scalar by scalar, of which is known what each became: nothing, one scalar or several.
struct FoldedText {
    private let bytes: [UInt8]
    /// Where the folding of each scalar ends.
    private let ends: [Int]

    init(_ text: UnsafeRawBufferPointer, _ folding: TextFolding) {
        (bytes, ends) = folding.foldScalars(text)
    }

    /// Whether this is what a folded pattern says, in which `?` is one scalar of the text, however many its folding has, and `*`
    /// any part of the folding. O(bytes × places of the pattern that may be next).
    func isLike(_ pattern: UnsafeRawBufferPointer) -> Bool {
        var places = PatternPlaces(pattern)
        var walked = places
        var next = places
        places.insert(0)
        var start = 0
        for end in ends {
            walked.replace(with: places)
            for byte in bytes[start..<end] {
                next.removeAll()
                for place in walked.all where place < pattern.count {
                    switch pattern[place] {
                    case UInt8(ascii: "*"): next.insert(place)
                    case UInt8(ascii: "?"): break
                    case byte: next.insert(place + 1)
                    default: break
                    }
                }
                swap(&walked, &next)
            }
            for place in places.all where place < pattern.count && pattern[place] == UInt8(ascii: "?") {
                walked.insert(place + 1)
            }
            if walked.all.isEmpty { return false }
            swap(&places, &walked)
            start = end
        }
        return places.all.contains(pattern.count)
    }
}

/// The places of a pattern that may be the next when so much of a text has been read.
private struct PatternPlaces {
    private let pattern: UnsafeRawBufferPointer
    private(set) var all: [Int] = []
    private var isIn: [Bool]

    init(_ pattern: UnsafeRawBufferPointer) {
        self.pattern = pattern
        isIn = Array(repeating: false, count: pattern.count + 1)
    }

    /// Adds a place, and those behind stars, which may be nothing.
    mutating func insert(_ place: Int) {
        var place = place
        while !isIn[place] {
            isIn[place] = true
            all.append(place)
            guard place < pattern.count, pattern[place] == UInt8(ascii: "*") else { return }
            place += 1
        }
    }

    mutating func removeAll() {
        for place in all { isIn[place] = false }
        all.removeAll(keepingCapacity: true)
    }

    mutating func replace(with other: PatternPlaces) {
        removeAll()
        for place in other.all { insert(place) }
    }
}
