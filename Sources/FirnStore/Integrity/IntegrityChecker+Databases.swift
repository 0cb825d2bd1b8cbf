import LMDB

/// What stands outside the records must be what they call for, and nothing else.
extension IntegrityChecker {
    func checkIndexEntries() throws {
        willRead(.index)
        var counts: [IndexID: Int] = [:]
        let cursor = try connection.transaction.makeCursor(databases.index)
        var isThere = try cursor.first()
        while isThere {
            guard let id = IndexKey.id(of: cursor.key)?.id else {
                report(.indexEntries, "an index key of \(cursor.key.count) bytes has no id")
                return
            }
            counts[id, default: 0] += try cursor.duplicateCount()
            isThere = try cursor.nextDistinct()
        }
        let known = Set(schema.tables.flatMap { $0.indexes.map(\.id) })
        for (id, count) in counts {
            if !known.contains(id) {
                report(.indexEntries, "there are \(count) entries of index \(id.rawValue), which is not in the schema")
            } else if count != expectedEntries[id, default: 0] {
                report(
                    .indexEntries,
                    "index \(id.rawValue) has \(count) entries for \(expectedEntries[id, default: 0]) objects")
            }
        }
    }

    func checkBacklinks() throws {
        willRead(.backlinks)
        var counts: [ColumnID: Int] = [:]
        let cursor = try connection.transaction.makeCursor(databases.backlinks)
        var isThere = try cursor.first()
        while isThere {
            guard cursor.key.count == 16, cursor.value.count == 12 else {
                report(.backlinks, "a backlink has \(cursor.key.count) and \(cursor.value.count) bytes")
                return
            }
            counts[Backlink.column(ofKey: cursor.key), default: 0] += Int(Backlink.count(of: cursor.value))
            isThere = try cursor.next()
        }
        for (id, count) in counts where count != expectedBacklinks[id, default: 0] {
            report(
                .backlinks,
                "column \(id.rawValue) has \(count) backlinks for \(expectedBacklinks[id, default: 0]) links")
        }
    }

    func checkBlobs() throws {
        willRead(.blobs)
        var sizes: [UInt64: Int] = [:]
        let cursor = try connection.transaction.makeCursor(databases.blobs)
        var isThere = try cursor.first()
        while isThere {
            let id = Blob.id(ofKey: cursor.key)
            sizes[id, default: 0] += cursor.value.count
            if id >= connection.nextID { report(.counters, "blob \(id) has a future id") }
            isThere = try cursor.next()
        }
        for (id, size) in sizes where ownedBlobs[id] == nil {
            report(.blobs, "blob \(id) of \(size) bytes has no owner")
        }
        for (id, byteCount) in ownedBlobs where sizes[id] != Int(byteCount) {
            report(.blobs, "blob \(id) has \(sizes[id] ?? 0) bytes, its owner says \(byteCount)")
        }
    }

    func checkLog() throws {
        willRead(.log)
        let state = connection.stateInSight
        guard state.version >= state.oldestLogVersion else { return }
        for version in state.oldestLogVersion...state.version {
            // The open write's own entry comes with its commit.
            if connection.isWriting, version == state.version { continue }
            let entry = try ChangeLog.read(version, in: connection.transaction, databases: databases)
            if entry == nil { report(.log, "version \(version) has no entry in the log") }
        }
        let cursor = try connection.transaction.makeCursor(databases.log)
        if try cursor.last(), ChangeLog.version(ofKey: cursor.key) > state.version {
            report(.log, "the log knows version \(ChangeLog.version(ofKey: cursor.key)), which is still to come")
        }
    }
}
