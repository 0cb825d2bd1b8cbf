import Synchronization

/// The token of an observation that another one is made of; several threads set it.
final class LockedToken: Sendable {
    private let token = Mutex<NotificationToken?>(nil)

    /// Ends the observation that was there.
    func set(_ newToken: NotificationToken?) {
        let oldToken = token.withLock { token in
            defer { token = newToken }
            return token
        }
        oldToken?.invalidate()
    }
}
