import LMDB

/// What storing a value entails beyond its bytes, and what taking it away does.
extension Connection {
    /// Does what storing a value entails: a blob is written, a link is noted, an embedded object gets its owner. Answers
    /// what a record may hold. Throws `.alreadyOwned`, `.valueTooLarge`, and has done nothing then.
    func acquire(_ value: StoredValue, _ owner: ElementOwner, _ write: WriteState) throws -> StoredValue {
        switch value {
        case .null: return value
        case .collection(_, let id):
            let isLoose = write.looseCollections.removeValue(forKey: id) != nil
            precondition(isLoose, "a collection that was made is stored once")
        default:
            if let target = owner.column.linkedRow(value) {
                try take(target, write)
                noteLink(to: target, owner, delta: 1, write)
            } else if value.variableByteCount > Blob.inlineByteLimit {
                write.grows = true
                return try makeStorable(value, write)
            }
        }
        write.grows = true
        return value
    }

    /// Does for a new object's record what storing its values entails, but for blobs, which are written already. Throws
    /// `.alreadyOwned`, and has done nothing then.
    func acquire(_ record: RecordView, _ key: ObjectKey, _ writer: TableWriter, _ write: WriteState) throws {
        var taken: [RowID] = []
        for column in writer.references {
            guard let target = column.linkedRow(record, column.slot), isEmbedded(target.table) else { continue }
            do {
                try take(target, write)
                taken.append(target)
            } catch {
                write.unowned.formUnion(taken)
                throw error
            }
        }
        for column in writer.references {
            if record.tag(column.slot) == .collection {
                write.looseCollections[record.collectionID(column.slot)] = nil
            } else if let target = column.linkedRow(record, column.slot) {
                let owner = ElementOwner(row: RowID(table: writer.table.id, key: key), column: column)
                noteLink(to: target, owner, delta: 1, isNewOrigin: true, write)
            }
        }
    }

    /// As `acquire` of one value, for several, of which all or none are acquired.
    func acquire(_ values: [StoredValue], _ owner: ElementOwner, _ write: WriteState) throws -> [StoredValue] {
        if let target = owner.column.target, !isEmbedded(target) {
            write.grows = true
            for case .link(let key) in values {
                write.noteLink(to: RowID(table: target, key: key), from: owner.row.key, owner.column.id, delta: 1)
            }
            return values
        }
        // Only what goes to a blob becomes another value, so that most arrays need not be copied.
        var acquired = values
        for (index, value) in values.enumerated() {
            do {
                let value = try acquire(value, owner, write)
                if case .blob = value { acquired[index] = value }
            } catch {
                for value in acquired[..<index] { try giveBack(value, owner, write) }
                throw error
            }
        }
        return acquired
    }

    /// Undoes `acquire` of a value that was not stored after all.
    func giveBack(_ value: StoredValue, _ owner: ElementOwner, _ write: WriteState) throws {
        switch value {
        case .blob(_, let id, _): try Blob.delete(id, with: write.cursor(store.databases.blobs))
        case .collection(let kind, let id):
            guard let kind = CollectionKind(rawValue: kind) else { return }
            write.looseCollections[id] = LooseCollection(kind: kind, owner: owner)
        default:
            guard let target = owner.column.linkedRow(value) else { return }
            noteLink(to: target, owner, delta: -1, write)
            if isEmbedded(target.table) { write.unowned.insert(target) }
        }
    }

    /// Undoes what storing the value in a record's slot entailed: drops a blob, a link, a nested collection with all in
    /// it, an embedded object. The record is about to lose the slot. Only notes what is to go, and writes nothing: it goes
    /// at the end of the change.
    func release(_ record: RecordView, _ slot: Int, _ owner: ElementOwner, _ write: WriteState) throws {
        switch record.tag(slot) {
        case .blob: write.released.blobs.append(record.blob(slot).id)
        case .collection:
            let (kind, id) = record.collection(slot)
            guard let kind = CollectionKind(rawValue: kind) else { return }
            write.released.collections.append(
                Releases.Collection(kind: kind, id: id, row: owner.row, slot: owner.column.slot))
        case .link, .typedLink:
            guard let target = owner.column.linkedRow(record, slot) else { return }
            noteLink(to: target, owner, delta: -1, write)
            if isEmbedded(target.table), !write.isVanishing(target.table) { write.released.rows.append(target) }
        default: break
        }
    }

    /// As `release` for every slot of an object that goes.
    func releaseAll(_ record: RecordView, _ key: ObjectKey, _ writer: TableWriter, _ write: WriteState) throws {
        let row = RowID(table: writer.table.id, key: key)
        for slot in 0..<record.slotCount where record.tag(slot) == .blob {
            write.released.blobs.append(record.blob(slot).id)
        }
        for column in writer.references where record.tag(column.slot) != .blob {
            try release(
                record, column.slot, ElementOwner(row: row, column: column), write)
        }
    }

    /// Gives an embedded object, which must have no owner yet, to one.
    private func take(_ target: RowID, _ write: WriteState) throws {
        guard isEmbedded(target.table), write.unowned.remove(target) == nil else { return }
        throw StoreError(
            .alreadyOwned,
            "an embedded object of class '\(schema[target.table]?.name ?? "?")' has an owner already; copy it with "
                + "`init(value:)`, or take it from its owner first")
    }

    func noteLink(
        to target: RowID, _ owner: ElementOwner, delta: Int32, isNewOrigin: Bool = false, _ write: WriteState
    ) {
        write.noteLink(to: target, from: owner.row.key, owner.column.id, delta: delta, isNewOrigin: isNewOrigin)
    }

    /// The value as a record may hold it: what is large goes to a blob.
    func makeStorable(_ value: StoredValue, _ write: WriteState) throws -> StoredValue {
        guard value.variableByteCount > Blob.inlineByteLimit else { return value }
        switch value {
        case .string(var string):
            return try string.withUTF8 { try write.makeBlob(.string, UnsafeRawBufferPointer($0)) }
        case .data(let data):
            return try data.withUnsafeBytes { try write.makeBlob(.data, $0) }
        case .coded(let data):
            return try data.withUnsafeBytes { try write.makeBlob(.coded, $0) }
        default:
            return value
        }
    }

    // MARK: What was released

    /// Takes away all that was released, level by level: no depth of collections and embedded objects grows the stack.
    func settleReleases(_ write: WriteState) throws {
        while !write.released.isEmpty {
            let released = write.released
            write.released = Releases()
            for blob in released.blobs { try Blob.delete(blob, with: write.cursor(store.databases.blobs)) }
            for collection in released.collections { try drop(collection, write) }
            if !released.rows.isEmpty { try deleteRows(released.rows, write) }
        }
    }

    /// Takes away all that was released, and the links that wait for it.
    func settleLinks(_ write: WriteState) throws {
        repeat {
            try takeAwayAllWaitingLinks(write)
            try settleReleases(write)
        } while !write.waitingLinks.isEmpty
    }

    /// Takes away what was made for an owner and never got one.
    func dropUnowned(_ write: WriteState) throws {
        for (id, loose) in write.looseCollections {
            if let owner = loose.owner {
                write.released.collections.append(
                    Releases.Collection(kind: loose.kind, id: id, row: owner.row, slot: owner.column.slot))
            } else {
                try dropEmpty(loose.kind, id, write)
            }
        }
        write.looseCollections = [:]
        write.released.rows.append(contentsOf: write.unowned)
        try settleLinks(write)
    }
}

extension StoredColumn {
    /// Whether the column can hold embedded objects.
    var canOwn: Bool { target != nil && collection != .set }

    /// Whether values of the column entail more than their bytes: links, values of any type, collections.
    var holdsReferences: Bool { collection != nil || target != nil || type == .any }

    /// The object that a value of the column links to; nil where it is no link.
    func linkedRow(_ value: StoredValue) -> RowID? {
        switch value {
        case .link(let key): target.map { RowID(table: $0, key: key) }
        case .typedLink(let table, let key): RowID(table: TableID(rawValue: table), key: key)
        default: nil
        }
    }

    /// The object that the value in a record's slot links to; nil where it is no link.
    func linkedRow(_ record: RecordView, _ slot: Int) -> RowID? {
        switch record.tag(slot) {
        case .link: return target.map { RowID(table: $0, key: record.link(slot)) }
        case .typedLink:
            let (table, key) = record.typedLink(slot)
            return RowID(table: TableID(rawValue: table), key: key)
        default: return nil
        }
    }
}

/// What records lost in a change, and what has to go with it at the change's end.
struct Releases {
    /// A collection that nothing holds any more, and the object and column that it hung on.
    struct Collection {
        let kind: CollectionKind
        let id: UInt64
        let row: RowID
        let slot: Int
    }

    var blobs: [UInt64] = []
    var collections: [Collection] = []
    /// Embedded objects.
    var rows: [RowID] = []

    var isEmpty: Bool { blobs.isEmpty && collections.isEmpty && rows.isEmpty }
}

/// A nested collection that nothing holds yet.
struct LooseCollection {
    let kind: CollectionKind
    /// Where its elements are to be, once it has any.
    var owner: ElementOwner?
}
