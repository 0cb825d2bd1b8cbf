import FirnStore

/// The ways of a part that is an OR: its objects are those of all its branches, each of which may be reached by several ways.
struct AlternativeWays: Sendable {
    /// The position of the OR among the parts that must hold.
    let part: Int
    /// The ways of each branch; at least one each.
    private let branches: [[Way]]

    /// A way to the objects of a branch.
    private struct Way: Sendable {
        let access: QueryAccess
        /// How many of the branch's own parts it answers.
        let answeredCount: Int
        /// Whether it answers all of the branch.
        let isWhole: Bool
        /// The positions of the parts beside the OR that it answers too.
        let others: Set<Int>
    }

    /// Those of all parts that have some.
    static func all(of parts: [PredicatePart], _ table: StoredTable) -> [AlternativeWays] {
        guard parts.contains(where: { !$0.branches.isEmpty }) else { return [] }
        let others = others(among: parts, table)
        return parts.indices.compactMap { AlternativeWays(ofPart: $0, beside: others, among: parts, table) }
    }

    /// Nil where the part is no OR, or a branch has no way but a scan.
    ///
    /// What must hold beside the OR must hold in each branch, so that an index over several columns may answer both; `others` are
    /// the positions of those parts that may be of use there.
    private init?(ofPart position: Int, beside others: [Int], among parts: [PredicatePart], _ table: StoredTable) {
        let own = parts[position].branches
        // A branch that never holds leads to nothing.
        let branches = own.filter { branch in !branch.contains { $0.test.isNever } }
        guard !branches.isEmpty else { return nil }
        part = position
        var all: [[Way]] = []
        for branch in branches {
            let ways = Self.ways(of: branch, beside: parts, at: others, table)
            if ways.isEmpty { return nil }
            all.append(ways)
        }
        self.branches = all
    }

    private static func ways(
        of branch: [PredicatePart], beside parts: [PredicatePart], at others: [Int], _ table: StoredTable
    ) -> [Way] {
        var ways = branch.compactMap { part in
            part.access.map { Way(access: $0, answeredCount: 1, isWhole: branch.count == 1, others: []) }
        }
        for way in (branch + others.map { parts[$0] }).compoundWays(table) {
            let own = way.parts.filter { $0 < branch.count }
            // Without a part of its own it is a way to all branches, and known as one.
            guard !own.isEmpty else { continue }
            let answered = way.parts.filter { $0 >= branch.count }.map { others[$0 - branch.count] }
            ways.append(
                Way(
                    access: way.access, answeredCount: way.parts.count, isWhole: own.count == branch.count,
                    others: Set(answered)))
        }
        return ways
    }

    /// The positions of those parts that indexes over several columns may answer: for each column one that asks for a value, or
    /// two ranges. So few, that each branch of a long OR may be looked at together with them.
    private static func others(among parts: [PredicatePart], _ table: StoredTable) -> [Int] {
        let compound = table.indexes.filter { $0.columns.count > 1 }
        var others: Set<Int> = []
        for column in table.columns where compound.contains(where: { $0.columns.contains(column.id) }) {
            let about = parts.indices.filter { parts[$0].isAbout(column) && parts[$0].value?.ranges != nil }
            if let equality = about.first(where: { parts[$0].isEquality }) {
                others.insert(equality)
            } else {
                others.formUnion(about.prefix(2))
            }
        }
        return others.sorted()
    }

    /// The cheapest way of each branch, by what the indexes hold, and the parts that they answer together; nil where they lead to
    /// so many objects as the limit or more.
    func choice(_ connection: Connection, below limit: Int) -> (access: QueryAccess, parts: [Int], estimate: Int)? {
        var count = 0
        var chosen: [Way] = []
        for ways in branches {
            var best: (way: Way, count: Int)?
            for way in ways {
                let estimate = way.access.estimate(connection, atMost: limit - count)
                guard let current = best else {
                    best = (way, estimate)
                    continue
                }
                let isBetter = (estimate, -way.answeredCount) < (current.count, -current.way.answeredCount)
                if isBetter { best = (way, estimate) }
            }
            guard let best else { return nil }
            count += best.count
            if count >= limit { return nil }
            chosen.append(best.way)
        }
        guard chosen.allSatisfy(\.isWhole), let first = chosen.first else {
            return (.union(chosen.map(\.access)), [], count)
        }
        let others = chosen.reduce(first.others) { $0.intersection($1.others) }
        return (.union(chosen.map(\.access)), [part] + others.sorted(), count)
    }
}
