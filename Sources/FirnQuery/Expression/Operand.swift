/// One side of a comparison.
package indirect enum Operand: Hashable, Sendable {
    /// A value.
    case constant(Constant)
    /// A place for a value: the argument that brings it. Only in templates.
    case argument(Int, ArgumentType)
    /// Several operands, on the right of `IN` and `BETWEEN`.
    case list([Operand])
    /// What a path leads to: one value, or through a collection as many as there are.
    case path(QueryPath)
    /// What is made of all values that a path leads to.
    case aggregate(Aggregate, QueryPath)
    /// For how many elements of a collection an expression holds.
    case count(Subquery)
    /// Two numbers, reckoned with.
    case arithmetic(ArithmeticOperator, Operand, Operand)
    /// The first operand, or the second where that is nil.
    case coalesced(Operand, Operand)
    /// One of two operands, as an expression holds or not.
    case choice(QueryExpression, Operand, Operand)
    /// A text in another form.
    case text(TextFunction, Operand)

    /// What a placeholder takes.
    package enum ArgumentType: Hashable, Sendable {
        case any, integer, double
    }
}

/// What is made of many values.
package enum Aggregate: String, Hashable, Sendable, CaseIterable {
    case count, min, max, sum, avg

    /// The operator as predicate text writes it.
    package var symbol: String { "@\(rawValue)" }
}

/// How two numbers are reckoned with.
package enum ArithmeticOperator: String, Hashable, Sendable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"
}

/// Makes another text of a text.
package enum TextFunction: String, Hashable, Sendable {
    case lowercase, uppercase
}

/// The elements of a collection for which an expression holds: `SUBQUERY(collection, $variable, expression)`.
package struct Subquery: Hashable, Sendable {
    /// Where the elements are.
    package var collection: QueryPath
    /// The name by which the expression calls the element.
    package var variable: String
    /// What is asked of each element.
    package var condition: QueryExpression

    /// A subquery made from its parts.
    package init(_ collection: QueryPath, _ variable: String, _ condition: QueryExpression) {
        self.collection = collection
        self.variable = variable
        self.condition = condition
    }
}
