import FirnQuery
import FirnStore

/// Which objects results have, and in which order: what all copies of one `Results` share.
///
/// The keys are gathered at the first need and kept until something that they depend on changes. What can be answered
/// without them is.
final class ResultsSource {
    let context: RealmContext
    let binding: TableBinding
    let query: ResultsQuery
    private var order: SortOrder?
    private var conditionSlots: [Int] = []
    /// The table for which `order` and `conditionSlots` were made.
    private var table: TableID

    private var predicate: BoundPredicate?
    /// The schema for which `predicate` was made.
    private var boundAt: UInt64?
    private var keys: [ObjectKey] = []
    /// The change count at which `keys` were gathered.
    private var gatheredAt: UInt64?

    /// The objects of a query whose condition fits the class; by default all, in the order of their keys.
    init(_ context: RealmContext, _ binding: TableBinding, _ query: ResultsQuery = ResultsQuery()) {
        self.context = context
        self.binding = binding
        self.query = query
        table = binding.table.id
        findSlots()
    }

    private func findSlots() {
        table = binding.table.id
        order = query.descriptors.isEmpty ? nil : SortOrder(query.descriptors, binding)
        conditionSlots = query.condition.map { $0.properties.compactMap { binding.table[$0]?.slot } } ?? []
    }

    private var condition: QueryExpression? { query.condition }

    /// The same objects, sorted; ties are broken by the order that this one has.
    func sorted(by new: [SortDescriptor]) -> ResultsSource {
        guard !new.isEmpty else { return self }
        var sorted = query
        sorted.descriptors = new + sorted.descriptors
        return ResultsSource(context, binding, sorted)
    }

    /// Those of the objects for which an expression holds. Throws where that does not fit the class.
    func filtered(by expression: QueryExpression) throws(Realm.Error) -> ResultsSource {
        context.checkConfinement()
        let renamed = expression.mapProperties { name in binding.info.property(name)?.columnName ?? name }
        var filtered = query
        filtered.condition = condition.map { .all([$0, renamed]) } ?? renamed
        let source = ResultsSource(context, binding, filtered)
        do {
            try source.bind(filtered.condition ?? renamed)
        } catch {
            throw Realm.Error(error)
        }
        return source
    }

    /// The predicate for the schema as it is now.
    private var currentPredicate: BoundPredicate? {
        guard let condition else { return nil }
        if boundAt == context.connection.schema.counter, let predicate { return predicate }
        do {
            return try bind(condition)
        } catch {
            misuse("A query of class '\(binding.info.name)' does not fit the changed schema: \(error.message)")
        }
    }

    @discardableResult
    private func bind(_ condition: QueryExpression) throws(QueryError) -> BoundPredicate {
        let bound = try BoundPredicate(condition, table: binding.table)
        predicate = bound
        boundAt = context.connection.schema.counter
        return bound
    }

    /// A count that moves whenever the objects or their order may have changed.
    private var changeCount: UInt64 {
        var count = context.generation &+ binding.rowChanges &+ (order?.changeCount ?? 0)
        for slot in conditionSlots {
            count &+= binding.columnChanges[slot]
        }
        return count
    }

    /// What comes before every look at the objects.
    private func prepare() {
        context.checkConfinement()
        context.synchronizePlain()
        // Slots never move, unless the file was emptied and its tables made anew.
        if table != binding.table.id { findSlots() }
    }

    /// All keys now.
    func allKeys() -> [ObjectKey] {
        prepare()
        let changeCount = changeCount
        if gatheredAt != changeCount {
            let all = currentPredicate?.keys(in: context.connection) ?? context.connection.keys(in: binding.table.id)
            keys = order?.sorted(all, in: context, binding) ?? all
            gatheredAt = changeCount
        }
        return keys
    }

    var count: Int {
        prepare()
        guard let predicate = currentPredicate else { return context.connection.count(binding.table.id) }
        return gatheredAt == changeCount ? keys.count : predicate.count(in: context.connection)
    }

    var isEmpty: Bool {
        prepare()
        guard let predicate = currentPredicate else { return context.connection.count(binding.table.id) == 0 }
        return gatheredAt == changeCount ? keys.isEmpty : predicate.firstKey(in: context.connection) == nil
    }

    func object(at index: Int) -> ObjectBase {
        let keys = allKeys()
        guard keys.indices.contains(index) else {
            misuse(
                "Index \(index) is out of bounds: the results of class '\(binding.info.name)' have \(keys.count) objects"
            )
        }
        return context.makeObject(binding, key: keys[index])
    }

    var first: ObjectBase? {
        prepare()
        let key: ObjectKey?
        if order != nil || gatheredAt == changeCount {
            key = allKeys().first
        } else if let predicate = currentPredicate {
            key = predicate.firstKey(in: context.connection)
        } else {
            key = context.connection.firstKey(binding.table.id)
        }
        return key.map { context.makeObject(binding, key: $0) }
    }

    var last: ObjectBase? {
        prepare()
        let isWholeTable = order == nil && condition == nil
        let key = isWholeTable ? context.connection.lastKey(binding.table.id) : allKeys().last
        return key.map { context.makeObject(binding, key: $0) }
    }

    /// The position of a live object of the realm; nil where it is not among the results. O(objects).
    func index(of object: ObjectBase) -> Int? {
        prepare()
        guard object.context === context, object.binding === binding else { return nil }
        context.checkOwnership(of: object)
        return allKeys().firstIndex(of: object.key)
    }

    /// A walk over the objects as they are now.
    func makeWalk() -> LiveWalk {
        prepare()
        // In a write the objects may change under the walk, so it takes their keys first.
        return order == nil && condition == nil && !context.isWriting
            ? LiveWalk(context, binding) : LiveWalk(context, binding, keys: allKeys())
    }
}
