import FirnStore

/// The records of a leaf that have passed the tests so far, by their indices in ascending order.
///
/// A scan asks one test of all records of a leaf, then the next of those that are left: each test is a loop compiled for
/// its kind. What bounds a scan is waiting for memory, and how many records the processor has under way meanwhile is
/// decided by how few instructions each takes; so the loops are short, and have no branch on the outcome, which for data
/// in no order would be mispredicted half the time.
struct LeafSelection {
    /// The room that a selection needs: twice the most records a leaf can have. A record of no slots and its entry take
    /// eight bytes.
    static let capacity = 2 * Leaf.byteCount / 8

    private let leaf: LeafView
    private let run: Range<Int>
    /// Whether no test was made yet, so that all of `run` is selected and `selected` is empty.
    private var isWhole = true
    // Read from one array and written to the other: the place of a write depends on an outcome, and the processor lets a
    // read wait for it that could be the same place.
    private var selected: UnsafeMutablePointer<UInt16>
    private var free: UnsafeMutablePointer<UInt16>
    private var selectedCount = 0

    /// Selects a run of records. `room` has place for `capacity` indices and outlives the selection.
    init(_ leaf: LeafView, _ run: Range<Int>, in room: UnsafeMutablePointer<UInt16>) {
        precondition(run.count <= LeafSelection.capacity / 2, "a leaf cannot hold so many records")
        self.leaf = leaf
        self.run = run
        selected = room
        free = room + LeafSelection.capacity / 2
    }

    /// How many records are selected.
    var count: Int { isWhole ? run.count : selectedCount }

    /// Lends room for selections.
    static func withRoom<R>(_ body: (UnsafeMutablePointer<UInt16>) -> R) -> R {
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: capacity) { buffer in
            // SAFETY: an allocation of a fixed size that is not zero has a base.
            body(buffer.baseAddress.unsafelyUnwrapped)
        }
    }

    /// The keys of the selected records.
    var keys: [ObjectKey] {
        var keys: [ObjectKey] = []
        appendKeys(to: &keys)
        return keys
    }

    /// Appends the keys of the selected records.
    func appendKeys(to keys: inout [ObjectKey]) {
        _ = forEachKey { key in
            keys.append(key)
            return true
        }
    }

    /// Calls `body` with each selected record and its key.
    @inline(__always)
    func forEachRecord(_ body: (RecordView, ObjectKey) -> Void) {
        for position in 0..<count {
            let index = isWhole ? run.lowerBound &+ position : Int(selected[position])
            body(leaf.record(at: index), leaf.key(at: index))
        }
    }

    /// Calls `body` with the key of each selected record until it answers false; whether it never did.
    @inline(__always)
    func forEachKey(_ body: (ObjectKey) -> Bool) -> Bool {
        for position in 0..<count {
            guard body(leaf.key(at: isWhole ? run.lowerBound &+ position : Int(selected[position]))) else {
                return false
            }
        }
        return true
    }

    /// Keeps the records for which a question about record and key is answered with true.
    mutating func narrow(_ matches: (RecordView, ObjectKey) -> Bool) {
        let leaf = leaf
        keep { matches($0, leaf.key(at: $1)) }
    }

    /// Keeps the records of which a test of one slot holds.
    @inline(__always)
    mutating func narrow(by matcher: some ValueMatcher, _ slot: Int, _ connection: Connection) {
        keep { record, _ in matcher.matches(record, slot, connection) }
    }

    /// Keeps the records of which a test of one slot holds. `payload` answers it for a payload with `tag`, in a record
    /// that looks as most of the leaf do; the test itself for any other.
    @inline(__always)
    mutating func narrow(
        by matcher: some ValueMatcher, _ slot: Int, tag: Tag, _ connection: Connection,
        payload: (UnsafeRawPointer) -> Bool
    ) {
        guard let shape = leaf.commonNarrowShape(slot: slot) else { return narrow(by: matcher, slot, connection) }
        let tag = UInt16(tag.rawValue)
        keep { record, _ in
            if let entry = shape.entry(of: record), entry & 31 == tag {
                return payload(record.base + Int(entry &>> 5))
            }
            return LeafSelection.matches(matcher, record, slot, connection)
        }
    }

    /// Out of line, so that the loop keeps its registers to itself.
    @inline(never)
    private static func matches(
        _ matcher: some ValueMatcher, _ record: RecordView, _ slot: Int, _ connection: Connection
    ) -> Bool {
        matcher.matches(record, slot, connection)
    }

    @inline(__always)
    private mutating func keep(_ matches: (RecordView, Int) -> Bool) {
        let records = leaf.recordOffsets
        var kept = 0
        // SAFETY: a Bool is stored as 0 or 1 in one byte. A conditional would come out as a branch.
        if isWhole {
            for index in run {
                free[kept] = UInt16(truncatingIfNeeded: index)
                kept &+= Int(unsafeBitCast(matches(records[index], index), to: UInt8.self))
            }
            isWhole = false
        } else {
            for position in 0..<selectedCount {
                let index = selected[position]
                free[kept] = index
                kept &+= Int(unsafeBitCast(matches(records[Int(index)], Int(index)), to: UInt8.self))
            }
        }
        swap(&selected, &free)
        selectedCount = kept
    }
}
