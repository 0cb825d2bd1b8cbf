import FirnStore

/// What makes accessors invalid though a row with their key exists: rolled-back writes, invalidation, a deleted key
/// that is used again.
///
/// Each such event starts an epoch. An accessor remembers the epoch in which it was last known to stand for its row
/// and looks here only once that has passed, so an accessor costs nothing while nothing happens.
struct IdentityLog {
    private(set) var epoch: UInt32 = 1
    private var firstValidEpoch: UInt32 = 0
    /// What rolled-back writes added, by the writes' serial numbers: the first key that each table gave.
    private var rolledBack: [UInt32: [TableID: ObjectKey]] = [:]
    /// The epoch that began when a row's accessors became invalid for good.
    private var ends: [RowID: UInt32] = [:]

    /// Whether an accessor of an earlier epoch still stands for its row.
    func isValid(_ object: ObjectBase) -> Bool {
        guard object.epoch >= firstValidEpoch else { return false }
        let row = RowID(table: object.binding.table.id, key: object.key)
        if let end = ends[row], object.epoch < end { return false }
        guard let firstNewKeys = rolledBack[object.birth] else { return true }
        return !object.isAddedInWrite && row.key < firstNewKeys[row.table] ?? .max
    }

    /// No accessor made until now is valid any more.
    mutating func invalidateAll() {
        epoch += 1
        firstValidEpoch = epoch
        rolledBack = [:]
        ends = [:]
    }

    /// A write was rolled back: what it added is gone for good, and so are the accessors of what it deleted.
    mutating func noteRollback(serial: UInt32, _ write: OpenWrite, _ deleted: DeletedRows) {
        guard write.hasAdded || !deleted.isEmpty else { return }
        epoch += 1
        if write.hasAdded { rolledBack[serial] = write.firstNewKeys }
        for row in deleted.rows { ends[row] = epoch }
    }

    /// The key of a deleted object was given to a new one.
    mutating func noteReuse(_ row: RowID) {
        epoch += 1
        ends[row] = epoch
    }
}
