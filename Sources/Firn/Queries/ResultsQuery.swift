import FirnQuery

/// What results ask for, apart from their realm.
struct ResultsQuery: Sendable {
    /// What holds for each object, with columns named as in the file; nil for all.
    var condition: QueryExpression?
    /// What the objects are sorted by, first one first.
    var descriptors: [SortDescriptor] = []
}
