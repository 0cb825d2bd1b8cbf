import CThreadIdentity
import FirnQuery
import FirnStore

/// Which elements results have, and in which order: what all copies of one `Results` share.
///
/// The references of the elements are gathered at the first need and kept until something that they depend on changes.
/// What can be answered without them is.
final class ResultsSource {
    let context: RealmContext
    let origin: ResultsOrigin
    let query: ResultsQuery
    /// The query's steps; nil where it has none.
    @exclusivity(unchecked) private var order: ResultsOrder?
    /// The schema for which `order` was made.
    @exclusivity(unchecked) private var orderedAt: UInt64
    @exclusivity(unchecked) private var predicate: BoundPredicate?
    /// The schema for which `predicate` was made.
    @exclusivity(unchecked) private var boundAt: UInt64?
    @exclusivity(unchecked) private var gathered: [ResultsOrigin.Reference] = []
    /// The change count at which `gathered` was.
    @exclusivity(unchecked) private var gatheredAt: UInt64?
    /// The same results for other threads, where they are frozen.
    private let peers: PerThread<ResultsSource>?

    /// The elements of a query whose condition fits their class, by default all, as they come; with the predicate for the
    /// schema as it is now, and the query's steps, if these are known.
    init(
        _ context: RealmContext, _ origin: ResultsOrigin, _ query: ResultsQuery = ResultsQuery(),
        predicate: BoundPredicate? = nil, order: ResultsOrder? = nil
    ) {
        self.context = context
        self.origin = origin
        self.query = query
        self.predicate = predicate
        boundAt = predicate == nil ? nil : context.connection.schemaCounter
        orderedAt = context.connection.schemaCounter
        peers = context.isFrozen ? PerThread() : nil
        self.order = order ?? (query.steps.isEmpty ? nil : ResultsOrder(query.steps, origin))
    }

    /// The class of the elements; nil where they are values.
    var binding: TableBinding? { origin.binding }

    // MARK: Frozen

    /// The results for the calling thread: the same ones, unless they are frozen and another thread's. Each thread gathers the elements
    /// itself, once.
    var here: ResultsSource {
        @inline(__always) get {
            guard let peers, context.threadToken != firn_thread_token() else { return self }
            return elsewhere(peers)
        }
    }

    @inline(never)
    private func elsewhere(_ peers: PerThread<ResultsSource>) -> ResultsSource {
        let here = context.here
        return here === context ? self : peers.value { moved(to: here) }
    }

    /// The same results in another context that was opened with the same classes.
    func moved(to context: RealmContext) -> ResultsSource {
        let moved = ResultsSource(context, origin.moved(to: context), query)
        // What a live realm has found is there in the frozen one of its version.
        if moved.peers != nil, peers == nil, !self.context.isWriting, isGathered {
            moved.gathered = gathered
            moved.gatheredAt = moved.changeCount
        }
        return moved
    }

    /// The same results, frozen. Traps where they belong to an object that was added in the open write.
    func frozen() -> ResultsSource {
        if context.isFrozen { return here }
        if isInvalidated { misuse("Values of an object that has been deleted were frozen; ask `isInvalidated` before") }
        let frozen = moved(to: context.frozenContext())
        if frozen.origin.isAttached != origin.isAttached {
            misuse(
                "Results were frozen that belong to an object which the open write has added; freeze them after the commit"
            )
        }
        return frozen
    }

    /// The same results, live; nil where the object is gone that they belong to.
    func thawed() -> ResultsSource? {
        guard context.isFrozen else { return self }
        let live = moved(to: context.liveContext())
        return live.origin.isAttached ? live : nil
    }

    // MARK: Deriving

    /// The same elements, sorted; ties are broken by the order that this one has.
    func sorted(by descriptors: [SortDescriptor]) -> ResultsSource {
        descriptors.isEmpty ? self : deriving { $0.sorted(by: descriptors) }
    }

    /// The first of those elements that are alike in the values of key paths.
    func distinct(by keyPaths: [String]) -> ResultsSource {
        keyPaths.isEmpty ? self : deriving { $0.distinct(by: keyPaths) }
    }

    /// Those of the elements that stand in a range of positions.
    func limited(to limit: Int, offset: Int) -> ResultsSource {
        guard limit >= 0, offset >= 0 else {
            misuse("Results were limited to \(limit) behind \(offset); neither can be negative")
        }
        return ResultsSource(
            context, origin, query.limited(to: limit, offset: offset), predicate: currentPredicate, order: currentOrder)
    }

    /// Results in another order. Where these are limited, that is the order of those that are left.
    private func deriving(_ change: (ResultsQuery) -> ResultsQuery) -> ResultsSource {
        if query.isLimited { return ResultsSource(context, .results(self), change(ResultsQuery())) }
        return ResultsSource(context, origin, change(query), predicate: currentPredicate)
    }

    /// Those of the objects for which an expression holds, which may be bound already. Throws where it does not fit the class.
    func filtered(
        by expression: QueryExpression, bound: BoundPredicate? = nil
    ) throws(Realm.Error) -> ResultsSource {
        context.checkConfinement()
        try objectClass()
        let isOnlyCondition = query.condition == nil || query.isLimited
        let source =
            query.isLimited
            ? ResultsSource(context, .results(self), ResultsQuery().filtered(by: expression), predicate: bound)
            : ResultsSource(
                context, origin, query.filtered(by: expression), predicate: isOnlyCondition ? bound : nil,
                order: currentOrder)
        if source.predicate == nil {
            do {
                _ = try source.bindPredicate()
            } catch {
                throw Realm.Error(error)
            }
        }
        return source
    }

    /// The class of the elements. Throws where they are values, of which a predicate has nothing to ask.
    @discardableResult
    func objectClass() throws(Realm.Error) -> TableBinding {
        guard let binding else {
            throw Realm.Error(
                .invalidInput, "Values have no properties to ask for; filter them in Swift: `filter { $0 > 1 }`")
        }
        return binding
    }

    // MARK: Keeping up

    /// The predicate for the schema as it is now.
    var currentPredicate: BoundPredicate? {
        if let predicate, boundAt == context.connection.schemaCounter { return predicate }
        if query.condition == nil { return nil }
        do {
            return try bindPredicate()
        } catch {
            // The classes do not fit what another process has made of the file: nothing that they ask for is there.
            if !context.connection.fitsSchema { return try? bindPredicate(.always(false)) }
            misuse(
                "A query of class '\(binding?.info.name ?? "")' does not fit the changed schema: \(error.message)")
        }
    }

    /// The query's steps for the schema as it is now: indexes come and go, and slots move where the file was emptied and its tables
    /// made anew.
    var currentOrder: ResultsOrder? {
        if order != nil, orderedAt != context.connection.schemaCounter {
            order = ResultsOrder(query.steps, origin)
            orderedAt = context.connection.schemaCounter
        }
        return order
    }

    private func bindPredicate(_ expression: QueryExpression? = nil) throws(QueryError) -> BoundPredicate? {
        guard let condition = expression ?? query.condition, let binding else { return nil }
        let bound = try BoundPredicate(condition, table: binding.table, in: context.queryCatalog)
        predicate = bound
        boundAt = context.connection.schemaCounter
        return bound
    }

    /// The objects of a class for which a predicate holds. Throws where it does not fit the class.
    convenience init(
        _ context: RealmContext, _ binding: TableBinding, where predicate: CheckedPredicate
    ) throws(Realm.Error) {
        context.checkConfinement()
        let bound = try predicate.bound(to: binding, in: context)
        self.init(context, .table(binding), ResultsQuery(condition: bound.expression), predicate: bound)
    }

    /// A count that moves whenever the elements or their order may have changed.
    var changeCount: UInt64 {
        var count = context.generation &+ origin.changeCount(in: context) &+ (order?.changeCount ?? 0)
        if let predicate = currentPredicate { count &+= context.changeCount(of: predicate.dependencies) }
        return count
    }

    /// What comes before every look at the elements.
    private func prepare() {
        context.checkConfinement()
        context.synchronizePlain()
        _ = currentOrder
        if isInvalidated {
            misuse("A collection of values was used whose object has been deleted; ask `isInvalidated` before")
        }
    }

    private var isGathered: Bool { gatheredAt != nil && gatheredAt == changeCount }

    /// The references of all elements now.
    func allKeys() -> [ResultsOrigin.Reference] {
        prepare()
        if case .table(let binding) = origin, isWhole { return allKeys(of: binding) }
        let changeCount = changeCount
        if gatheredAt != changeCount {
            gathered = gather()
            gatheredAt = changeCount
        }
        return gathered
    }

    /// The keys of a whole class are kept with the class, since results that have all its objects keep nothing.
    private func allKeys(of binding: TableBinding) -> [ResultsOrigin.Reference] {
        let changeCount = changeCount
        if binding.keys?.changeCount != changeCount { binding.keys = (changeCount, gather()) }
        return binding.keys?.keys ?? []
    }

    private func gather() -> [ResultsOrigin.Reference] {
        let references: [ResultsOrigin.Reference]
        if let tableQuery {
            references =
                order?.distinctColumn.flatMap { tableQuery.firstKeys(ofEach: $0, in: context.connection) }
                ?? ordered(tableQuery.keys(in: context.connection, limit: tableLimit), behindFirst: true)
        } else {
            references = ordered(origin.references(where: currentPredicate, in: context), behindFirst: false)
        }
        return query.isLimited ? Array(references[query.range.clamped(to: references.indices)]) : references
    }

    private func ordered(
        _ references: [ResultsOrigin.Reference], behindFirst isSorted: Bool
    ) -> [ResultsOrigin.Reference] {
        order?.applied(to: references, behindFirst: isSorted, in: context) ?? references
    }

    /// Whether nothing is done but to sort once at most.
    private var isSortedAtMost: Bool { order?.isSortAlone ?? true }

    /// How many objects of a class are wanted at most before anything else is done with them than to sort them.
    private var tableLimit: Int { isSortedAtMost ? query.range.upperBound : .max }

    /// What is asked of a whole class before anything is left out; nil where the elements come from elsewhere.
    private var tableQuery: TableQuery? {
        guard case .table(let binding) = origin else { return nil }
        return TableQuery(binding.table, where: currentPredicate, order: order?.first ?? ObjectOrder())
    }

    /// The same whatever the order; nil where elements are left out but by the condition.
    func unorderedTableQuery() -> TableQuery? {
        guard case .table(let binding) = origin, !query.isDistinct, !query.isLimited else { return nil }
        prepare()
        return TableQuery(binding.table, where: currentPredicate)
    }

    /// How the elements are found, in words.
    var explanation: String {
        prepare()
        var text: String
        if let tableQuery {
            text = tableQuery.explanation(in: context.connection, limit: tableLimit)
        } else {
            text = origin.explanation
            if let condition = query.condition { text += ", test \(condition)" }
        }
        text += order?.explanation(behindFirst: tableQuery != nil) ?? ""
        if query.range.lowerBound > 0 { text += ", skip \(query.range.lowerBound)" }
        if query.range.upperBound != .max { text += ", take \(query.range.count)" }
        return text
    }

    // MARK: Elements

    /// Whether the elements are gone for good: objects leave no elements, values cannot be asked for.
    var isInvalidated: Bool {
        if context.isClosed { return true }
        if case .table = origin { return false }
        return binding == nil && !origin.isAttached
    }

    var count: Int {
        prepare()
        if query.isDistinct || isGathered { return allKeys().count }
        // Of a page that a condition leaves no more is looked at than the page.
        if query.range.upperBound != .max, query.condition != nil { return allKeys().count }
        return query.count(of: origin.count(where: currentPredicate, in: context))
    }

    var isEmpty: Bool {
        prepare()
        // What is left out leaves another one behind, or had none on a link's way.
        if query.isDistinct || isGathered { return allKeys().isEmpty }
        if query.isLimited { return count == 0 }
        if query.condition == nil { return origin.count(in: context) == 0 }
        return origin.first(where: currentPredicate, in: context) == nil
    }

    /// The reference of the first element.
    var first: ResultsOrigin.Reference? {
        prepare()
        if !isGathered, isSortedAtMost, !query.isLimited {
            if order == nil { return origin.first(where: currentPredicate, in: context) }
            if let tableQuery { return tableQuery.keys(in: context.connection, limit: 1).first }
        }
        return allKeys().first
    }

    /// The reference of the last element.
    var last: ResultsOrigin.Reference? {
        prepare()
        if !isGathered, isSortedAtMost, !query.isLimited, let tableQuery {
            return isWhole
                ? context.connection.lastKey(tableQuery.table.id) : tableQuery.lastKey(in: context.connection)
        }
        return allKeys().last
    }

    /// Whether the elements are all that the origin has, as they come.
    private var isWhole: Bool { order == nil && query.condition == nil && !query.isLimited }

    /// The element at a position. Traps where there is none.
    func element<Element: RealmCollectionValue>(at index: Int) -> Element {
        let references = allKeys()
        guard references.indices.contains(index) else {
            let subject = binding.map { "results of class '\($0.info.name)'" } ?? "results"
            misuse("Index \(index) is out of bounds: the \(subject) have \(references.count) objects")
        }
        return element(references[index])
    }

    /// The element with a reference.
    func element<Element: RealmCollectionValue>(_ reference: ResultsOrigin.Reference) -> Element {
        guard let binding else { return origin.value(at: reference, in: context) }
        return Element._element(context.makeObject(binding, key: reference))
    }

    /// All elements as they are now.
    func elements<Element: RealmCollectionValue>() -> [Element] {
        binding == nil ? values() : allKeys().map { element($0) }
    }

    /// A walk over the objects as they are now; nil where the elements are values.
    func makeWalk() -> LiveWalk? {
        guard let binding else { return nil }
        prepare()
        // In a write the objects may change under the walk, so it takes their keys first.
        if case .table = origin, isWhole, !context.isWriting { return LiveWalk(context, binding) }
        return LiveWalk(context, binding, keys: allKeys())
    }

    /// All values as they are now.
    func values<Element: RealmCollectionValue>() -> [Element] {
        let positions = allKeys()
        let values: [Element] = origin.values(in: context)
        return isWhole ? values : positions.map { values[Int($0)] }
    }
}
