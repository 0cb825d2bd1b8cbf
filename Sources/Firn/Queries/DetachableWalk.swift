import CThreadIdentity

/// An iteration that reads the realm as it goes, until a write begins or the realm moves: then it takes what is left.
///
/// What a `for` loop yields is fixed by then: objects deleted meanwhile come invalidated.
@usableFromInline
class DetachableWalk {
    @exclusivity(unchecked) private(set) final var context: RealmContext
    private final var isAttached = false

    init(_ context: RealmContext) {
        self.context = context
    }

    deinit {
        if isAttached { context.liveWalks[ObjectIdentifier(self)] = nil }
    }

    /// Has the realm call `detach()` before what is walked over can change.
    final func attach() {
        // A frozen realm neither moves nor changes.
        if context.isFrozen { return }
        isAttached = true
        context.liveWalks[ObjectIdentifier(self)] = Unmanaged.passUnretained(self)
    }

    /// What comes before each step: goes on in the calling thread's context, where the realm is frozen. Traps outside a live realm's
    /// thread or queue.
    @inline(__always)
    final func enter() {
        if context.threadToken != firn_thread_token() { moveHere() }
    }

    @inline(never)
    private final func moveHere() {
        let here = context.here
        guard here !== context else { return }
        context = here
        didMove()
    }

    /// The context is another one of the same frozen realm.
    func didMove() {}

    /// Takes what is left. The realm has forgotten this walk.
    func detach() {}
}
