import FirnStore

/// One iteration over results: over the leaves of a table as they lie, or over keys.
///
/// A walk over the leaves becomes one over the keys that are left when a write begins or its realm moves: what a `for`
/// loop yields is fixed by then, and objects deleted meanwhile come invalidated.
@usableFromInline
final class LiveWalk {
    private let context: RealmContext
    private let binding: TableBinding
    @exclusivity(unchecked) private var records: RecordIterator?
    @exclusivity(unchecked) private var keys: [ObjectKey]
    @exclusivity(unchecked) private var position = 0

    /// Walks a whole table.
    init(_ context: RealmContext, _ binding: TableBinding) {
        self.context = context
        self.binding = binding
        keys = []
        records = RecordIterator(context.connection, table: binding.table.id)
        context.liveWalks[ObjectIdentifier(self)] = Unmanaged.passUnretained(self)
    }

    /// Walks over keys.
    init(_ context: RealmContext, _ binding: TableBinding, keys: [ObjectKey]) {
        self.context = context
        self.binding = binding
        self.keys = keys
    }

    deinit {
        if records != nil { context.liveWalks[ObjectIdentifier(self)] = nil }
    }

    @usableFromInline
    func next() -> ObjectBase? {
        context.checkConfinement()
        if let (key, record) = records?.next() { return context.makeObject(binding, key: key, record: record.base) }
        guard position < keys.count else { return nil }
        defer { position += 1 }
        return context.makeObject(binding, key: keys[position])
    }

    /// Takes the keys that are left. The realm has forgotten this walk.
    func detach() {
        while let (key, _) = records?.next() {
            keys.append(key)
        }
        records = nil
    }
}
