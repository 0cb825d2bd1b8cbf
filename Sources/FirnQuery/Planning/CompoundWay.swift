import FirnStore

/// A way through an index over several columns, which answers several parts of a predicate at once.
struct CompoundWay: Sendable {
    let access: QueryAccess
    /// The positions of the parts that it answers.
    let parts: [Int]
}

extension [PredicatePart] {
    /// The ways of parts, all of which must hold, through those indexes of a table that are over several columns.
    func compoundWays(_ table: StoredTable) -> [CompoundWay] {
        table.indexes.compactMap { $0.columns.count > 1 ? way(through: $0, table) : nil }
    }

    /// The way that asks for one value in each of as many of the index's first columns as parts do, and for ranges in the next;
    /// nil where nothing asks for the first column.
    private func way(through index: StoredIndex, _ table: StoredTable) -> CompoundWay? {
        var values: [(column: StoredColumn, value: StoredValue)] = []
        var ranges: [IndexRange] = []
        var answered: [Int] = []
        for column in table.columns(of: index) {
            let about = indices.filter { self[$0].isAbout(column) && self[$0].value?.ranges != nil }
            if let equality = about.first(where: { self[$0].isEquality }), let value = self[equality].value?.value {
                values.append((column, value))
                answered.append(equality)
                continue
            }
            // One of several values, or what is in all ranges.
            let members = about.first { self[$0].value?.ranges?.count != 1 }
            let used = members.map { [$0] } ?? about
            answered += used
            ranges = members.flatMap { self[$0].value?.ranges } ?? intersection(used)
            break
        }
        guard !answered.isEmpty else { return nil }
        let stretches =
            ranges.isEmpty
            ? [IndexRange(index, behind: values, nil)] : ranges.map { IndexRange(index, behind: values, $0) }
        let conditions = answered.sorted().map { self[$0].condition }
        return CompoundWay(access: .index(IndexWay(table, index, stretches, for: conditions)), parts: answered)
    }

    /// What is in the one range of each of some parts; nothing where there are none.
    private func intersection(_ parts: [Int]) -> [IndexRange] {
        var common: IndexRange?
        for part in parts {
            guard let range = self[part].value?.ranges?.first else { continue }
            common = common.map { $0.intersection(range) } ?? range
        }
        return common.map { [$0] } ?? []
    }
}
