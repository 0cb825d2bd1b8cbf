import FirnStore

/// A class on its way to another thread.
struct HandedClass: Sendable {
    let table: TableID
    let isDynamic: Bool

    init(_ binding: TableBinding) {
        table = binding.table.id
        isDynamic = binding.info.isDynamic
    }

    /// The realm's view of the class; nil where it has none.
    func resolved(in context: RealmContext) -> TableBinding? {
        isDynamic ? context.dynamicBinding(for: table) : context.binding(for: table)
    }
}

/// An object on its way to another thread.
struct HandedRow: Sendable {
    let objectClass: HandedClass
    let key: ObjectKey

    init(_ object: ObjectBase) {
        objectClass = HandedClass(object.binding)
        key = object.key
    }

    /// The live object; nil where it is gone.
    func resolved(in context: RealmContext) -> ObjectBase? {
        guard let binding = objectClass.resolved(in: context), context.connection.contains(binding.table.id, key) else {
            return nil
        }
        return context.makeObject(binding, key: key)
    }
}

/// What results are taken from, on its way to another thread.
indirect enum HandedOrigin: Sendable {
    case table(HandedClass)
    case collection(of: HandedRow, slot: Int, nestedID: UInt64?, depth: Int, CollectionKind)
    case linking(to: HandedRow, index: Int)
    case results(HandedOrigin, ResultsQuery)

    init(_ origin: ResultsOrigin) {
        switch origin {
        case .table(let binding): self = .table(HandedClass(binding))
        case .collection(let handle, let kind):
            self = .collection(
                of: HandedRow(handle.owner), slot: handle.slot, nestedID: handle.nestedID, depth: handle.depth, kind)
        case .linking(let handle): self = .linking(to: HandedRow(handle.owner), index: handle.index)
        case .results(let source): self = .results(HandedOrigin(source.origin), source.query)
        }
    }

    /// The same in another realm of the file; nil where what it belongs to is gone.
    func resolved(in context: RealmContext) -> ResultsOrigin? {
        switch self {
        case .table(let objectClass): return objectClass.resolved(in: context).map { .table($0) }
        case .collection(let row, let slot, let nestedID, let depth, let kind):
            guard let owner = row.resolved(in: context) else { return nil }
            let origin = ResultsOrigin.collection(
                CollectionHandle(owner: owner, slot: slot, nestedID: nestedID, depth: depth), kind)
            return origin.isAttached ? origin : nil
        case .linking(let row, let index):
            return row.resolved(in: context).map { .linking(LinkingHandle(owner: $0, index: index)) }
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
}
