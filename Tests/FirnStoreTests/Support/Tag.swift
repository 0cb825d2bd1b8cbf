import FirnStore

/// Swift Testing has a `Tag` too.
typealias Tag = FirnStore.Tag
