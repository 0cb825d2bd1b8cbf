extension ChangeSet {
    /// Adds what a later commit changed, so that this tells what both did together. Neither is coarse.
    mutating func merge(_ later: ChangeSet) {
        for (id, table) in later.tables {
            var merged = tables[id] ?? Table()
            merged.merge(table)
            tables[id] = merged.isEmpty ? nil : merged
        }
    }
}

extension ChangeSet.Table {
    /// Adds what a later commit changed. What was inserted and is gone again stands nowhere; what was deleted and is back stands in
    /// both.
    mutating func merge(_ later: ChangeSet.Table) {
        var merged = ChangeSet.Table()
        merged.inserted = inserted.subtracting(later.deleted).union(later.inserted)
        merged.deleted = deleted.union(later.deleted.subtracting(inserted))
        let strangers = merged.inserted.union(merged.deleted)
        merged.modified = modified
        for (column, keys) in later.modified { merged.modified[column] = (modified[column] ?? []).union(keys) }
        // What is new has no value from before that changed.
        for (column, keys) in merged.modified {
            let left = keys.subtracting(strangers).subtracting(later.deleted)
            merged.modified[column] = left.isEmpty ? nil : left
        }
        self = merged
    }
}
