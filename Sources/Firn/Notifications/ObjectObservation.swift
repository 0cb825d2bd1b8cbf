import Dispatch
import FirnStore

/// An observer of one object.
final class ObjectObservation<Observed: ObjectBase>: Observation, @unchecked Sendable {
    private var object: Observed
    /// By property, what counts as its change.
    private let properties: [(info: PropertyInfo, paths: ObservedPaths)]
    private let block: (ObjectChange<Observed>) -> Void
    /// The object at the version that was told of last; nil before the first one.
    private var previous: Observed?

    init(
        _ object: Observed, _ context: RealmContext, _ keyPaths: [String]?,
        _ block: @escaping (ObjectChange<Observed>) -> Void
    ) {
        self.object = object
        self.block = block
        let binding = object.binding
        properties = Self.pathsByProperty(binding, keyPaths).map { name, keyPaths in
            guard let info = binding.info.property(name) else {
                // A path that leads nowhere, and one that begins with linking objects.
                _ = ObservedPaths(binding, keyPaths, depth: 0)
                misuse(
                    "An object of class '\(binding.info.name)' was observed along '\(name)'; observe the linking objects "
                        + "themselves")
            }
            return (info, ObservedPaths(binding, keyPaths, depth: 0))
        }
        super.init(context)
        // What the open write has added can be looked at once that is committed.
        if !context.isWriting { previous = object.freeze() }
    }

    private static func pathsByProperty(_ binding: TableBinding, _ keyPaths: [String]?) -> [(String, [String])] {
        let keyPaths = keyPaths?.isEmpty == false ? keyPaths ?? [] : binding.info.properties.map(\.name)
        var names: [String] = []
        var paths: [String: [String]] = [:]
        for path in keyPaths {
            let name = String(path.prefix { $0 != "." })
            if paths[name] == nil { names.append(name) }
            paths[name, default: []].append(path)
        }
        return names.map { ($0, paths[$0] ?? []) }
    }

    override func begin() { update() }

    override func update() {
        guard let (changes, old) = advance() else { return }
        if let changes {
            block(.change(object, changes.map { change(of: $0, from: old) }))
        } else {
            end()
            block(.deleted)
        }
    }

    override func pass() {
        if let (changes, _) = advance(), changes == nil { end() }
    }

    override func knows(_ version: UInt64) -> Bool { previous?.context?.connection.version == version }

    override var isAttached: Bool { !object.isInvalidated }

    override func renew() {
        // The key is the object's own, whatever has become of its row.
        if let renewed = HandedRow(object).resolved(in: context) as? Observed { object = renewed }
    }

    override func letGo() { previous = nil }

    private func change(of property: PropertyInfo, from old: Observed) -> PropertyChange {
        PropertyChange(name: property.name, oldValue: old[property.name], newValue: object[property.name])
    }

    /// Goes on to the realm's version: the properties that have changed, nil where the object is gone, and the object before; the
    /// outer nil where nothing has happened.
    private func advance() -> (changed: [PropertyInfo]?, old: Observed)? {
        let isGone = object.isInvalidated
        guard let old = previous, let older = old.context?.here else {
            if !isGone { previous = object.freeze() }
            return nil
        }
        if isGone { return (nil, old) }
        guard older.connection.version != context.connection.version else { return nil }
        let newer = context.frozenContext()
        previous = object.freeze()
        let changes = newer.changes(since: older)
        // The object is there, so it was deleted and made anew: it goes by its key.
        let isNew = changes.tables[object.binding.table.id]?.deleted.containsKey(object.key) ?? false
        let changed = properties.filter {
            isNew || $0.paths.modified(by: changes, in: newer.connection, old: older.connection).contains(object.key)
        }
        return changed.isEmpty ? nil : (changed.map(\.info), old)
    }
}

extension ThreadConfined where Self: ObjectBase {
    /// Tells of each change of the object's properties from now on, until it is deleted.
    ///
    ///     token = dog.observe { change in
    ///         switch change {
    ///         case .change(let dog, let properties): …
    ///         case .deleted: …
    ///         case .error(let error): …
    ///         }
    ///     }
    ///
    /// The object's own properties count, and of collections which elements they hold; with key paths those that they name, also behind
    /// links (`"dog.name"` is told of as a change of `dog`). There is no call for the values that it has now. A property that is set to
    /// the value it has is no change; but where somebody else has deleted the object and made one with its key anew since the call
    /// before, all its properties have changed. All else is as for collections: see `RealmCollection.observe(keyPaths:on:_:)`.
    ///
    /// Traps for an object that is unmanaged, frozen or invalidated, and for a key path that leads nowhere.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<Self>) -> Void
    ) -> NotificationToken {
        observing(
            on: queue,
            begin: { object in
                guard let context = object.context else {
                    misuse("An unmanaged object was observed; add it to a realm first")
                }
                context.checkIsObservable("An object of class '\(object.binding.info.name)'")
                if object.isInvalidated { misuse("An object was observed that has been deleted or invalidated") }
                return context.enter(ObjectObservation(object, context, keyPaths, block))
            }, failure: { block(.error($0)) })
    }

    /// Tells of each change of the object's properties from now on: see `observe(keyPaths:on:_:)`.
    public func observe(
        keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue? = nil,
        _ block: @escaping (ObjectChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: keyPaths.map(\.observedName), on: queue, block)
    }
}
