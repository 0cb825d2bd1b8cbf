/// Makes other paths and operands of those in an expression, and leaves all else as it is.
protocol OperandRewriter {
    /// What takes the place of a path to a collection, or to what is aggregated.
    func path(_ path: QueryPath) throws(QueryError) -> QueryPath

    /// What takes the place of a path that is an operand.
    func operand(_ path: QueryPath) throws(QueryError) -> Operand

    /// What takes the place of an argument.
    func argument(_ index: Int, _ type: Operand.ArgumentType) throws(QueryError) -> Operand

    /// The position of a comparison that is rewritten next.
    mutating func enter(_ comparison: Comparison)
}

extension QueryExpression {
    /// The same expression with what a rewriter makes of its paths and arguments.
    func rewritten(by rewriter: inout some OperandRewriter) throws(QueryError) -> QueryExpression {
        switch self {
        case .always: return self
        case .comparison(var comparison):
            rewriter.enter(comparison)
            comparison.left = try comparison.left.rewritten(by: &rewriter)
            comparison.right = try comparison.right.rewritten(by: &rewriter)
            return .comparison(comparison)
        case .all(let parts): return .all(try parts.rewritten(by: &rewriter))
        case .any(let parts): return .any(try parts.rewritten(by: &rewriter))
        case .not(let part): return .not(try part.rewritten(by: &rewriter))
        }
    }
}

extension [QueryExpression] {
    fileprivate func rewritten(by rewriter: inout some OperandRewriter) throws(QueryError) -> [QueryExpression] {
        var rewritten: [QueryExpression] = []
        rewritten.reserveCapacity(count)
        for expression in self { rewritten.append(try expression.rewritten(by: &rewriter)) }
        return rewritten
    }
}

extension Operand {
    fileprivate func rewritten(by rewriter: inout some OperandRewriter) throws(QueryError) -> Operand {
        switch self {
        case .constant: return self
        case .argument(let index, let type): return try rewriter.argument(index, type)
        case .list(let operands):
            var rewritten: [Operand] = []
            for operand in operands { rewritten.append(try operand.rewritten(by: &rewriter)) }
            return .list(rewritten)
        case .path(let path): return try rewriter.operand(path)
        case .aggregate(let aggregate, let path): return .aggregate(aggregate, try rewriter.path(path))
        case .count(var subquery):
            subquery.collection = try rewriter.path(subquery.collection)
            subquery.condition = try subquery.condition.rewritten(by: &rewriter)
            return .count(subquery)
        case .arithmetic(let operation, let left, let right):
            return .arithmetic(operation, try left.rewritten(by: &rewriter), try right.rewritten(by: &rewriter))
        case .coalesced(let left, let right):
            return .coalesced(try left.rewritten(by: &rewriter), try right.rewritten(by: &rewriter))
        case .choice(let condition, let left, let right):
            return .choice(
                try condition.rewritten(by: &rewriter), try left.rewritten(by: &rewriter),
                try right.rewritten(by: &rewriter))
        case .text(let function, let operand): return .text(function, try operand.rewritten(by: &rewriter))
        }
    }
}
