/// Elements that a query gives, in an order: the objects of a class or of a collection, or values.
///
/// Lazy: nothing is read until it is needed. Live: always what the realm has now. A `for` loop goes over the elements
/// that were there when it began; objects deleted meanwhile come invalidated.
///
/// Results of a collection keep its order until they are sorted. Where the collection's object is deleted, results of
/// objects are empty from then on, and results of values invalidated.
public struct Results<Element: RealmCollectionValue> {
    private let content: Content

    /// All objects of a class need nothing of their own.
    private enum Content {
        case all(RealmContext, TableBinding)
        case some(ResultsSource)
    }

    init(_ source: ResultsSource) {
        content = .some(source)
    }

    /// All objects of a class.
    init(_ context: RealmContext, _ binding: TableBinding) {
        content = .all(context, binding)
    }

    /// The results for the calling thread. Traps outside a live realm's thread or queue.
    var source: ResultsSource {
        switch content {
        case .all(let context, let binding):
            let here = context.here
            return ResultsSource(here, .table(here.own(binding)))
        case .some(let source): return source.here
        }
    }

    /// The realm of the elements.
    public var realm: Realm? {
        switch content {
        case .all(let context, _): Realm(context)
        case .some(let source): Realm(source.context)
        }
    }

    /// Whether the results can no longer be used: they are values of an object that has been deleted.
    public var isInvalidated: Bool { source.isInvalidated }

    /// Whether the results are frozen: pinned to one version, and readable from every thread.
    public var isFrozen: Bool { realm?.isFrozen ?? false }
}

extension Results {
    /// The first elements, at most so many: see `limit(_:offset:)`.
    public func prefix(_ maxLength: Int) -> Results { limit(maxLength) }

    /// How the elements are found, in words: what is looked up or scanned, what is asked of each, how they are sorted. For
    /// people and for tests of an application's queries; the words may differ between versions of Firn.
    ///
    ///     dogs.filter("age > 3").sorted(byKeyPath: "name").limit(20).explain()
    ///     // walk index name, test age > 3, take 20
    ///
    /// Costs a look at the indexes, as executing the query does.
    public func explain() -> String { source.explanation }
}

extension Results: RealmCollection, _ObjcBridgeable {
    /// Underscored: it is for the members that all collections share.
    public var _querySource: _QuerySource<Element> { _QuerySource(source) }

    /// The position of the first element, 0.
    public var startIndex: Int { 0 }

    /// The number of elements.
    public var endIndex: Int { source.count }

    /// The number of elements. O(1) for a whole class.
    public var count: Int { source.count }

    /// Whether there is no element.
    public var isEmpty: Bool { source.isEmpty }

    /// The first element.
    public var first: Element? {
        let source = source
        guard let reference = source.first else { return nil }
        return source.element(reference)
    }

    /// The last element.
    public var last: Element? {
        let source = source
        guard let reference = source.last else { return nil }
        return source.element(reference)
    }

    /// The element at a position. Traps where there is none.
    public subscript(position: Int) -> Element {
        source.element(at: position)
    }

    /// Goes over the elements that are there now.
    public func makeIterator() -> Iterator {
        let walk = source.makeWalk()
        return Iterator(walk: walk, values: walk == nil ? source.values() : [])
    }

    /// Goes over the elements of results.
    public struct Iterator: IteratorProtocol {
        @usableFromInline let walk: LiveWalk?
        @usableFromInline var values: IndexingIterator<[Element]>

        init(walk: LiveWalk?, values: [Element]) {
            self.walk = walk
            self.values = values.makeIterator()
        }

        /// The next element.
        @inlinable
        public mutating func next() -> Element? {
            guard let walk else { return values.next() }
            return walk.next().map { Element._element($0) }
        }
    }
}

extension Results where Element: ObjectBase {
    /// Those of the objects for which a predicate holds, in the same order.
    public func filter(_ predicate: ObjectPredicate<Element>) -> Results<Element> {
        Results(
            untroubled { () throws(Realm.Error) in
                switch content {
                case .all(let context, let binding):
                    let here = context.here
                    return try ResultsSource(here, here.own(binding), where: predicate.checked)
                case .some(let source): return try source.here.filtered(by: predicate.checked)
                }
            })
    }
}

extension Results: Equatable {
    /// Whether both are copies of one, or all objects of one class; other results that were asked for twice are not equal.
    public static func == (left: Results, right: Results) -> Bool {
        switch (left.content, right.content) {
        case (.all(let left, let binding), .all(let right, let other)):
            left.showsSame(as: right) && binding.table.id == other.table.id
        case (.some(let left), .some(let right)): left === right
        default: false
        }
    }
}
