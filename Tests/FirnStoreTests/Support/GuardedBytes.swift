import Glibc

/// Bytes that end right before a page nobody may touch, or begin right behind one: reading outside them kills the test.
final class GuardedBytes {
    private static let pageByteCount = 4096
    private let pages: UnsafeMutableRawPointer
    private let room: Int

    /// Room for `room` bytes.
    init(room: Int) {
        self.room = (room + Self.pageByteCount - 1) / Self.pageByteCount * Self.pageByteCount
        let byteCount = self.room + 2 * Self.pageByteCount
        guard let pages = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            pages != MAP_FAILED
        else { fatalError("no memory for guarded bytes") }
        self.pages = pages
        mprotect(pages, Self.pageByteCount, PROT_NONE)
        mprotect(pages + Self.pageByteCount + self.room, Self.pageByteCount, PROT_NONE)
    }

    deinit { munmap(pages, room + 2 * Self.pageByteCount) }

    /// Copies the bytes to the end of the room.
    func atEnd(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
        copy(bytes, to: pages + Self.pageByteCount + room - bytes.count)
    }

    /// Copies the bytes to the start of the room.
    func atStart(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
        copy(bytes, to: pages + Self.pageByteCount)
    }

    private func copy(_ bytes: [UInt8], to target: UnsafeMutableRawPointer) -> UnsafeRawBufferPointer {
        target.copyMemory(from: bytes, byteCount: bytes.count)
        return UnsafeRawBufferPointer(start: target, count: bytes.count)
    }
}
