extension QueryExpression {
    /// The names of the classes whose links paths of the expression follow back: `@links.Class.property`.
    package var linkOrigins: Set<String> {
        var search = OriginSearch()
        // It throws nothing.
        _ = try? rewritten(by: &search)
        return search.found.names
    }
}

/// Rewrites nothing, and takes note of whose links are followed back.
private struct OriginSearch: OperandRewriter {
    final class Found {
        var names: Set<String> = []
    }

    let found = Found()

    func path(_ path: QueryPath) -> QueryPath {
        for case .links(let origin, _) in path.steps { found.names.insert(origin) }
        return path
    }

    func operand(_ path: QueryPath) -> Operand { .path(self.path(path)) }

    func argument(_ index: Int, _ type: Operand.ArgumentType) -> Operand { .argument(index, type) }

    mutating func enter(_ comparison: Comparison) {}
}
