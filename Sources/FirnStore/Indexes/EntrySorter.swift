/// Sorts the entries of an index, of which there may be more than memory should hold: in runs, which lie in a scratch file until
/// they are merged.
///
/// An entry in the file, little-endian:
///
///     0   number of the values' bytes u16, plus 0x8000 where they must be no other object's
///     2   object key u64
///     10  ordered values
final class EntrySorter {
    /// An entry; its bytes are good until the next one is given.
    struct Entry {
        let values: UnsafeRawBufferPointer
        let key: ObjectKey
        let isJudged: Bool
    }

    private let directory: String
    private let runByteLimit: Int
    private let run: IndexChanges
    private var file: ScratchFile?
    /// Where in the file the runs begin, and where the last one ends.
    private var bounds = [0]
    private var output: [UInt8] = []

    /// Keeps at most so many bytes in memory, and what they need to be sorted.
    init(_ index: IndexID, directory: String, runByteLimit: Int) {
        self.directory = directory
        self.runByteLimit = runByteLimit
        run = IndexChanges(id: index, findsNewest: false)
    }

    /// Takes an entry with its whole index key.
    func append(_ indexKey: UnsafeRawBufferPointer, _ key: ObjectKey, isJudged: Bool) throws {
        run.append(indexKey, key: key, isInsert: true, isJudged: isJudged)
        if run.sizeInBytes > runByteLimit { try writeRun() }
    }

    /// Calls `body` with all entries, in the order of their values and keys, and forgets them.
    func drain(_ body: (Entry) throws -> Void) throws {
        guard let file else {
            return try run.drain { try body(Entry(values: $0, key: $1.key, isJudged: $1.isJudged)) }
        }
        if !run.isEmpty { try writeRun() }
        var heap = RunHeap()
        for (start, end) in zip(bounds, bounds.dropFirst()) {
            try heap.insert(RunReader(file, start..<end))
        }
        while let entry = heap.first {
            try body(entry)
            try heap.advance()
        }
    }

    private func writeRun() throws {
        let file = try file ?? ScratchFile(in: directory)
        self.file = file
        try run.drain { values, entry in
            let header = UInt16(values.count) | (entry.isJudged ? EntrySorter.judgedFlag : 0)
            withUnsafeBytes(of: header.littleEndian) { output.append(contentsOf: $0) }
            withUnsafeBytes(of: entry.key.littleEndian) { output.append(contentsOf: $0) }
            output.append(contentsOf: values)
            if output.count >= RunReader.bufferByteCount { try writeOutput(file) }
        }
        try writeOutput(file)
        bounds.append(file.byteCount)
    }

    private func writeOutput(_ file: ScratchFile) throws {
        try output.withUnsafeBytes { try file.append($0) }
        output.removeAll(keepingCapacity: true)
    }

    fileprivate static let judgedFlag: UInt16 = 0x8000
}

/// Reads one run from the scratch file, a piece at a time.
private final class RunReader {
    static let bufferByteCount = 64 << 10

    private let file: ScratchFile
    private var rest: Range<Int>
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferByteCount, alignment: 8)
    private var filled = 0
    private var position = 0
    /// The entry at which the reader is; nil at the run's end.
    private(set) var entry: EntrySorter.Entry?

    init(_ file: ScratchFile, _ range: Range<Int>) throws {
        self.file = file
        rest = range
        try advance()
    }

    deinit { buffer.deallocate() }

    func advance() throws {
        if filled - position < 10 || filled - position < 10 + nextByteCount { try refill() }
        guard filled - position >= 10 else {
            entry = nil
            return
        }
        let header = UInt16(littleEndian: buffer.loadUnaligned(fromByteOffset: position, as: UInt16.self))
        let key = ObjectKey(littleEndian: buffer.loadUnaligned(fromByteOffset: position + 2, as: UInt64.self))
        let end = position + 10 + nextByteCount
        entry = EntrySorter.Entry(
            values: UnsafeRawBufferPointer(rebasing: buffer[(position + 10)..<end]), key: key,
            isJudged: header & EntrySorter.judgedFlag != 0)
        position = end
    }

    /// How many bytes the values of the next entry have, whose header must be there.
    private var nextByteCount: Int {
        let header = UInt16(littleEndian: buffer.loadUnaligned(fromByteOffset: position, as: UInt16.self))
        return Int(header & ~EntrySorter.judgedFlag)
    }

    private func refill() throws {
        let left = filled - position
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[position..<filled]))
        position = 0
        filled = left
        while filled < buffer.count, !rest.isEmpty {
            let room = UnsafeMutableRawBufferPointer(
                rebasing: buffer[filled..<min(buffer.count, filled + rest.count)])
            let count = try file.read(at: rest.lowerBound, into: room)
            guard count > 0 else { throw StoreError(.corrupted, "a scratch file became shorter while it was read") }
            filled += count
            rest = (rest.lowerBound + count)..<rest.upperBound
        }
    }
}

/// The readers of all runs, that with the smallest entry first: a binary heap.
private struct RunHeap {
    private var readers: [RunReader] = []

    var first: EntrySorter.Entry? { readers.first?.entry }

    mutating func insert(_ reader: RunReader) throws {
        guard reader.entry != nil else { return }
        readers.append(reader)
        var child = readers.count - 1
        while child > 0, precedes(child, (child - 1) / 2) {
            readers.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Moves on from the smallest entry.
    mutating func advance() throws {
        guard let reader = readers.first else { return }
        try reader.advance()
        if reader.entry == nil {
            readers.swapAt(0, readers.count - 1)
            readers.removeLast()
        }
        var parent = 0
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < readers.count && precedes(child, smallest) {
                smallest = child
            }
            guard smallest != parent else { return }
            readers.swapAt(parent, smallest)
            parent = smallest
        }
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        guard let left = readers[left].entry, let right = readers[right].entry else { return false }
        let order = left.values.order(against: right.values)
        return order != 0 ? order < 0 : left.key < right.key
    }
}
