/// How a record holds the key that a link leads to: rotated left by one bit, and only as many of the lowest bytes as it
/// needs, but at least two.
///
/// The rotation brings a flipped sign bit down, so that sequential keys and integer primary keys are short alike. Two
/// bytes at least, because the reader loads the eight bytes that end the link, and a record's first entries are six.
@usableFromInline
package enum LinkForm {
    @inlinable @inline(__always) package static func rotated(_ key: UInt64) -> UInt64 {
        key &<< 1 | key &>> 63
    }

    @inlinable @inline(__always) package static func key(rotated: UInt64) -> UInt64 {
        rotated &>> 1 | rotated &<< 63
    }

    /// How many bytes the link to `key` takes.
    @inlinable @inline(__always) package static func byteCount(of key: UInt64) -> Int {
        max(2, (71 &- rotated(key).leadingZeroBitCount) / 8)
    }
}
