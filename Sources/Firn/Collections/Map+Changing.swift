import FirnStore

// A managed map changes in a write transaction only; a key or a value that cannot be stored poisons it.
extension Map {
    /// Sets the value for a key. An embedded object that goes is deleted.
    public func updateValue(_ value: Value, forKey key: Key) {
        switch state {
        case .unmanaged: change { $0[key] = value }
        case .managed(let handle):
            let form = value._elementForm()
            // A nested collection that is put where it is already would be emptied.
            if form.isNested, let context = handle.checkedForChange(),
                let stored = context.stored(form, for: handle),
                context.connection.mapValue(handle.place, key._storedKey) == stored
            {
                return
            }
            handle.store(form) { connection, place, value throws(StoreError) in
                try connection.mapSet(place, key._storedKey, value)
            }
        }
    }

    /// Removes a key; does nothing where it is not there. An object stays in the realm, unless it is embedded.
    public func removeObject(for key: Key) {
        switch state {
        case .unmanaged: change { $0[key] = nil }
        case .managed(let handle):
            handle.change { connection, place throws(StoreError) in
                try connection.mapRemove(place, key._storedKey)
            }
        }
    }

    /// Removes all keys. Objects stay in the realm, unless they are embedded.
    public func removeAll() {
        switch state {
        case .unmanaged: state = .unmanaged([:])
        case .managed(let handle):
            handle.change { connection, place throws(StoreError) in try connection.removeAll(place) }
        }
    }

    /// Takes over keys and values; where a key is there already, `combine` makes the value from the old and the new one.
    public func merge(
        _ keysAndValues: some Sequence<(Key, Value)>, uniquingKeysWith combine: (Value, Value) throws -> Value
    ) rethrows {
        for (key, value) in Array(keysAndValues) {
            updateValue(try self[key].map { try combine($0, value) } ?? value, forKey: key)
        }
    }

    /// Takes over the keys and values of another map; where a key is there already, `combine` makes the value from the old
    /// and the new one.
    public func merge(
        _ other: Map<Key, Value>, uniquingKeysWith combine: (Value, Value) throws -> Value
    ) rethrows {
        try merge(other.map { ($0.key, $0.value) }, uniquingKeysWith: combine)
    }

    /// Takes over the keys and values of a dictionary; where a key is there already, `combine` makes the value from the old and
    /// the new one.
    public func merge(
        _ other: [Key: Value], uniquingKeysWith combine: (Value, Value) throws -> Value
    ) rethrows {
        try merge(other.map { ($0.key, $0.value) }, uniquingKeysWith: combine)
    }

    /// Changes the values of an unmanaged map where they are.
    private func change(_ change: (inout [Key: Value]) -> Void) {
        guard case .unmanaged(var values) = state else { return }
        state = .unmanaged([:])
        change(&values)
        state = .unmanaged(values)
    }
}
