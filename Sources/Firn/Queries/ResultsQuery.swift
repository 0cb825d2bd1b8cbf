import FirnQuery

/// What results ask for, apart from where their elements come from.
struct ResultsQuery: Sendable {
    /// What holds for each object; nil for all. It is asked before anything else.
    var condition: QueryExpression?
    /// What is done with the elements that are left, one after the other.
    var steps: [Step] = []

    /// Something that is done with all elements.
    enum Step: Sendable {
        /// They are sorted by several values, the first one first.
        case sort([SortDescriptor])
        /// Of those that are alike in all values of these key paths the first one stays.
        case distinct([String])
    }

    /// Whether an element is left out by its likeness to another, so that a count needs all of them.
    var isDistinct: Bool {
        steps.contains { if case .distinct = $0 { true } else { false } }
    }

    /// The same, sorted; ties are broken by the order that this one has.
    func sorted(by descriptors: [SortDescriptor]) -> ResultsQuery {
        var query = self
        if case .sort(let earlier) = steps.last {
            query.steps[steps.count - 1] = .sort(descriptors + earlier)
        } else {
            query.steps.append(.sort(descriptors))
        }
        return query
    }

    /// The same without all but the first of those that are alike.
    func distinct(by keyPaths: [String]) -> ResultsQuery {
        var query = self
        query.steps.append(.distinct(keyPaths))
        return query
    }

    /// The same with one more condition.
    func filtered(by expression: QueryExpression) -> ResultsQuery {
        var query = self
        query.condition = condition.map { .conjunction([$0, expression]) } ?? expression
        return query
    }
}
