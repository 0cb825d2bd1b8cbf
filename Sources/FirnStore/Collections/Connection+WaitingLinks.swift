import LMDB

/// Lists, maps and collections within an `any` must be searched for a link to an object that was deleted. Each is searched
/// once for all that were deleted until then: when it is next looked at, or at commit. Until then its elements and the
/// backlinks agree, and both tell of links to objects that are gone.
extension Connection {
    /// Takes away what waits at a place, for a reader.
    func settleWaitingLinks(_ place: CollectionPlace) {
        let column = CollectionPlace(row: place.row, slot: place.slot)
        guard let write, !write.isLost, write.waitingLinks[column] != nil else { return }
        do {
            try change { try takeAwayWaitingLinks(place, $0) }
        } catch {
            // A lost write is read as it was before it began.
            if !write.isLost { unreadable(error) }
        }
    }

    /// Takes away every link that waits.
    func takeAwayAllWaitingLinks(_ write: WriteState) throws {
        for place in Array(write.waitingLinks.keys) { try takeAwayWaitingLinks(place, write) }
    }

    /// Takes away what waits in a column of any object of a table.
    func takeAwayWaitingLinks(in column: StoredColumn, of table: TableID, _ write: WriteState) throws {
        for place in write.waitingLinks.keys where place.row.table == table && place.slot == column.slot {
            try takeAwayWaitingLinks(place, write)
        }
    }

    /// Takes away the links that wait in a place's column.
    func takeAwayWaitingLinks(_ place: CollectionPlace, _ write: WriteState) throws {
        guard !write.waitingLinks.isEmpty,
            let targets = write.waitingLinks.removeValue(
                forKey: CollectionPlace(row: place.row, slot: place.slot)),
            let column = try tableWriter(place.row.table).column(slot: place.slot)?.column,
            let record = record(place.row.table, place.row.key)
        else { return }
        var waiting: [(kind: UInt8, id: UInt64, nestedID: UInt64?)] = []
        if record.tag(place.slot) == .collection {
            let (kind, id) = record.collection(place.slot)
            waiting.append((kind, id, column.collection == nil ? id : nil))
        }
        for (id, loose) in write.looseCollections where loose.owner?.stands(at: place) == true {
            waiting.append((loose.kind.rawValue, id, id))
        }
        while let next = waiting.popLast() {
            let place = CollectionPlace(row: place.row, slot: place.slot, nestedID: next.nestedID)
            let isList = next.kind == CollectionKind.list.rawValue
            try forEachElement(of: next.id, isList: isList) { record, slot in
                guard record.tag(slot) == .collection else { return }
                let (kind, id) = record.collection(slot)
                waiting.append((kind, id, id))
            }
            let owner = ElementOwner(row: place.row, column: column)
            if isList {
                try takeAwayElements(ofList: next.id, place, owner, targets, write)
            } else {
                try takeAwayValues(ofMap: next.id, owner, targets, write)
            }
        }
    }

    /// Takes elements out of a list of objects; makes those of a list of any values null.
    private func takeAwayElements(
        ofList id: UInt64, _ place: CollectionPlace, _ owner: ElementOwner, _ targets: Set<RowID>, _ write: WriteState
    ) throws {
        var positions: [Int] = []
        var index = 0
        try forEachElement(of: id, isList: true) { record, slot in
            if let row = owner.column.linkedRow(record, slot), targets.contains(row) { positions.append(index) }
            index += 1
        }
        let release = { (record: RecordView, slot: Int) in try self.release(record, slot, owner, write) }
        guard owner.column.type != .any else {
            for position in positions { try setInList(id, .null, at: position, write, releasing: release) }
            return
        }
        // From the end, so that positions stay what they are; neighbours together.
        while let last = positions.popLast() {
            var first = last
            while positions.last == first - 1 {
                first -= 1
                positions.removeLast()
            }
            try removeFromList(id, first..<last + 1, write, releasing: release)
        }
        if place.nestedID == nil, listCount(id) == 0 {
            try dropList(id, write)
            try dropCollectionID(place, write)
        }
    }
}
