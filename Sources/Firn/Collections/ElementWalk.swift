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
    private var copies = RecordCopies()
    private var runs: ArraySlice<Run> = []
    private var loaded: [Element] = []

    /// Elements that are handed out together: those in the same slots of some copied records.
    private struct Run {
        let copies: Range<Int>
        let slots: Range<Int>
    }

    /// How many entries of a set are handed out together.
    private static var entriesInRun: Int { 128 }
    /// How many of a list's objects: so few that they stay in the processor's cache until their turn comes.
    private static var objectsInRun: Int { 16 }

    init(_ handle: CollectionHandle, isList: Bool) {
        let context = handle.checked()
        self.handle = handle
        self.isList = isList
        super.init(context)
        if context.isWriting { detach() } else { attach() }
    }

    /// The next elements, none at the end.
    @usableFromInline
    func nextElements() -> [Element] {
        context.checkConfinement()
        if isLive {
            copies.removeAll()
            copyRun()
        }
        if let run = runs.popFirst() { return load(run) }
        defer { loaded = [] }
        return loaded
    }

    override func detach() {
        guard isLive else { return }
        isLive = false
        copies.removeAll()
        while copyRun() {
            if Element.self is ObjectBase.Type { continue }
            if let run = runs.popFirst() {
                let elements = load(run)
                loaded += elements
            }
            copies.removeAll()
        }
    }

    @discardableResult
    private func copyRun() -> Bool {
        let first = copies.count
        let slots: Range<Int>?
        if isList {
            slots = context.connection.withListElements(handle.place, from: position) { record, slots in
                copies.append(record)
                return isLive && Element.self is ObjectBase.Type ? slots.prefix(Self.objectsInRun) : slots
            }
        } else {
            slots = 0..<1
            context.connection.forEachEntry(handle.place, from: position) { record, _ in
                copies.append(record)
                return copies.count - first < Self.entriesInRun
            }
        }
        guard let slots, copies.count > first, !slots.isEmpty else { return false }
        runs.append(Run(copies: first..<copies.count, slots: slots))
        position += (copies.count - first) * slots.count
        return true
    }

    private func load(_ run: Run) -> [Element] {
        // Making an element may run code of the user's type, and that may write: the walk then copies the elements to come.
        var copies = RecordCopies(capacity: 0)
        swap(&copies, &self.copies)
        let wasLive = isLive
        defer { if isLive == wasLive { swap(&copies, &self.copies) } }
        return Array(unsafeUninitializedCapacity: run.copies.count * run.slots.count) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            for copy in run.copies {
                copies.withRecord(copy) { record in
                    Element._load(handle.source(context, record), run.slots, into: base + count)
                }
                count += run.slots.count
            }
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
        buffer = walk.nextElements()
        position = 0
        return !buffer.isEmpty
    }
}
