/// A stretch of an index: the entries whose ordered values are from some on, and below others.
package struct IndexRange: Hashable, Sendable {
    /// The bytes of the smallest value that is in it, or would be.
    package private(set) var lower: [UInt8]
    /// The bytes of the smallest value behind it; nil where it reaches to the index's end.
    package private(set) var upper: [UInt8]?
    /// Whether it has just the values that were asked for: a value that was cut may have others beside it.
    package private(set) var isExact = true

    /// All values, nil as well.
    package static var all: IndexRange { IndexRange(lower: [], upper: nil) }

    /// All values of a column but nil and NaN; nil for an `any`.
    package static func values(of column: StoredColumn) -> IndexRange? {
        column.type == .any ? nil : IndexRange(lower: smallest(.null, column), upper: nil)
    }

    /// How long the bytes of a value are at most; a value of so many was cut.
    package static func byteLimit(of index: StoredIndex) -> Int {
        KeyBuffer.keyLimit - IndexKey.byteCount(of: index.id)
    }

    private init(lower: [UInt8], upper: [UInt8]?) {
        self.lower = lower
        self.upper = upper
    }

    /// Whether it has the entries of one value alone.
    package private(set) var isOneValue = false

    /// Where a range ends.
    package enum Bound: Sendable {
        /// Nothing but nil is left out, and in an `any` what is of another type.
        case open
        case including(StoredValue)
        case excluding(StoredValue)
    }

    /// The values of a column that equal one.
    package init(_ column: StoredColumn, equal value: StoredValue) {
        let (bytes, isCut) = Self.ordered(value, column)
        lower = bytes
        upper = Self.successor(of: bytes)
        isExact = !isCut
        isOneValue = !isCut
    }

    /// The values between two of a column, neither nil nor NaN; at least one bound is a value.
    package init(_ column: StoredColumn, from lowest: Bound, to highest: Bound) {
        let type = Self.type(of: lowest, highest, column)
        switch lowest {
        case .open: lower = Self.smallest(type, column)
        case .including(let value):
            let (bytes, isCut) = Self.ordered(value, column)
            lower = bytes
            isExact = isExact && !isCut
        case .excluding(let value):
            let (bytes, isCut) = Self.ordered(value, column)
            lower = isCut ? bytes : Self.successor(of: bytes) ?? bytes
            isExact = isExact && !isCut
        }
        switch highest {
        case .open: upper = column.type == .any ? [type.rawValue + 1] : nil
        case .including(let value):
            let (bytes, isCut) = Self.ordered(value, column)
            upper = Self.successor(of: bytes)
            isExact = isExact && !isCut
        case .excluding(let value):
            let (bytes, isCut) = Self.ordered(value, column)
            upper = isCut ? Self.successor(of: bytes) : bytes
            isExact = isExact && !isCut
        }
    }

    /// The strings or data of a column that begin with bytes, of which there is at least one.
    package init(_ column: StoredColumn, prefix: UnsafeRawBufferPointer) {
        var buffer = KeyBuffer(limit: KeyBuffer.keyLimit - Self.idByteCount(column))
        buffer.append(column.type == .any ? OrderedValue.Rank.string.rawValue : OrderedValue.presentMarker)
        OrderedValue.append(beginningOfText: prefix, to: &buffer)
        isExact = !buffer.isCut
        lower = buffer.withBytes { Array($0) }
        upper = Self.successor(of: lower)
    }

    /// The entries of an index that have these values in its first columns and one of a range in the next; any where there is
    /// no range.
    package init(
        _ index: StoredIndex, behind values: [(column: StoredColumn, value: StoredValue)], _ range: IndexRange?
    ) {
        var buffer = KeyBuffer()
        for (column, value) in values { OrderedValue.append(value, column.type, to: &buffer) }
        let prefix = buffer.withBytes { Array($0) }
        lower = prefix + (range?.lower ?? [])
        upper = range?.upper.map { prefix + $0 } ?? Self.successor(of: prefix)
        let limit = KeyBuffer.keyLimit - IndexKey.byteCount(of: index.id)
        isExact = range?.isExact != false && max(lower.count, upper?.count ?? 0) < limit
        lower = Array(lower.prefix(limit))
        if let end = upper, end.count > limit { upper = Self.successor(of: Array(end.prefix(limit))) }
    }

    /// Whether no value is in it.
    package var isEmpty: Bool {
        guard let upper, !isOneValue else { return false }
        return !lower.lexicographicallyPrecedes(upper)
    }

    /// What is in both ranges.
    package func intersection(_ other: IndexRange) -> IndexRange {
        var both = self
        if lower.lexicographicallyPrecedes(other.lower) { both.lower = other.lower }
        if let end = other.upper, upper.map({ end.lexicographicallyPrecedes($0) }) ?? true { both.upper = end }
        both.isExact = isExact && other.isExact
        both.isOneValue = false
        return both
    }

    // MARK: Bytes

    private static func ordered(_ value: StoredValue, _ column: StoredColumn) -> (bytes: [UInt8], isCut: Bool) {
        var buffer = KeyBuffer(limit: KeyBuffer.keyLimit - idByteCount(column))
        OrderedValue.append(value, column.type, to: &buffer)
        return (buffer.withBytes { Array($0) }, buffer.isCut)
    }

    private static func idByteCount(_ column: StoredColumn) -> Int {
        column.index.map { IndexKey.byteCount(of: $0.id) } ?? 0
    }

    /// The type of the values in a range of an `any`.
    private static func type(of lowest: Bound, _ highest: Bound, _ column: StoredColumn) -> OrderedValue.Rank {
        for bound in [lowest, highest] {
            switch bound {
            case .open: continue
            case .including(let value), .excluding(let value): return OrderedValue.rank(of: value)
            }
        }
        return .null
    }

    /// The smallest value of a type that comparisons know: NaN, which the order puts first, is less than nothing.
    private static func smallest(_ type: OrderedValue.Rank, _ column: StoredColumn) -> [UInt8] {
        switch column.type {
        case .float: ordered(.float(-.infinity), column).bytes
        case .double: ordered(.double(-.infinity), column).bytes
        case .decimal: smallestNumber(behind: OrderedValue.presentMarker)
        case .any where type == .number: smallestNumber(behind: type.rawValue)
        case .any: [type.rawValue]
        default: [OrderedValue.presentMarker]
        }
    }

    private static func smallestNumber(behind marker: UInt8) -> [UInt8] {
        var buffer = KeyBuffer()
        buffer.append(marker)
        OrderedNumber.append(double: -.infinity, to: &buffer)
        return buffer.withBytes { Array($0) }
    }

    /// The smallest bytes that come behind all that begin with some; nil where nothing does.
    private static func successor(of bytes: [UInt8]) -> [UInt8]? {
        var successor = bytes
        while let last = successor.popLast() {
            if last < .max { return successor + [last + 1] }
        }
        return nil
    }
}
