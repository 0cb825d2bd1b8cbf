import FirnQuery

/// Results of two queries as one: live, in the order of the first, found by indexes as any other query is.
///
/// Both must be of the same class or the same collection, and leave nothing out by position or likeness: what `limit`, `prefix` and
/// `distinct` do is done to the combined results. Anything else traps.
extension Results where Element: ObjectBase {
    /// The objects that are in these results or in others, or in both, each once.
    ///
    ///     dogs.filter("age > 10").union(dogs.where { $0.owner.name == "Ann" })
    public func union(_ other: Results) -> Results {
        Results(
            source.combined(with: other.source) { mine, theirs in
                guard let mine, let theirs else { return nil }
                return .disjunction([mine, theirs])
            })
    }

    /// The objects that are both in these results and in others.
    public func intersection(_ other: Results) -> Results {
        Results(
            source.combined(with: other.source) { mine, theirs in
                guard let mine, let theirs else { return mine ?? theirs }
                return .conjunction([mine, theirs])
            })
    }

    /// The objects that are in these results and not in others.
    public func subtracting(_ other: Results) -> Results {
        Results(
            source.combined(with: other.source) { mine, theirs in
                guard let theirs else { return .always(false) }
                return mine.map { .conjunction([$0, .not(theirs)]) } ?? .not(theirs)
            })
    }
}

extension ResultsSource {
    /// The same elements but for the condition, which is made of that of these results and that of others; nil is that of all.
    fileprivate func combined(
        with other: ResultsSource,
        _ condition: (_ mine: QueryExpression?, _ theirs: QueryExpression?) -> QueryExpression?
    ) -> ResultsSource {
        context.checkConfinement()
        let name = binding?.info.name ?? ""
        guard context === other.context else {
            misuse("Results of class '\(name)' were combined with those of another realm; ask both of one realm")
        }
        guard origin.isSame(as: other.origin) else {
            misuse(
                "Results of class '\(name)' were combined with those of another class or collection; ask the same one for both"
            )
        }
        for source in [self, other] where source.query.isLimited || source.query.isDistinct {
            misuse(
                "Results of class '\(name)' were combined of which some are left out by position or likeness; combine first, "
                    + "then call limit, prefix or distinct")
        }
        var query = query
        query.condition = condition(query.condition, other.query.condition)
        return ResultsSource(context, origin, query)
    }
}

extension ResultsOrigin {
    /// Whether the elements are taken from the same class or collection.
    fileprivate func isSame(as other: ResultsOrigin) -> Bool {
        switch (self, other) {
        case (.table(let mine), .table(let theirs)): mine.table.id == theirs.table.id
        case (.collection(let mine, let kind), .collection(let theirs, let otherKind)):
            kind == otherKind && mine == theirs
        case (.linking(let mine), .linking(let theirs)): mine == theirs
        case (.results(let mine), .results(let theirs)): mine === theirs
        default: false
        }
    }
}
