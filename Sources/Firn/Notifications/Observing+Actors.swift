extension RealmCollection {
    /// Tells of each change of the collection from now on, on an actor: see `observe(keyPaths:on:_:)`.
    ///
    /// Opens a realm for the actor, and has the block called there with the collection as that realm shows it. Returns once that
    /// stands; the first call comes before.
    public func observe<Observer: Actor>(
        keyPaths: [String]? = nil, on actor: Observer, _isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated Observer, RealmCollectionChange<Self>) -> Void
    ) async -> NotificationToken {
        await observing(on: actor) { collection, actor in
            collection.observe(keyPaths: keyPaths) { change in actor.call(block, change) }
        } failure: { error, actor in
            actor.call(block, .error(error))
        }
    }

    /// Tells of each change of the collection from now on, on an actor: see `observe(keyPaths:on:_isolation:_:)`.
    public func observe<Observer: Actor>(
        keyPaths: [PartialKeyPath<Element>], on actor: Observer, _isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated Observer, RealmCollectionChange<Self>) -> Void
    ) async -> NotificationToken where Element: ObjectBase {
        await observe(keyPaths: keyPaths.map(\.observedName), on: actor, block)
    }
}

extension Map {
    /// Tells of each change of the map from now on, on an actor: see `RealmCollection.observe(keyPaths:on:_isolation:_:)`.
    public func observe<Observer: Actor>(
        keyPaths: [String]? = nil, on actor: Observer, _isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated Observer, RealmMapChange<Map<Key, Value>>) -> Void
    ) async -> NotificationToken {
        await observing(on: actor) { map, actor in
            map.observe(keyPaths: keyPaths) { change in actor.call(block, change) }
        } failure: { error, actor in
            actor.call(block, .error(error))
        }
    }

    /// Tells of each change of the map from now on, on an actor: see `RealmCollection.observe(keyPaths:on:_isolation:_:)`.
    public func observe<Observer: Actor, Root: ObjectBase>(
        keyPaths: [PartialKeyPath<Root>], on actor: Observer, _isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated Observer, RealmMapChange<Map<Key, Value>>) -> Void
    ) async -> NotificationToken where Value == Root? {
        await observe(keyPaths: keyPaths.map(\.observedName), on: actor, block)
    }
}

extension SectionedResults {
    /// Tells of each change of the sections from now on, on an actor, where the elements are sectioned by the same function: see
    /// `RealmCollection.observe(keyPaths:on:_isolation:_:)`.
    public func observe<Observer: Actor>(
        keyPaths: [String]? = nil, on actor: Observer, _isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated Observer, SectionedResultsChange<SectionedResults>) -> Void
    ) async -> NotificationToken {
        await source.observing(on: actor) { source, actor in
            SectionedResults(source).observe(keyPaths: keyPaths) { change in actor.call(block, change) }
        }
    }

    /// Tells of each change of the sections from now on, on an actor: see `observe(keyPaths:on:_isolation:_:)`.
    public func observe<Observer: Actor>(
        keyPaths: [PartialKeyPath<SectionElement>], on actor: Observer,
        _isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated Observer, SectionedResultsChange<SectionedResults>) -> Void
    ) async -> NotificationToken where SectionElement: ObjectBase {
        await observe(keyPaths: keyPaths.map(\.observedName), on: actor, block)
    }
}

extension ResultsSection {
    /// Tells of each change of the section from now on, and of its coming and going, on an actor: see
    /// `SectionedResults.observe(keyPaths:on:_isolation:_:)`.
    public func observe<Observer: Actor>(
        keyPaths: [String]? = nil, on actor: Observer, _isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated Observer, SectionedResultsChange<ResultsSection>) -> Void
    ) async -> NotificationToken {
        await source.observing(on: actor) { [key] source, actor in
            ResultsSection(source, key).observe(keyPaths: keyPaths) { change in actor.call(block, change) }
        }
    }

    /// Tells of each change of the section from now on, on an actor: see `observe(keyPaths:on:_isolation:_:)`.
    public func observe<Observer: Actor>(
        keyPaths: [PartialKeyPath<SectionElement>], on actor: Observer,
        _isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated Observer, SectionedResultsChange<ResultsSection>) -> Void
    ) async -> NotificationToken where SectionElement: ObjectBase {
        await observe(keyPaths: keyPaths.map(\.observedName), on: actor, block)
    }
}

extension SectionSource {
    /// Begins an observation on an actor, with the same sections of what a realm of the actor has for the results.
    fileprivate func observing<Observer: Actor>(
        on actor: Observer, _isolation: isolated (any Actor)? = #isolation,
        _ begin: @escaping (SectionSource, WeakActor<Observer>) -> NotificationToken
    ) async -> NotificationToken {
        await Results<Element>(results).observing(on: actor) { results, actor in
            begin(self.of(results.source), actor)
        } failure: { error, _ in
            misuse("Sections could not be observed on an actor, where their file cannot be opened: \(error)")
        }
    }
}

extension ThreadConfined where Self: ObjectBase {
    /// Tells of each change of the object's properties from now on, on an actor: see
    /// `RealmCollection.observe(keyPaths:on:_isolation:_:)`.
    public func observe<Observer: Actor>(
        keyPaths: [String]? = nil, on actor: Observer, _isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated Observer, ObjectChange<Self>) -> Void
    ) async -> NotificationToken {
        await observing(on: actor) { object, actor in
            object.observe(keyPaths: keyPaths) { change in actor.call(block, change) }
        } failure: { error, actor in
            actor.call(block, .error(error))
        }
    }

    /// Tells of each change of the object's properties from now on, on an actor: see `observe(keyPaths:on:_isolation:_:)`.
    public func observe<Observer: Actor>(
        keyPaths: [PartialKeyPath<Self>], on actor: Observer, _isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated Observer, ObjectChange<Self>) -> Void
    ) async -> NotificationToken {
        await observe(keyPaths: keyPaths.map(\.observedName), on: actor, block)
    }
}

extension ThreadConfined {
    /// Begins an observation on an actor, with what a realm of the actor has for this; where the file cannot be opened there, it is
    /// over with `failure`.
    fileprivate func observing<Observer: Actor>(
        on actor: Observer, _isolation: isolated (any Actor)? = #isolation,
        _ begin: @escaping (Self, WeakActor<Observer>) -> NotificationToken,
        failure: @escaping (any Error, WeakActor<Observer>) -> Void
    ) async -> NotificationToken {
        let handedOver = handedToObserver
        // SAFETY: only the actor calls them.
        nonisolated(unsafe) let fail = { (error: any Error) in failure(error, WeakActor(actor)) }
        nonisolated(unsafe) let start = { (realm: Realm) -> NotificationToken? in
            handedOver.resolved(in: realm).map { begin($0, WeakActor(actor)) }
        }
        let observation = RelayedObservation()
        await observation.goOn(on: actor, handedOver.configuration, start, fail)
        return NotificationToken(observation)
    }
}

extension RelayedObservation {
    /// Goes on in a realm of an actor.
    fileprivate func goOn(
        on actor: isolated some Actor, _ configuration: Realm.Configuration, _ begin: (Realm) -> NotificationToken?,
        _ failure: (any Error) -> Void
    ) async {
        do {
            // An observation outlives the task that asks for it, whatever becomes of that.
            goOn(in: try await Realm.openUncancelled(configuration, for: actor, isolation: actor), begin)
        } catch {
            if end() { failure(error) }
        }
    }
}

/// An actor that an observation calls and does not keep.
private struct WeakActor<Observer: Actor> {
    private weak var actor: Observer?

    init(_ actor: Observer) {
        self.actor = actor
    }

    /// Calls a block of the actor, on which the caller must run.
    func call<Change>(_ block: @escaping @Sendable (isolated Observer, Change) -> Void, _ change: Change) {
        guard let actor else { return }
        // SAFETY: the change stays on the actor, where the caller runs.
        nonisolated(unsafe) let change = change
        actor.assumeIsolated { block($0, change) }
    }
}
