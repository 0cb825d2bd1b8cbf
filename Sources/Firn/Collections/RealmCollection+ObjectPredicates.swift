import FirnQuery
import Foundation

extension RealmQueryable where Queried: ObjectBase {
    /// Those of the objects for which a predicate holds, in the same order.
    ///
    /// Traps for a collection that no realm has.
    public func filter(_ predicate: ObjectPredicate<Queried>) -> Results<Queried> { filtered(by: predicate.checked) }

    /// The position of the first object for which a predicate holds; nil where there is none.
    ///
    /// Traps for a collection that no realm has.
    public func index(matching predicate: ObjectPredicate<Queried>) -> Int? { position(matching: predicate.checked) }
}

extension RealmQueryable {
    /// Those of a map's objects for which a predicate holds: see `filter(_:)`.
    public func filter<Root>(_ predicate: ObjectPredicate<Root>) -> Results<Queried> where Queried == Root? {
        filtered(by: predicate.checked)
    }

    /// The position of the first of a map's objects for which a predicate holds: see `index(matching:)`.
    public func index<Root>(matching predicate: ObjectPredicate<Root>) -> Int? where Queried == Root? {
        position(matching: predicate.checked)
    }

    private func filtered(by predicate: CheckedPredicate) -> Results<Queried> {
        Results(
            untroubled { () throws(Realm.Error) in
                try managedSource("filtered by a predicate").filtered(by: predicate)
            })
    }

    private func position(matching predicate: CheckedPredicate) -> Int? {
        untroubled { () throws(Realm.Error) in
            try managedSource("searched by a predicate").firstIndex(matching: predicate)
        }
    }
}

// For collections with elements of their own, so that these go before what Foundation gives all sequences.
extension RealmCollection where Element: ObjectBase {
    /// Those of the objects for which a predicate of Foundation holds, in the same order.
    ///
    ///     let old = try dogs.filter(#Predicate<Dog> { $0.age > 3 && $0.name.contains("x") })
    ///
    /// It becomes a query, as text and `where` do, and uses the same indexes. To ask it often, make an `ObjectPredicate` of it.
    /// - Throws: `Realm.Error` for what no query can ask, with the name of the operator.
    public func filter(_ predicate: Predicate<Element>) throws(Realm.Error) -> Results<Element> {
        filter(try ObjectPredicate(predicate))
    }

    /// The position of the first object for which a predicate of Foundation holds; nil where there is none.
    /// - Throws: `Realm.Error` for what no query can ask, with the name of the operator.
    public func index(matching predicate: Predicate<Element>) throws(Realm.Error) -> Int? {
        index(matching: try ObjectPredicate(predicate))
    }
}

extension Realm {
    /// The objects of a class for which a predicate holds, live: see `objects(_:)`.
    public func objects<Element: Object>(_ type: Element.Type, where predicate: ObjectPredicate<Element>) -> Results<
        Element
    > {
        objects(type).filter(predicate)
    }
}

extension Repository {
    /// The live results of a predicate.
    public func find(_ predicate: ObjectPredicate<Model>) -> Results<Model> {
        _ = checkedContext
        return realm.objects(Model.self).filter(predicate)
    }

    /// The live results of a predicate of Foundation. Throws for what no query can ask, with the name of the operator.
    public func find(_ predicate: Predicate<Model>) throws -> Results<Model> {
        find(try ObjectPredicate(predicate))
    }
}

extension ResultsSource {
    /// Those of the objects for which a predicate holds.
    func filtered(by predicate: CheckedPredicate) throws(Realm.Error) -> ResultsSource {
        context.checkConfinement()
        let bound = try predicate.bound(to: objectClass(), in: context)
        return try filtered(by: bound.expression, bound: bound)
    }

    /// The position of the first object for which a predicate holds.
    func firstIndex(matching predicate: CheckedPredicate) throws(Realm.Error) -> Int? {
        try firstIndex(matching: ResultsSource(context, origin).filtered(by: predicate))
    }
}
