/// The live objects of a class, or those that a query leaves of them, in an order.
///
/// Lazy: nothing is read until it is needed. Live: always what the realm has now. A `for` loop goes over the objects
/// that were there when it began; those deleted meanwhile come invalidated.
public struct Results<Element: RealmFetchable> {
    let source: ResultsSource

    init(_ source: ResultsSource) {
        self.source = source
    }

    /// The realm of the objects.
    public var realm: Realm? {
        Realm(source.context)
    }

    /// Whether the results can no longer be used. They always can: without their objects they are empty.
    public var isInvalidated: Bool { false }

    /// Whether the results are pinned to one version. None are yet.
    public var isFrozen: Bool { false }

    /// The position of an object, nil for one that is not among the results, and for an unmanaged one. O(objects).
    ///
    /// Traps for a deleted object.
    public func index(of object: Element) -> Int? where Element: ObjectBase {
        source.index(of: object)
    }

    // MARK: Sorting

    /// The same objects, sorted by a property, or by one that a dotted path of links leads to.
    ///
    /// Nil comes first, objects without a link on the path last; descending, the other way round. Objects that compare
    /// equal keep their order. Traps for an unknown property.
    public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Element> {
        sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
    }

    /// The same objects, sorted by the property that a key path leads to: see `sorted(byKeyPath:ascending:)`.
    public func sorted<Value>(by keyPath: KeyPath<Element, Value>, ascending: Bool = true) -> Results<Element>
    where Element: ObjectBase {
        sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
    }

    /// The same objects, sorted by several properties, the first one first: see `sorted(byKeyPath:ascending:)`.
    public func sorted(by descriptors: some Sequence<SortDescriptor>) -> Results<Element> {
        Results(source.sorted(by: Array(descriptors)))
    }

    /// The former spelling of `sorted(byKeyPath:ascending:)`.
    public func sorted(_ property: String, ascending: Bool = true) -> Results<Element> {
        sorted(byKeyPath: property, ascending: ascending)
    }
}

extension Results: RandomAccessCollection {
    /// The position of the first object, 0.
    public var startIndex: Int { 0 }

    /// The number of objects.
    public var endIndex: Int { source.count }

    /// The number of objects. O(1) for a whole class.
    public var count: Int { source.count }

    /// Whether there is no object.
    public var isEmpty: Bool { source.isEmpty }

    /// The first object.
    public var first: Element? { source.first.map { Element._element($0) } }

    /// The last object.
    public var last: Element? { source.last.map { Element._element($0) } }

    /// The object at a position. Traps where there is none.
    public subscript(position: Int) -> Element {
        Element._element(source.object(at: position))
    }

    /// Goes over the objects that are there now.
    public func makeIterator() -> Iterator {
        Iterator(walk: source.makeWalk())
    }

    /// Goes over the objects of results.
    public struct Iterator: IteratorProtocol {
        @usableFromInline let walk: LiveWalk

        /// The next object.
        @inlinable
        public mutating func next() -> Element? {
            walk.next().map { Element._element($0) }
        }
    }
}

extension Results: Equatable {
    /// Whether both are copies of one; results that were asked for twice are not equal.
    public static func == (left: Results, right: Results) -> Bool {
        left.source === right.source
    }
}

extension Results: CustomStringConvertible {
    /// The class and the first hundred objects.
    public var description: String {
        var text = "Results<\(source.binding.info.name)> (\n"
        for (index, element) in prefix(100).enumerated() {
            text += "\t[\(index)] \(String(describing: element).split(separator: "\n").joined(separator: "\n\t")),\n"
        }
        if count > 100 { text += "\t… \(count - 100) more\n" }
        return text + ")"
    }
}
