import FirnStore

/// One iteration over a map: over a copy of an unmanaged one; over a managed one some entries at a time and, from when a
/// write begins, key by key.
final class MapWalk<Key: _MapKey, Value: RealmCollectionValue>: DetachableWalk {
    private let map: Map<Key, Value>
    private let handle: CollectionHandle
    private var isLive = true
    private var position = 0
    private var copies = RecordCopies()
    /// The keys that were read ahead, with their values; once this has detached, all that are left, without.
    private var keys: [String] = []
    private var values: [Value] = []
    private var next = 0

    /// How many entries are read at once.
    private static var entriesAtOnce: Int { 128 }

    init(_ map: Map<Key, Value>, _ handle: CollectionHandle) {
        let context = handle.checked()
        self.map = map
        self.handle = handle
        super.init(context)
        if context.isWriting { detach() } else { attach() }
    }

    func nextEntry() -> (key: Key, value: Value)? {
        enter()
        if isLive, next == keys.count { readAhead() }
        guard next < keys.count else { return nil }
        let key = map.key(keys[next])
        guard let value = isLive ? values[next] : map[key] else {
            next = keys.count
            return nil
        }
        next += 1
        return (key, value)
    }

    override func detach() {
        isLive = false
        // What was read ahead may change before its turn comes.
        let taken = position - (keys.count - next)
        keys = Array(handle.keys().dropFirst(taken))
        values = []
        next = 0
    }

    private func readAhead() {
        keys.removeAll(keepingCapacity: true)
        copies.removeAll()
        context.connection.forEachEntry(handle.place, from: position) { record, key in
            copies.append(record)
            keys.append(key())
            return keys.count < Self.entriesAtOnce
        }
        position += keys.count
        next = 0
        values = keys.indices.compactMap { index in
            copies.withRecord(index) { Value._load(handle.source(context, $0), 0) }
        }
    }
}
