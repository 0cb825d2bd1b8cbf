import FirnQuery
import Foundation

extension PredicateExpressions.CollectionContainsCollection: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart {
        guard Base.Output.self is any StringProtocol.Type else {
            throw translator.unsupported("CollectionContainsCollection of anything but strings")
        }
        return try translator.text(.contains, base, other)
    }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart {
        guard Base.Output.self is any StringProtocol.Type else {
            throw translator.unsupported("SequenceStartsWith of anything but strings")
        }
        return try translator.text(.beginsWith, base, self.prefix)
    }
}

extension PredicateExpressions.StringLocalizedStandardContains: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart {
        .predicate(
            .comparison(
                Comparison(
                    try translator.operand(root), .contains, try translator.operand(other),
                    options: [.caseInsensitive, .diacriticInsensitive])))
    }
}

extension PredicateTranslator {
    /// Whether a text contains, or begins with, another one: to Swift that is so of an empty one, to a query it is not.
    fileprivate func text(
        _ operation: ComparisonOperator, _ text: any PredicateExpression, _ other: any PredicateExpression
    ) throws(Realm.Error) -> TranslatedPart {
        let text = try operand(text)
        let sought = try operand(other)
        let comparison = QueryExpression.comparison(Comparison(text, operation, sought))
        switch sought {
        case .constant(.string("")): return .predicate(.always(true))
        case .constant: return .predicate(comparison)
        default:
            return .predicate(
                .disjunction([comparison, .comparison(Comparison(sought, .equal, .constant(.string(""))))]))
        }
    }
}
