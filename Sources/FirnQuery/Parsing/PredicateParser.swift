/// Reads predicate text in the format of `NSPredicate`, as far as it is supported.
///
///     predicate  := term { (AND | &&) term }
///     term       := ( predicate ) | TRUEPREDICATE | FALSEPREDICATE | comparison
///     comparison := operand operator [options] operand     one of them a property, the other a constant
///
/// All else that `NSPredicate` knows is refused where it stands, by name.
struct PredicateParser {
    private static let greatestDepth = 100

    private let source: PredicateSource
    private var tokens: [PredicateToken] = []
    private var index = 0
    private var depth = 0
    private(set) var argumentCount = 0

    init(_ text: String) throws(QueryError) {
        source = PredicateSource(text)
        var tokenizer = PredicateTokenizer(source)
        repeat { tokens.append(try tokenizer.next()) } while tokens.last?.kind != .end
    }

    /// The whole text as a tree.
    mutating func parse() throws(QueryError) -> PredicateTemplate.Node {
        let node = try parsePredicate()
        guard token.kind == .end else { throw unexpected("Expected AND or the end") }
        return node
    }

    // MARK: Tokens

    private var token: PredicateToken { tokens[index] }

    /// Goes to the next token; the last one, the end, stays.
    private mutating func advance() {
        if index + 1 < tokens.count { index += 1 }
    }

    private func peek(_ distance: Int) -> PredicateToken.Kind { tokens[min(index + distance, tokens.count - 1)].kind }

    /// The keyword at a token, in upper case.
    private static func keyword(_ kind: PredicateToken.Kind) -> String? {
        if case .word(let word, isEscaped: false) = kind { return word.uppercased() }
        return nil
    }

    private func unexpected(_ message: String) -> QueryError {
        source.error(.malformed, token.kind == .end ? "\(message), but the text ends" : message, at: token.start)
    }

    private func notSupported(_ what: String) -> QueryError {
        source.error(.notSupported, "\(what) not supported yet", at: token.start)
    }

    // MARK: Terms

    private mutating func parsePredicate() throws(QueryError) -> PredicateTemplate.Node {
        var nodes: [PredicateTemplate.Node] = []
        while true {
            switch try parseTerm() {
            case .all(let parts): nodes += parts
            case let node: nodes.append(node)
            }
            let keyword = Self.keyword(token.kind)
            if keyword == "OR" || token.kind == .sign(.or) { throw notSupported("OR is") }
            guard keyword == "AND" || token.kind == .sign(.and) else { break }
            advance()
        }
        return nodes.count == 1 ? nodes[0] : .all(nodes)
    }

    private mutating func parseTerm() throws(QueryError) -> PredicateTemplate.Node {
        switch Self.keyword(token.kind) {
        case "TRUEPREDICATE":
            advance()
            return .always(true)
        case "FALSEPREDICATE":
            advance()
            return .always(false)
        case "NOT": throw notSupported("NOT is")
        default: break
        }
        switch token.kind {
        case .sign(.not): throw notSupported("NOT is")
        case .sign(.leftParenthesis):
            if isOperand(peek(1)), peek(2) == .sign(.rightParenthesis) {
                throw notSupported("Parentheses around a single operand are")
            }
            guard depth < Self.greatestDepth else {
                throw source.error(
                    .malformed, "More than \(Self.greatestDepth) parentheses inside each other", at: token.start)
            }
            depth += 1
            advance()
            let node = try parsePredicate()
            guard token.kind == .sign(.rightParenthesis) else { throw unexpected("Expected AND or )") }
            advance()
            depth -= 1
            return node
        default: return .comparison(try parseComparison())
        }
    }

    private func isOperand(_ kind: PredicateToken.Kind) -> Bool {
        switch kind {
        case .word: !["TRUEPREDICATE", "FALSEPREDICATE"].contains(Self.keyword(kind))
        case .integer, .double, .string, .argument: true
        case .sign, .end: false
        }
    }

    // MARK: Comparisons

    private enum Side {
        case property(PredicateTemplate.Property)
        case operand(PredicateTemplate.Operand)
    }

    private mutating func parseComparison() throws(QueryError) -> PredicateTemplate.Comparison {
        let start = token.start
        let left = try parseSide()
        let operatorStart = token.start
        let operation = try parseOperator()
        let options = try parseOptions()
        let right = try parseSide()

        func comparison(
            _ property: PredicateTemplate.Property, _ operation: ComparisonOperator,
            _ operand: PredicateTemplate.Operand
        ) -> PredicateTemplate.Comparison {
            PredicateTemplate.Comparison(
                property: property, operation: operation, options: options, operand: operand,
                position: source.position(start))
        }
        switch (left, right) {
        case (.property(let property), .operand(let operand)): return comparison(property, operation, operand)
        case (.operand(let operand), .property(let property)):
            guard let mirrored = operation.mirrored else {
                throw source.error(
                    .notSupported, "\(operation.symbol) with the property on its right is not supported yet",
                    at: operatorStart)
            }
            return comparison(property, mirrored, operand)
        case (.property, .property):
            throw source.error(.notSupported, "Comparing two properties is not supported yet", at: start)
        case (.operand, .operand):
            throw source.error(.notSupported, "Comparing two constants is not supported yet", at: start)
        }
    }

    private mutating func parseSide() throws(QueryError) -> Side {
        let side: Side
        switch token.kind {
        case .word(let name, let isEscaped): side = try isEscaped ? .property(.name(name)) : word(name)
        case .string(let text): side = .operand(.constant(.string(text)))
        case .integer(let magnitude): side = .operand(.constant(try integer(magnitude, isNegative: false)))
        case .double(let value): side = .operand(.constant(.double(value)))
        case .argument(let kind): side = argument(kind)
        case .sign(.minus), .sign(.plus): side = .operand(.constant(try signedNumber()))
        case .sign(.leftBrace): throw notSupported("A list in braces is")
        case .sign(.at): throw notSupported("A collection operator is")
        case .sign(.dollar): throw notSupported("A variable is")
        case .sign(.leftParenthesis): throw notSupported("An operand in parentheses is")
        case .sign, .end: throw unexpected("Expected a property or a constant")
        }
        advance()
        try refuseContinuation()
        return side
    }

    private func word(_ name: String) throws(QueryError) -> Side {
        switch name.uppercased() {
        case "TRUE", "YES": return .operand(.constant(.bool(true)))
        case "FALSE", "NO": return .operand(.constant(.bool(false)))
        case "NIL", "NULL": return .operand(.constant(.null))
        case "ANY", "SOME", "ALL", "NONE", "SUBQUERY", "FUNCTION", "CAST", "TERNARY", "SELF":
            throw notSupported("\(name.uppercased()) is (a property of this name is written #\(name)),")
        case "AND", "OR", "NOT", "IN", "BETWEEN", "LIKE", "MATCHES", "BEGINSWITH", "CONTAINS", "ENDSWITH",
            "TRUEPREDICATE", "FALSEPREDICATE":
            throw unexpected(
                "Expected a property or a constant, not a keyword; a property of this name is written #\(name)")
        default: return .property(.name(name))
        }
    }

    private mutating func argument(_ kind: PredicateToken.ArgumentKind) -> Side {
        let index = argumentCount
        argumentCount += 1
        switch kind {
        case .value: return .operand(.argument(index, .any))
        case .integer: return .operand(.argument(index, .integer))
        case .double: return .operand(.argument(index, .double))
        case .property: return .property(.argument(index))
        }
    }

    /// A number behind a sign; stops at the number.
    private mutating func signedNumber() throws(QueryError) -> Constant {
        let isNegative = token.kind == .sign(.minus)
        switch peek(1) {
        case .integer(let magnitude):
            advance()
            return try integer(magnitude, isNegative: isNegative)
        case .double(let value):
            advance()
            return .double(isNegative ? -value : value)
        default: throw notSupported("Arithmetic is")
        }
    }

    private func integer(_ magnitude: UInt64, isNegative: Bool) throws(QueryError) -> Constant {
        if let value = Int64(exactly: magnitude) { return .int(isNegative ? -value : value) }
        guard isNegative, magnitude == Int64.min.magnitude else { throw source.tooLarge(at: token.start) }
        return .int(.min)
    }

    /// Refuses what would make a longer expression of the operand just read.
    private func refuseContinuation() throws(QueryError) {
        switch token.kind {
        case .sign(.period): throw notSupported("A key path is")
        case .sign(.leftBracket): throw notSupported("A subscript is")
        case .sign(.plus), .sign(.minus), .sign(.asterisk), .sign(.slash): throw notSupported("Arithmetic is")
        case .sign(.leftParenthesis): throw notSupported("A function is")
        case .sign(.colon): throw notSupported("An assignment is")
        default: return
        }
    }

    private mutating func parseOperator() throws(QueryError) -> ComparisonOperator {
        let operation: ComparisonOperator
        switch token.kind {
        case .sign(.equal), .sign(.assign): operation = .equal
        case .sign(.notEqual), .sign(.unequal): operation = .notEqual
        case .sign(.less): operation = .less
        case .sign(.lessOrEqual), .sign(.equalOrLess): operation = .lessOrEqual
        case .sign(.greater): operation = .greater
        case .sign(.greaterOrEqual), .sign(.equalOrGreater): operation = .greaterOrEqual
        default:
            switch Self.keyword(token.kind) {
            case "BEGINSWITH": operation = .beginsWith
            case "CONTAINS": operation = .contains
            case "ENDSWITH": operation = .endsWith
            case let keyword? where ["IN", "BETWEEN", "LIKE", "MATCHES"].contains(keyword):
                throw notSupported("\(keyword) is")
            default: throw unexpected("Expected an operator such as ==, < or CONTAINS")
            }
        }
        advance()
        return operation
    }

    private mutating func parseOptions() throws(QueryError) -> ComparisonOptions {
        guard token.kind == .sign(.leftBracket) else { return [] }
        advance()
        guard case .word(let letters, isEscaped: false) = token.kind else { throw unexpected("Expected c, d or cd") }
        var options: ComparisonOptions = []
        for letter in letters.lowercased() {
            switch letter {
            case "c": options.insert(.caseInsensitive)
            case "d": options.insert(.diacriticInsensitive)
            case "l", "n", "w": throw notSupported("The option \(letter) is")
            default: throw unexpected("Expected c, d or cd")
            }
        }
        advance()
        guard token.kind == .sign(.rightBracket) else { throw unexpected("Expected ]") }
        advance()
        return options
    }
}
