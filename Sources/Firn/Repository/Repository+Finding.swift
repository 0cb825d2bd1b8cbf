import FirnQuery
import FirnStore
import Foundation

extension Repository {
    /// The number of objects. One look-up.
    public var count: Int {
        let context = checkedContext
        return context.connection.count(context.binding(for: Model.self).table.id)
    }

    /// The object with a primary key, nil where there is none. One look-up.
    ///
    /// Traps for a class without primary key, and for a key of another type.
    public func find<Key>(primaryKey: Key) -> Model? {
        _ = checkedContext
        return realm.object(ofType: Model.self, forPrimaryKey: primaryKey)
    }

    /// All objects there are now, each made. Use `page(offset:limit:)` or `Realm.objects(_:)` for many.
    public func findAll() -> [Model] {
        _ = checkedContext
        return Array(realm.objects(Model.self))
    }

    /// The live results of a predicate. Throws where that cannot be read or does not fit the class.
    public func find(predicate: NSPredicate) throws -> Results<Model> {
        _ = checkedContext
        return try realm.objects(Model.self).filtered(by: predicate)
    }

    /// The live results of predicate text. Throws where that cannot be read or does not fit the class.
    public func find(_ format: String, _ arguments: Any?...) throws -> Results<Model> {
        let context = checkedContext
        let source = ResultsSource(context, .table(context.binding(for: Model.self)))
        return try Results(
            source.filtered(by: PredicateText(format: format, arguments: arguments).expression(in: context)))
    }

    /// The live results of a predicate that Swift checks: see `Query`. Throws for a value that no property could have.
    public func find(where predicate: (Query<Model>) -> Query<Bool>) throws -> Results<Model> {
        let context = checkedContext
        let source = ResultsSource(context, .table(context.binding(for: Model.self)))
        return try Results(source.filtered(by: Query.expression(predicate, in: context)))
    }

    /// The objects with a value in a property: through the property's index where it has one, else by a scan.
    ///
    /// Traps for a key path that is not one persisted property.
    public func find<Value: _Persistable>(_ property: KeyPath<Model, Value>, equals value: Value) throws -> Results<
        Model
    > {
        _ = checkedContext
        guard let name = PropertyTracer.name(of: property), !name.contains(".") else {
            misuse("A repository of '\(Model.className())' was asked for a key path that is not one persisted property")
        }
        return try find(name, equals: value)
    }

    /// The objects with a value in the property of a name: see `find(_:equals:)`.
    ///
    /// Throws for an unknown property and for a value of another type.
    public func find(_ property: String, equals value: Any?) throws -> Results<Model> {
        let context = checkedContext
        let operand: Operand
        do {
            operand = try QueryConstant.operand(value, context)
        } catch {
            throw Realm.Error(.invalidInput, "'\(Model.className()).\(property)': \(error)", cause: error)
        }
        let source = ResultsSource(context, .table(context.binding(for: Model.self)))
        return try Results(
            source.filtered(by: .comparison(Comparison(.path(QueryPath(property: property)), .equal, operand))))
    }

    /// Some of the objects, in order of primary key where that is an integer, else of insertion.
    ///
    /// Makes only the objects of the page; walks over those before it. Empty behind the end.
    public func page(offset: Int, limit: Int) -> [Model] {
        let context = checkedContext
        let binding = context.binding(for: Model.self)
        guard offset >= 0, limit > 0 else { return [] }
        var keys: [ObjectKey] = []
        var skipped = 0
        context.connection.forEachRecord(in: binding.table.id) { key, _ in
            if skipped < offset {
                skipped += 1
            } else {
                keys.append(key)
            }
            return keys.count < limit
        }
        return keys.map { unsafeDowncast(context.makeObject(binding, key: $0), to: Model.self) }
    }

    /// The object or results that another thread handed over: see `Realm.resolve(_:)`.
    public func resolve<Confined: ThreadConfined>(_ reference: ThreadSafeReference<Confined>) -> Confined? {
        _ = checkedContext
        return realm.resolve(reference)
    }
}
