import Dispatch
import FirnStore

/// An observer of results, or of a collection that has an order.
final class CollectionObservation<Observed: RealmCollection>: Observation, @unchecked Sendable {
    private var observed: Observed
    private var source: ResultsSource
    private let place: _HandedOver
    private let paths: ObservedPaths?
    private let block: (RealmCollectionChange<Observed>) -> Void
    private var tracker: ElementTracker?

    init(
        _ observed: Observed, _ source: ResultsSource, _ paths: ObservedPaths?,
        _ block: @escaping (RealmCollectionChange<Observed>) -> Void
    ) {
        self.observed = observed
        self.source = source
        place = observed._handedOver
        self.paths = paths
        self.block = block
        super.init(source.context)
    }

    override func begin() {
        // What is gone before it was looked at has nothing to tell.
        guard let source = source.frozenIfThere() else { return }
        tracker = ElementTracker(source, paths)
        block(.initial(observed))
    }

    override func update() {
        let changes = advance()
        guard !changes.isEmpty else { return }
        block(
            .update(
                observed, deletions: changes.deletions, insertions: changes.insertions,
                modifications: changes.modifications))
    }

    override func pass() { _ = advance() }

    override func knows(_ version: UInt64) -> Bool { tracker?.source?.context.connection.version == version }

    override var isAttached: Bool { source.origin.isAttached }

    override func renew() {
        guard let renewed = Observed._resolve(place, in: Realm(context)),
            case .managed(let source) = renewed._querySource.content
        else { return }
        (observed, self.source) = (renewed, source)
    }

    override func letGo() { tracker = nil }

    private func advance() -> ElementChanges {
        guard let tracker, !knows(context.connection.version) else { return ElementChanges() }
        return tracker.advance(to: source.frozenIfThere())
    }
}

extension ResultsSource {
    /// The same results, frozen; nil where the object is gone that they belong to.
    func frozenIfThere() -> ResultsSource? { origin.isAttached ? frozen() : nil }
}

extension RealmCollection {
    /// Tells of each change of the collection from now on.
    ///
    ///     token = dogs.observe { changes in
    ///         switch changes {
    ///         case .initial(let dogs): show(dogs)
    ///         case .update(let dogs, let deletions, let insertions, let modifications): …
    ///         case .error(let error): …
    ///         }
    ///     }
    ///
    /// The block is called first with `.initial`, and then once a commit, of whatever thread or process, that changes which elements
    /// there are, their order, or one of them; several commits may be told of in one call. Each call tells what is different from
    /// the call before, of which the collection shows the outcome. An object is modified where one of its own properties has changed,
    /// or one of what it leads to through up to four links; with key paths (`"name"`, `"dogs.age"`, through links, collections and
    /// linking objects) where one of these has, and only then.
    ///
    /// The block is called where the realm belongs: on the main queue, its queue, its actor or the thread's run loop, or on `queue`
    /// with the collection as a realm there shows it. A realm of a thread that has no run loop has the blocks called in `refresh()`.
    /// Never within the call of `observe`, within a write or while another block is called; in the block, the realm can be written.
    ///
    /// Ends with the token. Traps for a collection that is unmanaged or frozen, and for a key path that leads nowhere. Costs 8 bytes
    /// for each element, and with each change what the change costs; results that are limited or distinct, or are filtered or sorted
    /// by what lies behind links, are gathered again where that has changed.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmCollectionChange<Self>) -> Void
    ) -> NotificationToken {
        observing(
            on: queue,
            begin: { collection in
                let observation = collection.observation(keyPaths, block)
                return observation.context.enter(observation)
            }, failure: { block(.error($0)) })
    }

    /// Tells of each change of the collection from now on: see `observe(keyPaths:on:_:)`.
    public func observe(
        keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmCollectionChange<Self>) -> Void
    ) -> NotificationToken where Element: ObjectBase {
        observe(keyPaths: keyPaths.map(\.observedName), on: queue, block)
    }
}

extension RealmCollection {
    /// An observation that nobody has entered. Traps for what cannot be observed.
    func observation(
        _ keyPaths: [String]?, _ block: @escaping (RealmCollectionChange<Self>) -> Void
    ) -> CollectionObservation<Self> {
        guard case .managed(let source) = _querySource.content else {
            misuse("An unmanaged collection was observed; add it to a realm with its object first")
        }
        source.context.checkIsObservable("A collection")
        return CollectionObservation(self, source, source.observedPaths(keyPaths), block)
    }
}

extension ResultsSource {
    /// What modifies an element; nil where the elements are values. Traps for key paths that lead nowhere.
    func observedPaths(_ keyPaths: [String]?) -> ObservedPaths? {
        if let binding { return ObservedPaths(binding, keyPaths, depth: ObservedPaths.collectionDepth) }
        if keyPaths?.isEmpty == false {
            misuse("Values were observed along key paths; values have no properties")
        }
        return nil
    }
}
