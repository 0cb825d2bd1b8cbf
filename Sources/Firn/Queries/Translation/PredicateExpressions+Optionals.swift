import FirnQuery
import Foundation

// `$0.owner?.name`, `if let owner = $0.owner { … } else { … }` and `$0.weight.flatMap { … }`.
extension PredicateExpressions.OptionalFlatMap: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart {
        let outer = try translator.operand(wrapped)
        let inner = try translator.with(variable.key, as: .operand(outer)) { () throws(Realm.Error) in
            try translator.part(transform)
        }
        let isThere = outer.isNil(false)
        switch inner {
        case .predicate(let predicate): return .optional(predicate, isThere: isThere)
        case .optional(let predicate, let isInnerThere):
            return .optional(predicate, isThere: .conjunction([isThere, isInnerThere]))
        case .operand(let operand) where operand.isNil(with: outer): return inner
        default:
            return .operand(.choice(isThere, try translator.operand(inner, from: transform), .constant(.null)))
        }
    }
}

extension PredicateExpressions.NilCoalesce: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart {
        let left = try translator.part(lhs)
        if case .optional(let predicate, let isThere) = left {
            return .predicate(isThere.chooses(predicate, try translator.predicate(rhs)))
        }
        return .operand(.coalesced(try translator.operand(left, from: lhs), try translator.operand(rhs)))
    }
}

// Where Swift would trap, nothing holds but `!=`.
extension PredicateExpressions.ForcedUnwrap: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart {
        let part = try translator.part(inner)
        guard case .optional(let predicate, let isThere) = part else { return part }
        return .predicate(.conjunction([isThere, predicate]))
    }
}

extension Operand {
    /// Whether the value is nil wherever another one is.
    fileprivate func isNil(with other: Operand) -> Bool {
        switch (self, other) {
        case (.path(let path), .path(let start)):
            path.variable == start.variable && path.steps.starts(with: start.steps)
        case (.arithmetic(_, let left, let right), _): left.isNil(with: other) || right.isNil(with: other)
        default: false
        }
    }
}
