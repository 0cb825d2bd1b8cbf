import FirnStore

/// One row of a realm.
struct RowID: Hashable {
    let table: TableID
    let key: ObjectKey
}

/// What makes accessors invalid though a row with their key exists: rolled-back writes, invalidation, a deleted key
/// that is used again.
///
/// Each such event starts an epoch. An accessor remembers the epoch in which it was last known to stand for its row
/// and looks only at later events, so an accessor costs nothing while none happen.
struct IdentityLog {
    private(set) var epoch: UInt32 = 1
    private var firstValidEpoch: UInt32 = 0
    private var events: [Event] = []

    private enum Event {
        case rolledBack(serial: UInt32, firstNewKeys: [TableID: ObjectKey], deleted: Set<RowID>)
        case reused(RowID)
    }

    /// Whether an accessor of an earlier epoch still stands for its row.
    func isValid(_ object: ObjectBase) -> Bool {
        guard object.epoch >= firstValidEpoch else { return false }
        let row = RowID(table: object.binding.table.id, key: object.key)
        let count = min(events.count, Int(epoch - object.epoch))
        return !events.suffix(count).contains { event in
            switch event {
            case .rolledBack(let serial, let firstNewKeys, let deleted):
                object.birth == serial && (object.isAddedInWrite || row.key >= firstNewKeys[row.table] ?? .max)
                    || deleted.contains(row)
            case .reused(let reused):
                reused == row
            }
        }
    }

    /// No accessor made until now is valid any more.
    mutating func invalidateAll() {
        epoch += 1
        firstValidEpoch = epoch
        events = []
    }

    /// A write was rolled back: what it added is gone for good, and so are the accessors of what it deleted.
    mutating func noteRollback(serial: UInt32, firstNewKeys: [TableID: ObjectKey], deleted: Set<RowID>) {
        append(.rolledBack(serial: serial, firstNewKeys: firstNewKeys, deleted: deleted))
    }

    /// The key of a deleted object was given to a new one.
    mutating func noteReuse(_ row: RowID) {
        append(.reused(row))
    }

    private mutating func append(_ event: Event) {
        epoch += 1
        events.append(event)
    }
}
