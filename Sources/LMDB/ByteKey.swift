/// A key, or a fixed-width duplicate value, of up to 16 bytes, kept inline and built big-endian so that it sorts as
/// its numbers do.
@usableFromInline
package struct ByteKey: Hashable, Sendable {
    /// The bytes in memory order; those past `byteCount` are zero.
    @usableFromInline package let storage: (UInt64, UInt64)
    /// How many bytes the key has, 0 to 16.
    @usableFromInline package let byteCount: Int

    @inlinable
    package init(storage: (UInt64, UInt64), byteCount: Int) {
        self.storage = storage
        self.byteCount = byteCount
    }

    /// Four bytes.
    @inlinable
    package init(_ first: UInt32) {
        self.init(storage: ((UInt64(first) << 32).bigEndian, 0), byteCount: 4)
    }

    /// Eight bytes.
    @inlinable
    package init(_ first: UInt64) {
        self.init(storage: (first.bigEndian, 0), byteCount: 8)
    }

    /// Eight bytes.
    @inlinable
    package init(_ first: UInt32, _ second: UInt32) {
        self.init(storage: ((UInt64(first) << 32 | UInt64(second)).bigEndian, 0), byteCount: 8)
    }

    /// Twelve bytes.
    @inlinable
    package init(_ first: UInt32, _ second: UInt64) {
        self.init(
            storage: ((UInt64(first) << 32 | second >> 32).bigEndian, (second << 32).bigEndian), byteCount: 12)
    }

    /// Twelve bytes.
    @inlinable
    package init(_ first: UInt64, _ second: UInt32) {
        self.init(storage: (first.bigEndian, (UInt64(second) << 32).bigEndian), byteCount: 12)
    }

    /// Sixteen bytes.
    @inlinable
    package init(_ first: UInt64, _ second: UInt64) {
        self.init(storage: (first.bigEndian, second.bigEndian), byteCount: 16)
    }

    /// Sixteen bytes.
    @inlinable
    package init(_ first: UInt32, _ second: UInt64, _ third: UInt32) {
        self.init(
            storage: (
                (UInt64(first) << 32 | second >> 32).bigEndian, (second << 32 | UInt64(third)).bigEndian
            ), byteCount: 16)
    }

    /// Copies `bytes`, which must be 16 or fewer; longer keys are given as buffers. Traps otherwise.
    @inlinable
    package init(_ bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count <= 16, "a ByteKey holds up to 16 bytes; give a longer key as a buffer")
        var storage: (UInt64, UInt64) = (0, 0)
        withUnsafeMutableBytes(of: &storage) { $0.copyMemory(from: bytes) }
        self.init(storage: storage, byteCount: bytes.count)
    }

    /// The UTF-8 of `text`, which must be 16 bytes or fewer. Traps otherwise.
    @inlinable
    package init(_ text: StaticString) {
        self.init(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Lends the key's bytes.
    @inlinable
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withUnsafeBytes(of: storage) { try body(UnsafeRawBufferPointer(rebasing: $0[..<byteCount])) }
    }

    @inlinable
    package static func == (left: ByteKey, right: ByteKey) -> Bool {
        left.storage == right.storage && left.byteCount == right.byteCount
    }

    @inlinable
    package func hash(into hasher: inout Hasher) {
        hasher.combine(storage.0)
        hasher.combine(storage.1)
        hasher.combine(byteCount)
    }
}
