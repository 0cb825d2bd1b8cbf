import FirnQuery

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
        do {
            return try Results(managedSource("filtered by a predicate").filtered(by: predicate))
        } catch {
            misuse(error.message)
        }
    }

    private func position(matching predicate: CheckedPredicate) -> Int? {
        do {
            return try managedSource("searched by a predicate").firstIndex(matching: predicate)
        } catch {
            misuse(error.message)
        }
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
}

extension ResultsSource {
    /// Those of the objects for which a predicate holds.
    func filtered(by predicate: CheckedPredicate) throws(Realm.Error) -> ResultsSource {
        context.checkConfinement()
        let inRealm = try predicate.bound(to: objectClass().table, in: context)
        return try filtered(by: inRealm.expression, bound: inRealm.bound)
    }

    /// The position of the first object for which a predicate holds.
    func firstIndex(matching predicate: CheckedPredicate) throws(Realm.Error) -> Int? {
        try firstIndex(matching: ResultsSource(context, origin).filtered(by: predicate))
    }
}
