import FirnQuery
import FirnStore

/// Follows the elements of results, or of a collection, from version to version, and tells what became of them.
///
/// It keeps the elements' keys, 8 bytes each, and pins the version that it has told of last. Where the elements are objects of a class
/// that need no way through links to be chosen or sorted, a step costs what the changes between cost, however many elements there
/// are. All others are gathered again where something that they depend on has changed, and compared.
final class ElementTracker {
    /// The elements at the version that was told of last. Nil once the object is gone that they belong to.
    private(set) var source: ResultsSource?
    private let paths: ObservedPaths?
    private var elements: Elements

    /// What the elements were.
    private enum Elements {
        /// The keys of objects.
        case keys(OrderedKeys)
        /// Values.
        case values([StoredValue])
    }

    /// Begins with what frozen results have. `paths` says what modifies an element; nil where the elements are values.
    init(_ source: ResultsSource, _ paths: ObservedPaths?) {
        self.source = source
        self.paths = paths
        elements = source.binding == nil ? .values(source.storedValues()) : .keys(OrderedKeys(source.allKeys()))
    }

    /// How many elements there were at the version that was told of last.
    private var count: Int {
        switch elements {
        case .keys(let keys): keys.count
        case .values(let values): values.count
        }
    }

    /// Goes on to a newer version, nil where the object is gone that the elements belong to; what has changed.
    func advance(to newer: ResultsSource?) -> ElementChanges {
        guard let older = source?.here else { return ElementChanges() }
        source = newer
        guard let newer else {
            let changes = ElementChanges(deleting: count)
            elements = .keys(OrderedKeys())
            return changes
        }
        guard newer.context.connection.version != older.context.connection.version else { return ElementChanges() }
        let changes = newer.context.changes(since: older.context)
        switch elements {
        case .values(let values):
            let isTouched = newer.isTouched(by: changes)
            guard isTouched || newer.holdsAnyValues else { return ElementChanges() }
            let newValues = isTouched ? newer.storedValues() : values
            elements = .values(newValues)
            var modified = ModifiedValues(from: older, to: newer, changes)
            return ElementChanges(from: values, to: newValues, replacing: newer.query.steps.isEmpty) {
                modified.contains($0)
            }
        case .keys(var keys):
            let modified =
                paths?.modified(by: changes, in: newer.context.connection, old: older.context.connection)
                ?? ModifiedKeys()
            // The only reference to the keys goes on to be changed in place.
            elements = .values([])
            let result = Step(older: older, newer: newer, changes: changes, modified: modified).advance(&keys)
            elements = .keys(keys)
            return result
        }
    }
}

/// A step from one version to another.
private struct Step {
    let older: ResultsSource
    let newer: ResultsSource
    let changes: ChangeSet
    let modified: ModifiedKeys

    func advance(_ keys: inout OrderedKeys) -> ElementChanges {
        if !newer.isTouched(by: changes) { return modifications(in: keys) }
        guard let order = newer.localOrder, let candidates = candidates(), candidates.count <= keys.count / 8 + 64
        else {
            let old = keys.all
            let new = newer.allKeys()
            keys = OrderedKeys(new)
            return ElementChanges(
                from: old, to: new, made: newer.made(changes), replacing: newer.isList, isModified: modified.contains)
        }
        return advance(&keys, order, candidates)
    }

    /// The objects that may have come, gone or moved; nil where these cannot be named.
    private func candidates() -> [ObjectKey]? {
        guard let table = newer.binding?.table.id, let change = changes.tables[table] else { return [] }
        var runs = change.inserted.union(change.deleted)
        for (column, keys) in change.modified where newer.looks(at: column) { runs = runs.union(keys) }
        // A long run is gathered faster than it is asked one by one.
        return runs.keyCount > 1 << 16 ? nil : Array(runs.joined())
    }

    /// The modified elements, where none came, went or moved.
    private func modifications(in keys: OrderedKeys) -> ElementChanges {
        var changes = ElementChanges()
        if modified.isEmpty { return changes }
        guard let order = newer.localOrder, modified.count <= keys.count / 8 + 64 else {
            for (position, key) in keys.all.enumerated() where modified.contains(key) {
                changes.modifications.append(position)
            }
            return changes
        }
        let place = Placement(order, older)
        for key in modified.all {
            if let position = place.position(of: key, in: keys) { changes.modifications.append(position) }
        }
        changes.modifications.sort()
        return changes
    }

    private func advance(_ keys: inout OrderedKeys, _ order: ObjectOrder, _ candidates: [ObjectKey]) -> ElementChanges {
        var result = modifications(in: keys)
        let before = Placement(order, older)
        let after = Placement(order, newer)
        var removed: [(position: Int, key: ObjectKey)] = []
        for key in candidates {
            if let position = before.position(of: key, in: keys) { removed.append((position, key)) }
        }
        removed.sort { $0.position < $1.position }
        for (position, _) in removed.reversed() { keys.remove(at: position) }
        let matching = newer.matching(candidates)
        // In the new order, so that each one's position counts those before it.
        let added = order.isEmpty ? matching : order.sorted(matching, of: after.table, after.connection)
        var inserted: [(position: Int, key: ObjectKey)] = []
        for key in added {
            let position = after.position(for: key, in: keys)
            keys.insert(key, at: position)
            inserted.append((position, key))
        }
        let stayed = staying(removed, inserted)
        result.deletions = removed.filter { !stayed.contains($0.key) }.map(\.position)
        result.insertions = inserted.filter { !stayed.contains($0.key) }.map(\.position)
        let deleted = Set(result.deletions)
        result.modifications.removeAll { deleted.contains($0) }
        return result
    }

    /// Which of the elements that were taken out and put in again stand where they stood: between the same others. An object that
    /// was deleted and made anew is another one.
    private func staying(
        _ removed: [(position: Int, key: ObjectKey)], _ inserted: [(position: Int, key: ObjectKey)]
    ) -> Set<ObjectKey> {
        let made = newer.made(changes)
        // Among those that nothing happened to, how many stand before each.
        let ranksBefore = removed.enumerated().map { (rank: $1.position - $0, key: $1.key) }
        let ranksAfter = inserted.enumerated().map { (rank: $1.position - $0, key: $1.key) }
        let places = ElementChanges(
            from: ranksBefore.map { Place(rank: $0.rank, key: $0.key) },
            to: ranksAfter.map { Place(rank: $0.rank, key: $0.key) }, isModified: { _ in false })
        let moved = Set(places.deletions)
        return Set(
            ranksBefore.indices.lazy.filter { !moved.contains($0) }.map { ranksBefore[$0].key }
                .filter { !made.containsKey($0) })
    }

    private struct Place: Hashable {
        let rank: Int
        let key: ObjectKey
    }
}

/// Where objects stand among others in an order, at one version.
private struct Placement {
    let order: ObjectOrder
    let connection: Connection
    let table: TableID

    init(_ order: ObjectOrder, _ source: ResultsSource) {
        self.order = order
        connection = source.context.connection
        table = source.binding?.table.id ?? TableID(rawValue: 0)
    }

    /// The position of a key; nil where it is none of them.
    func position(of key: ObjectKey, in keys: OrderedKeys) -> Int? {
        // What is not there at this version stands nowhere.
        if !order.isEmpty, !connection.contains(table, key) { return nil }
        let place = search(key, keys)
        return place.key == key ? place.position : nil
    }

    /// The position at which a key is to stand.
    func position(for key: ObjectKey, in keys: OrderedKeys) -> Int { search(key, keys).position }

    private func search(_ key: ObjectKey, _ keys: OrderedKeys) -> (position: Int, key: ObjectKey?) {
        if order.isEmpty { return keys.search { $0 < key } }
        let own = order.sortKey(of: key, in: table, connection)
        return keys.search { other in
            if other == key { return false }
            let sortKey = order.sortKey(of: other, in: table, connection)
            return sortKey == own ? other < key : sortKey.lexicographicallyPrecedes(own)
        }
    }
}
