import FirnQuery
import Foundation

extension PredicateExpressions.Value: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart {
        .constant(UntypedValue.unwrapped(value))
    }
}

extension PredicateExpressions.NilLiteral: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart { .constant(nil) }
}

extension PredicateExpressions.Variable: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart {
        try translator.value(of: key)
    }
}

// MARK: Arithmetic

extension PredicateExpressions.Arithmetic: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart {
        let operation: FirnQuery.ArithmeticOperator =
            switch op {
            case .add: .add
            case .subtract: .subtract
            case .multiply: .multiply
            @unknown default: throw translator.unsupported("\(op)")
            }
        return try translator.arithmetic(operation, lhs, rhs)
    }
}

extension PredicateExpressions.IntDivision: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart {
        try translator.arithmetic(.divide, lhs, rhs)
    }
}

extension PredicateExpressions.IntRemainder: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart {
        try translator.arithmetic(.remainder, lhs, rhs)
    }
}

extension PredicateExpressions.FloatDivision: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart {
        try translator.arithmetic(.divide, lhs, rhs)
    }
}

extension PredicateExpressions.UnaryMinus: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart {
        switch try translator.operand(wrapped) {
        case .constant(.int(let value)) where value != .min: .operand(.constant(.int(-value)))
        case .constant(.double(let value)): .operand(.constant(.double(-value)))
        case let operand: .operand(.arithmetic(.subtract, .constant(.int(0)), operand))
        }
    }
}

extension PredicateTranslator {
    fileprivate func arithmetic(
        _ operation: FirnQuery.ArithmeticOperator, _ left: any PredicateExpression, _ right: any PredicateExpression
    ) throws(Realm.Error) -> TranslatedPart {
        .operand(.arithmetic(operation, try operand(left), try operand(right)))
    }
}
