import FirnStore

/// One iteration over a map: over a copy of an unmanaged one; over a managed one some entries at a time and, from when a
/// write begins, key by key.
final class MapWalk<Key: _MapKey, Value: RealmCollectionValue>: DetachableWalk {
    private let map: Map<Key, Value>
    private let handle: CollectionHandle
    private var isLive = true
    private var position = 0
    private var buffer: ArraySlice<(key: Key, value: Value)> = []
    private var copies = RecordCopies()
    /// The keys that are left once this has detached.
    private var keys: ArraySlice<String> = []

    /// How many entries are read at once.
    private static var entriesAtOnce: Int { 128 }

    init(_ map: Map<Key, Value>, _ handle: CollectionHandle) {
        let context = handle.checked()
        self.map = map
        self.handle = handle
        super.init(context)
        if context.isWriting { detach() } else { attach() }
    }

    func next() -> (key: Key, value: Value)? {
        context.checkConfinement()
        if buffer.isEmpty, isLive { fill() }
        if let entry = buffer.popFirst() { return entry }
        guard let stored = keys.popFirst() else { return nil }
        let key = map.key(stored)
        guard let value = map[key] else {
            keys = []
            return nil
        }
        return (key, value)
    }

    override func detach() {
        isLive = false
        // What was read ahead may change before its turn comes.
        keys = handle.keys().dropFirst(position - buffer.count)
        buffer = []
    }

    private func fill() {
        var keys: [String] = []
        copies.removeAll()
        context.connection.forEachEntry(handle.place, from: position) { record, key in
            copies.append(record)
            keys.append(key())
            return keys.count < Self.entriesAtOnce
        }
        position += keys.count
        buffer = []
        for (index, key) in keys.enumerated() {
            let value = copies.withRecord(index) { Value._load(handle.source(context, $0), 0) }
            if let value { buffer.append((map.key(key), value)) }
        }
    }
}
