import Synchronization

/// What a token keeps: something that ends once.
class AnyObservation: @unchecked Sendable {
    // SAFETY: subclasses touch what else they have where their realm belongs only.
    private let isOver = Atomic(false)

    /// Whether the observation goes on.
    final var isGoingOn: Bool { !isOver.load(ordering: .acquiring) }

    /// Ends it; false where it was over.
    @discardableResult
    final func end() -> Bool {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return false }
        didEnd()
        return true
    }

    /// What is to be done at the end. On any thread.
    func didEnd() {}
}

/// One observer of something in a live realm, where that belongs.
class Observation: AnyObservation, @unchecked Sendable {
    final let context: RealmContext
    private final var hasBegun = false

    init(_ context: RealmContext) {
        self.context = context
    }

    /// Tells the observer what it has not been told: the first time what there is, later what has changed.
    final func deliver() {
        guard isGoingOn else { return letGo() }
        if hasBegun {
            update()
        } else {
            hasBegun = true
            begin()
        }
    }

    /// Passes over what has changed, where all from before a version was told.
    final func skip(knowing version: UInt64) {
        if isGoingOn, knows(version) { pass() }
    }

    /// Says what there is.
    func begin() {}
    /// Says what has changed since, if anything has.
    func update() {}
    /// Takes note of what has changed, and says nothing.
    func pass() {}
    /// Whether all changes up to a version have been told.
    func knows(_ version: UInt64) -> Bool { true }
    /// Whether what is observed is there.
    var isAttached: Bool { true }
    /// Finds what is observed again, whose accessors have become invalid though it is there.
    func renew() {}
    /// Lets go of the version that was told, of which a token would keep the bytes: the observation is over.
    func letGo() {}
}

/// A reference to an observation that does not keep it.
struct WeakObservation {
    weak var observation: Observation?
}

extension RealmContext {
    /// Enters an observation, which its token keeps; it is told what there is as soon as that is possible.
    func enter(_ observation: Observation) -> NotificationToken {
        observations.removeAll { $0.observation == nil }
        observations.append(WeakObservation(observation: observation))
        startListening()
        waker?.wake()
        return NotificationToken(observation)
    }

    /// Tells all observers what they have not been told. In a write, and in a block that is told, it does nothing.
    func deliverNotifications() {
        forEachObservation { $0.deliver() }
    }

    /// Tells the observers of the realm itself that it has come to another version.
    func announceVersion() {
        forEachObservation { ($0 as? RealmObservation)?.announce() }
    }

    /// Tells the observers of the realm itself that there is a newer version, to which it does not move by itself; to move there is what
    /// they may do then.
    func announceRequiredRefresh() {
        for case let observation as RealmObservation in observations.compactMap(\.observation) {
            if connection.isNewest { return }
            observation.announceRequiredRefresh()
        }
    }

    /// The observations of what is there.
    var attachedObservations: [WeakObservation] {
        observations.filter { $0.observation.map { $0.isGoingOn && $0.isAttached } ?? false }
    }

    /// Has those of some observations of what was there find it again whose accessors have become invalid.
    func renew(_ attached: [WeakObservation]) {
        for observation in attached.compactMap(\.observation) where !observation.isAttached { observation.renew() }
    }

    private func forEachObservation(_ body: (Observation) -> Void) {
        guard !observations.isEmpty, !isWriting, !isDelivering else { return }
        isDelivering = true
        defer {
            isDelivering = false
            wakeIfDeferred()
        }
        for observation in observations.compactMap(\.observation) { body(observation) }
    }

    /// The observations of some tokens, to which the open write says nothing. Traps for those of another realm.
    func keepQuiet(_ tokens: [NotificationToken]) {
        for token in tokens {
            let begun = (token.observation as? RelayedObservation)?.observation ?? token.observation
            // One that has not begun will first tell what there is then.
            if begun is RelayedObservation { continue }
            guard let observation = begun as? Observation, observation.context === self else {
                misuse(
                    "A write was to say nothing to a token of another realm; give tokens of the realm that is written")
            }
            openWrite?.quiet.append(observation)
        }
    }

    /// Traps for what cannot be observed.
    func checkIsObservable(_ subject: @autoclosure () -> String) {
        checkConfinement()
        if isFrozen { misuse("\(subject()) is frozen, and never changes; observe what its thaw() gives") }
    }
}
