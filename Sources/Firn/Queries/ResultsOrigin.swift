import FirnStore

/// What results are taken from, before anything is left out or sorted. One word, since it is copied often.
///
/// Each element has a reference: an object's key, or a value's position in its collection.
enum ResultsOrigin {
    /// All objects of a class, in the order of their keys.
    case table(TableBinding)
    /// The elements of a list or a set, or the values of a map.
    indirect case collection(CollectionHandle, CollectionKind)
    /// The objects that link to one, in the order of their keys, each as often as it does.
    indirect case linking(LinkingHandle)
    /// The elements of results of which only some are left, by their positions.
    case results(ResultsSource)

    /// What names an element.
    typealias Reference = UInt64

    /// The same in another context that was opened with the same classes.
    func moved(to context: RealmContext) -> ResultsOrigin {
        switch self {
        case .table(let binding): .table(context.view(of: binding))
        case .collection(let handle, let kind): .collection(handle.moved(to: context), kind)
        case .linking(let handle): .linking(handle.moved(to: context))
        case .results(let source): .results(source.moved(to: context))
        }
    }

    /// The class of the elements; nil where they are values.
    var binding: TableBinding? {
        switch self {
        case .table(let binding): binding
        case .collection(let handle, _): handle.target
        case .linking(let handle): handle.origin
        case .results(let source): source.binding
        }
    }

    /// The object that the elements belong to; nil where they are all of a class.
    var owner: ObjectBase? {
        switch self {
        case .table: nil
        case .collection(let handle, _): handle.owner
        case .linking(let handle): handle.owner
        case .results(let source): source.origin.owner
        }
    }

    /// Whether there is still something to take elements from.
    var isAttached: Bool {
        guard let owner else { return true }
        if owner.isInvalidated { return false }
        if case .results(let source) = self { return source.origin.isAttached }
        guard case .collection(let handle, _) = self, handle.nestedID != nil, let context = owner.context?.here else {
            return true
        }
        return context.connection.exists(handle.place)
    }

    /// The column whose type the elements have; nil where they are objects of a class, or of any type.
    var column: StoredColumn? {
        if case .results(let source) = self { return source.origin.column }
        guard case .collection(let handle, _) = self, handle.nestedID == nil else { return nil }
        return handle.owner.binding.table.columns.first { $0.slot == handle.slot }
    }

    /// A count that moves whenever the elements or their order may have changed.
    func changeCount(in context: RealmContext) -> UInt64 {
        // Classes that only the file knows lose links without a word.
        if binding?.info.isDynamic == true { return context.connection.changeCount }
        switch self {
        case .table(let binding): return binding.rowChanges
        case .collection(let handle, _):
            // Links within values of any type go without a word when what they lead to is deleted.
            guard handle.nestedID == nil, handle.target != nil || column?.type != .any else {
                return context.connection.changeCount
            }
            return handle.owner.binding.rowChanges &+ handle.owner.binding.columnChanges[handle.slot]
        case .linking(let handle):
            return handle.owner.binding.rowChanges &+ handle.origin.rowChanges
                &+ handle.origin.columnChanges[handle.slot]
        case .results(let source): return source.changeCount
        }
    }

    /// How many elements there are.
    func count(in context: RealmContext) -> Int {
        if case .table(let binding) = self { return context.connection.count(binding.table.id) }
        guard isAttached else { return 0 }
        if case .results(let source) = self { return source.count }
        if case .collection(let handle, .list) = self { return context.connection.count(handle.place) }
        return references(in: context).count
    }

    /// All elements, in order.
    func references(in context: RealmContext) -> [Reference] {
        let connection = context.connection
        if case .table(let binding) = self { return connection.keys(in: binding.table.id) }
        guard isAttached else { return [] }
        switch self {
        case .table(let binding): return connection.keys(in: binding.table.id)
        case .collection(let handle, let kind) where handle.target != nil:
            var keys: [Reference] = []
            handle.forEachElement(kind, in: connection) { record, slot in
                // A map has a null where its object was deleted.
                if !record.isNull(slot) { keys.append(record.link(slot)) }
            }
            return keys
        case .collection(let handle, _): return Array(0..<Reference(connection.count(handle.place)))
        case .linking(let handle): return handle.keys(in: context)
        case .results(let source): return source.allKeys()
        }
    }

    /// The elements in words, for plans.
    var explanation: String {
        switch self {
        case .table(let binding): "objects of \(binding.info.name)"
        case .collection(let handle, _): "elements of \(handle.name)"
        case .linking(let handle): "links by \(handle.origin.info.name).\(handle.origin.propertyName(handle.slot))"
        case .results(let source): source.explanation
        }
    }
}
