import FirnQuery

extension Query<Bool> {
    /// For how many objects of a collection the predicate holds. It must be about the properties of one collection's objects.
    public var count: Query<Int> {
        guard let collection = expression.innermostCollection(of: builder.collections) else {
            misuse(
                "The count of a predicate in a query is for one about the objects of one collection; "
                    + "ask for properties of that collection's objects alone")
        }
        let subquery = SubqueryWriter(collection: collection, collections: builder.collections)
        return Query<Int>(
            builder,
            .operand(
                .count(Subquery(collection, subquery.variable, subquery.expression(expression))), isMany: false))
    }
}

/// Turns a predicate about the objects of a collection into one about any of them by itself.
private struct SubqueryWriter {
    let collection: QueryPath
    /// All collections that the query names.
    let collections: Set<QueryPath>

    /// What the object is called.
    var variable: String { "element\(collection.steps.count)" }

    func expression(_ expression: QueryExpression) -> QueryExpression {
        switch expression {
        case .always: return expression
        case .comparison(var comparison):
            // What led through this collection alone is one value now.
            let isMany = [comparison.left, comparison.right].contains { operand in
                operand.paths.contains { path in
                    collections.contains { $0.steps.count > collection.steps.count && path.begins(with: $0) }
                }
            }
            if !isMany { comparison.quantifier = nil }
            comparison.left = operand(comparison.left)
            comparison.right = operand(comparison.right)
            return .comparison(comparison)
        case .all(let parts): return .all(parts.map(self.expression))
        case .any(let parts): return .any(parts.map(self.expression))
        case .not(let part): return .not(self.expression(part))
        }
    }

    private func operand(_ operand: Operand) -> Operand {
        switch operand {
        case .path(let path): .path(rebased(path))
        case .aggregate(let aggregate, let path): .aggregate(aggregate, rebased(path))
        case .count(var subquery):
            {
                subquery.collection = rebased(subquery.collection)
                return .count(subquery)
            }()
        default: operand
        }
    }

    private func rebased(_ path: QueryPath) -> QueryPath {
        guard path.begins(with: collection) else { return path }
        return QueryPath(Array(path.steps.dropFirst(collection.steps.count)), from: variable)
    }
}

extension QueryExpression {
    /// The collection through which all paths lead, the innermost where there are several; nil where there is none.
    fileprivate func innermostCollection(of collections: Set<QueryPath>) -> QueryPath? {
        let paths = paths
        return collections.filter { collection in
            !paths.isEmpty && paths.allSatisfy { $0.begins(with: collection) && $0 != collection }
        }.max { $0.steps.count < $1.steps.count }
    }

    private var paths: [QueryPath] {
        switch self {
        case .always: []
        case .comparison(let comparison): comparison.left.paths + comparison.right.paths
        case .all(let parts), .any(let parts): parts.flatMap(\.paths)
        case .not(let part): part.paths
        }
    }
}

extension Operand {
    /// The paths of the object that the predicate is about.
    fileprivate var paths: [QueryPath] {
        switch self {
        case .path(let path), .aggregate(_, let path): path.variable == nil ? [path] : []
        case .count(let subquery): subquery.collection.variable == nil ? [subquery.collection] : []
        default: []
        }
    }
}

extension QueryPath {
    /// Whether the path leads through where another one ends.
    fileprivate func begins(with other: QueryPath) -> Bool {
        variable == other.variable && steps.starts(with: other.steps)
    }
}
