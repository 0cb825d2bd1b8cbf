import FirnStore

/// What a realm remembers of its open write.
struct OpenWrite {
    /// Whether it is one of `performWrite`, which alone ends it.
    var endsByItself = false
    /// The first error that a setter, `add` or `create` could not throw. The write will throw it.
    var poison: (any Error)?
    /// The environment failed: the store has given the write up, and changes do nothing.
    var isBroken = false
    /// The first key that each table gave a new object. Keys are sequential, but for integer primary keys.
    var firstNewKeys: [TableID: ObjectKey] = [:]
    /// Whether an object was added, or put in the place of one that was there.
    var hasAdded = false
    /// The observations to which the commit says nothing.
    var quiet: [Observation] = []
    /// The observations of what was there when it began.
    var attached: [WeakObservation] = []
    /// What is to be done when it has ended, however.
    var atEnd: [() -> Void] = []
}
