/// Observes several collections of one realm together.
public enum NotificationGroup {
    /// Tells of the changes of several collections from now on, of all in one call a commit, so that who shows them together never shows
    /// one as it was and another as it is.
    ///
    ///     token = NotificationGroup.observe(dogs, people) { dogs, people in
    ///         if let dogs { … }
    ///         if let people { … }
    ///     }
    ///
    /// The block is called first with `.initial` for each, and then with nil for those that have not changed. All else is as
    /// `RealmCollection.observe(keyPaths:on:_:)` says. Traps for collections of different realms, or of none.
    public static func observe<each Observed: RealmCollection>(
        _ collections: repeat each Observed, block: @escaping (repeat RealmCollectionChange<each Observed>?) -> Void
    ) -> NotificationToken {
        var members: [Observation] = []
        let changes = (repeat member(each collections, of: &members))
        guard let context = members.first?.context else { misuse("No collections were given to observe together") }
        guard members.allSatisfy({ $0.context === context }) else {
            misuse("Collections of different realms were observed together; observe those of each realm by themselves")
        }
        return context.enter(
            GroupObservation(context, members) {
                var isChanged = false
                for latest in repeat each changes { isChanged = isChanged || latest.change != nil }
                if isChanged { block(repeat (each changes).take()) }
            })
    }

    private static func member<Observed: RealmCollection>(
        _ collection: Observed, of members: inout [Observation]
    ) -> LatestChange<Observed> {
        let latest = LatestChange<Observed>()
        members.append(collection.observation(nil) { latest.change = $0 })
        return latest
    }
}

/// What a member of a group is told, until the group is.
private final class LatestChange<Observed> {
    var change: RealmCollectionChange<Observed>?

    func take() -> RealmCollectionChange<Observed>? {
        defer { change = nil }
        return change
    }
}

/// An observer of several collections.
private final class GroupObservation: Observation, @unchecked Sendable {
    private let members: [Observation]
    /// Tells what the members were told, if anything.
    private let tell: () -> Void

    init(_ context: RealmContext, _ members: [Observation], _ tell: @escaping () -> Void) {
        self.members = members
        self.tell = tell
        super.init(context)
    }

    override func begin() { update() }

    override func update() {
        for member in members { member.deliver() }
        tell()
    }

    override func pass() {
        for member in members { member.pass() }
    }

    override func knows(_ version: UInt64) -> Bool { members.allSatisfy { $0.knows(version) } }

    override func letGo() {
        for member in members { member.letGo() }
    }
}
