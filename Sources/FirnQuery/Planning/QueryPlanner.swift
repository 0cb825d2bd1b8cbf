import FirnStore

/// Chooses the cheapest plan: as far as that can be known from the parts themselves at once, else by what the indexes hold.
struct QueryPlanner: Sendable {
    let table: StoredTable
    private let parts: [PredicatePart]
    /// The ways that answer several parts at once.
    private let compoundWays: [CompoundWay]
    /// Those of parts that are an OR.
    private let alternativeWays: [AlternativeWays]
    /// The plan where the data cannot change it.
    private let fixed: PlannedQuery?
    /// The integer primary keys among which all that matches is; nil where that is all keys, or the plan is fixed.
    private let keyRange: ClosedRange<Int64>?

    /// Of so many objects of a table one may be fetched through an index while a scan looks at all of them.
    private static var scannedPerFetched: Int { 16 }
    /// So few objects are fetched through an index whatever the table's size.
    private static var alwaysFetched: Int { 64 }

    init(_ parts: [PredicatePart], _ table: StoredTable) {
        self.table = table
        var keyRange: ClosedRange<Int64>?
        var fixed: PlannedQuery?
        var parts = parts
        if parts.contains(where: \.test.isNever) { fixed = PlannedQuery(.nothing, []) }
        if parts.contains(where: \.test.isCertain) { parts.removeAll(where: \.test.isCertain) }
        if fixed == nil, let primaryKey = table.primaryKey, parts.contains(where: { $0.isAbout(primaryKey) }) {
            if table.usesIntegerKey {
                let (range, rest) = Self.keyRange(parts, primaryKey)
                if range.isEmpty {
                    fixed = PlannedQuery(.nothing, [])
                } else if range.lower == range.upper {
                    fixed = PlannedQuery(.primaryKey(primaryKey, .int(range.lower)), rest)
                } else if range.lower != .min || range.upper != .max {
                    keyRange = range.lower...range.upper
                }
            } else if let index = parts.firstIndex(where: { $0.isAbout(primaryKey) && $0.isEquality }),
                let value = parts[index].value?.value
            {
                fixed = PlannedQuery(.primaryKey(primaryKey, value), parts.removing([index]))
            }
        }
        compoundWays = parts.compoundWays(table)
        alternativeWays = AlternativeWays.all(of: parts, table)
        if fixed == nil, keyRange == nil, compoundWays.isEmpty, alternativeWays.isEmpty,
            !parts.contains(where: { $0.access != nil })
        {
            fixed = PlannedQuery(.scan, parts)
        }
        if fixed == nil, keyRange == nil, parts.count == 1, let access = parts[0].access, access.isOneValue {
            // The entries of one value are the answer: however many there are, to read them is the least that can be done.
            fixed = PlannedQuery(.access(access), [])
        }
        self.parts = parts
        self.keyRange = keyRange
        self.fixed = fixed
    }

    /// The range of primary keys that parts leave over, and the parts that are not about them.
    private static func keyRange(
        _ parts: [PredicatePart], _ primaryKey: StoredColumn
    ) -> (range: ValueRange<Int64>, rest: [PredicatePart]) {
        var range = ValueRange<Int64>(lower: .min, upper: .max)
        var rest: [PredicatePart] = []
        for part in parts {
            guard part.isAbout(primaryKey), let ranges = part.value?.test.integerRanges, ranges.count <= 1 else {
                rest.append(part)
                continue
            }
            range.lower = max(range.lower, ranges.first?.lowerBound ?? .max)
            range.upper = min(range.upper, ranges.first?.upperBound ?? .min)
        }
        return (range, rest)
    }

    /// The plan for what a connection reads. Costs a look at the index of each part that has one.
    func plan(_ connection: Connection) -> PlannedQuery {
        if let fixed { return fixed }
        let count = connection.count(table.id)
        var limit = max(Self.alwaysFetched, count / Self.scannedPerFetched)
        var best: (parts: [Int], access: QueryAccess)?
        func consider(_ way: CompoundWay) {
            let estimate = way.access.estimate(connection, atMost: limit)
            guard estimate < limit else { return }
            best = (way.parts, way.access)
            limit = estimate
        }
        // Those that answer most first: they are likely to lead to few objects, and of the others no more are counted then.
        for way in compoundWays where way.parts.count > 1 { consider(way) }
        for (index, part) in parts.enumerated() {
            guard let access = part.access, part.branches.isEmpty else { continue }
            // One range of primary keys is in `keyRange`.
            if case .keys(let way) = access, way.ranges.count <= 1 { continue }
            let estimate = access.estimate(connection, atMost: limit)
            // Where two are alike the one that asks for one value is likelier to stay small.
            let isBetter =
                part.isEquality && best.map { $0.parts.count == 1 && !parts[$0.parts[0]].isEquality } ?? false
            if estimate < limit || estimate == limit && isBetter {
                best = ([index], access)
                limit = estimate
            }
        }
        for way in compoundWays where way.parts.count == 1 { consider(way) }
        for ways in alternativeWays {
            guard let choice = ways.choice(connection, below: limit) else { continue }
            best = (choice.parts, choice.access)
            limit = choice.estimate
        }
        if let best {
            let rest = best.access.isExact ? parts.removing(best.parts) : parts
            return PlannedQuery(.access(best.access), rest, estimate: limit)
        }
        guard let primaryKey = table.primaryKey, let keyRange else { return PlannedQuery(.scan, parts) }
        return PlannedQuery(.keys(primaryKey, keyRange), Self.keyRange(parts, primaryKey).rest)
    }

    /// The way to all that matches, where that is the entries of one value in an index.
    var lookUp: IndexWay? {
        guard let fixed, fixed.tests.isEmpty, case .access(.index(let way)) = fixed.plan else { return nil }
        return way.oneValue == nil ? nil : way
    }

    /// A stretch of an index in which all that matches is.
    struct Stretch {
        /// In how many of the first columns all have one value.
        let constantCount: Int
        let range: IndexRange
        /// What it answers; nothing where it is the whole index.
        let conditions: [QueryExpression]
        /// What is asked of each object there.
        let rest: PlannedQuery
    }

    /// The stretch of an index in which all that matches is; the whole index where nothing is known.
    func stretch(of index: StoredIndex) -> Stretch {
        var conditions = IndexConditions(parts, of: index, in: table)
        conditions.keepOneRange()
        guard !conditions.parts.isEmpty, let range = conditions.stretches(of: index).first else {
            return Stretch(constantCount: 0, range: .all, conditions: [], rest: scan)
        }
        return Stretch(
            constantCount: conditions.values.count, range: range, conditions: parts.conditions(at: conditions.parts),
            rest: PlannedQuery(.scan, range.isExact ? parts.removing(conditions.parts) : parts))
    }

    /// The plan that makes use of nothing but tests.
    var scan: PlannedQuery { PlannedQuery(.scan, parts) }

    /// All parts as tests: what is asked of a record from elsewhere.
    var tests: [RecordTest] {
        if let fixed, case .nothing = fixed.plan { return [.always(false)] }
        return parts.map(\.test).cheapestFirst
    }
}

extension RecordTest {
    /// Whether no record passes.
    var isNever: Bool {
        switch self {
        case .always(let answer), .value(_, .always(let answer)): !answer
        default: false
        }
    }

    /// Whether all records pass.
    fileprivate var isCertain: Bool {
        switch self {
        case .always(let answer), .value(_, .always(let answer)): answer
        default: false
        }
    }
}
