import CLMDB
import Glibc

/// How large an environment is and who reads it.
package struct EnvironmentStatistics: Sendable {
    /// One open read transaction, of any process.
    package struct Reader: Hashable, Sendable {
        /// The process that has it.
        package var processID: Int
        /// The version that it reads, by LMDB's number.
        package var transactionID: UInt64
    }

    /// The length of the data file.
    package var fileBytes: Int
    /// The size of a page.
    package var pageSize: Int
    /// The bytes of all pages in use, the list of free pages among them.
    package var usedBytes: Int
    /// The bytes of all pages that are free, or will be when the snapshots that pin them are released.
    package var freeBytes: Int
    /// Those of the free bytes that the oldest open read transaction may still see, so that no write may use them.
    package var pinnedBytes: Int
    /// The number of the newest version.
    package var lastTransactionID: UInt64
    /// All open read transactions.
    package var readers: [Reader]
}

extension EnvironmentStatistics {
    /// A process that reads.
    package struct ReadingProcess: Hashable, Sendable {
        /// The process.
        package var processID: Int
        /// How many read transactions it has open.
        package var readerCount: Int
        /// How many commits followed on the version that the oldest of them reads.
        package var commitsBehind: UInt64
    }

    /// The processes that read, in the order of their ids; this one is among them.
    package var processes: [ReadingProcess] {
        Dictionary(grouping: readers, by: \.processID).map { processID, readers in
            let oldest = readers.map(\.transactionID).min() ?? lastTransactionID
            return ReadingProcess(
                processID: processID, readerCount: readers.count,
                commitsBehind: lastTransactionID - min(oldest, lastTransactionID))
        }.sorted { $0.processID < $1.processID }
    }
}

extension Environment {
    /// Counts pages and readers. O(commits whose pages are still free, and readers).
    package func statistics() throws -> EnvironmentStatistics {
        let transaction = try beginRead()
        defer { transaction.abort() }
        let readers = readers()
        // This transaction is among them, and pins nothing: what is freed after it is not on its list.
        let oldest = readers.map(\.transactionID).min() ?? .max
        let (freePageCount, pinnedPageCount) = try countFreePages(transaction, pinnedBy: oldest)
        let information = Calls.environmentInformation(self.raw)
        // Not by its path: a store in memory has none any more.
        var status = stat()
        guard fstat(Calls.environmentDescriptor(self.raw), &status) == 0 else {
            throw LMDBError.make(errno, "reading the file's length", path: path)
        }
        let pageSize = FileCheck.pageSize
        return EnvironmentStatistics(
            fileBytes: Int(status.st_size), pageSize: pageSize,
            usedBytes: max(0, information.me_last_pgno + 1 - freePageCount) * pageSize,
            freeBytes: freePageCount * pageSize, pinnedBytes: pinnedPageCount * pageSize,
            lastTransactionID: UInt64(information.me_last_txnid), readers: readers)
    }

    /// The number of the last page that any version uses.
    func lastPageNumber() -> UInt64 { UInt64(Calls.environmentInformation(raw).me_last_pgno) }

    /// How many pages are in use in a transaction, the list of free pages among them. O(databases).
    func usedPageCount(in transaction: OpaquePointer) throws -> UInt64 {
        // The two meta pages, then LMDB's own databases: the list of free pages, and the names of the others.
        var count = 2
        for database in [0, 1] + databases.map(\.rawValue) {
            var statistics = MDB_stat()
            let result = Calls.databaseStatistics(transaction, database, &statistics)
            guard result == MDB_SUCCESS else {
                throw LMDBError.make(result, "reading a database's statistics", path: path)
            }
            count += DatabaseStatistics(statistics).pageCount
        }
        return UInt64(count)
    }

    /// LMDB's list of free pages: a record a commit, whose key is the number of the version that it made, and which begins with
    /// the number of pages that it freed. What the databases use cannot be summed up from their statistics, which leave out
    /// the trees of sorted duplicates.
    ///
    /// A reader sees what was freed in a version after its own. LMDB keeps a little more from being reused, the pages that the
    /// oldest reader's own version freed; those are counted as free, since they are with no reader behind, too.
    private func countFreePages(
        _ transaction: ReadTransaction, pinnedBy oldest: UInt64
    ) throws -> (all: Int, pinned: Int) {
        let cursor = try transaction.makeCursor(Database(rawValue: 0, hasSortedDuplicates: false))
        var all = 0
        var pinned = 0
        var isThere = try cursor.first()
        while isThere {
            if cursor.value.count >= MemoryLayout<Int>.size, cursor.key.count >= MemoryLayout<UInt64>.size {
                let count = cursor.value.loadUnaligned(as: Int.self)
                all += count
                if cursor.key.loadUnaligned(as: UInt64.self) > oldest { pinned += count }
            }
            isThere = try cursor.next()
        }
        return (all, pinned)
    }

    /// All open read transactions of all processes.
    package func readers() -> [EnvironmentStatistics.Reader] {
        var text = ""
        withUnsafeMutablePointer(to: &text) { place in
            _ = Calls.readerList(
                raw,
                { line, context in
                    if let line, let context {
                        context.assumingMemoryBound(to: String.self).pointee += String(cString: line)
                    }
                    return 0
                }, place)
        }
        // LMDB tells it as text only: "pid thread txnid" a line, the last one "-" where the slot is idle.
        return text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 3, let processID = Int(words[0]), let transactionID = UInt64(words[2]) else {
                return nil
            }
            return EnvironmentStatistics.Reader(processID: processID, transactionID: transactionID)
        }
    }

    func readerSummary() -> String {
        var counts: [Int: Int] = [:]
        for reader in readers() { counts[reader.processID, default: 0] += 1 }
        return counts.sorted { $0.value > $1.value }.prefix(5)
            .map { "process \($0.key): \($0.value)" }.joined(separator: ", ")
    }
}
