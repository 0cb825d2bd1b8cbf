/// Unsigned LEB128: seven bits a byte, the lowest first; all bytes but the last have bit 7 set. At most ten bytes.
@usableFromInline package enum Varint {
    /// The most bytes a UInt64 takes.
    @inlinable package static var maximumByteCount: Int { 10 }

    /// How many bytes a value takes.
    @inlinable package static func byteCount(of value: UInt64) -> Int {
        (70 - (value | 1).leadingZeroBitCount) / 7
    }

    /// Appends a value to an array.
    @inlinable package static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Appends a value to a buffer, which should have no limit.
    @inlinable package static func append(_ value: UInt64, to buffer: inout KeyBuffer) {
        var rest = value
        while rest >= 0x80 {
            buffer.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        buffer.append(UInt8(truncatingIfNeeded: rest))
    }

    /// A signed number as an unsigned one that is small where its magnitude is.
    @inlinable package static func zigzag(_ value: Int64) -> UInt64 {
        UInt64(bitPattern: (value << 1) ^ (value >> 63))
    }

    /// The signed number whose zigzag this is.
    @inlinable package static func unzigzag(_ value: UInt64) -> Int64 {
        Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }
}

/// Reads varints, and bytes between them, one after the other. Bounds are checked: any bytes may be given.
package struct VarintReader {
    /// The bytes read from, which must outlive the reader.
    package let bytes: UnsafeRawBufferPointer
    /// Where the next value begins.
    package private(set) var offset: Int

    /// A reader of what begins at `offset`.
    package init(_ bytes: UnsafeRawBufferPointer, from offset: Int = 0) {
        self.bytes = bytes
        self.offset = offset
    }

    /// Whether all bytes were read.
    package var isAtEnd: Bool { offset >= bytes.count }

    /// The next value, nil when the bytes end before it does or it exceeds 64 bits.
    package mutating func next() -> UInt64? {
        var result: UInt64 = 0
        var shift: UInt64 = 0
        var position = offset
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if shift == 63, byte > 1 { return nil }
            result |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 {
                offset = position
                return result
            }
            shift += 7
        }
        return nil
    }

    /// The next bytes, nil when there are not so many.
    package mutating func next(byteCount: Int) -> UnsafeRawBufferPointer? {
        guard byteCount >= 0, byteCount <= bytes.count - offset else { return nil }
        defer { offset += byteCount }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + byteCount])
    }
}
