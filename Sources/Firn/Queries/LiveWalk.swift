import FirnStore

/// One iteration over results: over the leaves of a table as they lie, or over keys, which are what is left when it detaches.
@usableFromInline
final class LiveWalk: DetachableWalk {
    @exclusivity(unchecked) private var binding: TableBinding
    @exclusivity(unchecked) private var records: RecordIterator?
    @exclusivity(unchecked) private var keys: [ObjectKey]
    @exclusivity(unchecked) private var position = 0

    /// Walks a whole table.
    init(_ context: RealmContext, _ binding: TableBinding) {
        self.binding = binding
        keys = []
        records = RecordIterator(context.connection, table: binding.table.id)
        super.init(context)
        attach()
    }

    /// Walks over keys.
    init(_ context: RealmContext, _ binding: TableBinding, keys: [ObjectKey]) {
        self.binding = binding
        self.keys = keys
        super.init(context)
    }

    @usableFromInline
    func next() -> ObjectBase? {
        enter()
        if let (key, record) = records?.next() { return context.makeObject(binding, key: key, record: record.base) }
        guard position < keys.count else { return nil }
        defer { position += 1 }
        return context.makeObject(binding, key: keys[position])
    }

    override func didMove() {
        binding = context.own(binding)
        guard let key = records?.nextKey else { return }
        records = RecordIterator(context.connection, table: binding.table.id, from: key)
    }

    override func detach() {
        while let (key, _) = records?.next() {
            keys.append(key)
        }
        records = nil
    }
}
