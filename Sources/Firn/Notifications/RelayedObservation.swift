import Dispatch
import Synchronization

/// An observation that goes on elsewhere than where it was asked for: on a queue, or on an actor.
final class RelayedObservation: AnyObservation, @unchecked Sendable {
    private let token = Mutex<NotificationToken?>(nil)

    /// Goes on as the observation that begins in a realm, where that belongs, unless it has ended. Its first call comes before this
    /// returns.
    func goOn(in realm: Realm, _ begin: (Realm) -> NotificationToken?) {
        guard isGoingOn else { return }
        let begun = begin(realm)
        token.withLock { $0 = begun }
        realm.context.deliverNotifications()
        // Whoever has ended it meanwhile may not have found the token.
        if !isGoingOn { didEnd() }
    }

    /// What it has become there; nil before it has begun.
    var observation: AnyObservation? { token.withLock { $0?.observation } }

    override func didEnd() {
        let token = token.withLock { $0.take() }
        token?.invalidate()
    }
}

extension ThreadConfined {
    /// What is to be observed elsewhere. Traps for what cannot be observed.
    var handedToObserver: _HandedOver {
        if isFrozen { misuse("Something frozen was observed, which never changes; observe what its thaw() gives") }
        guard realm != nil, !isInvalidated else {
            misuse("Something unmanaged or invalidated was observed; add it to a realm first")
        }
        return _handedOver
    }

    /// Begins an observation where the realm belongs, or on a queue with what a realm there has for this.
    func observing(
        on queue: DispatchQueue?, begin: @escaping (Self) -> NotificationToken, failure: @escaping (any Error) -> Void
    ) -> NotificationToken {
        guard let queue else { return begin(self) }
        let handedOver = handedToObserver
        let observation = RelayedObservation()
        // SAFETY: only the queue calls them.
        nonisolated(unsafe) let begin = { (realm: Realm) in handedOver.resolved(in: realm).map(begin) }
        nonisolated(unsafe) let failure = failure
        let goOn = { @Sendable [weak observation] in
            guard let observation, observation.isGoingOn else { return }
            do {
                observation.goOn(in: try Realm(configuration: handedOver.configuration, queue: queue), begin)
            } catch {
                failure(error)
            }
        }
        // What the open write has added is there for others after the commit.
        if let context = realm?.opened { context.atEndOfWrite { queue.async(execute: goOn) } }
        return NotificationToken(observation)
    }
}
