import FirnStore

extension CollectionHandle {
    var realm: Realm? { owner.realm }

    /// Whether the owner is gone or, for a nested collection, another value has taken its place.
    var isInvalidated: Bool {
        guard !owner.isInvalidated else { return true }
        guard nestedID != nil, let context = owner.context?.here, !context.isBroken else { return false }
        return !context.connection.exists(place)
    }

    /// The realm, for a read: the calling thread's context, where the owner is frozen. Traps on another thread where the owner is live,
    /// and where the collection is gone.
    func checked() -> RealmContext {
        let context = owner.withRecord { context, _ in context.here }
        if nestedID != nil, !context.isBroken, !context.connection.exists(place) {
            misuse("\(name) is gone: another value has taken its place; read the property again")
        }
        return context
    }

    var count: Int { checked().connection.count(place) }

    /// The source from which elements are loaded: a record whose slots they are.
    func source(_ context: RealmContext, _ record: RecordView) -> _RecordSource {
        _RecordSource(
            context: context, record: record, target: target.map { context.own($0) }, owner: (owner, slot), depth: depth
        )
    }

    /// The element of a list at a position. Traps where there is none.
    func listElement<Element: RealmCollectionValue>(at index: Int) -> Element {
        let context = checked()
        let element: Element?? =
            index < 0
            ? nil
            : context.connection.withListElements(place, from: index) { record, slots in
                slots.isEmpty ? nil : Element._load(source(context, record), slots.lowerBound)
            }
        guard let element = element ?? nil else { trapBounds(index, context.connection.count(place)) }
        return element
    }

    /// The element of a set, or the value of a map, at a position in order. Traps where there is none.
    func entry<Element: RealmCollectionValue>(at index: Int) -> Element {
        let context = checked()
        let count = context.connection.count(place)
        guard index >= 0, index < count else { trapBounds(index, count) }
        return context.connection.withEntry(place, at: index) { Element._load(source(context, $0), 0) }
    }

    /// All elements or values as they are stored, in order.
    func storedElements(_ kind: CollectionKind) -> [StoredValue] {
        let context = checked()
        let connection = context.connection
        var values: [StoredValue] = []
        values.reserveCapacity(connection.count(place))
        guard kind == .list else {
            connection.forEachEntry(place) { record, _ in
                values.append(connection.value(record, 0))
                return true
            }
            return values
        }
        while let node = connection.withListElements(
            place, from: values.count, { record, slots in slots.map { connection.value(record, $0) } })
        {
            values += node
        }
        return values
    }

    /// All keys of a map, in order.
    func keys() -> [String] {
        let context = checked()
        var keys: [String] = []
        context.connection.forEachEntry(place) { _, key in
            keys.append(key())
            return true
        }
        return keys
    }

    func trapBounds(_ index: Int, _ count: Int) -> Never {
        Firn.trapBounds(index, count, of: name)
    }
}

/// Ends the process: a position that a collection does not have.
func trapBounds(_ index: Int, _ count: Int, of name: String) -> Never {
    misuse("Index \(index) is out of bounds: \(name) has \(count) elements; ask `indices` or `count` first")
}

/// Traps where a collection does not have a range.
func checkBounds(_ range: Range<Int>, _ count: Int, of name: @autoclosure () -> String) {
    guard range.lowerBound >= 0, range.upperBound <= count else {
        misuse("The range \(range) is out of bounds: \(name()) has \(count) elements; ask `indices` or `count` first")
    }
}
