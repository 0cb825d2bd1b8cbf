/// Operands of predicate text.
///
///     operand    := literal | placeholder | ( predicate or sum ) | { operand, … } | path | subquery | value
///     path       := [$variable | SELF] step { . step }, a step at least unless there is a variable or SELF
///     step       := name [ subscript ] | %K | @links | @links.Class.property | @count | @min … | @type | @case | @allKeys …
///     subscript  := [ string | integer | %@ | FIRST | LAST | * ]
///     subquery   := SUBQUERY ( path , $variable , predicate ) . @count
///     value      := uuid | oid | date | data | decimal ( string ), date ( seconds, nanoseconds ), geoBox | geoCircle | geoPolygon ( … )
extension PredicateParser {
    mutating func parseOperand() throws(QueryError) -> Node {
        height = 0
        switch token.kind {
        case .string(let text):
            advance()
            return .operand(.constant(.string(text)))
        case .integer(let magnitude):
            let value = try integer(magnitude, isNegative: false)
            advance()
            return .operand(.constant(value))
        case .double(let value):
            advance()
            return .operand(.constant(.double(value)))
        case .argument(.property): return .operand(try parsePath())
        case .argument(let kind):
            advance()
            let type: Operand.ArgumentType =
                switch kind {
                case .integer: .integer
                case .double: .double
                case .value, .property: .any
                }
            return .operand(.argument(makeArgument(), type))
        case .sign(.leftParenthesis):
            return try nested { parser throws(QueryError) in
                parser.advance()
                let node = try parser.parsePredicate()
                try parser.expect(.rightParenthesis, or: "AND, OR")
                return node
            }
        case .sign(.leftBrace):
            return .operand(.list(try parseList(.leftBrace, .rightBrace)))
        case .sign(.at), .sign(.dollar), .word(_, isEscaped: true): return .operand(try parsePath())
        case .word(let word, isEscaped: false): return .operand(try parseWord(word))
        case .sign, .end: throw unexpected("Expected a property or a value")
        }
    }

    /// Operands between two signs, with commas.
    private mutating func parseList(
        _ open: PredicateToken.Sign, _ close: PredicateToken.Sign
    ) throws(QueryError) -> [Operand] {
        try nested { parser throws(QueryError) in
            try parser.expect(open)
            var operands: [Operand] = []
            var levels = 0
            while !parser.skip(close) {
                if !operands.isEmpty { try parser.expect(.comma, or: close.rawValue) }
                let start = parser.token.start
                operands.append(try parser.operand(parser.parsePredicate(), at: start))
                levels = max(levels, parser.height)
            }
            try parser.rise(above: levels)
            return operands
        }
    }

    private mutating func parseWord(_ word: String) throws(QueryError) -> Operand {
        let upper = Self.uppercased(word)
        if peek(1) == .sign(.leftParenthesis) {
            if upper == "SUBQUERY" { return try parseSubquery() }
            return try parseValue(word)
        }
        switch upper {
        case "TRUE", "YES": return literal(.bool(true))
        case "FALSE", "NO": return literal(.bool(false))
        case "NIL", "NULL": return literal(.null)
        case "SELF": return try parsePath()
        case _ where Self.isKeyword(word):
            throw unexpected(
                "Expected a property or a value, not a keyword; a property of this name is written #\(word)")
        default: return try parsePath()
        }
    }

    private mutating func literal(_ constant: Constant) -> Operand {
        advance()
        return .constant(constant)
    }

    // MARK: Paths

    private mutating func parsePath() throws(QueryError) -> Operand {
        var path = QueryPath([])
        let start = token.start
        if skip(.dollar) {
            guard case .word(let name, _) = token.kind else { throw unexpected("Expected the name of a variable") }
            guard variables.contains(name) else {
                throw source.error(.malformed, "No SUBQUERY around this names a variable $\(name)", at: start)
            }
            path.variable = name
            advance()
            guard skip(.period) else { return .path(path) }
        } else if keyword == "SELF" {
            advance()
            guard skip(.period) else { return .path(path) }
        }
        var aggregate: Aggregate?
        repeat {
            guard path.steps.count < Self.greatestDepth else { throw unexpected("Expected a shorter key path") }
            try parseStep(into: &path, &aggregate)
        } while skip(.period)
        guard let aggregate else { return .path(path) }
        return .aggregate(aggregate, path)
    }

    private mutating func parseStep(into path: inout QueryPath, _ aggregate: inout Aggregate?) throws(QueryError) {
        if aggregate == .count { throw unexpected("Expected an operator, since nothing follows @count,") }
        if path.steps.last == .allLinks, token.kind != .sign(.at) {
            throw unexpected("Expected @count, or a class and a property, behind @links,")
        }
        switch token.kind {
        case .argument(.property):
            path.steps.append(.argument(makeArgument(), .keyPath))
            advance()
        case .word(let name, _):
            path.steps.append(.property(name))
            advance()
        case .sign(.at):
            advance()
            try parseOperator(into: &path, &aggregate)
        default: throw unexpected("Expected the name of a property")
        }
        while token.kind == .sign(.leftBracket) { path.steps.append(try parseSubscript()) }
    }

    private mutating func parseOperator(
        into path: inout QueryPath, _ aggregate: inout Aggregate?
    ) throws(QueryError) {
        guard case .word(let word, _) = token.kind else { throw unexpected("Expected count, min or the like after @") }
        let name = word.lowercased()
        if let found = Aggregate(rawValue: name == "average" ? "avg" : name == "size" ? "count" : name) {
            guard aggregate == nil else {
                throw unexpected("Expected one operator such as @\(name) in a key path, not two,")
            }
            aggregate = found
            return advance()
        }
        switch name {
        case "type": path.steps.append(.type)
        case "case": path.steps.append(.caseName)
        case "allkeys", "keys": path.steps.append(.keys)
        case "allvalues", "values": path.steps.append(.values)
        case "links":
            guard peek(1) == .sign(.period), case .word(let origin, _) = peek(2), peek(3) == .sign(.period),
                case .word(let property, _) = peek(4)
            else {
                path.steps.append(.allLinks)
                break
            }
            path.steps.append(.links(from: origin, property: property))
            for _ in 0..<4 { advance() }
        default: throw notSupported("@\(word) is")
        }
        advance()
    }

    private mutating func parseSubscript() throws(QueryError) -> QueryPath.Step {
        try expect(.leftBracket)
        let step: QueryPath.Step
        switch token.kind {
        case .string(let key):
            // NSPredicate's own spelling of a placeholder for a key.
            step = key == "%@" ? .argument(makeArgument(), .element) : .key(key)
        case .argument(let kind) where kind != .property && kind != .double: step = .argument(makeArgument(), .element)
        case .integer(let value):
            guard let index = Int(exactly: value) else { throw source.tooLarge(at: token.start) }
            step = .index(index)
        case .sign(.asterisk): step = .elements
        case .word where keyword == "FIRST": step = .index(0)
        case .word where keyword == "LAST": step = .index(-1)
        case .word where keyword == "SIZE": throw notSupported("[SIZE], which is written @count, is")
        default: throw unexpected("Expected a key, a position, FIRST, LAST or *")
        }
        advance()
        try expect(.rightBracket)
        return step
    }

    // MARK: Subqueries

    private mutating func parseSubquery() throws(QueryError) -> Operand {
        let subquery = try nested { parser throws(QueryError) in
            parser.advance()
            try parser.expect(.leftParenthesis)
            let start = parser.token.start
            guard case .operand(.path(let collection)) = try parser.parseOperand() else {
                throw parser.source.error(.malformed, "Expected the key path of a collection", at: start)
            }
            try parser.expect(.comma)
            try parser.expect(.dollar)
            guard case .word(let variable, _) = parser.token.kind else {
                throw parser.unexpected("Expected the name of a variable")
            }
            parser.advance()
            try parser.expect(.comma)
            parser.variables.append(variable)
            let node = try parser.parsePredicate()
            let condition = try parser.expression(node)
            parser.variables.removeLast()
            try parser.expect(.rightParenthesis, or: "AND, OR")
            try parser.rise(above: parser.height)
            return Subquery(collection, variable, condition)
        }
        try expect(.period)
        try expect(.at)
        guard keyword == "COUNT" || keyword == "SIZE" else {
            throw unexpected("Expected @count, the only thing to ask of a SUBQUERY,")
        }
        advance()
        return .count(subquery)
    }

    // MARK: Values

    private mutating func parseValue(_ name: String) throws(QueryError) -> Operand {
        let start = token.start
        advance()
        let arguments = try parseList(.leftParenthesis, .rightParenthesis)
        guard let constant = try PredicateValue.make(name, arguments) else {
            let message =
                PredicateValue.usage(of: name).map { "\(name) takes \($0)" }
                ?? "There is no function \(name); there are uuid, oid, date, decimal, data, codable, geoBox, geoCircle and geoPolygon"
            throw source.error(.malformed, message, at: start)
        }
        return .constant(constant)
    }
}
