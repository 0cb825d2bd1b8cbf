import Glibc

/// Values that come one by one, by the million at times, and are sorted and forgotten together. An array would copy all of
/// them to grow; `realloc` has the system move the pages of what is large.
struct GrowingBuffer<Element: BitwiseCopyable>: ~Copyable {
    private var start: UnsafeMutablePointer<Element>?
    private var capacity = 0
    private(set) var count = 0

    deinit { free(start) }

    /// The values; good until the next one comes.
    var elements: UnsafeMutableBufferPointer<Element> {
        UnsafeMutableBufferPointer(start: start, count: count)
    }

    /// The value that came last.
    var last: Element? {
        // SAFETY: there are `count` values.
        count == 0 ? nil : start.unsafelyUnwrapped[count - 1]
    }

    @inline(__always)
    mutating func append(_ element: Element) {
        if count == capacity { grow() }
        // SAFETY: there is room for one more.
        (start.unsafelyUnwrapped + count).initialize(to: element)
        count &+= 1
    }

    @inline(never)
    private mutating func grow() {
        capacity = max(64, 2 * capacity)
        // SAFETY: `malloc`'s alignment of 16 is enough for all that is kept here, and the values are bits.
        guard let grown = realloc(start, capacity * MemoryLayout<Element>.stride) else {
            fatalError("there is no memory for \(capacity) values of \(MemoryLayout<Element>.stride) bytes")
        }
        start = grown.assumingMemoryBound(to: Element.self)
    }

    /// Forgets the values and keeps their memory.
    mutating func removeAll() {
        count = 0
    }
}
