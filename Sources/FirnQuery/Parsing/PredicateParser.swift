/// Reads predicate text in the format of `NSPredicate`.
///
///     predicate  := conjunction { (OR | ||) conjunction }
///     conjunction := negation { (AND | &&) negation }
///     negation   := { NOT | ! } comparison
///     comparison := [ANY | SOME | ALL | NONE] sum [operator [options] sum]
///     sum        := product { (+ | -) product }
///     product    := sign { (* | /) sign }
///     sign       := { - | + } operand
///
/// and operands as `PredicateParser+Operands` has them. Parentheses hold predicates or operands alike, so that no place needs to
/// be read twice: time is linear in the text, and depth is bounded.
struct PredicateParser {
    /// How many parentheses and braces may be open at a time, and how many levels a tree may have. Each level is at most one
    /// pair of parentheses where the tree is printed, so that what was read can be read again.
    static let greatestDepth = 100

    let source: PredicateSource
    private var tokens: [PredicateToken] = []
    private var index = 0
    private var depth = 0
    /// The levels of the tree that was read last.
    var height = 0
    /// The variables of the subqueries around the place that is read.
    var variables: [String] = []
    private(set) var argumentCount = 0

    init(_ text: String) throws(QueryError) {
        source = PredicateSource(text)
        var tokenizer = PredicateTokenizer(source)
        repeat { tokens.append(try tokenizer.next()) } while tokens.last?.kind != .end
    }

    /// What parentheses may hold.
    enum Node {
        case expression(QueryExpression)
        case operand(Operand)
    }

    /// The whole text as a tree.
    mutating func parse() throws(QueryError) -> QueryExpression {
        let node = try parsePredicate()
        let expression = try expression(node)
        guard token.kind == .end else { throw unexpected("Expected AND, OR or the end") }
        return expression
    }

    /// The whole text as a key path.
    mutating func parseKeyPath() throws(QueryError) -> Operand {
        let start = token.start
        guard case .operand(let operand) = try parseOperand(), token.kind == .end else {
            throw source.error(.malformed, "Expected a key path", at: start)
        }
        switch operand {
        case .path, .aggregate: return operand
        default: throw source.error(.malformed, "Expected a key path", at: start)
        }
    }

    // MARK: Tokens

    var token: PredicateToken { tokens[index] }

    /// Goes to the next token; the last one, the end, stays.
    mutating func advance() {
        if index + 1 < tokens.count { index += 1 }
    }

    func peek(_ distance: Int) -> PredicateToken.Kind { tokens[min(index + distance, tokens.count - 1)].kind }

    /// The keyword at the token, in upper case.
    var keyword: String? { Self.keyword(token.kind) }

    private static func keyword(_ kind: PredicateToken.Kind) -> String? {
        if case .word(let word, isEscaped: false) = kind { return uppercased(word) }
        return nil
    }

    /// Whether a name would be read as something else, unless `#` stands before it.
    static func isKeyword(_ name: String) -> Bool { keywords.contains(uppercased(name)) }

    /// A word in upper case if it is ASCII: the capitals of `nıl` are those of `nil`, and yet it is a name.
    static func uppercased(_ word: String) -> String { word.utf8.allSatisfy { $0 < 0x80 } ? word.uppercased() : word }

    private static let keywords: Set<String> = [
        "AND", "OR", "NOT", "IN", "BETWEEN", "LIKE", "MATCHES", "BEGINSWITH", "CONTAINS", "ENDSWITH", "GEOWITHIN",
        "ANY",
        "SOME", "ALL", "NONE", "TRUEPREDICATE", "FALSEPREDICATE", "TRUE", "FALSE", "YES", "NO", "NIL", "NULL", "SELF",
    ]

    /// Goes past a sign, if it is the token.
    mutating func skip(_ sign: PredicateToken.Sign) -> Bool {
        guard token.kind == .sign(sign) else { return false }
        advance()
        return true
    }

    mutating func expect(_ sign: PredicateToken.Sign, or others: String? = nil) throws(QueryError) {
        guard skip(sign) else {
            throw unexpected("Expected \(others.map { "\($0) or " } ?? "")\(sign.rawValue)")
        }
    }

    func unexpected(_ message: String) -> QueryError {
        source.error(.malformed, token.kind == .end ? "\(message), but the text ends" : message, at: token.start)
    }

    func notSupported(_ what: String) -> QueryError {
        source.error(.notSupported, "\(what) not supported", at: token.start)
    }

    mutating func makeArgument() -> Int {
        defer { argumentCount += 1 }
        return argumentCount
    }

    /// Reads what stands within parentheses, braces or brackets.
    mutating func nested<R>(
        _ body: (inout PredicateParser) throws(QueryError) -> R
    ) throws(QueryError) -> R {
        guard depth < Self.greatestDepth else { throw tooDeep }
        depth += 1
        defer { depth -= 1 }
        return try body(&self)
    }

    private var tooDeep: QueryError {
        source.error(.malformed, "More than \(Self.greatestDepth) levels inside each other", at: token.start)
    }

    /// Puts a level over so many.
    mutating func rise(above levels: Int) throws(QueryError) {
        guard levels < Self.greatestDepth else { throw tooDeep }
        height = levels + 1
    }

    // MARK: Compounds

    mutating func parsePredicate() throws(QueryError) -> Node {
        try parseList("OR", .or, join: QueryExpression.disjunction) { parser throws(QueryError) in
            try parser.parseConjunction()
        }
    }

    private mutating func parseConjunction() throws(QueryError) -> Node {
        try parseList("AND", .and, join: QueryExpression.conjunction) { parser throws(QueryError) in
            try parser.parseNegation()
        }
    }

    private mutating func parseList(
        _ word: String, _ sign: PredicateToken.Sign,
        join: ([QueryExpression]) -> QueryExpression,
        _ part: (inout PredicateParser) throws(QueryError) -> Node
    ) throws(QueryError) -> Node {
        let first = try part(&self)
        guard keyword == word || token.kind == .sign(sign) else { return first }
        var parts = [try expression(first)]
        var levels = height
        while keyword == word || token.kind == .sign(sign) {
            advance()
            let next = try part(&self)
            parts.append(try expression(next))
            levels = max(levels, height)
        }
        try rise(above: levels)
        return .expression(join(parts))
    }

    private mutating func parseNegation() throws(QueryError) -> Node {
        var isNegated: Bool?
        while keyword == "NOT" || token.kind == .sign(.not) {
            advance()
            isNegated = isNegated != true
        }
        guard let isNegated else { return try parseComparison() }
        let node = try parseComparison()
        let expression = try expression(node)
        guard isNegated else { return .expression(expression) }
        try rise(above: height)
        return .expression(.not(expression))
    }

    /// A predicate. A node that is none ends where its operator is missing, at the token.
    func expression(_ node: Node) throws(QueryError) -> QueryExpression {
        if case .expression(let expression) = node { return expression }
        throw unexpected("Expected an operator such as ==, < or CONTAINS")
    }

    func operand(_ node: Node, at start: Int) throws(QueryError) -> Operand {
        if case .operand(let operand) = node { return operand }
        throw source.error(.malformed, "Expected a property or a value, not a predicate", at: start)
    }

    // MARK: Comparisons

    private mutating func parseComparison() throws(QueryError) -> Node {
        switch keyword {
        case "TRUEPREDICATE":
            advance()
            height = 0
            return .expression(.always(true))
        case "FALSEPREDICATE":
            advance()
            height = 0
            return .expression(.always(false))
        case "ANY", "SOME": return .expression(try parseQuantified(.any))
        case "ALL": return .expression(try parseQuantified(.all))
        case "NONE":
            let expression = try parseQuantified(.any)
            try rise(above: height)
            return .expression(.not(expression))
        default: return try parseComparison(nil)
        }
    }

    private mutating func parseQuantified(_ quantifier: Quantifier) throws(QueryError) -> QueryExpression {
        advance()
        let node = try parseComparison(quantifier)
        return try expression(node)
    }

    private mutating func parseComparison(_ quantifier: Quantifier?) throws(QueryError) -> Node {
        let start = token.start
        let left = try parseSum()
        guard let operation = try parseOperator() else {
            // Not to be lost: `ALL (a == 1)` would say less than it does.
            guard quantifier == nil else { throw unexpected("Expected an operator such as ==, < or CONTAINS") }
            return left
        }
        let levels = height
        let options = try parseOptions()
        let rightStart = token.start
        let right = try operand(parseSum(), at: rightStart)
        height = max(levels, height)
        return .expression(
            .comparison(
                Comparison(
                    try operand(left, at: start), operation, right, options: options, quantifier: quantifier,
                    position: source.position(start))))
    }

    private mutating func parseOperator() throws(QueryError) -> ComparisonOperator? {
        let operation: ComparisonOperator
        switch token.kind {
        case .sign(.equal), .sign(.assign): operation = .equal
        case .sign(.notEqual), .sign(.unequal): operation = .notEqual
        case .sign(.less): operation = .less
        case .sign(.lessOrEqual), .sign(.equalOrLess): operation = .lessOrEqual
        case .sign(.greater): operation = .greater
        case .sign(.greaterOrEqual), .sign(.equalOrGreater): operation = .greaterOrEqual
        default:
            switch keyword {
            case "BEGINSWITH": operation = .beginsWith
            case "CONTAINS": operation = .contains
            case "ENDSWITH": operation = .endsWith
            case "LIKE": operation = .like
            case "IN": operation = .isIn
            case "BETWEEN": operation = .between
            case "GEOWITHIN": operation = .within
            case "MATCHES": throw notSupported("MATCHES is")
            default: return nil
            }
        }
        advance()
        return operation
    }

    private mutating func parseOptions() throws(QueryError) -> ComparisonOptions {
        guard skip(.leftBracket) else { return [] }
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
        try expect(.rightBracket)
        return options
    }

    // MARK: Arithmetic

    private mutating func parseSum() throws(QueryError) -> Node {
        try parseReckoning([.plus: .add, .minus: .subtract]) { parser throws(QueryError) in try parser.parseProduct() }
    }

    private mutating func parseProduct() throws(QueryError) -> Node {
        try parseReckoning([.asterisk: .multiply, .slash: .divide]) { parser throws(QueryError) in
            try parser.parseSigned()
        }
    }

    private mutating func parseReckoning(
        _ operators: [PredicateToken.Sign: ArithmeticOperator],
        _ part: (inout PredicateParser) throws(QueryError) -> Node
    ) throws(QueryError) -> Node {
        var start = token.start
        var result = try part(&self)
        while case .sign(let sign) = token.kind, let operation = operators[sign] {
            let levels = height
            advance()
            let left = try operand(result, at: start)
            start = token.start
            result = .operand(.arithmetic(operation, left, try operand(part(&self), at: start)))
            try rise(above: max(levels, height))
        }
        return result
    }

    private mutating func parseSigned() throws(QueryError) -> Node {
        var isNegative: Bool?
        while token.kind == .sign(.minus) || token.kind == .sign(.plus) {
            isNegative = (isNegative == true) != (token.kind == .sign(.minus))
            advance()
        }
        guard let isNegative else { return try parseOperand() }
        height = 0
        switch token.kind {
        case .integer(let magnitude):
            let value = try integer(magnitude, isNegative: isNegative)
            advance()
            return .operand(.constant(value))
        case .double(let value):
            advance()
            return .operand(.constant(.double(isNegative ? -value : value)))
        default:
            let start = token.start
            let operand = try operand(parseOperand(), at: start)
            guard isNegative else { return .operand(operand) }
            try rise(above: height)
            return .operand(.arithmetic(.subtract, .constant(.int(0)), operand))
        }
    }

    func integer(_ magnitude: UInt64, isNegative: Bool) throws(QueryError) -> Constant {
        if let value = Int64(exactly: magnitude) { return .int(isNegative ? -value : value) }
        guard isNegative, magnitude == Int64.min.magnitude else { throw source.tooLarge(at: token.start) }
        return .int(.min)
    }
}
