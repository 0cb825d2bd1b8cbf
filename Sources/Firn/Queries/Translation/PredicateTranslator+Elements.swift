import FirnQuery
import Foundation

/// The elements that a predicate within a predicate is about.
enum TranslatedElements {
    /// Those of a collection's objects for which the subquery's condition holds.
    case objects(Subquery)
    /// The values in a collection.
    case values(QueryPath)
    /// Captured values.
    case constants([Any?])
}

extension PredicateTranslator {
    /// The elements of a sequence whose elements have a type.
    func elements(
        of sequence: any PredicateExpression, _ type: Any.Type
    ) throws(Realm.Error) -> TranslatedElements {
        switch try part(sequence) {
        case .filtered(let subquery): return .objects(subquery)
        case .operand(.path(let path)) where type is ObjectBase.Type:
            return .objects(Subquery(path, makeName(), .always(true)))
        case .operand(.path(let path)) where type is any _Persistable.Type: return .values(path)
        case .constant(let values?):
            if let values = UntypedValue.untypedElements(values) { return .constants(values) }
            fallthrough
        default: throw unsupported("\(Self.name(of: Swift.type(of: sequence))) as a collection")
        }
    }

    /// A subquery for which something more holds, or does not.
    func narrowed(
        _ subquery: Subquery, _ variable: PredicateExpressions.VariableID, _ test: any PredicateExpression,
        isOpposite: Bool = false
    ) throws(Realm.Error) -> Subquery {
        let object = TranslatedPart.operand(.path(QueryPath([], from: subquery.variable)))
        var condition = try with(variable, as: object) { () throws(Realm.Error) in try predicate(test) }
        if isOpposite { condition = .not(condition) }
        return Subquery(
            subquery.collection, subquery.variable,
            subquery.condition == .always(true) ? condition : .conjunction([subquery.condition, condition]))
    }

    /// Whether a test holds for any or for all elements.
    func quantified(
        _ quantifier: Quantifier, _ elements: TranslatedElements, _ variable: PredicateExpressions.VariableID,
        _ test: any PredicateExpression
    ) throws(Realm.Error) -> QueryExpression {
        switch elements {
        case .objects(let subquery):
            let isAll = quantifier == .all
            return Operand.count(try narrowed(subquery, variable, test, isOpposite: isAll)).isZero(isAll)
        case .values(let path):
            let condition = try with(variable, as: .operand(.path(path))) { () throws(Realm.Error) in
                try predicate(test)
            }
            return try quantified(quantifier, path, condition)
        case .constants(let values):
            var parts: [QueryExpression] = []
            for value in values {
                let part = TranslatedPart.constant(value.flatMap(UntypedValue.unwrapped))
                parts.append(try with(variable, as: part) { () throws(Realm.Error) in try predicate(test) })
            }
            return quantifier == .any ? .disjunction(parts) : .conjunction(parts)
        }
    }

    /// Whether a condition on one value of a collection, which its path stands for, holds for any or for all of them.
    ///
    /// A query says that of comparisons alone: any value is one or the other where any is the one, or any the other. But that one
    /// value is both it cannot say.
    private func quantified(
        _ quantifier: Quantifier, _ path: QueryPath, _ condition: QueryExpression
    ) throws(Realm.Error) -> QueryExpression {
        switch (condition, quantifier) {
        case (.comparison(var comparison), _):
            let mentions = [comparison.left, comparison.right].filter { $0 == .path(path) }.count
            guard comparison.quantifier == nil, mentions == 1 else { fallthrough }
            comparison.quantifier = quantifier
            return .comparison(comparison)
        case (.always, _):
            let isEmpty = Operand.aggregate(.count, path).isZero(true)
            return quantifier == .any ? .conjunction([.not(isEmpty), condition]) : .disjunction([isEmpty, condition])
        case (.not(let part), _): return .not(try quantified(quantifier == .any ? .all : .any, path, part))
        case (.any(let parts), .any):
            var alternatives: [QueryExpression] = []
            for part in parts { alternatives.append(try quantified(.any, path, part)) }
            return .disjunction(alternatives)
        case (.all(let parts), .all):
            var conditions: [QueryExpression] = []
            for part in parts { conditions.append(try quantified(.all, path, part)) }
            return .conjunction(conditions)
        default:
            throw unsupported("several conditions on one value of a collection (on one object there may be many)")
        }
    }
}

extension Operand {
    /// Whether a number is 0, or is more.
    fileprivate func isZero(_ answer: Bool) -> QueryExpression {
        .comparison(Comparison(self, answer ? .equal : .greater, .constant(.int(0))))
    }
}
