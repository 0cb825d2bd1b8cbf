import FirnStore

extension Map: _PersistableCollection, ManagedField {
    public typealias PersistedType = Map

    public static var _elements: _ColumnShape { Value._elementColumn.collection(.map) }

    public static var _elementType: Any.Type { Value.self }

    public convenience init(_ object: ObjectBase, _ slot: Int) {
        self.init(CollectionHandle(owner: object, slot: slot))
    }

    public func _manage(_ object: ObjectBase, _ slot: Int) {
        manage(CollectionHandle(owner: object, slot: slot))
    }

    func manage(_ handle: CollectionHandle) {
        state = .managed(handle)
    }

    public var _isManaged: Bool { state.handle != nil }

    public func _forEachElement(_ body: (_ElementForm) -> Void) {
        for entry in self { body(entry.value._elementForm()) }
    }

    public func _take(_ other: Map, isMerging: Bool) {
        switch state {
        case .unmanaged(let values):
            let taken = Dictionary(other.asKeyValueSequence().map { ($0, $1) }) { $1 }
            state = .unmanaged(isMerging ? values.merging(taken) { $1 } : taken)
        case .managed(let handle):
            guard let context = handle.checkedForChange(), self != other else { return }
            let entries = Array(other)
            guard let values = context.prepare(entries.map(\.value), for: handle) else { return }
            handle.replaceMap(entries.map(\.key._storedKey), values, context, isMerging: isMerging)
        }
    }

    /// Takes dictionaries and maps whose keys and values fit, and nil for an empty map.
    public static func _converted(from value: Any) -> Self? {
        guard let entries = UntypedValue.untypedEntries(value) else { return nil }
        var values: [Key: Value] = [:]
        for (stored, value) in entries {
            guard let key = Key._key(stored), let value = Value._convertedElement(from: value) else { return nil }
            values[key] = value
        }
        let map = Self()
        map.state = .unmanaged(values)
        return map
    }
}

extension Map: AnyMap {
    var untypedEntries: [(key: String, value: Any)] {
        map { ($0.key._storedKey, $0.value) }
    }
}
