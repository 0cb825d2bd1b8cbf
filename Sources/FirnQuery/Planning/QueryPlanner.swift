import FirnStore

/// Chooses the cheapest plan: as far as that can be known from the parts themselves at once, else by what the indexes hold.
struct QueryPlanner: Sendable {
    let table: StoredTable
    private let parts: [PredicatePart]
    /// The ways that answer several parts at once.
    private let compoundWays: [CompoundWay]
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
        parts.removeAll(where: \.test.isCertain)
        if fixed == nil, let primaryKey = table.primaryKey {
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
                fixed = PlannedQuery(.primaryKey(primaryKey, value), parts.removing(at: index))
            }
        }
        compoundWays = parts.compoundWays(table)
        if fixed == nil, keyRange == nil, compoundWays.isEmpty, !parts.contains(where: { $0.access != nil }) {
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
            guard part.isAbout(primaryKey), let tests = part.value?.test.integerRanges else {
                rest.append(part)
                continue
            }
            for bounds in tests {
                range.lower = max(range.lower, bounds.lower)
                range.upper = min(range.upper, bounds.upper)
            }
        }
        return (range, rest)
    }

    /// The plan for what a connection reads. Costs a look at the index of each part that has one.
    func plan(_ connection: Connection) -> PlannedQuery {
        if let fixed { return fixed }
        let count = connection.count(table.id)
        var limit = max(Self.alwaysFetched, count / Self.scannedPerFetched)
        var best: (parts: [Int], access: QueryAccess)?
        for (index, part) in parts.enumerated() {
            guard let access = part.access else { continue }
            let estimate = access.estimate(connection, atMost: limit)
            // Where two are alike the one that asks for one value is likelier to stay small.
            let isBetter = part.isEquality && best.map { !parts[$0.parts[0]].isEquality } ?? false
            if estimate < limit || estimate == limit && isBetter {
                best = ([index], access)
                limit = estimate
            }
        }
        for way in compoundWays {
            let estimate = way.access.estimate(connection, atMost: limit + 1)
            // Where two are alike the one that leaves fewer parts to be tested is the better one.
            let isBetter = best.map { $0.parts.count < way.parts.count } ?? false
            if estimate < limit || estimate == limit && isBetter {
                best = (way.parts, way.access)
                limit = estimate
            }
        }
        if let best {
            let rest = best.access.isExact ? parts.removing(best.parts) : parts
            return PlannedQuery(.access(best.access), rest, estimate: limit)
        }
        guard let primaryKey = table.primaryKey, let keyRange else { return PlannedQuery(.scan, parts) }
        return PlannedQuery(.keys(primaryKey, keyRange), Self.keyRange(parts, primaryKey).rest)
    }

    /// The one range of a column's index in which all that matches is, in words as well, and what is asked of each object there;
    /// nil where there is none.
    func range(of column: StoredColumn) -> (IndexRange, text: String, rest: PlannedQuery)? {
        for (position, part) in parts.enumerated() {
            guard case .index(let way) = part.access, way.index.id == column.index?.id, way.ranges.count == 1 else {
                continue
            }
            let rest = way.ranges[0].isExact ? parts.removing(at: position) : parts
            return (way.ranges[0], way.text, PlannedQuery(.scan, rest))
        }
        return nil
    }

    /// The way to all that matches, where that is the entries of one value in an index.
    var lookUp: IndexWay? {
        guard let fixed, fixed.tests.isEmpty, case .access(.index(let way)) = fixed.plan else { return nil }
        return way.isOneValue ? way : nil
    }

    /// The plan that makes use of nothing but tests.
    var scan: PlannedQuery { PlannedQuery(.scan, parts) }

    /// All parts as tests: what is asked of a record from elsewhere.
    var tests: [RecordTest] {
        if let fixed, case .nothing = fixed.plan { return [.always(false)] }
        return parts.map(\.test).cheapestFirst
    }
}

extension ValueTest {
    /// The ranges in all of which an integer must be; nil where the test is none of such ranges.
    fileprivate var integerRanges: [ValueRange<Int64>]? {
        switch self {
        case .integer(let test): return test.range.isInverted ? nil : [test.range]
        case .all(let tests):
            var ranges: [ValueRange<Int64>] = []
            for test in tests {
                guard let range = test.integerRanges else { return nil }
                ranges += range
            }
            return ranges
        default: return nil
        }
    }
}

extension RecordTest {
    /// Whether no record passes.
    fileprivate var isNever: Bool {
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

extension Array {
    fileprivate func removing(at index: Int) -> [Element] {
        removing([index])
    }

    fileprivate func removing(_ positions: [Int]) -> [Element] {
        indices.filter { !positions.contains($0) }.map { self[$0] }
    }
}
