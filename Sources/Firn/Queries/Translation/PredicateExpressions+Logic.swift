import FirnQuery
import Foundation

extension PredicateExpressions.Conjunction: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart {
        .predicate(.conjunction([try translator.predicate(lhs), try translator.predicate(rhs)]))
    }
}

extension PredicateExpressions.Disjunction: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart {
        .predicate(.disjunction([try translator.predicate(lhs), try translator.predicate(rhs)]))
    }
}

extension PredicateExpressions.Negation: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart {
        .predicate(.not(try translator.predicate(wrapped)))
    }
}

extension PredicateExpressions.Conditional: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart {
        let test = try translator.predicate(test)
        guard If.Output.self == Bool.self else {
            return .operand(
                .choice(test, try translator.operand(trueBranch), try translator.operand(falseBranch)))
        }
        return .predicate(
            test.chooses(try translator.predicate(trueBranch), try translator.predicate(falseBranch)))
    }
}

// MARK: Comparisons

extension PredicateExpressions.Equal: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart {
        .predicate(try translator.equality(lhs, rhs, isEqual: true))
    }
}

extension PredicateExpressions.NotEqual: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart {
        .predicate(try translator.equality(lhs, rhs, isEqual: false))
    }
}

extension PredicateExpressions.Comparison: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart {
        let operation: ComparisonOperator =
            switch op {
            case .lessThan: .less
            case .lessThanOrEqual: .lessOrEqual
            case .greaterThan: .greater
            case .greaterThanOrEqual: .greaterOrEqual
            @unknown default: throw translator.unsupported("\(op)")
            }
        return .predicate(
            .comparison(Comparison(try translator.operand(lhs), operation, try translator.operand(rhs))))
    }
}

extension PredicateTranslator {
    /// Whether two values are equal, or are not. What holds or not is compared with a constant as such, so that the query stays
    /// one that indexes can answer.
    fileprivate func equality(
        _ left: any PredicateExpression, _ right: any PredicateExpression, isEqual: Bool
    ) throws(Realm.Error) -> QueryExpression {
        let (first, second) = (try part(left), try part(right))
        for (part, other) in [(first, second), (second, first)] {
            guard case .constant(let value) = other, let equal = part.equals(value as? Bool) else { continue }
            return isEqual ? equal : .not(equal)
        }
        return .comparison(
            Comparison(try operand(first, from: left), isEqual ? .equal : .notEqual, try operand(second, from: right)))
    }
}

extension TranslatedPart {
    /// Whether a predicate's answer is this one, or none; nil where this is no predicate.
    fileprivate func equals(_ answer: Bool?) -> QueryExpression? {
        switch (self, answer) {
        case (.predicate(let predicate), let answer?): answer ? predicate : .not(predicate)
        case (.predicate, nil): .always(false)
        case (.optional(_, let isThere), nil): .not(isThere)
        case (.optional(let predicate, let isThere), let answer?):
            .conjunction([isThere, answer ? predicate : .not(predicate)])
        default: nil
        }
    }
}

extension QueryExpression {
    /// One of two predicates, as this one holds or not.
    func chooses(_ first: QueryExpression, _ second: QueryExpression) -> QueryExpression {
        if second == .always(false) { return .conjunction([self, first]) }
        let otherwise = second == .always(true) ? .not(self) : QueryExpression.conjunction([.not(self), second])
        return .disjunction([.conjunction([self, first]), otherwise])
    }
}
