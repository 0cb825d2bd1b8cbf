/// What names something in a file: a number that is never given out again.
@usableFromInline
package protocol StoredIdentifier: RawRepresentable, Hashable, Comparable, Sendable, BitwiseCopyable
where RawValue == UInt32 {}

extension StoredIdentifier {
    @inlinable
    package static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.rawValue < rhs.rawValue
    }
}

/// Names a table of the stored schema; never reused in a file.
@usableFromInline
package struct TableID: StoredIdentifier {
    @usableFromInline package let rawValue: UInt32

    @inlinable
    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }
}

/// Names a column of the stored schema; unique in the file and never reused.
@usableFromInline
package struct ColumnID: StoredIdentifier {
    @usableFromInline package let rawValue: UInt32

    @inlinable
    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }
}

/// Names an index of the stored schema; unique in the file and never reused.
@usableFromInline
package struct IndexID: StoredIdentifier {
    @usableFromInline package let rawValue: UInt32

    @inlinable
    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }
}

/// The key of an object in its table: sequential and never reused, or, where the primary key is a required
/// integer, that integer with its sign bit flipped (so that keys sort as the integers do).
@usableFromInline
package typealias ObjectKey = UInt64

/// The key that stands for the integer primary key `value`.
@inlinable
package func objectKey(ofInteger value: Int64) -> ObjectKey {
    UInt64(bitPattern: value) ^ (1 << 63)
}

/// The integer primary key that `key` stands for.
@inlinable
package func integer(ofObjectKey key: ObjectKey) -> Int64 {
    Int64(bitPattern: key ^ (1 << 63))
}

/// One object of a file.
package struct RowID: Hashable, Sendable {
    package let table: TableID
    package let key: ObjectKey

    package init(table: TableID, key: ObjectKey) {
        self.table = table
        self.key = key
    }
}
