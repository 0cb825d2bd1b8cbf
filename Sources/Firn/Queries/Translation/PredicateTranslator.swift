import FirnQuery
import Foundation

/// Makes a query of a Foundation predicate, the value of `#Predicate`, whose tree is walked once.
final class PredicateTranslator {
    /// The objects among what was captured.
    let objects = ObjectCollection()
    /// What variables stand for: the object that the predicate is about, elements of collections, what optionals hold.
    private var variables: [PredicateExpressions.VariableID: TranslatedPart] = [:]
    private var variableCount = 0

    /// What a predicate asks for. Throws for an operator that no query has.
    func expression<Root>(of predicate: Predicate<Root>) throws(Realm.Error) -> QueryExpression {
        variables[predicate.variable.key] = .operand(.path(QueryPath([])))
        return try self.predicate(predicate.expression)
    }

    // MARK: Parts

    /// What a part of the predicate says.
    func part(_ expression: any PredicateExpression) throws(Realm.Error) -> TranslatedPart {
        guard let expression = expression as? any TranslatableExpression else {
            throw unsupported(Self.name(of: type(of: expression)))
        }
        return try expression.translated(by: self)
    }

    /// A part as a value.
    func operand(_ expression: any PredicateExpression) throws(Realm.Error) -> Operand {
        try operand(part(expression), from: expression)
    }

    /// A part as a value; `expression` is what it was translated from.
    func operand(
        _ part: TranslatedPart, from expression: any PredicateExpression
    ) throws(Realm.Error) -> Operand {
        switch part {
        case .constant(let value): return try constant(value)
        case .operand(let operand): return operand
        case .predicate(let predicate):
            return .choice(predicate, .constant(.bool(true)), .constant(.bool(false)))
        case .optional(let predicate, let isThere):
            let answer = Operand.choice(predicate, .constant(.bool(true)), .constant(.bool(false)))
            return .choice(isThere, answer, .constant(.null))
        case .range, .filtered: throw unsupported("\(Self.name(of: type(of: expression))) as a value")
        }
    }

    /// A part as something that holds or not.
    func predicate(_ expression: any PredicateExpression) throws(Realm.Error) -> QueryExpression {
        switch try part(expression) {
        case .predicate(let predicate): return predicate
        case .optional(let predicate, let isThere): return .conjunction([isThere, predicate])
        case .constant(let value as Bool): return .always(value)
        case let part:
            return .comparison(Comparison(try operand(part, from: expression), .equal, .constant(.bool(true))))
        }
    }

    /// A captured value.
    func constant(_ value: Any?) throws(Realm.Error) -> Operand {
        do {
            return try QueryConstant.operand(value, objects)
        } catch {
            throw Realm.Error(.invalidInput, "#Predicate: \(error)", cause: error)
        }
    }

    // MARK: Variables

    /// What a variable stands for.
    func value(of variable: PredicateExpressions.VariableID) throws(Realm.Error) -> TranslatedPart {
        guard let part = variables[variable] else { throw unsupported("a variable of another predicate") }
        return part
    }

    /// What `body` gives where a variable stands for something.
    func with<Result>(
        _ variable: PredicateExpressions.VariableID, as part: TranslatedPart,
        _ body: () throws(Realm.Error) -> Result
    ) throws(Realm.Error) -> Result {
        let outer = variables.updateValue(part, forKey: variable)
        defer { variables[variable] = outer }
        return try body()
    }

    /// A name that no other variable of the query has.
    func makeName() -> String {
        variableCount += 1
        return "element\(variableCount)"
    }

    // MARK: Errors

    /// The error for what no query can ask.
    func unsupported(_ what: String) -> Realm.Error {
        Realm.Error(
            .invalidInput,
            "#Predicate with \(what) cannot be asked of a realm; say it otherwise, or filter an Array of the objects")
    }

    /// The name of an operator's type without its operands.
    static func name(of type: Any.Type) -> String {
        String(String(describing: type).prefix { $0 != "<" })
    }
}

/// What a part of a predicate says.
enum TranslatedPart {
    /// A value that was captured, or written down.
    case constant(Any?)
    case operand(Operand)
    case predicate(QueryExpression)
    /// A predicate about what an optional holds, and whether that holds something.
    case optional(QueryExpression, isThere: QueryExpression)
    case range(lower: Operand, upper: Operand, isClosed: Bool)
    /// Those of a collection's objects for which a predicate holds.
    case filtered(Subquery)
}

/// An operator of `#Predicate` that a query has too.
protocol TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart
}

extension Operand {
    /// Whether the value is nil, or is not.
    func isNil(_ answer: Bool) -> QueryExpression {
        .comparison(Comparison(self, answer ? .equal : .notEqual, .constant(.null)))
    }
}
