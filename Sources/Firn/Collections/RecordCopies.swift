import FirnStore

/// Copies of records that were lent, in one piece of memory. They are good until `removeAll`.
struct RecordCopies: ~Copyable {
    private var bytes: UnsafeMutableRawBufferPointer
    private var byteCount = 0
    private var offsets: ContiguousArray<Int> = []

    init(capacity: Int = 2_048) {
        bytes = .allocate(byteCount: capacity, alignment: 8)
    }

    deinit {
        bytes.deallocate()
    }

    var count: Int { offsets.count }

    mutating func append(_ record: RecordView) {
        let source = record.bytes
        if byteCount + source.count > bytes.count { grow(to: max(2 * bytes.count, byteCount + source.count)) }
        // SAFETY: there is room, and what is lent is no memory of ours.
        UnsafeMutableRawBufferPointer(rebasing: bytes[byteCount...]).copyMemory(from: source)
        offsets.append(byteCount)
        byteCount += source.count
    }

    /// Lends a copy.
    borrowing func withRecord<R>(_ index: Int, _ body: (RecordView) -> R) -> R? {
        guard let base = bytes.baseAddress else { return nil }
        return body(RecordView(base + offsets[index]))
    }

    mutating func removeAll() {
        offsets.removeAll(keepingCapacity: true)
        byteCount = 0
    }

    private mutating func grow(to capacity: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 8)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<byteCount]))
        bytes.deallocate()
        bytes = larger
    }
}
