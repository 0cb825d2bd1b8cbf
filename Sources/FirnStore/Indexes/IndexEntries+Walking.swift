import Glibc
import LMDB

/// Walks over stretches of an index. What `body` gets is good until it returns; it answers whether to go on.
extension IndexEntries {
    /// Calls `body` with each entry in a range: values ascending, and the keys of one value ascending.
    func forEach(
        in range: IndexRange, _ body: (_ value: UnsafeRawBufferPointer, ObjectKey) throws -> Bool
    ) throws {
        switch layout {
        case .grouped where range.isOneValue:
            guard try withEntryKey(range.lower, { try cursor.seek($0) }) else { return }
            _ = try forEachKey(of: UnsafeRawBufferPointer(rebasing: cursor.key[idByteCount...]), body)
        case .grouped: try forEachGroup(in: range) { value in try forEachKey(of: value, body) }
        case .packed(let width):
            var isThere = try withEntryKey(range.lower) { lower in
                try withPacked(lower, 0, width) { try cursor.seekValue($0, notBelow: $1) }
            }
            while isThere {
                let entry = cursor.value
                let value = UnsafeRawBufferPointer(rebasing: entry[..<width])
                guard !range.isBefore(value), try body(value, IndexEntries.key(entry, at: width)) else { return }
                isThere = try cursor.nextDuplicate()
            }
        }
    }

    /// Calls `body` with each entry in a range: values descending, and the keys of one value ascending.
    func forEachBackwards(
        in range: IndexRange, _ body: (_ value: UnsafeRawBufferPointer, ObjectKey) throws -> Bool
    ) throws {
        switch layout {
        case .grouped:
            var isThere = try seekLastGroup(in: range)
            while isThere {
                let value = UnsafeRawBufferPointer(rebasing: cursor.key[idByteCount...])
                if value.precedes(range.lower) { return }
                guard try forEachKey(of: value, body) else { return }
                isThere = try cursor.previousDistinct() && isOfIndex(cursor.key)
            }
        case .packed(let width): try forEachPackedBackwards(in: range, width, body)
        }
    }

    /// Calls `body` with each value and the smallest of its keys, values ascending. O(values) searches; where entries are packed,
    /// O(entries).
    func forEachValue(_ body: (_ value: UnsafeRawBufferPointer, ObjectKey) throws -> Bool) throws {
        switch layout {
        case .grouped: try forEachGroup(in: .all) { try body($0, IndexEntries.key(cursor.value, at: 0)) }
        case .packed:
            var last: [UInt8]?
            try forEach(in: .all) { value, key in
                if let last, value.elementsEqual(last) { return true }
                last = Array(value)
                return try body(value, key)
            }
        }
    }

    /// The smallest key of an object whose value is the one of a range. One descent.
    func first(ofValueIn range: IndexRange) throws -> ObjectKey? {
        try withEntryKey(range.lower) { try first($0) }
    }

    /// How many entries a range has, or the limit where there are at least so many. O(values) and, where entries are packed,
    /// O(entries), until the limit.
    func count(in range: IndexRange, atMost limit: Int) throws -> Int {
        var count = 0
        switch layout {
        case .grouped where range.isOneValue: count = try withEntryKey(range.lower) { try self.count($0) }
        case .grouped:
            try forEachGroup(in: range) { _ in
                count += try cursor.duplicateCount()
                return count < limit
            }
        case .packed:
            try forEach(in: range) { _, _ in
                count += 1
                return count < limit
            }
        }
        return min(count, limit)
    }

    /// Calls `body` with each value in a range, ascending, while the cursor is at the first of its keys.
    private func forEachGroup(in range: IndexRange, _ body: (UnsafeRawBufferPointer) throws -> Bool) throws {
        var isThere = try seek(from: range.lower) && isOfIndex(cursor.key)
        while isThere {
            let value = UnsafeRawBufferPointer(rebasing: cursor.key[idByteCount...])
            guard !range.isBefore(value), try body(value) else { return }
            isThere = try cursor.nextDistinct() && isOfIndex(cursor.key)
        }
    }

    /// Calls `body` with the keys of the value at which the cursor is.
    private func forEachKey(
        of value: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer, ObjectKey) throws -> Bool
    ) throws -> Bool {
        // What LMDB 0.9.24 does with the duplicates of a key that has none it does with those of the key before.
        guard try cursor.duplicateCount() > 1 else { return try body(value, IndexEntries.key(cursor.value, at: 0)) }
        var isThere = try cursor.firstDuplicate() && cursor.multiple()
        while isThere {
            let page = cursor.value
            for offset in stride(from: 0, to: page.count, by: 8) {
                guard try body(value, IndexEntries.key(page, at: offset)) else { return false }
            }
            isThere = try cursor.nextMultiple()
        }
        return true
    }

    private func seekLastGroup(in range: IndexRange) throws -> Bool {
        let isBehind: Bool
        if let upper = range.upper {
            isBehind = try seek(from: upper)
        } else {
            var end = idBytes
            isBehind = try end.increment() && end.withUnsafeBytes { try cursor.seekRange($0) }
        }
        let isThere = isBehind ? try cursor.previousDistinct() : try cursor.last()
        return isThere && isOfIndex(cursor.key)
    }

    private func forEachPackedBackwards(
        in range: IndexRange, _ width: Int, _ body: (UnsafeRawBufferPointer, ObjectKey) throws -> Bool
    ) throws {
        let id = idBytes
        var isThere = try id.withUnsafeBytes { try cursor.seek($0) }
        if let upper = range.upper {
            var bound = KeyBuffer()
            bound.append(upper, paddedTo: width + 8)
            if isThere {
                isThere =
                    try id.withUnsafeBytes { try cursor.seekRange($0, bound.bytes) }
                    ? try cursor.previous() && isOfIndex(cursor.key)
                    : try id.withUnsafeBytes { try cursor.seek($0) } && cursor.lastDuplicate()
            }
        } else if isThere {
            isThere = try cursor.lastDuplicate()
        }
        var run: [UInt8] = []
        var keys: [ObjectKey] = []
        func giveRun() throws -> Bool {
            defer { keys.removeAll(keepingCapacity: true) }
            return try run.withUnsafeBytes { value in
                for key in keys.reversed() {
                    guard try body(value, key) else { return false }
                }
                return true
            }
        }
        while isThere {
            let entry = cursor.value
            let value = UnsafeRawBufferPointer(rebasing: entry[..<width])
            if value.precedes(range.lower) { break }
            if !value.elementsEqual(run) {
                guard try giveRun() else { return }
                run = Array(value)
            }
            keys.append(IndexEntries.key(entry, at: width))
            isThere = try cursor.previous() && isOfIndex(cursor.key)
        }
        _ = try giveRun()
    }

    // MARK: Keys

    private var idByteCount: Int { IndexKey.byteCount(of: id) }

    private var idBytes: [UInt8] {
        var buffer = KeyBuffer()
        IndexKey.append(id, to: &buffer)
        return buffer.withBytes { Array($0) }
    }

    private func isOfIndex(_ key: UnsafeRawBufferPointer) -> Bool { IndexKey.id(of: key)?.id == id }

    /// To the first entry whose value is one or behind it, of this index or a later one.
    private func seek(from value: [UInt8]) throws -> Bool {
        try withEntryKey(value) { try cursor.seekRange($0) }
    }

    /// Lends the entry key of a value's ordered bytes.
    private func withEntryKey<R>(_ value: [UInt8], _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try IndexKey.withEntryKey(id, value, body)
    }
}

extension IndexRange {
    /// Whether the range ends before a value.
    fileprivate func isBefore(_ value: UnsafeRawBufferPointer) -> Bool {
        guard let upper else { return false }
        return !value.precedes(upper)
    }
}

extension UnsafeRawBufferPointer {
    /// Whether these bytes come before others.
    fileprivate func precedes(_ other: [UInt8]) -> Bool {
        other.withUnsafeBytes { other in
            guard let mine = baseAddress, let theirs = other.baseAddress else { return count < other.count }
            let order = memcmp(mine, theirs, Swift.min(count, other.count))
            return order != 0 ? order < 0 : count < other.count
        }
    }
}

extension [UInt8] {
    /// Makes the bytes those that come next in order; false where none of this length do.
    fileprivate mutating func increment() -> Bool {
        for index in indices.reversed() {
            self[index] &+= 1
            if self[index] != 0 { return true }
        }
        return false
    }
}

extension KeyBuffer {
    /// Appends bytes, and zeros up to a width.
    fileprivate mutating func append(_ bytes: [UInt8], paddedTo width: Int) {
        let start = count
        bytes.prefix(width).withUnsafeBytes { append($0) }
        while count - start < width { append(UInt8(0)) }
    }
}
