import FirnStore

/// A collection that a property can be.
///
/// The members are for the object store, and are public only because `_Persistable` is: do not call or write them.
public protocol _PersistableCollection: AnyObject, _Persistable where PersistedType == Self {
    /// What the collection holds.
    static var _elements: _ColumnShape { get }

    /// The type of its elements, or of its values.
    static var _elementType: Any.Type { get }

    /// Makes an empty unmanaged collection.
    init()

    /// Makes the collection of a managed object's property.
    init(_ object: ObjectBase, _ slot: Int)

    /// Makes this the collection of a managed object's property.
    func _manage(_ object: ObjectBase, _ slot: Int)

    /// Whether this shows what a realm holds.
    var _isManaged: Bool { get }

    /// Calls `body` with each element or value of an unmanaged collection.
    func _forEachElement(_ body: (_ElementForm) -> Void)

    /// Takes over the elements of another collection. Both may be managed, and one be made from the other. With
    /// `isMerging`, a set or map keeps what it has besides.
    func _take(_ other: Self, isMerging: Bool)
}

extension _PersistableCollection {
    public static var _column: _ColumnShape { _elements }

    public static func _read(_ object: ObjectBase, _ slot: Int) -> Self {
        object.withRecord { _, _ in }
        return Self(object, slot)
    }

    public static func _write(_ value: Self, _ object: ObjectBase, _ slot: Int) {
        Self(object, slot)._take(value, isMerging: false)
    }

    public static func _makeDefault() -> Self { Self() }

    // An empty collection costs a record nothing: no default needs to be made for it.
    public static func _storedField(_ field: UnsafeMutableRawPointer) -> _StoredValue { .null }

    public func _stored() -> _StoredValue { .null }

    public static var _needsFilling: Bool { true }

    public func _fill(_ object: ObjectBase, _ slot: Int, _ policy: Realm.UpdatePolicy) {
        Self(object, slot)._take(self, isMerging: policy == .modified)
        if !_isManaged { _manage(object, slot) }
    }

    public func _forEachLinkedObject(_ body: (ObjectBase) -> Void) {
        if _isManaged || !Self.canHoldObjects { return }
        _forEachElement { $0.forEachObject(body) }
    }

    public func _assigned(over current: Self?) -> Self {
        if current === self { return self }
        let kept = current.flatMap { $0._isManaged ? nil : $0 } ?? Self()
        kept._take(self, isMerging: false)
        return kept
    }

    public func _untyped() -> Any? { self }
}

extension _PersistableCollection {
    /// Whether objects are elements as they are: not where each look at an element makes another object of it, which only
    /// storing it may do.
    private static var canHoldObjects: Bool {
        _elementType is ObjectBase.Type || _elementType is any OptionalObject.Type || _elementType == AnyRealmValue.self
    }
}

private protocol OptionalObject {}

extension Optional: OptionalObject where Wrapped: ObjectBase {}

extension ManagedField where Self: _PersistableCollection {
    func take(_ value: Any) -> Bool {
        guard let converted = Self._converted(from: value) else { return false }
        _take(converted, isMerging: false)
        return true
    }
}

extension CollectionHandle {
    /// Replaces what a list holds by values, touching only what differs.
    func replaceList(_ values: PreparedValues, _ context: RealmContext) {
        let old = storedElements(.list)
        guard let new = values.storedValues else {
            return store(values, context) { connection, place, stored throws(StoreError) in
                if !old.isEmpty { try connection.removeAll(place) }
                try connection.listInsert(place, stored, at: 0)
            }
        }
        if old == new { return }
        perform(context) { connection, place throws(StoreError) in
            if target?.table.isEmbedded == true {
                try connection.reorderList(place, to: new)
            } else {
                let start = zip(old, new).prefix { $0 == $1 }.count
                let end = zip(old[start...].reversed(), new[start...].reversed()).prefix { $0 == $1 }.count
                if start + end < old.count { try connection.listRemove(place, start..<old.count - end) }
                if start + end < new.count {
                    try connection.listInsert(place, Array(new[start..<new.count - end]), at: start)
                }
            }
        }
    }

    /// Replaces what a set holds by values, touching only what differs, or adds them.
    func replaceSet(_ values: PreparedValues, _ context: RealmContext, isMerging: Bool) {
        let new = values.storedValues ?? []
        let old = isMerging ? [] : storedElements(.set)
        let kept = Set(new)
        let known = Set(old)
        let removed = old.filter { !kept.contains($0) }
        let added = new.filter { !known.contains($0) }
        if removed.isEmpty, added.isEmpty { return }
        perform(context) { connection, place throws(StoreError) in
            for value in removed { try connection.setRemove(place, value) }
            for value in added { try connection.setInsert(place, value) }
        }
    }

    /// Replaces what a map holds by values, touching only what differs, or adds them.
    func replaceMap(_ keys: [String], _ values: PreparedValues, _ context: RealmContext, isMerging: Bool) {
        let kept = Set(keys.lazy.map(StoredValue.string))
        let removed = isMerging ? [] : self.keys().filter { !kept.contains(.string($0)) }
        if removed.isEmpty, keys.isEmpty { return }
        store(values, context) { connection, place, stored throws(StoreError) in
            if target?.table.isEmbedded == true { try connection.takeOutMoved(place, keys, stored) }
            for (key, value) in zip(keys, stored) { try connection.mapSet(place, key, value) }
            for key in removed { try connection.mapRemove(place, key) }
        }
    }
}

extension Connection {
    /// Takes those embedded objects out of a map that are to stand under other keys of it.
    fileprivate func takeOutMoved(
        _ place: CollectionPlace, _ keys: [String], _ new: [StoredValue]
    ) throws(StoreError) {
        let places = Dictionary(zip(new, keys)) { first, _ in first }
        var moved: [String] = []
        forEachEntry(place) { record, key in
            let key = key()
            // As stored values, since Swift takes different keys for one that are canonically equivalent.
            if let newKey = places[value(record, 0)], StoredValue.string(key) != .string(newKey) { moved.append(key) }
            return true
        }
        try mapTakeOut(place, moved)
    }

    /// Makes a list of embedded objects hold others: those that stay are moved, since removing one would delete it.
    func reorderList(_ place: CollectionPlace, to new: [StoredValue]) throws(StoreError) {
        var count = count(place)
        for (index, value) in new.enumerated() {
            if index < count, listElement(place, at: index) == value { continue }
            if let position = listIndex(place, of: value), position > index {
                try listMove(place, from: position, to: index)
            } else {
                try listInsert(place, [value], at: index)
                count += 1
            }
        }
        if count > new.count { try listRemove(place, new.count..<count) }
    }
}
