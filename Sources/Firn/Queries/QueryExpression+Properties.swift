import FirnQuery

extension QueryExpression {
    /// The properties that are compared, as the expression names them.
    var properties: [String] {
        switch self {
        case .always: []
        case .comparison(let comparison): [comparison.property]
        case .all(let expressions): expressions.flatMap(\.properties)
        }
    }

    /// The expression with each property given another name.
    func mapProperties(_ rename: (String) -> String) -> QueryExpression {
        switch self {
        case .always: return self
        case .comparison(var comparison):
            comparison.property = rename(comparison.property)
            return .comparison(comparison)
        case .all(let expressions):
            return .all(expressions.map { $0.mapProperties(rename) })
        }
    }
}
