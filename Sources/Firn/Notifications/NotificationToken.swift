/// An observation: what an `observe` method gives. It goes on for as long as somebody keeps the token.
///
///     token = realm.objects(Dog.self).observe { changes in … }
///
/// It keeps the realm, and the version that was told of last: see `Realm.diagnostics(for:)`.
public final class NotificationToken: Sendable {
    let observation: AnyObservation

    init(_ observation: AnyObservation) {
        self.observation = observation
    }

    deinit {
        observation.end()
    }

    /// Ends the observation. False where it had ended before.
    ///
    /// Can be called on any thread. Once it has returned, the block is not called any more; on another thread it may be at work.
    @discardableResult
    public func invalidate() -> Bool {
        observation.end()
    }
}
