import FirnStore
import Foundation

/// A string, data or the bytes of a `Codable` value; with options by what is left of it when they are overlooked.
struct TextTest: ValueMatcher {
    let operation: ComparisonOperator
    let folding: TextFolding?
    /// What is compared with, folded.
    let pattern: [UInt8]
    let isPatternASCII: Bool
    let matchesAbsent: Bool

    init(
        operation: ComparisonOperator, options: ComparisonOptions, pattern: [UInt8],
        matchesAbsent: (TextTest) -> Bool
    ) {
        let folding = TextFolding(options)
        let folded = folding.map { folding in pattern.withUnsafeBytes { folding.fold($0) } } ?? pattern
        let test = TextTest(operation: operation, folding: folding, foldedPattern: folded)
        self.init(operation: operation, folding: folding, foldedPattern: folded, matchesAbsent: matchesAbsent(test))
    }

    /// A test for any text; `foldedPattern` has been folded.
    init(
        operation: ComparisonOperator, folding: TextFolding?, foldedPattern: [UInt8], matchesAbsent: Bool = false
    ) {
        self.operation = operation
        self.folding = folding
        pattern = foldedPattern
        isPatternASCII = foldedPattern.withUnsafeBytes { $0.isASCII }
        self.matchesAbsent = matchesAbsent
    }

    var cost: Int {
        if folding != nil { return 10 }
        return operation == .contains ? 5 : operation == .like ? 8 : 3
    }

    @inline(__always)
    func matches(_ record: RecordView, _ slot: Int, _ connection: Connection) -> Bool {
        let entry = record.entry(slot)
        switch entry.code {
        case Tag.string.rawValue, Tag.data.rawValue, Tag.coded.rawValue:
            // SAFETY: the payload lies in the record, which the caller lends for this call.
            return matches(
                UnsafeRawBufferPointer(start: record.base + entry.offset, count: record.endOffset(slot) &- entry.offset)
            )
        case Tag.blob.rawValue: return matchesBlob(record, slot, connection)
        default: return matchesAbsent
        }
    }

    @inline(__always)
    func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
        pattern.withUnsafeBytes { pattern in
            if let folding { return matchesFolded(bytes, folding, pattern) }
            switch operation {
            case .equal: return bytes.holdsSameBytes(as: pattern)
            case .notEqual: return !bytes.holdsSameBytes(as: pattern)
            default: return holds(bytes, pattern)
            }
        }
    }

    @inline(never)
    private func matchesBlob(_ record: RecordView, _ slot: Int, _ connection: Connection) -> Bool {
        let blob = record.blob(slot)
        if folding == nil, operation == .equal || operation == .notEqual, Int(blob.byteCount) != pattern.count {
            return operation == .notEqual
        }
        if blob.kind != Tag.string.rawValue { return connection.data(record, slot).withUnsafeBytes { matches($0) } }
        var string = connection.string(record, slot)
        return string.withUTF8 { matches(UnsafeRawBufferPointer($0)) }
    }

    @inline(never)
    private func matchesFolded(
        _ bytes: UnsafeRawBufferPointer, _ folding: TextFolding, _ pattern: UnsafeRawBufferPointer
    ) -> Bool {
        guard bytes.isASCII else {
            if operation == .like { return FoldedText(bytes, folding).isLike(pattern) }
            return folding.fold(bytes).withUnsafeBytes { holds($0, pattern) }
        }
        // Folding leaves ASCII text ASCII, and what is not ASCII in the pattern cannot be in it.
        guard isPatternASCII else { return operation == .notEqual }
        guard folding.options.contains(.caseInsensitive) else { return holds(bytes, pattern) }
        if operation == .like { return folding.fold(bytes).withUnsafeBytes { $0.isLike(pattern) } }
        switch operation {
        case .equal: return bytes.hasFoldedASCII(pattern, at: 0, isWhole: true)
        case .notEqual: return !bytes.hasFoldedASCII(pattern, at: 0, isWhole: true)
        case .beginsWith: return !pattern.isEmpty && bytes.hasFoldedASCII(pattern, at: 0)
        case .endsWith: return !pattern.isEmpty && bytes.hasFoldedASCII(pattern, at: bytes.count - pattern.count)
        case .contains: return !pattern.isEmpty && bytes.containsFoldedASCII(pattern)
        default: return false
        }
    }

    /// An empty pattern is in nothing, as Realm has it.
    private func holds(_ bytes: UnsafeRawBufferPointer, _ pattern: UnsafeRawBufferPointer) -> Bool {
        switch operation {
        case .beginsWith:
            !pattern.isEmpty && bytes.count >= pattern.count
                && UnsafeRawBufferPointer(rebasing: bytes.prefix(pattern.count)).holdsSameBytes(as: pattern)
        case .endsWith:
            !pattern.isEmpty && bytes.count >= pattern.count
                && UnsafeRawBufferPointer(rebasing: bytes.suffix(pattern.count)).holdsSameBytes(as: pattern)
        case .contains: !pattern.isEmpty && bytes.contains(pattern)
        case .like: bytes.isLike(pattern)
        default: operation.accepts(order: bytes.order(against: pattern))
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether this is what a pattern says, in which `?` is one character of Unicode and `*` any number of them. O(bytes ×
    /// pattern) for patterns made to be slow, else O(bytes).
    func isLike(_ pattern: UnsafeRawBufferPointer) -> Bool {
        var position = 0
        var place = 0
        // Behind the last star: where the pattern goes on, and where the text does if what follows does not fit here.
        var afterStar: (place: Int, position: Int)?
        while position < count {
            if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
                place += 1
                afterStar = (place, position)
            } else if place < pattern.count, pattern[place] == UInt8(ascii: "?") {
                place += 1
                position = endOfCharacter(at: position)
            } else if place < pattern.count, pattern[place] == self[position] {
                place += 1
                position += 1
            } else if let star = afterStar {
                position = endOfCharacter(at: star.position)
                place = star.place
                afterStar = (place, position)
            } else {
                return false
            }
        }
        while place < pattern.count, pattern[place] == UInt8(ascii: "*") { place += 1 }
        return place == pattern.count
    }

    /// The position behind the scalar of UTF-8 that begins at a position.
    private func endOfCharacter(at position: Int) -> Int {
        var end = position + 1
        while end < count, self[end] & 0xc0 == 0x80 { end += 1 }
        return end
    }

    /// Whether a pattern of at least one byte is among these bytes. O(bytes) but for texts made to be slow, O(bytes × pattern).
    func contains(_ pattern: UnsafeRawBufferPointer) -> Bool {
        guard let mine = baseAddress, let theirs = pattern.baseAddress, count >= pattern.count else { return false }
        var start = 0
        let last = count - pattern.count
        // SAFETY: no place behind `last` is looked at, and from there the pattern's length is left.
        while start <= last, let found = memchr(mine + start, Int32(pattern[0]), last - start + 1) {
            if memcmp(found, theirs, pattern.count) == 0 { return true }
            start = UnsafeRawPointer(found) - mine + 1
        }
        return false
    }
}
