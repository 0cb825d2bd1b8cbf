/// Finds byte strings of a list by what they are: open addressing, at most half full. Of equal ones it knows the last.
///
/// The list is its owner's, who lends the bytes at a position.
struct BytePositions {
    /// A position plus one; 0 where nothing is.
    private var slots: [UInt32] = []

    /// How much memory it holds.
    var sizeInBytes: Int { slots.count * MemoryLayout<UInt32>.stride }

    /// The last position of `bytes`; nil where the list does not have them.
    @inline(__always)
    func find(_ bytes: UnsafeRawBufferPointer, in list: (Int) -> UnsafeRawBufferPointer) -> Int? {
        guard !slots.isEmpty else { return nil }
        let position = slots[slot(of: bytes, list)]
        return position == 0 ? nil : Int(position) - 1
    }

    /// Notes that `bytes` are the last of the list, at `position`.
    @inline(__always)
    mutating func note(
        _ bytes: UnsafeRawBufferPointer, at position: Int, in list: (Int) -> UnsafeRawBufferPointer
    ) {
        if (position + 2) * 2 > slots.count { grow(to: position, list) }
        slots[slot(of: bytes, list)] = UInt32(position + 1)
    }

    /// Forgets all, of which there are `count`. However large the table once was, it takes no longer than noting them.
    mutating func removeAll(_ count: Int) {
        if slots.count > count * 16 {
            slots = []
        } else {
            for index in slots.indices { slots[index] = 0 }
        }
    }

    private mutating func grow(to count: Int, _ list: (Int) -> UnsafeRawBufferPointer) {
        slots = [UInt32](repeating: 0, count: max(64, slots.count * 2))
        for position in 0..<count { slots[slot(of: list(position), list)] = UInt32(position + 1) }
    }

    /// The slot that holds `bytes`, or the free one where they would go.
    @inline(__always)
    private func slot(of bytes: UnsafeRawBufferPointer, _ list: (Int) -> UnsafeRawBufferPointer) -> Int {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: bytes.hash) & mask
        while slots[slot] != 0 {
            if list(Int(slots[slot]) - 1).holdsSameBytes(as: bytes) { return slot }
            slot = (slot + 1) & mask
        }
        return slot
    }
}

extension UnsafeRawBufferPointer {
    /// A hash of the bytes' words (multiply and fold); they are not an adversary's choice of cost: what it leads to lives for
    /// one transaction.
    var hash: UInt64 {
        var hash: UInt64 = 0x9E37_79B9_7F4A_7C15 ^ UInt64(count)
        var offset = 0
        while offset + 8 <= count {
            hash = Self.fold(hash ^ loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        while offset < count {
            hash = Self.fold(hash ^ UInt64(self[offset]))
            offset += 1
        }
        return hash
    }

    private static func fold(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return product.high ^ product.low
    }
}
