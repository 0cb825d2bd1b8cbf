/// The twelve bytes of an ObjectId, ordered as bytes.
@usableFromInline package struct ObjectIDBytes: Hashable, Comparable, Sendable {
    /// Bytes 0 to 7, the first one the most significant.
    @usableFromInline package let high: UInt64
    /// Bytes 8 to 11, the first one the most significant.
    @usableFromInline package let low: UInt32

    /// Twelve zeros.
    @inlinable package static var zero: ObjectIDBytes { ObjectIDBytes(high: 0, low: 0) }

    @inlinable package static func == (lhs: ObjectIDBytes, rhs: ObjectIDBytes) -> Bool {
        lhs.high == rhs.high && lhs.low == rhs.low
    }

    @inlinable package func hash(into hasher: inout Hasher) {
        hasher.combine(high)
        hasher.combine(low)
    }

    /// An id from its two big-endian halves.
    @inlinable package init(high: UInt64, low: UInt32) {
        self.high = high
        self.low = low
    }

    /// Reads twelve bytes from `pointer`, which needs no alignment.
    @inlinable package init(loadingFrom pointer: UnsafeRawPointer) {
        high = pointer.bigEndian(at: 0)
        low = pointer.bigEndian(at: 8)
    }

    /// Writes the twelve bytes to `pointer`, which needs no alignment.
    @inlinable package func store(to pointer: UnsafeMutableRawPointer) {
        pointer.storeBigEndian(high, at: 0)
        pointer.storeBigEndian(low, at: 8)
    }

    @inlinable package static func < (lhs: ObjectIDBytes, rhs: ObjectIDBytes) -> Bool {
        lhs.high != rhs.high ? lhs.high < rhs.high : lhs.low < rhs.low
    }
}
