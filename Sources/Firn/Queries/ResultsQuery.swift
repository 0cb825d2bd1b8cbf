import FirnQuery

/// What results ask for, apart from where their elements come from.
struct ResultsQuery: Sendable {
    /// What holds for each object; nil for all. It is asked before anything else.
    var condition: QueryExpression?
    /// What is done with the elements that are left, one after the other.
    var steps: [Step] = []
    /// Which of the elements are left after all that, by their positions.
    var range: Range<Int> = 0..<Int.max

    /// Something that is done with all elements.
    enum Step: Sendable {
        /// They are sorted by several values, the first one first.
        case sort([SortDescriptor])
        /// Of those that are alike in all values of these key paths the first one stays.
        case distinct([String])
    }

    /// Whether elements are left out by their positions.
    var isLimited: Bool { range != 0..<Int.max }

    /// How many of so many elements are left.
    func count(of count: Int) -> Int { range.clamped(to: 0..<max(count, 0)).count }

    /// The same, but of the elements only so many, behind so many others.
    func limited(to limit: Int, offset: Int) -> ResultsQuery {
        var query = self
        let start = range.lowerBound.addingReportingOverflow(offset)
        let end = start.partialValue.addingReportingOverflow(limit)
        let lower = start.overflow ? Int.max : min(start.partialValue, range.upperBound)
        query.range =
            lower..<max(
                lower, end.overflow || start.overflow ? range.upperBound : min(end.partialValue, range.upperBound))
        return query
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
