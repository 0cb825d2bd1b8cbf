import FirnStore

/// How many collections may stand within each other in one `AnyRealmValue`.
private let greatestDepth = 100

extension RealmContext {
    /// Makes values ready to be stored in a collection or a property: adds unmanaged objects, and reads nested lists and maps,
    /// however deep. Nil where that is refused, which poisons the write.
    ///
    /// Traps for objects that are gone or belong to another realm.
    func prepare(_ forms: some Sequence<_ElementForm>, for handle: CollectionHandle) -> PreparedValues? {
        var preparation = Preparation(context: self, handle: handle)
        for form in forms where !preparation.take(form) { return nil }
        return preparation.readNested() && !isBroken ? preparation.result : nil
    }

    /// As `prepare` for the elements of an array.
    func prepare<Element: RealmCollectionValue>(_ elements: [Element], for handle: CollectionHandle) -> PreparedValues?
    {
        var preparation = Preparation(context: self, handle: handle)
        preparation.result.items.reserveCapacity(elements.count)
        let isTaken = elements.withUnsafeBufferPointer { elements in
            guard let start = elements.baseAddress else { return true }
            return Element._takeForms(start, elements.count) { preparation.take($0) }
        }
        return isTaken && preparation.readNested() && !isBroken ? preparation.result : nil
    }

    /// What is stored for an object in a collection of objects of one class, or of values of any type where `target` is nil.
    /// Adds an unmanaged one. Nil where that is refused, which poisons the write.
    @inline(__always)
    func link(to object: ObjectBase, _ target: TableBinding?, for handle: CollectionHandle) -> StoredValue? {
        if let target, object.isBound(to: target), isFound(object) || object.locate(in: self) != nil {
            return .link(object.key)
        }
        return checkedLink(to: object, target, for: handle)
    }

    @inline(never)
    private func checkedLink(
        to object: ObjectBase, _ target: TableBinding?, for handle: CollectionHandle
    ) -> StoredValue? {
        if let target, !target.holds(object) {
            poison(
                Realm.Error(
                    .invalidInput,
                    "\(handle.name) holds objects of class '\(target.info.name)', not of class "
                        + "'\(type(of: object).className())'; make one of that class"))
            return nil
        }
        if !object.isManaged { add(object, .error) }
        guard object.isManaged else { return nil }
        checkOwnership(of: object)
        return link(object, isTyped: target == nil)
    }

    /// Stores a value of any type in a property. What it replaces goes, with all in it.
    func store(_ value: AnyRealmValue, in object: ObjectBase, _ slot: Int) {
        let handle = CollectionHandle(owner: object, slot: slot)
        guard let context = handle.checkedForChange() else { return }
        if let nested = value.nestedHandle, nested.nestedID == object.withRecord({ $1.collectionID(slot) }),
            nested == CollectionHandle(owner: object, slot: slot, nestedID: nested.nestedID)
        {
            return
        }
        guard let prepared = context.prepare(CollectionOfOne(_ElementForm(.any(value))), for: handle) else { return }
        handle.store(prepared, context) { connection, place, values throws(StoreError) in
            try connection.set(place.row.table, place.row.key, slot: slot, values[0])
        }
    }

    /// What is stored for an element that may be in a collection; nil for one that cannot be: an object that is not
    /// of this realm. Traps for a deleted one.
    func stored(_ form: _ElementForm, for handle: CollectionHandle) -> StoredValue? {
        switch form.form {
        case .stored(let value): return value
        case .object(let object): return storedLink(object, handle.target)
        case .any(.object(let object)): return storedLink(object, nil)
        case .any(let value):
            guard let nested = value.nestedHandle, let id = nested.nestedID else { return value.storedScalar }
            guard shows(nested.owner) else { return nil }
            return .collection(kind: value.nestedKind.rawValue, id: id)
        case .unstorable: return nil
        }
    }

    private func storedLink(_ object: ObjectBase, _ target: TableBinding?) -> StoredValue? {
        guard shows(object) else { return nil }
        if !isFrozen { checkOwnership(of: object) }
        guard target.map({ own($0) === own(object.binding) }) ?? true else { return nil }
        return link(object, isTyped: target == nil)
    }

    fileprivate func link(_ object: ObjectBase, isTyped: Bool) -> StoredValue {
        isTyped ? .typedLink(table: object.binding.table.id.rawValue, key: object.key) : .link(object.key)
    }
}

/// One call's reading of values that are to be stored. Not recursive: what is nested waits for its turn, the deepest first,
/// so that a list that holds itself is found to be too deep before it is read over and over.
private struct Preparation {
    let context: RealmContext
    let handle: CollectionHandle
    let target: TableBinding?
    var result = PreparedValues()
    /// Nested collections to be read: their numbers, and how deep they are.
    private var waiting: [(number: Int, value: AnyRealmValue, depth: Int)] = []

    init(context: RealmContext, handle: CollectionHandle) {
        self.context = context
        self.handle = handle
        target = handle.target
    }

    /// Adds a value; false where that is refused.
    mutating func take(_ form: _ElementForm) -> Bool {
        guard let item = item(form, handle.depth) else { return false }
        result.items.append(item)
        return true
    }

    mutating func item(_ form: _ElementForm, _ depth: Int) -> StoredValue? {
        switch form.form {
        case .stored(let value): value
        case .object(let object): context.link(to: object, target, for: handle)
        case .any(.object(let object)): context.link(to: object, nil, for: handle)
        case .any(let value) where value.isNested: nested(value, depth)
        case .any(let value): value.storedScalar
        case .unstorable(let error): refuse(error)
        }
    }

    private func refuse(_ error: Realm.Error) -> StoredValue? {
        context.poison(error)
        return nil
    }

    private mutating func nested(_ value: AnyRealmValue, _ depth: Int) -> StoredValue? {
        guard !handle.isSet else {
            context.poison(
                Realm.Error(
                    .invalidInput,
                    "\(handle.name) is a set, which cannot hold a list or a map: no two of them are the same; use a List"
                ))
            return nil
        }
        guard depth < greatestDepth else {
            context.fail(
                StoreError(
                    .nestedTooDeep,
                    "collections stand within each other deeper than \(greatestDepth) levels; make it flatter, or link to "
                        + "objects"), "\(handle.name) was not changed")
            return nil
        }
        let number = result.nested.count
        result.nested.append(PreparedValues.Nested(kind: value.nestedKind))
        waiting.append((number, value, depth + 1))
        return .collection(kind: value.nestedKind.rawValue, id: UInt64(number))
    }

    /// Reads what the nested collections hold; false where that is refused.
    mutating func readNested() -> Bool {
        while let (number, value, depth) = waiting.popLast() {
            var elements: [AnyRealmValue] = []
            switch value {
            case .list(let list):
                elements = Array(list)
            case .dictionary(let map):
                for entry in map {
                    result.nested[number].keys.append(entry.key)
                    elements.append(entry.value)
                }
            default: break
            }
            for element in elements {
                guard let item = item(element._elementForm(), depth) else { return false }
                result.nested[number].items.append(item)
            }
        }
        return true
    }
}

extension _ElementForm {
    /// Whether the value is a list or a map.
    var isNested: Bool {
        if case .any(let value) = form { value.isNested } else { false }
    }

    /// Calls `body` with each object that the value links to, however deep in unmanaged lists and maps.
    func forEachObject(_ body: (ObjectBase) -> Void) {
        var waiting = [self]
        // One may hold itself.
        var seen: Set<ObjectIdentifier> = []
        while let next = waiting.popLast() {
            switch next.form {
            case .object(let object): body(object)
            case .any(.object(let object)): body(object)
            case .any(.list(let list)) where list.state.handle == nil && seen.insert(ObjectIdentifier(list)).inserted:
                waiting += list.map { $0._elementForm() }
            case .any(.dictionary(let map))
            where map.state.handle == nil && seen.insert(ObjectIdentifier(map)).inserted:
                waiting += map.map { $0.value._elementForm() }
            default: break
            }
        }
    }
}

extension AnyRealmValue {
    /// Whether the value is a list or a map.
    var isNested: Bool {
        switch self {
        case .list, .dictionary: true
        default: false
        }
    }

    fileprivate var nestedKind: CollectionKind {
        if case .dictionary = self { .map } else { .list }
    }

    /// Where a managed list or map is.
    fileprivate var nestedHandle: CollectionHandle? {
        switch self {
        case .list(let list): list.state.handle
        case .dictionary(let map): map.state.handle
        default: nil
        }
    }

    /// What a record holds; nil for what is more than a value.
    var storedScalar: StoredValue? {
        switch self {
        case .none: .null
        case .int(let value): value._stored().value
        case .bool(let value): value._stored().value
        case .float(let value): value._stored().value
        case .double(let value): value._stored().value
        case .string(let value): value._stored().value
        case .data(let value): value._stored().value
        case .date(let value): value._stored().value
        case .objectId(let value): value._stored().value
        case .decimal128(let value): value._stored().value
        case .uuid(let value): value._stored().value
        case .object, .dictionary, .list: nil
        }
    }
}

extension _RecordSource {
    /// Where a list or map is that stands in the record as a value; nil where the source does not know its object.
    func nestedHandle(_ slot: Int) -> CollectionHandle? {
        owner.map {
            CollectionHandle(owner: $0.object, slot: $0.slot, nestedID: record.collectionID(slot), depth: depth + 1)
        }
    }
}
