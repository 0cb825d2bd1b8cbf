import FirnQuery
import Foundation

extension RealmQueryable {
    // MARK: Filtering

    /// Those of the objects for which predicate text holds, in the same order.
    ///
    ///     dogs.filter("age > %d AND name BEGINSWITH[c] %@", 3, "re")
    ///
    /// <doc:Queries> has the language. Traps where the text cannot be read, names an unknown property, or does not fit the
    /// property's type; the message says where. Traps for a collection of values, and for one that no realm has.
    public func filter(_ format: String, _ arguments: Any?...) -> Results<Queried> {
        let source = managedSource("filtered by a predicate")
        return untroubled { () throws(Realm.Error) in
            try source.objectClass()
            return try Results(
                source.filtered(
                    by: PredicateText(format: format, arguments: arguments).expression(in: source.context)))
        }
    }

    /// Those of the objects for which a predicate holds: see `filter(_:_:)`.
    public func filter(_ predicate: NSPredicate) -> Results<Queried> {
        untroubled { () throws(Realm.Error) in try filtered(by: predicate) }
    }

    /// The throwing form of `filter(_:)`, for callers that can throw.
    func filtered(by predicate: NSPredicate) throws(Realm.Error) -> Results<Queried> {
        let source = managedSource("filtered by a predicate")
        try source.objectClass()
        return try Results(source.filtered(by: predicate.expression(in: source.context)))
    }

    /// Those of the objects for which a predicate holds that Swift checks: see `Query`.
    ///
    ///     dogs.where { $0.age > 3 && $0.name.starts(with: "re", options: .caseInsensitive) }
    ///
    /// Traps for a collection of values, and for one that no realm has.
    public func `where`(_ predicate: (Query<Queried>) -> Query<Bool>) -> Results<Queried> {
        let source = managedSource("filtered by a predicate")
        return untroubled { () throws(Realm.Error) in
            try source.objectClass()
            return try Results(source.filtered(by: Query.expression(predicate, in: source.context)))
        }
    }

    /// The position of the first object for which predicate text holds; nil where there is none. See `filter(_:_:)`.
    public func index(matching format: String, _ arguments: Any?...) -> Int? {
        position { context throws(Realm.Error) in
            try PredicateText(format: format, arguments: arguments).expression(in: context)
        }
    }

    /// The position of the first object for which a predicate holds; nil where there is none. See `filter(_:_:)`.
    public func index(matching predicate: NSPredicate) -> Int? {
        position { context throws(Realm.Error) in try predicate.expression(in: context) }
    }

    /// The position of the first object for which a predicate holds; nil where there is none. See `where(_:)`.
    public func index(matching predicate: (Query<Queried>) -> Query<Bool>) -> Int? {
        position { context throws(Realm.Error) in try Query.expression(predicate, in: context) }
    }

    private func position(_ expression: (RealmContext) throws(Realm.Error) -> QueryExpression) -> Int? {
        let source = managedSource("searched by a predicate")
        return untroubled { () throws(Realm.Error) in
            try source.objectClass()
            return try source.firstIndex(matching: expression(source.context))
        }
    }

    // MARK: Sorting

    /// The same objects, sorted by a property, or by one that a dotted path of links leads to; `self` sorts values.
    ///
    /// Nil comes first, objects without a link on the path last; descending, the other way round. Elements that compare
    /// equal keep their order. Traps for an unknown property, and for a collection that no realm has.
    public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Queried> {
        sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
    }

    /// The same objects, sorted by the property that a key path leads to: see `sorted(byKeyPath:ascending:)`.
    public func sorted<Value>(by keyPath: KeyPath<Queried, Value>, ascending: Bool = true) -> Results<Queried>
    where Queried: ObjectBase {
        sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
    }

    /// The same objects, sorted by several properties, the first one first: see `sorted(byKeyPath:ascending:)`.
    public func sorted(by descriptors: some Sequence<SortDescriptor>) -> Results<Queried> {
        Results(managedSource("sorted").sorted(by: Array(descriptors)))
    }

    /// The former spelling of `sorted(byKeyPath:ascending:)`.
    public func sorted(_ property: String, ascending: Bool = true) -> Results<Queried> {
        sorted(byKeyPath: property, ascending: ascending)
    }

    /// The same values, sorted. Nil comes first, then NaN.
    public func sorted(ascending: Bool = true) -> Results<Queried> where Queried.PersistedType: SortableType {
        sorted(byKeyPath: "self", ascending: ascending)
    }

    // MARK: Pages

    /// At most so many of the elements, behind some others; live, as all results are.
    ///
    ///     let page = dogs.sorted(byKeyPath: "name").limit(20, offset: 40)
    ///
    /// What is asked of them afterwards is asked of these elements alone. Sorted by an indexed property, or with a limit that is
    /// small beside the number of elements, this costs far less than all of them. Traps for negative numbers, and for a
    /// collection that no realm has.
    public func limit(_ maxLength: Int, offset: Int = 0) -> Results<Queried> {
        Results(managedSource("limited").limited(to: maxLength, offset: offset))
    }

    // MARK: Leaving out

    /// The first of those objects that are alike in all of several properties, or in what dotted paths of links lead to.
    ///
    /// Objects with a nil link on a path are left out. A filter comes first, even if it is asked for later.
    public func distinct<KeyPaths: Sequence>(by keyPaths: KeyPaths) -> Results<Queried>
    where KeyPaths.Element == String {
        Results(managedSource("made distinct").distinct(by: Array(keyPaths)))
    }

    /// The first of those objects that are alike in what all of several key paths lead to: see `distinct(by:)`.
    public func distinct(by keyPaths: [PartialKeyPath<Queried>]) -> Results<Queried> where Queried: ObjectBase {
        distinct(by: keyPaths.map { SortDescriptor(keyPath: $0).keyPath })
    }

    /// The first of each value, or of each object.
    public func distinct() -> Results<Queried> {
        distinct(by: ["self"])
    }
}
