/// Predicate text that has been read, with its placeholders still open: what is kept of a text that comes again and again.
package struct PredicateTemplate: Sendable {
    /// A place for a property: its name, or the argument that names it.
    enum Property: Equatable, Sendable {
        case name(String)
        case argument(Int)
    }

    /// A place for a constant: the constant, or the argument that brings it.
    enum Operand: Equatable, Sendable {
        case constant(Constant)
        case argument(Int, ArgumentType)
    }

    /// What a placeholder takes.
    enum ArgumentType: Equatable, Sendable {
        case any, integer, double
    }

    struct Comparison: Equatable, Sendable {
        var property: Property
        var operation: ComparisonOperator
        var options: ComparisonOptions
        var operand: Operand
        var position: Int
    }

    indirect enum Node: Equatable, Sendable {
        case always(Bool)
        case comparison(Comparison)
        case all([Node])
    }

    /// The text it was read from.
    package let text: String
    /// The number of placeholders in it.
    package let argumentCount: Int
    let root: Node

    /// Reads predicate text.
    /// - Throws: `.malformed` or `.notSupported`, with the position.
    package init(_ text: String) throws(QueryError) {
        var parser = try PredicateParser(text)
        root = try parser.parse()
        argumentCount = parser.argumentCount
        self.text = text
    }

    /// The predicate with the placeholders filled in, in the order of the text.
    ///
    /// `constant` turns an argument to a constant; what it throws is the cause of an `.invalidArgument`.
    /// - Throws: `.invalidArgument`; `.notSupported` where `%K` stands for a key path.
    package func expression(
        arguments: [Any?], constant: (Any?) throws -> Constant
    ) throws(QueryError) -> QueryExpression {
        guard arguments.count == argumentCount else {
            throw QueryError(
                .invalidArgument,
                "\(PredicateSource.quoted(text)) takes \(Self.counted(argumentCount)), but \(arguments.count) \(arguments.count == 1 ? "was" : "were") given"
            )
        }
        return try fill(root, arguments, constant)
    }

    private static func counted(_ count: Int) -> String { count == 1 ? "1 argument" : "\(count) arguments" }

    private func fill(
        _ node: Node, _ arguments: [Any?], _ constant: (Any?) throws -> Constant
    ) throws(QueryError) -> QueryExpression {
        switch node {
        case .always(let answer): return .always(answer)
        case .all(let nodes):
            var filled: [QueryExpression] = []
            filled.reserveCapacity(nodes.count)
            for node in nodes { filled.append(try fill(node, arguments, constant)) }
            return .all(filled)
        case .comparison(let comparison):
            let property: String
            switch comparison.property {
            case .name(let name): property = name
            case .argument(let index): property = try propertyName(arguments[index], index, comparison)
            }
            let value: Constant
            switch comparison.operand {
            case .constant(let constant): value = constant
            case .argument(let index, let type):
                do {
                    value = try constant(arguments[index])
                } catch {
                    throw QueryError(
                        .invalidArgument, "Argument \(index + 1) of \(PredicateSource.quoted(text)): \(error)",
                        position: comparison.position,
                        cause: error)
                }
                try check(value, type, index, comparison)
            }
            return .comparison(
                FirnQuery.Comparison(
                    property, comparison.operation, value, options: comparison.options, position: comparison.position))
        }
    }

    private func propertyName(_ argument: Any?, _ index: Int, _ comparison: Comparison) throws(QueryError) -> String {
        guard let name = argument as? String, !name.isEmpty else {
            throw QueryError(
                .invalidArgument,
                "Argument \(index + 1) of \(PredicateSource.quoted(text)) stands at %K and must be the name of a property",
                position: comparison.position)
        }
        guard !name.utf8.contains(where: { ".@[".utf8.contains($0) }) else {
            throw QueryError(
                .notSupported, "Key paths such as “\(name)” are not supported yet, in \(PredicateSource.quoted(text))",
                position: comparison.position)
        }
        return name
    }

    private func check(
        _ value: Constant, _ type: ArgumentType, _ index: Int, _ comparison: Comparison
    ) throws(QueryError) {
        switch (type, value) {
        case (.any, _), (.integer, .int), (.integer, .bool), (.double, .double), (.double, .int): return
        default:
            throw QueryError(
                .invalidArgument,
                "Argument \(index + 1) of \(PredicateSource.quoted(text)) must be \(type == .integer ? "an integer" : "a number") but is \(value.kind); %@ takes any value",
                position: comparison.position)
        }
    }
}
