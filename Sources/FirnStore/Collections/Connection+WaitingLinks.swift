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
        while let place = write.waitingLinks.keys.first { try takeAwayWaitingLinks(place, write) }
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
            let record = record(place.row.table, place.row.key), record.tag(place.slot) == .collection
        else { return }
        let top = record.collection(place.slot)
        var waiting = [(kind: top.kind, id: top.id, nestedID: column.collection == nil ? top.id : nil)]
        while let next = waiting.popLast() {
            let place = CollectionPlace(row: place.row, slot: place.slot, nestedID: next.nestedID)
            let isList = next.kind == CollectionKind.list.rawValue
            try forEachElement(of: next.id, isList: isList) { record, slot in
                guard record.tag(slot) == .collection else { return }
                let (kind, id) = record.collection(slot)
                waiting.append((kind, id, id))
            }
            if isList {
                try takeAwayElements(of: place, column, linkingTo: targets)
            } else {
                try takeAwayValues(ofMap: next.id, ElementOwner(row: place.row, column: column), targets, write)
            }
        }
    }

    /// Takes elements out of a list of objects; makes those of a list of any values null.
    private func takeAwayElements(
        of place: CollectionPlace, _ column: StoredColumn, linkingTo targets: Set<RowID>
    ) throws {
        var positions: [Int] = []
        var index = 0
        while let count = withListElements(
            place, from: index,
            { record, slots in
                for slot in slots {
                    if let row = column.linkedRow(record, slot), targets.contains(row) {
                        positions.append(index + slot - slots.lowerBound)
                    }
                }
                return slots.count
            })
        {
            index += count
        }
        if column.type == .any {
            for position in positions { try listSet(place, .null, at: position) }
        } else {
            // From the end, so that positions stay what they are; neighbours together.
            while let last = positions.popLast() {
                var first = last
                while positions.last == first - 1 {
                    first -= 1
                    positions.removeLast()
                }
                try listRemove(place, first..<last + 1)
            }
        }
    }
}
