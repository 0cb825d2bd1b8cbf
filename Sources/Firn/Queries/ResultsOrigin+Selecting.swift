import FirnQuery
import FirnStore

/// The elements for which a predicate holds; without one, all.
extension ResultsOrigin {
    func references(where predicate: BoundPredicate?, in context: RealmContext) -> [Reference] {
        guard let predicate else { return references(in: context) }
        if case .table = self { return predicate.keys(in: context.connection) }
        return predicate.matching(references(in: context), in: context.connection)
    }

    func count(where predicate: BoundPredicate?, in context: RealmContext) -> Int {
        guard let predicate else { return count(in: context) }
        if case .table = self { return predicate.count(in: context.connection) }
        return references(where: predicate, in: context).count
    }

    func first(where predicate: BoundPredicate?, in context: RealmContext) -> Reference? {
        guard case .table(let binding) = self else {
            let references = references(in: context)
            guard let predicate else { return references.first }
            return predicate.firstIndex(among: references, in: context.connection).map { references[$0] }
        }
        return predicate.map { $0.firstKey(in: context.connection) } ?? context.connection.firstKey(binding.table.id)
    }
}
