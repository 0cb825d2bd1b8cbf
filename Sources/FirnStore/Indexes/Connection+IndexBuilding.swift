import LMDB

/// How far the building of an index over objects that were there before has come.
package struct IndexProgress: Sendable {
    /// The table's name.
    package let table: String
    /// The names of the index's columns.
    package let columns: [String]
    /// How many steps are done, and how many there are: two an object, which is read first, and whose entry is then stored.
    package let stepCount: Int
    package let totalStepCount: Int
}

/// How indexes are built over objects that were there before.
package struct IndexBuilding: Sendable {
    /// How many bytes of entries are sorted in memory at a time.
    package var runByteLimit = 16 << 20
    /// Is told of the progress, about a hundred times an index, within the write; must not use the store.
    package var onProgress: (@Sendable (IndexProgress) -> Void)?

    package init(onProgress: (@Sendable (IndexProgress) -> Void)? = nil) {
        self.onProgress = onProgress
    }
}

extension Connection {
    /// Fills an index that is the newest of the file from the objects that are there. Throws `.duplicateValue` where it is
    /// unique and their values are not.
    ///
    /// All objects are read before anything is stored, so that no page moves under what is read; entries come sorted, and
    /// leave pages full. Takes memory for one run of entries, and that of the pages which LMDB holds until the commit.
    func buildIndex(
        _ index: StoredIndex, of id: TableID, _ write: WriteState, _ indexing: IndexBuilding
    ) throws {
        guard let table = schema[id] else { preconditionFailure("an index is over objects of a table") }
        let total = 2 * count(id)
        guard total > 0 else { return }
        let shape = IndexShape(index, in: table)
        let columns = shape.columns.map(\.name)
        var stepCount = 0
        var nextReport = 0
        func step() {
            if stepCount >= nextReport {
                indexing.onProgress?(
                    IndexProgress(table: table.name, columns: columns, stepCount: stepCount, totalStepCount: total))
                nextReport = stepCount == total ? .max : min(total, stepCount + max(1, total / 100))
            }
            stepCount += 1
        }
        let directory = store.environment.path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        let sorter = EntrySorter(index.id, directory: directory, runByteLimit: indexing.runByteLimit)
        var objects = RecordIterator(self, table: id)
        while let (key, record) = objects.next() {
            step()
            makeIndexKey(record, shape)
            try sorter.append(keyScratch.bytes, key, isJudged: index.isUnique && !shape.hasNull(record))
        }
        let entries = entries(of: index, try write.cursor(store.databases.index))
        var previous: (values: [UInt8], key: ObjectKey)?
        try sorter.drain { entry in
            step()
            let isNew = previous.map { !entry.values.elementsEqual($0.values) } ?? true
            keyScratch.removeAll()
            IndexKey.append(index.id, to: &keyScratch)
            keyScratch.append(entry.values)
            if !isNew, entry.isJudged, let previous {
                guard keyScratch.isCut else { throw duplicateValue((previous.key, entry.key), shape, table) }
                try tableWriter(id).index(index.id)?.changes.suspect(keyScratch.bytes)
            }
            try entries.append(keyScratch.bytes, entry.key, isNewValue: isNew)
            previous = isNew ? (Array(entry.values), entry.key) : previous.map { ($0.values, entry.key) }
        }
        step()
        dropPointers()
    }
}
