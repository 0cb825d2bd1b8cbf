/// An observer of a realm.
final class RealmObservation: Observation, @unchecked Sendable {
    private let block: Realm.NotificationBlock
    private var version: UInt64

    init(_ context: RealmContext, _ block: @escaping Realm.NotificationBlock) {
        self.block = block
        version = context.connection.version
        super.init(context)
    }

    /// Tells of the version that the realm has come to, once.
    func announce() {
        guard isGoingOn, !knows(context.connection.version) else { return }
        pass()
        block(.didChange, Realm(context))
    }

    /// Tells of a newer version to which the realm does not move by itself.
    func announceRequiredRefresh() {
        if isGoingOn { block(.refreshRequired, Realm(context)) }
    }

    // What was told of in a block of another observer, where nothing is told.
    override func begin() { announce() }
    override func update() { announce() }

    override func pass() { version = context.connection.version }

    override func knows(_ version: UInt64) -> Bool { self.version == version }
}

extension Realm {
    /// What is told of a realm.
    public enum Notification: String, Sendable {
        /// The realm shows another version.
        case didChange = "RLMRealmDidChangeNotification"
        /// There is a newer version, and `autorefresh` is off.
        case refreshRequired = "RLMRealmRefreshRequiredNotification"
    }

    /// What is called for a realm.
    public typealias NotificationBlock = (_ notification: Notification, _ realm: Realm) -> Void

    /// Has a block called whenever the realm has come to another version: at the end of a commit of its own, and when it has moved to
    /// one of somebody else's. Ends with the token.
    ///
    /// Traps for a realm that is frozen, or only reads.
    public func observe(_ block: @escaping NotificationBlock) -> NotificationToken {
        let context = context
        context.checkIsObservable("A realm")
        if configuration.readOnly { misuse("A read-only realm was observed, which never changes") }
        return context.enter(RealmObservation(context, block))
    }
}
