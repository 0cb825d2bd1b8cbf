import FirnStore
import FirnTool
import LMDB

/// Tells who reads a file now, and what its bytes are used for, in the process that reads it: what `Realm.diagnostics(for:)` tells,
/// as far as it can be seen from outside.
enum LiveSummary {
    static func report(on path: String) throws(StoreError) {
        let connection = try Isolation.open(path)
        let environment = connection.store.environment
        do {
            // Killed processes leave their places behind, and pin nothing that a look does not set free.
            environment.checkReaders()
            Report.place("the list of free pages").send()
            let statistics = try environment.statistics()
            Report.text(path).send()
            var table = TextTable([.left, .left])
            table.add("version", connection.version.grouped)
            for line in table.lines { Report.text(line).send() }
            Report.send(
                "Size",
                TextTable(byteCounts: [
                    ("file", statistics.fileBytes), ("live", statistics.usedBytes),
                    ("free", statistics.freeBytes - statistics.pinnedBytes), ("pinned", statistics.pinnedBytes),
                ]))
            let readers = statistics.otherReaders
            Report.send("Readers", readers.isEmpty ? ["  none"] : readers)
        } catch {
            throw StoreError(wrapping: error)
        }
    }
}
