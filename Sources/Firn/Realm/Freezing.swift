import FirnStore

extension Realm {
    /// The realm pinned to the version that it shows: see `ThreadConfined.freeze()`. In a write, the version from before it.
    public func freeze() -> Realm {
        Realm(context.frozenContext())
    }

    /// A live realm of the same configuration for the calling thread, at the frozen version or a newer one. A live realm is itself.
    ///
    /// Traps where the file cannot be opened any more.
    public func thaw() -> Realm {
        Realm(context.liveContext())
    }

    /// An object, frozen: see `ThreadConfined.freeze()`.
    public func freeze<Confined: ObjectBase>(_ object: Confined) -> Confined { object.freeze() }

    /// A frozen object, live: see `ThreadConfined.thaw()`.
    public func thaw<Confined: ObjectBase>(_ object: Confined) -> Confined? { object.thaw() }

    /// A collection, frozen: see `ThreadConfined.freeze()`.
    public func freeze<Confined: RealmCollection>(_ collection: Confined) -> Confined { collection.freeze() }

    /// A frozen collection, live: see `ThreadConfined.thaw()`.
    public func thaw<Confined: RealmCollection>(_ collection: Confined) -> Confined? { collection.thaw() }
}

extension ObjectBase {
    /// The same row of the version that its realm shows: see `ThreadConfined.freeze()`.
    public final func freeze() -> Self {
        guard let context else {
            misuse(
                "An unmanaged object of class '\(type(of: self).className())' was frozen; add it to a realm first, or use it as it "
                    + "is: nobody else changes it")
        }
        if context.isFrozen { return self }
        let frozen = context.frozenContext()
        guard !isInvalidated else {
            misuse("\(messageName) is deleted or invalidated, and was frozen; ask `isInvalidated` before")
        }
        guard let object = object(in: frozen) else {
            misuse("\(messageName) was added in the open write transaction, and was frozen; freeze it after the commit")
        }
        return object
    }

    /// The same row in a live realm of the calling thread: see `ThreadConfined.thaw()`.
    public final func thaw() -> Self? {
        guard let context else {
            misuse("An unmanaged object of class '\(type(of: self).className())' was thawed; it is no frozen one")
        }
        return context.isFrozen ? object(in: context.liveContext()) : self
    }

    /// The row as another context shows it; nil where it is not there.
    private final func object(in context: RealmContext) -> Self? {
        let binding = context.view(of: binding)
        guard let record = context.connection.record(binding.table.id, key) else { return nil }
        return unsafeDowncast(context.makeObject(binding, key: key, record: record.base), to: Self.self)
    }

    /// The object as messages name it.
    private final var messageName: String { "An object of class '\(binding.info.name)' (\(keyDescription))" }
}

extension CollectionHandle {
    /// The collection of the version that its realm shows. Traps where its object was added in the open write.
    fileprivate func frozen() -> CollectionHandle {
        let frozen = moved(to: checked().frozenContext())
        guard !frozen.isInvalidated else {
            misuse("\(name) was frozen, which the open write transaction has made; freeze it after the commit")
        }
        return frozen
    }

    /// The collection in a live realm; nil where it is gone.
    fileprivate func thawed() -> CollectionHandle? {
        let live = moved(to: checked().liveContext())
        return live.isInvalidated ? nil : live
    }
}

extension CollectionState {
    /// Where a managed collection is. Traps for an unmanaged one, with what was to be done with it.
    fileprivate func handle(_ name: String, _ attempt: String) -> CollectionHandle {
        guard let handle else { misuse("\(name) was \(attempt); add its object to a realm first") }
        return handle
    }
}

extension List {
    public func freeze() -> List { isFrozen ? self : List(state.handle(name, "frozen").frozen()) }

    public func thaw() -> List? {
        let handle = state.handle(name, "thawed")
        return isFrozen ? handle.thawed().map { List($0) } : self
    }
}

extension MutableSet {
    public func freeze() -> MutableSet { isFrozen ? self : MutableSet(state.handle(name, "frozen").frozen()) }

    public func thaw() -> MutableSet? {
        let handle = state.handle(name, "thawed")
        return isFrozen ? handle.thawed().map { MutableSet($0) } : self
    }
}

extension Map {
    public func freeze() -> Map { isFrozen ? self : Map(state.handle(name, "frozen").frozen()) }

    public func thaw() -> Map? {
        let handle = state.handle(name, "thawed")
        return isFrozen ? handle.thawed().map { Map($0) } : self
    }
}

extension LinkingObjects {
    public func freeze() -> LinkingObjects {
        guard let handle = link.handle else {
            misuse("The links to an unmanaged object were frozen; add it to a realm first")
        }
        return isFrozen ? self : LinkingObjects(LinkingHandle(owner: handle.owner.freeze(), index: handle.index))
    }

    public func thaw() -> LinkingObjects? {
        guard let handle = link.handle else {
            misuse("The links to an unmanaged object were thawed; they are no frozen ones")
        }
        guard isFrozen else { return self }
        return handle.owner.thaw().map { LinkingObjects(LinkingHandle(owner: $0, index: handle.index)) }
    }
}

extension Results {
    public func freeze() -> Results { isFrozen ? self : Results(source.frozen()) }

    public func thaw() -> Results? { isFrozen ? source.thawed().map { Results($0) } : self }
}

extension SectionedResults {
    public func freeze() -> SectionedResults { isFrozen ? self : SectionedResults(source.frozen()) }

    public func thaw() -> SectionedResults? { isFrozen ? source.thawed().map { SectionedResults($0) } : self }
}

extension ResultsSection {
    public func freeze() -> ResultsSection { isFrozen ? self : ResultsSection(source.frozen(), key) }

    public func thaw() -> ResultsSection? { isFrozen ? source.thawed().map { ResultsSection($0, key) } : self }
}

extension AnyRealmCollection {
    public func freeze() -> AnyRealmCollection {
        func frozen(_ base: some RealmCollection<Element>) -> AnyRealmCollection { AnyRealmCollection(base.freeze()) }
        return frozen(base)
    }

    public func thaw() -> AnyRealmCollection? {
        func thawed(_ base: some RealmCollection<Element>) -> AnyRealmCollection? {
            base.thaw().map { AnyRealmCollection($0) }
        }
        return thawed(base)
    }
}

/// Something frozen on its way through Swift 6 code: to a task, an actor, another thread.
///
///     let people = Frozen(realm.objects(Person.self))
///     Task.detached {
///         for person in people.value { print(person.name) }
///     }
///
/// Its value may be read by several threads at once, and so may all that it leads to.
public struct Frozen<Value: ThreadConfined>: @unchecked Sendable {  // What is frozen never changes.
    /// What was frozen.
    public let value: Value

    /// Freezes an object, a collection or results: see `ThreadConfined.freeze()`. Something frozen is taken as it is.
    public init(_ value: Value) {
        self.value = value.freeze()
    }
}

extension Frozen: Equatable where Value: Equatable {}
extension Frozen: Hashable where Value: Hashable {}
