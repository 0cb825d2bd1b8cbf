/// An iteration that reads the realm as it goes, until a write begins or the realm moves: then it takes what is left.
///
/// What a `for` loop yields is fixed by then: objects deleted meanwhile come invalidated.
@usableFromInline
class DetachableWalk {
    final let context: RealmContext
    private final var isAttached = false

    init(_ context: RealmContext) {
        self.context = context
    }

    deinit {
        if isAttached { context.liveWalks[ObjectIdentifier(self)] = nil }
    }

    /// Has the realm call `detach()` before what is walked over can change.
    final func attach() {
        isAttached = true
        context.liveWalks[ObjectIdentifier(self)] = Unmanaged.passUnretained(self)
    }

    /// Takes what is left. The realm has forgotten this walk.
    func detach() {}
}
