import FirnStore

/// A way through an index that answers several parts of a predicate at once, or a part by the first of several columns.
struct CompoundWay: Sendable {
    let access: QueryAccess
    /// The positions of the parts that it answers.
    let parts: [Int]
}

/// What parts of a predicate, all of which must hold, ask of an index's first columns.
struct IndexConditions {
    /// One value in each of so many columns.
    private(set) var values: [(column: StoredColumn, value: StoredValue)] = []
    /// The positions of the parts that ask for these.
    private(set) var valueParts: [Int] = []
    /// The ranges in which the next column's value may be; none where nothing is asked of it.
    private(set) var ranges: [IndexRange] = []
    /// The positions of the parts that ask for these.
    private(set) var rangeParts: [Int] = []

    var parts: [Int] { valueParts + rangeParts }

    init(_ parts: [PredicatePart], of index: StoredIndex, in table: StoredTable) {
        let columns = table.columns(of: index)
        for column in columns {
            let about = parts.indices.filter { parts[$0].isAbout(column) && parts[$0].value?.ranges != nil }
            if let equality = about.first(where: { parts[$0].isEquality }), let value = parts[equality].value?.value {
                if columns.count == 1 {
                    rangeParts = [equality]
                    ranges = parts[equality].value?.ranges ?? []
                    break
                }
                values.append((column, value))
                valueParts.append(equality)
                continue
            }
            // One of several values, or what is in all ranges.
            let members = about.first { parts[$0].value?.ranges?.count != 1 }
            rangeParts = members.map { [$0] } ?? about
            ranges = members.flatMap { parts[$0].value?.ranges } ?? Self.intersection(rangeParts.map { parts[$0] })
            break
        }
    }

    /// The stretches of the index that have what is asked for.
    func stretches(of index: StoredIndex) -> [IndexRange] {
        if index.columns.count == 1 { return ranges }
        return ranges.isEmpty
            ? [IndexRange(index, behind: values, nil)] : ranges.map { IndexRange(index, behind: values, $0) }
    }

    /// Forgets the ranges where they are not one.
    mutating func keepOneRange() {
        guard ranges.count > 1 else { return }
        ranges = []
        rangeParts = []
    }

    /// What is in the one range of each of some parts; nothing where there are none.
    private static func intersection(_ parts: [PredicatePart]) -> [IndexRange] {
        var common: IndexRange?
        for part in parts {
            guard let range = part.value?.ranges?.first else { continue }
            common = common.map { $0.intersection(range) } ?? range
        }
        return common.map { [$0] } ?? []
    }
}

extension [PredicatePart] {
    /// The ways of parts, all of which must hold, that are not those of one part each; those that answer most first.
    func compoundWays(_ table: StoredTable) -> [CompoundWay] {
        let ways = table.indexes.compactMap { way(through: $0, table) }
        return ways.count > 1 ? ways.sorted { $0.parts.count > $1.parts.count } : ways
    }

    /// The way that asks for one value in each of as many of the index's first columns as parts do, and for ranges in the next;
    /// nil where nothing asks for the first column, or one part alone for the only one.
    private func way(through index: StoredIndex, _ table: StoredTable) -> CompoundWay? {
        if index.columns.count == 1, count == 1 { return nil }
        let conditions = IndexConditions(self, of: index, in: table)
        guard conditions.parts.count > (index.columns.count == 1 ? 1 : 0) else { return nil }
        let way = IndexWay(table, index, conditions.stretches(of: index), for: self.conditions(at: conditions.parts))
        return CompoundWay(access: .index(way), parts: conditions.parts)
    }

    /// What some of the parts stand for, in the order of the parts.
    func conditions(at positions: [Int]) -> [QueryExpression] { positions.sorted().map { self[$0].condition } }

    /// Those parts that are at none of some positions.
    func removing(_ positions: [Int]) -> [PredicatePart] {
        indices.filter { !positions.contains($0) }.map { self[$0] }
    }
}
