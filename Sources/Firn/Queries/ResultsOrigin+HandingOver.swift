import FirnStore

/// What results are taken from, on its way to another thread.
indirect enum HandedOrigin: Sendable {
    case table(TableID)
    case collection(CollectionPlace, depth: Int, CollectionKind)
    case linking(to: RowID, index: Int)
    case results(HandedOrigin, ResultsQuery)

    init(_ origin: ResultsOrigin) {
        switch origin {
        case .table(let binding): self = .table(binding.table.id)
        case .collection(let handle, let kind): self = .collection(handle.place, depth: handle.depth, kind)
        case .linking(let handle):
            let row = RowID(table: handle.owner.binding.table.id, key: handle.owner.key)
            self = .linking(to: row, index: handle.index)
        case .results(let source): self = .results(HandedOrigin(source.origin), source.query)
        }
    }

    /// The same in another realm of the file; nil where what it belongs to is gone.
    func resolved(in context: RealmContext) -> ResultsOrigin? {
        switch self {
        case .table(let table): return context.binding(for: table).map { .table($0) }
        case .collection(let place, let depth, let kind):
            guard let owner = context.object(place.row) else { return nil }
            let origin = ResultsOrigin.collection(
                CollectionHandle(owner: owner, slot: place.slot, nestedID: place.nestedID, depth: depth), kind)
            return origin.isAttached ? origin : nil
        case .linking(let row, let index):
            return context.object(row).map { .linking(LinkingHandle(owner: $0, index: index)) }
        case .results(let origin, let query):
            return origin.resolved(in: context).map { .results(ResultsSource(context, $0, query)) }
        }
    }
}

extension _HandedOver {
    /// A collection on its way to another thread. Traps for one that no realm has.
    convenience init(_ handle: CollectionHandle?, _ kind: CollectionKind) {
        guard let handle, let context = handle.owner.context else {
            misuse("A reference to an unmanaged collection was made; hand its elements over instead")
        }
        self.init(context, origin: .collection(handle, kind))
    }

    /// The same collection in another realm of the file; nil where its object is gone.
    func collection(in realm: Realm) -> CollectionHandle? {
        guard case .collection(let handle, _) = origin?.resolved(in: realm.context) else { return nil }
        return handle
    }
}

extension RealmContext {
    /// The class of a table; nil where the realm has none for it.
    func binding(for table: TableID) -> TableBinding? {
        bindingList.first { $0.table.id == table }
    }

    /// The live object of a row; nil where that is gone.
    fileprivate func object(_ row: RowID) -> ObjectBase? {
        guard let binding = binding(for: row.table), connection.contains(row.table, row.key) else { return nil }
        return makeObject(binding, key: row.key)
    }
}
