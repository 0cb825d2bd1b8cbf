/// A key of a map and its value.
public struct SingleMapEntry<Key: _MapKey, Value: RealmCollectionValue>: Hashable {
    /// The key.
    public let key: Key

    /// The value.
    public let value: Value

    /// Hashes the key.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(key)
    }
}

extension Map: Sequence {
    /// Goes over the entries that are there now.
    public func makeIterator() -> RLMMapIterator<Key, Value> {
        RLMMapIterator(entries: makeKeyValueIterator())
    }

    /// The entries as tuples.
    public func asKeyValueSequence() -> KeyValueSequence<Key, Value> {
        KeyValueSequence(map: self)
    }

    func makeKeyValueIterator() -> RLMKeyValueIterator<Key, Value> {
        switch state {
        case .unmanaged(let values): RLMKeyValueIterator(source: .values(values.makeIterator()))
        case .managed(let handle): RLMKeyValueIterator(source: .walk(MapWalk(self, handle)))
        }
    }

    /// The number of keys, which Swift's sequences ask for; 0 of a managed map, which may lose some while one goes over it.
    public var underestimatedCount: Int { state.handle == nil ? count : 0 }
}

/// Goes over the entries of a map.
public struct RLMMapIterator<Key: _MapKey, Value: RealmCollectionValue>: IteratorProtocol {
    var entries: RLMKeyValueIterator<Key, Value>

    /// The next entry.
    public mutating func next() -> SingleMapEntry<Key, Value>? {
        entries.next().map { SingleMapEntry(key: $0.key, value: $0.value) }
    }
}

/// Goes over the entries of a map as tuples.
public struct RLMKeyValueIterator<Key: _MapKey, Value: RealmCollectionValue>: IteratorProtocol {
    enum Source {
        case values(Dictionary<Key, Value>.Iterator)
        case walk(MapWalk<Key, Value>)
    }

    var source: Source

    /// The next key and its value.
    public mutating func next() -> (key: Key, value: Value)? {
        switch source {
        case .walk(let walk): return walk.nextEntry()
        case .values(var values):
            defer { source = .values(values) }
            return values.next()
        }
    }
}

/// The entries of a map as tuples.
public struct KeyValueSequence<Key: _MapKey, Value: RealmCollectionValue>: Sequence {
    let map: Map<Key, Value>

    /// Goes over the entries that are there now.
    public func makeIterator() -> RLMKeyValueIterator<Key, Value> {
        map.makeKeyValueIterator()
    }
}

/// A position in the present order of a map.
public struct MapIndex: Hashable, Comparable, Sendable {
    /// The number of entries before it.
    public var offset: UInt

    /// Whether one position is before another.
    public static func < (left: MapIndex, right: MapIndex) -> Bool {
        left.offset < right.offset
    }
}

extension Map {
    /// The position of the first entry.
    public var startIndex: MapIndex { MapIndex(offset: 0) }

    /// The position behind the last entry.
    public var endIndex: MapIndex { MapIndex(offset: UInt(count)) }

    /// The position behind another one.
    public func index(after index: MapIndex) -> MapIndex {
        MapIndex(offset: index.offset + 1)
    }

    /// The position of a key; nil where it is not there. O(keys).
    public func index(forKey key: Key) -> MapIndex? {
        keys.firstIndex(of: key).map { MapIndex(offset: UInt($0)) }
    }

    /// The entry at a position in the present order. Traps where there is none.
    public subscript(position: MapIndex) -> SingleMapEntry<Key, Value> {
        let count = count
        guard position.offset < count else { trapBounds(Int(position.offset), count, of: name) }
        let offset = Int(position.offset)
        switch state {
        case .unmanaged(let values):
            let entry = values[values.index(values.startIndex, offsetBy: offset)]
            return SingleMapEntry(key: entry.key, value: entry.value)
        case .managed(let handle):
            let stored = handle.checked().connection.mapKey(handle.place, at: offset)
            return SingleMapEntry(key: key(stored), value: handle.entry(at: offset))
        }
    }
}
