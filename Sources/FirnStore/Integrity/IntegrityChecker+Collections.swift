import LMDB

extension IntegrityChecker {
    /// Checks a collection that a record holds, those within it, and the links in all of them.
    func checkCollections(under top: (kind: UInt8, id: UInt64), _ place: ElementPlace) throws {
        var links: [RowID: Int] = [:]
        var waiting = [(kind: top.kind, id: top.id, isNested: place.isElement || place.column.collection == nil)]
        while let next = waiting.popLast(), !isFull {
            let expected = next.isNested ? nil : place.column.collection
            guard let kind = CollectionKind(rawValue: next.kind), kind == expected ?? kind,
                !(next.isNested && kind == .set)
            else {
                report(.collections, "\(place.text) holds a collection of the wrong kind \(next.kind)")
                continue
            }
            guard ownedCollections.updateValue(kind, forKey: next.id) == nil else {
                report(.collections, "collection \(next.id) of \(place.text) has two owners")
                continue
            }
            if next.id >= connection.nextID { report(.counters, "collection \(next.id) has a future id") }
            let count = try forEachElement(of: next.id, kind, place) { record, slot in
                own(record, slot)
                checkType(record, slot, place.element)
                if record.tag(slot) == .collection {
                    let nested = record.collection(slot)
                    waiting.append((nested.kind, nested.id, true))
                } else if let target = place.column.linkedRow(record, slot) {
                    links[target, default: 0] += 1
                }
            }
            if count == 0, !next.isNested {
                report(.collections, "\(place.text) holds the empty collection \(next.id)")
            }
        }
        for (target, count) in links { try checkLink(to: target, count: count, place) }
    }

    /// Checks the collections that the open write made and that nothing holds yet.
    func checkLooseCollections() throws {
        for (id, loose) in connection.write?.looseCollections ?? [:] {
            guard let owner = loose.owner, let table = schema[owner.row.table] else { continue }
            let place = ElementPlace(table: table, column: owner.column, row: owner.row, isElement: true)
            try checkCollections(under: (loose.kind.rawValue, id), place)
        }
    }

    /// Calls `body` with the elements of a collection and checks how they are kept; answers their number.
    private func forEachElement(
        of id: UInt64, _ kind: CollectionKind, _ place: ElementPlace, _ body: (RecordView, Int) -> Void
    ) throws -> Int {
        guard kind == .list else { return try checkEntries(of: id, kind, place, body) }
        var count = 0
        let problems = try ListTree.check(id, with: cursor(databases.lists)) { record in
            for slot in 0..<record.slotCount { body(record, slot) }
            count += record.slotCount
        }
        for problem in problems { report(.lists, "\(place.text): \(problem)") }
        return count
    }

    /// Checks the entries of a set or map: that each stands under the key of its element, none twice, and their number.
    private func checkEntries(
        of id: UInt64, _ kind: CollectionKind, _ place: ElementPlace, _ body: (RecordView, Int) -> Void
    ) throws -> Int {
        let cursor = try connection.transaction.makeCursor(databases.entries)
        guard try cursor.seek(ByteKey(id)), cursor.value.count == 8 else {
            report(.entries, "collection \(id) of \(place.text) has no count")
            return 0
        }
        let expected = UInt64(littleEndian: cursor.value.loadUnaligned(as: UInt64.self))
        var count = 0
        var key = KeyBuffer()
        /// The whole names of entries whose keys are cut to the same bytes.
        var alike: (cut: [UInt8], names: Set<StoredValue>) = ([], [])
        while try cursor.next(), cursor.key.count > 8, EntryKey.collectionID(of: cursor.key) == id, !isFull {
            count += 1
            do {
                try RecordView.validate(cursor.value)
            } catch {
                report(.entries, "an entry of collection \(id) of \(place.text): \(error)")
                continue
            }
            guard let base = cursor.value.baseAddress else { continue }
            let record = RecordView(base)
            let name = try makeKey(id, kind, record, cursor.key, place, &key)
            let isRight = key.isCut ? cursor.key.count == key.count + 4 : cursor.key.count == key.count
            if !isRight || !cursor.key.starts(with: key.bytes) {
                report(.entries, "an entry of collection \(id) of \(place.text) stands under a key of another")
            }
            if key.isCut {
                if !alike.cut.elementsEqual(key.bytes) { alike = ([UInt8](key.bytes), []) }
                if !alike.names.insert(name).inserted {
                    report(.entries, "an entry of collection \(id) of \(place.text) is there twice")
                }
            }
            if kind == .map { own(record, EntryKey.keySlot) }
            body(record, EntryKey.valueSlot)
        }
        if UInt64(count) != expected {
            report(.entries, "collection \(id) of \(place.text) counts \(expected) entries and has \(count)")
        }
        return count
    }

    /// Puts the key under which an entry must stand, up to the cut, into `buffer`; answers what it is the key of.
    private func makeKey(
        _ id: UInt64, _ kind: CollectionKind, _ record: RecordView, _ key: UnsafeRawBufferPointer,
        _ place: ElementPlace,
        _ buffer: inout KeyBuffer
    ) throws -> StoredValue {
        if kind == .set {
            let element = try wholeValue(record, EntryKey.valueSlot)
            EntryKey.make(id, element: element, place.column.type, into: &buffer)
            return element
        }
        let isCut = EntryKey.isCut(key)
        guard isCut || key.count >= EntryKey.idByteCount + 2 else { return .null }
        let text = isCut ? try wholeValue(record, EntryKey.keySlot) : .string(EntryKey.text(of: key))
        if case .string(let text) = text { EntryKey.make(id, key: text, into: &buffer) }
        return text
    }

    /// The value of a slot with its blob read; null where the file does not have all of that.
    private func wholeValue(_ record: RecordView, _ slot: Int) throws -> StoredValue {
        guard record.tag(slot) == .blob else { return record.value(slot) }
        let blob = record.blob(slot)
        guard blob.byteCount <= valueByteLimit else { return .null }
        do {
            let data = try Blob.read(blob.id, byteCount: Int(blob.byteCount), with: cursor(databases.blobs))
            switch Tag(rawValue: blob.kind) {
            case .data: return .data(data)
            case .coded: return .coded(data)
            default: return .string(String(decoding: data, as: UTF8.self))
            }
        } catch let error as StoreError where error.code == .corrupted {
            return .null
        }
    }

    /// Checks that no node and no entry belongs to a collection that nothing holds.
    func checkCollectionsAreOwned() throws {
        willRead(.collections)
        let loose = connection.write?.looseCollections ?? [:]
        for isList in [true, false] {
            let cursor = try connection.transaction.makeCursor(isList ? databases.lists : databases.entries)
            var isThere = try cursor.first()
            while isThere, !isFull {
                guard cursor.key.count >= 8 else {
                    report(.collections, "a collection's key has \(cursor.key.count) bytes")
                    return
                }
                let id = EntryKey.collectionID(of: cursor.key)
                let kind = ownedCollections[id] ?? loose[id]?.kind
                if kind == nil || (kind == .list) != isList {
                    report(.collections, "collection \(id) has \(isList ? "nodes" : "entries") and no owner")
                }
                guard id < .max else { return }
                isThere = try cursor.seekRange(ByteKey(id + 1))
            }
        }
    }
}
