import FirnQuery
import Foundation

extension PredicateExpressions.SequenceContains: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart {
        switch try translator.part(sequence) {
        case .operand(.path(let path)) where LHS.Output.self is any QueriedCollection.Type:
            return .predicate(
                .comparison(
                    Comparison(.path(path), .equal, try translator.operand(element), quantifier: .any)))
        case let part: return try translator.contains(part, element)
        }
    }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart {
        let elements = try translator.elements(of: sequence, LHS.Output.Element.self)
        return .predicate(try translator.quantified(.any, elements, variable.key, test))
    }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart {
        let elements = try translator.elements(of: sequence, LHS.Output.Element.self)
        return .predicate(try translator.quantified(.all, elements, variable.key, test))
    }
}

extension PredicateExpressions.Filter: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart {
        guard case .objects(let subquery) = try translator.elements(of: sequence, LHS.Output.Element.self) else {
            throw translator.unsupported("Filter of anything but a collection of objects")
        }
        return .filtered(try translator.narrowed(subquery, variable.key, filter))
    }
}

extension PredicateExpressions.CollectionIndexSubscript: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart {
        guard Wrapped.Output.self is any ListType.Type, case .operand(.path(let path)) = try translator.part(wrapped),
            case .constant(let position as Int) = try translator.part(index), position >= 0
        else {
            throw translator.unsupported("CollectionIndexSubscript of anything but a List, by a captured position,")
        }
        return .operand(.path(QueryPath(path.steps + [.index(position)], from: path.variable)))
    }
}

extension PredicateExpressions.SequenceMinimum: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart {
        try translator.aggregate(.min, elements)
    }
}

extension PredicateExpressions.SequenceMaximum: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart {
        try translator.aggregate(.max, elements)
    }
}

// MARK: Ranges

extension PredicateExpressions.ClosedRange: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart {
        .range(lower: try translator.operand(lower), upper: try translator.operand(upper), isClosed: true)
    }
}

extension PredicateExpressions.Range: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart {
        .range(lower: try translator.operand(lower), upper: try translator.operand(upper), isClosed: false)
    }
}

extension PredicateExpressions.RangeExpressionContains: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart {
        try translator.contains(try translator.part(range), element)
    }
}

/// A range that was captured.
private protocol CapturedRange {
    var ends: (lower: Any?, upper: Any?, isClosed: Bool) { get }
}

extension ClosedRange: CapturedRange {
    fileprivate var ends: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, upperBound, true) }
}

extension Range: CapturedRange {
    fileprivate var ends: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, upperBound, false) }
}

extension PartialRangeFrom: CapturedRange {
    fileprivate var ends: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, nil, true) }
}

extension PartialRangeUpTo: CapturedRange {
    fileprivate var ends: (lower: Any?, upper: Any?, isClosed: Bool) { (nil, upperBound, false) }
}

extension PartialRangeThrough: CapturedRange {
    fileprivate var ends: (lower: Any?, upper: Any?, isClosed: Bool) { (nil, upperBound, true) }
}

extension PredicateTranslator {
    /// Whether something lies in a range, or is one of several captured values.
    fileprivate func contains(
        _ part: TranslatedPart, _ element: any PredicateExpression
    ) throws(Realm.Error) -> TranslatedPart {
        let element = try operand(element)
        func isWithin(_ lower: Operand?, _ upper: Operand?, _ isClosed: Bool) -> TranslatedPart {
            .predicate(
                .conjunction(
                    [
                        lower.map { .comparison(Comparison(element, .greaterOrEqual, $0)) },
                        upper.map { .comparison(Comparison(element, isClosed ? .lessOrEqual : .less, $0)) },
                    ].compactMap(\.self)))
        }
        switch part {
        case .range(let lower, let upper, let isClosed): return isWithin(lower, upper, isClosed)
        case .constant(let range as any CapturedRange):
            let (lower, upper, isClosed) = range.ends
            return isWithin(
                try lower.map { value throws(Realm.Error) in try constant(value) },
                try upper.map { value throws(Realm.Error) in try constant(value) }, isClosed)
        case .constant(let values):
            guard case .list(let list) = try constant(values) else { fallthrough }
            return .predicate(.comparison(Comparison(element, .isIn, .list(list))))
        default: throw unsupported("SequenceContains of anything but a collection, a range or captured values")
        }
    }

    fileprivate func aggregate(
        _ aggregate: Aggregate, _ elements: any PredicateExpression
    ) throws(Realm.Error) -> TranslatedPart {
        guard case .operand(.path(let path)) = try part(elements) else {
            throw unsupported("the smallest or largest element of anything but a collection")
        }
        return .operand(.aggregate(aggregate, path))
    }
}
