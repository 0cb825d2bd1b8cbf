import FirnStore
import Glibc

/// Puts numbers in the order of their keys; those with equal keys ascend themselves.
///
/// Keys are bytes none of which begins with another (see `OrderedValue`). With a limit only the first so many come out, and
/// no more than about twice as many are kept meanwhile.
package struct Sorter: Sendable {
    private struct Row: BitwiseCopyable, Sendable {
        /// The first sixteen bytes of the key, with zeros behind a shorter one.
        let prefix: UInt128
        let number: UInt64
        /// Where the key goes on in `rests`: its length and its bytes; -1 where it does not.
        let rest: Int
    }

    private let limit: Int
    private var rows: [Row] = []
    private var rests: [UInt8] = []
    /// The last row that is among the first `limit` so far; nil until there are so many.
    private var last: Row?

    /// So many more rows than the limit are gathered before they are sorted.
    private static var slack: Int { 256 }

    package init(limit: Int = .max) {
        self.limit = limit
    }

    /// Makes room for numbers.
    package mutating func reserve(_ count: Int) {
        rows.reserveCapacity(min(count, pruneCount))
    }

    private var pruneCount: Int { limit > Int.max / 4 ? .max : 2 * limit + Self.slack }

    /// Adds a number whose key is no longer than sixteen bytes.
    @inline(__always)
    package mutating func add(_ number: UInt64, shortKey: UInt128) {
        if let last, shortKey > last.prefix || shortKey == last.prefix && number > last.number { return }
        append(Row(prefix: shortKey, number: number, rest: -1))
    }

    /// Adds a number with a key.
    package mutating func add(_ number: UInt64, key: UnsafeRawBufferPointer) {
        let prefix = Self.prefix(of: key)
        guard key.count > 16 else { return add(number, shortKey: prefix) }
        add(number, prefix, rest: UnsafeRawBufferPointer(rebasing: key[16...]))
    }

    private mutating func add(_ number: UInt64, _ prefix: UInt128, rest: UnsafeRawBufferPointer) {
        if let last, prefix > last.prefix { return }
        let start = rests.count
        withUnsafeBytes(of: rest.count) { rests.append(contentsOf: $0) }
        rests.append(contentsOf: rest)
        let row = Row(prefix: prefix, number: number, rest: start)
        if let last, !precedes(row, last) {
            rests.removeSubrange(start...)
        } else {
            append(row)
        }
    }

    /// Adds all numbers of another.
    package mutating func add(_ other: Sorter) {
        other.rests.withUnsafeBytes { rests in
            for row in other.rows {
                if row.rest < 0 {
                    add(row.number, shortKey: row.prefix)
                } else {
                    add(row.number, row.prefix, rest: Self.rest(row, rests))
                }
            }
        }
    }

    /// The numbers in order.
    package func numbers() -> [UInt64] {
        var sorted = self
        sorted.sort()
        return sorted.rows.map(\.number)
    }

    private mutating func append(_ row: Row) {
        rows.append(row)
        if rows.count >= pruneCount { prune() }
    }

    @inline(never)
    private mutating func prune() {
        sort()
        dropUnusedRests()
        last = rows.last
    }

    /// Sorts the rows and drops those beyond the limit.
    private mutating func sort() {
        rests.withUnsafeBytes { rests in
            rows.sort { Self.precedes($0, $1, rests) }
        }
        if rows.count > limit { rows.removeSubrange(limit...) }
    }

    private mutating func dropUnusedRests() {
        if rests.isEmpty { return }
        var kept: [UInt8] = []
        for index in rows.indices where rows[index].rest >= 0 {
            let row = rows[index]
            let bytes = rests.withUnsafeBytes { Self.rest(row, $0) }
            let start = kept.count
            withUnsafeBytes(of: bytes.count) { kept.append(contentsOf: $0) }
            kept.append(contentsOf: bytes)
            rows[index] = Row(prefix: row.prefix, number: row.number, rest: start)
        }
        rests = kept
    }

    // MARK: Order

    private func precedes(_ left: Row, _ right: Row) -> Bool {
        rests.withUnsafeBytes { Self.precedes(left, right, $0) }
    }

    @inline(__always)
    private static func precedes(_ left: Row, _ right: Row, _ rests: UnsafeRawBufferPointer) -> Bool {
        if left.prefix != right.prefix { return left.prefix < right.prefix }
        // No key begins with another: where the first sixteen bytes are alike both go on, or neither does.
        if left.rest >= 0, right.rest >= 0 {
            let difference = compareRests(left, right, rests)
            if difference != 0 { return difference < 0 }
        }
        return left.number < right.number
    }

    @inline(never)
    private static func compareRests(_ left: Row, _ right: Row, _ rests: UnsafeRawBufferPointer) -> Int {
        let left = rest(left, rests)
        let right = rest(right, rests)
        guard let leftBase = left.baseAddress, let rightBase = right.baseAddress else { return 0 }
        let difference = memcmp(leftBase, rightBase, min(left.count, right.count))
        return difference != 0 ? Int(difference) : left.count - right.count
    }

    /// The bytes of a row's key behind the first sixteen.
    private static func rest(_ row: Row, _ rests: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let count = rests.loadUnaligned(fromByteOffset: row.rest, as: Int.self)
        let start = row.rest + MemoryLayout<Int>.size
        return UnsafeRawBufferPointer(rebasing: rests[start..<start + count])
    }

    private static func prefix(of key: UnsafeRawBufferPointer) -> UInt128 {
        var prefix: UInt128 = 0
        withUnsafeMutableBytes(of: &prefix) { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: key.prefix(16))) }
        return UInt128(bigEndian: prefix)
    }
}
