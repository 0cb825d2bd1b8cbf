import Firn
import Foundation
import TestSupport

/// Predicates made from the operators by hand, as `#Predicate` makes them.
enum RandomPredicate {
    typealias Dog = PredicateMacroTests.Dog
    typealias Variable = PredicateExpressions.Variable<Dog>
    typealias Condition = any StandardPredicateExpression<Bool>

    static func make(_ dog: Variable, depth: Int, _ generator: inout SeededGenerator) -> Condition {
        guard depth > 0 else { return leaf(dog, &generator) }
        let first = make(dog, depth: depth - 1, &generator)
        switch Int.random(in: 0..<7, using: &generator) {
        case 0, 1: return and(first, make(dog, depth: depth - 1, &generator))
        case 2, 3: return or(first, make(dog, depth: depth - 1, &generator))
        case 4: return not(first)
        case 5: return equal(first, make(dog, depth: depth - 1, &generator))
        default:
            return choice(
                make(dog, depth: 0, &generator), first, make(dog, depth: depth - 1, &generator))
        }
    }

    private static func and(_ left: some StandardPredicateExpression<Bool>, _ right: Condition) -> Condition {
        func join(_ right: some StandardPredicateExpression<Bool>) -> Condition {
            PredicateExpressions.build_Conjunction(lhs: left, rhs: right)
        }
        return join(right)
    }

    private static func or(_ left: some StandardPredicateExpression<Bool>, _ right: Condition) -> Condition {
        func join(_ right: some StandardPredicateExpression<Bool>) -> Condition {
            PredicateExpressions.build_Disjunction(lhs: left, rhs: right)
        }
        return join(right)
    }

    private static func equal(_ left: some StandardPredicateExpression<Bool>, _ right: Condition) -> Condition {
        func join(_ right: some StandardPredicateExpression<Bool>) -> Condition {
            PredicateExpressions.build_Equal(lhs: left, rhs: right)
        }
        return join(right)
    }

    private static func not(_ part: some StandardPredicateExpression<Bool>) -> Condition {
        PredicateExpressions.build_Negation(part)
    }

    private static func choice(
        _ test: some StandardPredicateExpression<Bool>, _ first: Condition, _ second: Condition
    ) -> Condition {
        func withFirst(_ first: some StandardPredicateExpression<Bool>) -> Condition {
            func withSecond(_ second: some StandardPredicateExpression<Bool>) -> Condition {
                PredicateExpressions.build_Conditional(test, first, second)
            }
            return withSecond(second)
        }
        return withFirst(first)
    }

    private static func path<Value>(
        _ dog: Variable, _ keyPath: any KeyPath<Dog, Value> & Sendable
    ) -> PredicateExpressions.KeyPath<Variable, Value> {
        PredicateExpressions.build_KeyPath(root: dog, keyPath: keyPath)
    }

    private static func value<Value>(_ value: Value) -> PredicateExpressions.Value<Value> {
        PredicateExpressions.build_Arg(value)
    }

    private static func leaf(_ dog: Variable, _ generator: inout SeededGenerator) -> Condition {
        typealias Make = PredicateExpressions
        let number = Int.random(in: 0..<6, using: &generator)
        let operators: [Make.ComparisonOperator] = [.lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual]
        let op = operators[number % 4]
        let text = ["", "n", "nn", "Bob", "x", "A"][number]
        switch Int.random(in: 0..<17, using: &generator) {
        case 0: return Make.build_Comparison(lhs: path(dog, \.age), rhs: value(number), op: op)
        case 1: return Make.build_Comparison(lhs: value(text), rhs: path(dog, \.name), op: op)
        case 2: return Make.build_Equal(lhs: path(dog, \.nickname), rhs: value(String?.some("n\(number)")))
        case 3: return Make.build_NotEqual(lhs: path(dog, \.nickname), rhs: Make.build_NilLiteral())
        case 4: return path(dog, \.isGood)
        case 5: return Make.build_NilCoalesce(lhs: path(dog, \.isOld), rhs: value(number < 3))
        case 6:
            let weight = Make.build_NilCoalesce(lhs: path(dog, \.weight), rhs: value(2.5))
            return Make.build_Comparison(lhs: weight, rhs: value(Double(number)), op: op)
        case 7:
            let weighs = Make.build_flatMap(path(dog, \.weight)) {
                Make.build_Comparison(lhs: $0, rhs: value(Double(number)), op: op)
            }
            return Make.build_NilCoalesce(lhs: weighs, rhs: value(number > 2))
        case 8:
            let sum = Make.build_Arithmetic(lhs: path(dog, \.age), rhs: path(dog, \.id), op: .add)
            return Make.build_Comparison(lhs: sum, rhs: value(2 * number), op: op)
        case 9: return Make.build_contains(path(dog, \.name), value(text))
        case 10: return Make.build_starts(path(dog, \.name), with: value(text))
        case 11:
            return Make.build_contains(
                Make.build_ClosedRange(lower: value(1), upper: value(number + 1)), path(dog, \.age))
        case 12: return Make.build_contains(path(dog, \.scores), value(number))
        case 13:
            return Make.build_allSatisfy(path(dog, \.scores)) {
                Make.build_Comparison(lhs: $0, rhs: value(number), op: op)
            }
        case 14:
            return Make.build_contains(path(dog, \.friends)) { friend in
                Make.build_Conjunction(
                    lhs: Make.build_Comparison(
                        lhs: Make.build_KeyPath(root: friend, keyPath: \.age), rhs: value(number), op: op),
                    rhs: Make.build_KeyPath(root: friend, keyPath: \.isGood))
            }
        case 15:
            return Make.build_allSatisfy(path(dog, \.friends)) { friend in
                Make.build_NotEqual(lhs: Make.build_KeyPath(root: friend, keyPath: \.age), rhs: value(number))
            }
        default:
            let name = Make.build_flatMap(path(dog, \.owner)) { Make.build_KeyPath(root: $0, keyPath: \.name) }
            return Make.build_Equal(lhs: name, rhs: value(String?.some("Person \(number)")))
        }
    }
}
