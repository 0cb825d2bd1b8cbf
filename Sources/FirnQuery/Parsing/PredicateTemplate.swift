/// Predicate text that has been read, with its placeholders still open: what is kept of a text that comes again and again.
package struct PredicateTemplate: Sendable {
    /// The text it was read from; that of the tree where it was read from none, which costs O(tree).
    package var text: String { source ?? root.description }
    private let source: String?
    /// The number of placeholders in it.
    package let argumentCount: Int
    private let root: QueryExpression

    /// Reads predicate text. Linear in the text's length.
    /// - Throws: `.malformed` or `.notSupported`, with the position.
    package init(_ text: String) throws(QueryError) {
        var parser = try PredicateParser(text)
        root = try parser.parse()
        argumentCount = parser.argumentCount
        source = text
    }

    /// A tree with so many placeholders, each of which stands once in it.
    package init(_ root: QueryExpression, argumentCount: Int) {
        self.root = root
        self.argumentCount = argumentCount
        source = nil
    }

    /// The predicate with the placeholders filled in, in the order of the text.
    ///
    /// `operand` turns an argument to a constant, or a list of them; what it throws is the cause of an `.invalidArgument`.
    /// - Throws: `.invalidArgument`; `.malformed` where `%K` stands for no key path.
    package func expression(
        arguments: [Any?], operand: (Any?) throws -> Operand
    ) throws(QueryError) -> QueryExpression {
        guard arguments.count == argumentCount else {
            throw QueryError(
                .invalidArgument,
                "\(PredicateSource.quoted(text)) takes \(Self.counted(argumentCount)), but \(arguments.count) \(arguments.count == 1 ? "was" : "were") given"
            )
        }
        if argumentCount == 0 { return root }
        return try withoutActuallyEscaping(operand) { operand throws(QueryError) in
            var filling = Filling(text: text, arguments: arguments, operand: operand)
            return try root.rewritten(by: &filling)
        }
    }

    private static func counted(_ count: Int) -> String { count == 1 ? "1 argument" : "\(count) arguments" }
}

/// Puts arguments where placeholders are.
private struct Filling: OperandRewriter {
    let text: String
    let arguments: [Any?]
    let operand: (Any?) throws -> Operand
    /// Where the comparison begins that is filled.
    private var position: Int?

    init(text: String, arguments: [Any?], operand: @escaping (Any?) throws -> Operand) {
        self.text = text
        self.arguments = arguments
        self.operand = operand
    }

    mutating func enter(_ comparison: Comparison) {
        position = comparison.position
    }

    func argument(_ index: Int, _ type: Operand.ArgumentType) throws(QueryError) -> Operand {
        let filled: Operand
        do {
            filled = try operand(arguments[index])
        } catch {
            throw refusal(index, ": \(error)", cause: error)
        }
        switch (type, filled) {
        case (.any, _), (.integer, .constant(.int)), (.integer, .constant(.bool)), (.double, .constant(.double)),
            (.double, .constant(.int)):
            return filled
        case (_, .constant(let constant)):
            throw refusal(
                index,
                " must be \(type == .integer ? "an integer" : "a number") but is \(constant.kind); %@ takes any value")
        default: throw refusal(index, " must be a number but is a list; %@ takes any value")
        }
    }

    func path(_ path: QueryPath) throws(QueryError) -> QueryPath {
        guard case .path(let path) = try operand(path) else {
            throw QueryError(
                .invalidArgument,
                "A key path with an operator such as @count stands where \(PredicateSource.quoted(text)) takes none",
                position: position)
        }
        return path
    }

    func operand(_ path: QueryPath) throws(QueryError) -> Operand {
        var filled = QueryPath([], from: path.variable)
        var aggregate: Aggregate?
        for step in path.steps {
            switch step {
            case .argument(let index, .keyPath):
                switch try keyPath(index) {
                case .path(let part): filled.steps += part.steps
                case .aggregate(let found, let part) where aggregate == nil:
                    aggregate = found
                    filled.steps += part.steps
                default: throw refusal(index, " stands at %K and must be a key path")
                }
            case .argument(let index, .element): filled.steps.append(try element(index))
            default: filled.steps.append(step)
            }
        }
        return aggregate.map { .aggregate($0, filled) } ?? .path(filled)
    }

    private func keyPath(_ index: Int) throws(QueryError) -> Operand {
        guard let text = arguments[index] as? String, !text.isEmpty else {
            throw refusal(index, " stands at %K and must be the name of a property or a key path")
        }
        // Names with spaces or signs come as they are: nothing else can be meant where none of these is in them.
        guard text.utf8.contains(where: { ".@[$".utf8.contains($0) }) else {
            return .path(QueryPath(property: text))
        }
        var parser = try PredicateParser(text)
        let operand = try parser.parseKeyPath()
        guard parser.argumentCount == 0 else { throw refusal(index, " stands at %K and must be a key path") }
        return operand
    }

    private func element(_ index: Int) throws(QueryError) -> QueryPath.Step {
        switch try argument(index, .any) {
        case .constant(.string(let key)): return .key(key)
        // Below 0 nothing stands; -1 is what the tree calls the last.
        case .constant(.int(let position)) where position >= 0: return .index(Int(position))
        default: throw refusal(index, " stands in brackets and must be a key or a position")
        }
    }

    private func refusal(_ index: Int, _ message: String, cause: (any Error)? = nil) -> QueryError {
        QueryError(
            .invalidArgument, "Argument \(index + 1) of \(PredicateSource.quoted(text))\(message)", position: position,
            cause: cause)
    }
}
