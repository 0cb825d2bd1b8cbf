import LMDB

extension Connection {
    /// What the commits after a version changed up to the one that is read, from the change log. Nil where the log no longer
    /// goes back so far, where a commit changed too much to say what, and where the schema has changed since.
    ///
    /// O(changes), and a look-up for each commit. The connection must not be writing.
    package func changes(since version: UInt64, schemaCounter: UInt64) -> ChangeSet? {
        guard write == nil, schemaCounter == self.schemaCounter, version <= self.version else { return nil }
        var changes = ChangeSet()
        guard version < self.version else { return changes }
        guard version + 1 >= snapshot.state.oldestLogVersion else { return nil }
        do {
            for version in version + 1...self.version {
                guard let entry = try ChangeLog.read(version, in: transaction, databases: store.databases),
                    !entry.isCoarse
                else { return nil }
                changes.merge(entry)
            }
        } catch {
            unreadable(error)
        }
        return changes
    }
}
