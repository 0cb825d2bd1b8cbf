/// A predicate as a tree: what every way of writing one is turned into, and what plans are made from.
///
/// Knows names and constants, no tables and no classes.
package indirect enum QueryExpression: Hashable, Sendable {
    /// The same answer for every object.
    case always(Bool)
    /// Two operands compared.
    case comparison(Comparison)
    /// All of these; an empty list is true.
    case all([QueryExpression])
    /// Any of these; an empty list is false.
    case any([QueryExpression])
    /// The opposite.
    case not(QueryExpression)
}

extension QueryExpression {
    /// All of several expressions, without lists inside the list.
    package static func conjunction(_ expressions: [QueryExpression]) -> QueryExpression {
        var parts: [QueryExpression] = []
        for expression in expressions {
            if case .all(let inner) = expression { parts += inner } else { parts.append(expression) }
        }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    /// Any of several expressions, without lists inside the list.
    package static func disjunction(_ expressions: [QueryExpression]) -> QueryExpression {
        var parts: [QueryExpression] = []
        for expression in expressions {
            if case .any(let inner) = expression { parts += inner } else { parts.append(expression) }
        }
        return parts.count == 1 ? parts[0] : .any(parts)
    }
}
