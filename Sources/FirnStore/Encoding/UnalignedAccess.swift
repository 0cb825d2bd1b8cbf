import Glibc

extension UnsafeRawPointer {
    /// The little-endian integer at a byte offset. Needs no alignment.
    @inlinable @inline(__always)
    package func littleEndian<T: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: T.Type = T.self) -> T {
        T(littleEndian: loadUnaligned(fromByteOffset: offset, as: T.self))
    }

    /// The big-endian integer at a byte offset. Needs no alignment.
    @inlinable @inline(__always)
    package func bigEndian<T: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: T.Type = T.self) -> T {
        T(bigEndian: loadUnaligned(fromByteOffset: offset, as: T.self))
    }
}

extension UnsafeMutableRawPointer {
    /// Writes an integer little-endian at a byte offset. Needs no alignment.
    @inlinable @inline(__always)
    package func storeLittleEndian<T: FixedWidthInteger & BitwiseCopyable>(_ value: T, at offset: Int) {
        storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self)
    }

    /// Writes an integer big-endian at a byte offset. Needs no alignment.
    @inlinable @inline(__always)
    package func storeBigEndian<T: FixedWidthInteger & BitwiseCopyable>(_ value: T, at offset: Int) {
        storeBytes(of: value.bigEndian, toByteOffset: offset, as: T.self)
    }
}

extension UnsafeRawBufferPointer {
    /// Whether two pieces of bytes are alike.
    @inlinable package func holdsSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let mine = baseAddress, let theirs = other.baseAddress else { return true }
        return memcmp(mine, theirs, count) == 0
    }

    /// Below 0 where these bytes sort before others, 0 where both are alike. Where one begins with the other, the shorter
    /// is first.
    @inlinable package func order(against other: UnsafeRawBufferPointer) -> Int {
        guard let mine = baseAddress, let theirs = other.baseAddress else { return count - other.count }
        let order = memcmp(mine, theirs, Swift.min(count, other.count))
        return order != 0 ? Int(order) : count - other.count
    }
}
