import FirnStore

/// One iteration over a managed list or set: a node, or some entries, at a time.
///
/// In a write it takes all elements at the start. They are copied where they are objects, which may be many and are made
/// when their turn comes; values are loaded, since theirs may lie in blobs that go.
@usableFromInline
final class ElementWalk<Element: RealmCollectionValue>: DetachableWalk {
    private let handle: CollectionHandle
    private let isList: Bool
    private var isLive = true
    private var position = 0
    /// What has been copied and not handed out.
    private var runs: [Run] = []
    private var nextRun = 0
    private var loaded: [Element] = []

    /// Elements that are handed out together: those in the same slots of some copied records.
    private struct Run {
        let copies: Copies
        let slots: Range<Int>

        var elementCount: Int { copies.records.count * slots.count }
    }

    private final class Copies {
        var records = RecordCopies()
    }

    /// How many entries of a set are handed out together.
    private static var entriesInRun: Int { 128 }
    /// How many objects: so few that they stay in the processor's cache until their turn comes.
    private static var objectsInRun: Int { 32 }

    init(_ handle: CollectionHandle, isList: Bool) {
        let context = handle.checked()
        self.handle = handle
        self.isList = isList
        super.init(context)
        if context.isWriting { detach() } else { attach() }
    }

    /// Puts the next elements in the place of those before; none at the end.
    func takeNext(_ elements: inout [Element]) {
        enter()
        if nextRun == runs.count {
            runs.removeAll(keepingCapacity: true)
            nextRun = 0
            if isLive { copyRecords() }
        }
        guard nextRun < runs.count else {
            elements = loaded
            loaded = []
            return
        }
        let run = runs[nextRun]
        nextRun += 1
        if Element.self is ObjectBase.Type, elements.count == run.elementCount {
            elements.withUnsafeMutableBufferPointer { load(run, into: $0.baseAddress, isReplacing: true) }
        } else {
            elements = load(run)
        }
    }

    override func detach() {
        guard isLive else { return }
        isLive = false
        runs.removeFirst(nextRun)
        nextRun = 0
        while copyRecords() {
            if Element.self is ObjectBase.Type { continue }
            let elements = load(runs.removeLast())
            loaded += elements
        }
    }

    /// Copies the node of a list at the position, or some entries of a set there; false at the end.
    @discardableResult
    private func copyRecords() -> Bool {
        let copies = Copies()
        var slots: Range<Int>?
        if isList {
            slots = context.connection.withListElements(handle.place, from: position) { record, slots in
                copies.records.append(record)
                return slots
            }
        } else {
            slots = 0..<1
            context.connection.forEachEntry(handle.place, from: position) { record, _ in
                copies.records.append(record)
                return copies.records.count < Self.entriesInRun
            }
        }
        guard let slots, copies.records.count > 0, !slots.isEmpty else { return false }
        position += copies.records.count * slots.count
        let length = Element.self is ObjectBase.Type ? Self.objectsInRun : slots.count
        for start in stride(from: slots.lowerBound, to: slots.upperBound, by: length) {
            runs.append(Run(copies: copies, slots: start..<min(start + length, slots.upperBound)))
        }
        return true
    }

    private func load(_ run: Run) -> [Element] {
        Array(unsafeUninitializedCapacity: run.elementCount) { buffer, count in
            load(run, into: buffer.baseAddress, isReplacing: false)
            count = run.elementCount
        }
    }

    /// Makes elements. That may run code of the user's type, and that may write: the walk then copies the elements to come.
    private func load(_ run: Run, into memory: UnsafeMutablePointer<Element>?, isReplacing: Bool) {
        guard var memory else { return }
        let copies = run.copies
        for index in 0..<copies.records.count {
            copies.records.withRecord(index) { record in
                Element._load(handle.source(context, record), run.slots, into: memory, isReplacing: isReplacing)
            }
            memory += run.slots.count
        }
    }
}

/// Goes over the elements of a list or a set that were there when it began.
public struct RLMIterator<Element: RealmCollectionValue>: IteratorProtocol {
    @usableFromInline var buffer: [Element]
    @usableFromInline var position = 0
    @usableFromInline let walk: ElementWalk<Element>?

    init(_ elements: [Element]) {
        buffer = elements
        walk = nil
    }

    init(_ walk: ElementWalk<Element>) {
        buffer = []
        self.walk = walk
    }

    /// The next element.
    @inlinable
    public mutating func next() -> Element? {
        if position == buffer.count {
            guard refill() else { return nil }
        }
        let element = buffer[position]
        position &+= 1
        return element
    }

    @usableFromInline
    mutating func refill() -> Bool {
        guard let walk else { return false }
        walk.takeNext(&buffer)
        position = 0
        return !buffer.isEmpty
    }
}
