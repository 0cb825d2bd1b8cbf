/// Scratch bytes in which keys are built, used again and again.
///
/// A buffer with a limit takes what is appended up to that many bytes and drops the rest: this is the one place where
/// keys are cut.
@usableFromInline package struct KeyBuffer: ~Copyable {
    /// Where a key is cut, its ids included. LMDB's keys end at 511 bytes; the rest is room for what follows a cut.
    @inlinable package static var keyLimit: Int { 480 }

    @usableFromInline package var storage: UnsafeMutableRawPointer
    @usableFromInline package var capacity: Int
    /// How many bytes it holds.
    @usableFromInline package var count: Int
    /// The byte count at which it stops taking bytes.
    @usableFromInline package let limit: Int

    /// An empty buffer; one without a cut has the limit `Int.max` and grows as it must.
    @inlinable package init(limit: Int = KeyBuffer.keyLimit) {
        capacity = 512
        storage = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
        count = 0
        self.limit = limit
    }

    deinit { storage.deallocate() }

    /// Whether the key reached the limit: others with these bytes may differ behind them. A key of exactly the limit
    /// counts as cut.
    @inlinable package var isCut: Bool { count >= limit }

    /// What it holds; good until the next change.
    @inlinable package var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: storage, count: count)
    }

    /// Lends what it holds.
    @inlinable package borrowing func withBytes<R, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try body(bytes)
    }

    /// Empties it and keeps its memory.
    @inlinable package mutating func removeAll() { count = 0 }

    /// Drops what follows the first `newCount` bytes, which it must have.
    @inlinable package mutating func truncate(to newCount: Int) {
        precondition(newCount <= count, "A key buffer cannot be truncated to more than it holds")
        count = newCount
    }

    /// Appends one byte.
    @inlinable package mutating func append(_ byte: UInt8) {
        guard count < limit else { return }
        reserve(1)
        storage.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count &+= 1
    }

    /// Appends bytes, which must not be the buffer's own.
    @inlinable package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        let taken = min(bytes.count, limit &- count)
        guard taken > 0, let source = bytes.baseAddress else { return }
        reserve(taken)
        (storage + count).copyMemory(from: source, byteCount: taken)
        count &+= taken
    }

    /// Appends an integer, most significant byte first.
    @inlinable package mutating func appendBigEndian<T: FixedWidthInteger & BitwiseCopyable>(_ value: T) {
        let size = MemoryLayout<T>.size
        if limit &- count >= size {
            reserve(size)
            storage.storeBigEndian(value, at: count)
            count &+= size
        } else {
            withUnsafeBytes(of: value.bigEndian) { append($0) }
        }
    }

    /// Appends four bytes whatever the limit: what tells keys apart that were cut to the same bytes.
    @inlinable package mutating func appendBehindCut(_ value: UInt32) {
        reserve(4)
        storage.storeBigEndian(value, at: count)
        count &+= 4
    }

    /// Makes room for more bytes.
    @inlinable @inline(__always) package mutating func reserve(_ additional: Int) {
        if capacity &- count < additional { grow(to: count + additional) }
    }

    @usableFromInline @inline(never) package mutating func grow(to needed: Int) {
        let newCapacity = max(needed, capacity * 2)
        let newStorage = UnsafeMutableRawPointer.allocate(byteCount: newCapacity, alignment: 8)
        newStorage.copyMemory(from: storage, byteCount: count)
        storage.deallocate()
        storage = newStorage
        capacity = newCapacity
    }
}
