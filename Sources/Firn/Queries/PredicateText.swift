import FirnQuery

/// What a predicate is made from: something that says what it asks for.
protocol PredicateContent {
    /// The tree. Throws where what was given is no predicate, or an argument does not fit.
    func expression(in objects: some ObjectArguments) throws(Realm.Error) -> QueryExpression
}

/// Predicate text and its arguments, not looked at yet.
struct PredicateText: PredicateContent {
    let format: String
    let arguments: [Any?]

    func expression(in objects: some ObjectArguments) throws(Realm.Error) -> QueryExpression {
        do {
            return try PredicateTemplate.cached(format).expression(arguments: arguments) { argument in
                try QueryConstant.operand(argument, objects)
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

    /// Where in the text of a predicate the fault is: the number of characters in front of it. Nil for other errors, and where the
    /// predicate was not made from text.
    public var position: Int? { (cause as? QueryError)?.position }
}
