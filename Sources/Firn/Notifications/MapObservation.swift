import Dispatch
import FirnStore

/// An observer of a map.
final class MapObservation<Key: _MapKey, Value: RealmCollectionValue>: Observation, @unchecked Sendable {
    private var map: Map<Key, Value>
    private var handle: CollectionHandle
    private let place: _HandedOver
    private let paths: ObservedPaths?
    private let block: (RealmMapChange<Map<Key, Value>>) -> Void
    private var previous: Contents?

    /// What the map had at a version.
    private struct Contents {
        /// The owner at that version; nil once it is gone.
        let source: ResultsSource?
        let values: [String: StoredValue]
        let keys: [String]
    }

    init(
        _ map: Map<Key, Value>, _ handle: CollectionHandle, _ context: RealmContext, _ paths: ObservedPaths?,
        _ block: @escaping (RealmMapChange<Map<Key, Value>>) -> Void
    ) {
        self.map = map
        self.handle = handle
        place = map._handedOver
        self.paths = paths
        self.block = block
        super.init(context)
    }

    private func contents() -> Contents {
        let source = ResultsSource(context, .collection(handle, .map)).frozenIfThere()
        guard let source, case .collection(let handle, _) = source.origin else {
            return Contents(source: nil, values: [:], keys: [])
        }
        let keys = handle.keys()
        let values = handle.storedElements(.map)
        return Contents(source: source, values: Dictionary(uniqueKeysWithValues: zip(keys, values)), keys: keys)
    }

    override func begin() {
        let contents = contents()
        guard contents.source != nil else { return }
        previous = contents
        block(.initial(map))
    }

    override func update() {
        guard let changes = advance() else { return }
        block(
            .update(
                map, deletions: changes.deletions.map(map.key), insertions: changes.insertions.map(map.key),
                modifications: changes.modifications.map(map.key)))
    }

    override func pass() { _ = advance() }

    override func knows(_ version: UInt64) -> Bool { previous?.source?.context.connection.version == version }

    override var isAttached: Bool { !map.isInvalidated }

    override func renew() {
        guard let renewed = Map<Key, Value>._resolve(place, in: Realm(context)),
            let handle = renewed.state.handle
        else { return }
        (map, self.handle) = (renewed, handle)
    }

    override func letGo() { previous = nil }

    private func advance() -> (deletions: [String], insertions: [String], modifications: [String])? {
        guard let old = previous, let oldSource = old.source?.here, !knows(context.connection.version) else {
            return nil
        }
        let new = contents()
        previous = new
        var modified = ModifiedKeys()
        var modifiedValues: ModifiedValues?
        if let newSource = new.source {
            let (newer, older) = (newSource.context, oldSource.context)
            let changes = newer.changes(since: older)
            if let paths {
                modified = paths.modified(by: changes, in: newer.connection, old: older.connection)
                // One that was deleted and made anew is another one behind the same key.
                modified.formUnion(newSource.made(changes))
            } else {
                modifiedValues = ModifiedValues(from: oldSource, to: newSource, changes)
            }
        }
        let deletions = old.keys.filter { new.values[$0] == nil }
        let insertions = new.keys.filter { old.values[$0] == nil }
        let modifications = new.keys.filter { key in
            guard let oldValue = old.values[key], let value = new.values[key] else { return false }
            if case .link(let target) = value, modified.contains(target) { return true }
            return value != oldValue || modifiedValues?.contains(value) ?? false
        }
        return deletions.isEmpty && insertions.isEmpty && modifications.isEmpty
            ? nil : (deletions, insertions, modifications)
    }
}

extension Map {
    /// Tells of each change of the map from now on: which keys are gone, are new, or have another value. All else is as for other
    /// collections: see `RealmCollection.observe(keyPaths:on:_:)`.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmMapChange<Map<Key, Value>>) -> Void
    ) -> NotificationToken {
        observing(
            on: queue,
            begin: { map in
                guard let handle = map.state.handle else {
                    misuse("An unmanaged map was observed; add it to a realm with its object first")
                }
                let context = handle.checked()
                context.checkIsObservable(handle.name)
                let paths = ResultsSource(context, .collection(handle, .map)).observedPaths(keyPaths)
                return context.enter(MapObservation(map, handle, context, paths, block))
            }, failure: { block(.error($0)) })
    }

    /// Tells of each change of the map from now on: see `observe(keyPaths:on:_:)`.
    public func observe<Root: ObjectBase>(
        keyPaths: [PartialKeyPath<Root>], on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmMapChange<Map<Key, Value>>) -> Void
    ) -> NotificationToken where Value == Root? {
        observe(keyPaths: keyPaths.map(\.observedName), on: queue, block)
    }
}
