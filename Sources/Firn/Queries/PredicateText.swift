import FirnQuery

/// Predicate text and its arguments, not looked at yet.
struct PredicateText {
    let format: String
    let arguments: [Any?]

    /// The tree of the text. Objects among the arguments are those of a realm. Throws where the text cannot be read or
    /// an argument does not fit.
    func expression(in context: RealmContext) throws(Realm.Error) -> QueryExpression {
        do {
            return try PredicateTemplate.cached(format).expression(arguments: arguments) { argument in
                try QueryConstant.operand(argument, context)
            }
        } catch {
            throw Realm.Error(error)
        }
    }
}

extension Realm.Error {
    /// An error of a query.
    init(_ error: QueryError) {
        self.init(.invalidInput, error.message, cause: error)
    }
}
