import FirnQuery
import FirnStore

/// The elements for which a predicate holds; without one, all.
extension ResultsOrigin {
    func references(where predicate: BoundPredicate?, in context: RealmContext) -> [Reference] {
        guard let predicate else { return references(in: context) }
        if case .table = self { return predicate.keys(in: context.connection) }
        return references(in: context).filter { holds(predicate, for: $0, in: context) }
    }

    func count(where predicate: BoundPredicate?, in context: RealmContext) -> Int {
        guard let predicate else { return count(in: context) }
        if case .table = self { return predicate.count(in: context.connection) }
        return references(where: predicate, in: context).count
    }

    func first(where predicate: BoundPredicate?, in context: RealmContext) -> Reference? {
        guard case .table(let binding) = self else {
            return references(in: context).first { reference in
                predicate.map { holds($0, for: reference, in: context) } ?? true
            }
        }
        return predicate.map { $0.firstKey(in: context.connection) } ?? context.connection.firstKey(binding.table.id)
    }

    private func holds(_ predicate: BoundPredicate, for key: ObjectKey, in context: RealmContext) -> Bool {
        guard let record = context.connection.record(predicate.table, key) else { return false }
        return predicate.matches(record, key, in: context.connection)
    }
}
