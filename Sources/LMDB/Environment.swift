import CFirnSystem
import CLMDB
import Glibc
import Synchronization

/// An open LMDB file: the one environment that this process has for it, shared by all who open it.
///
/// It closes, and leaves the registry, when its last reference goes; transactions and cursors hold it. In a fork's
/// child everything throws `.usedAfterFork` and nothing is freed: the child opens the file anew.
package final class Environment: Sendable {
    /// The data file, with all links resolved.
    package let path: String
    /// Whether writes are refused.
    package let isReadOnly: Bool
    /// What a commit waits for.
    package let durability: Durability
    /// The address space reserved, in bytes, which is also the most that the file can grow to: as asked for, or less.
    package let reservation: Int
    /// In the order of the options.
    // SAFETY: written by the thread that opens the environment, before any other can have it.
    package nonisolated(unsafe) internal(set) var databases: [Database] = []

    // SAFETY: LMDB's environment may be used by all threads at once, except to close it, which `deinit` does.
    nonisolated(unsafe) let raw: OpaquePointer
    let requested: SharedOptions
    let writerThread = WriterThread()
    /// Nil where LMDB goes without one.
    let lockFile: LockFile?
    private let gate: Gate
    let doorbell: Doorbell
    private let registration: FileIdentity?
    private let forkGeneration = firn_fork_generation()
    private let commitCount = Atomic<Int>(0)

    /// How many commits pass between two looks for dead readers, whose snapshots keep pages from being reused.
    private static let commitsPerReaderCheck = 1000

    init(
        _ handle: EnvironmentHandle, path: String, options: EnvironmentOptions, gateFile: GateFile?,
        lockFile: LockFile?, registration: FileIdentity?
    ) {
        self.raw = handle.raw
        self.path = path
        self.isReadOnly = options.isReadOnly
        self.durability = options.durability
        self.reservation = handle.reservation
        self.requested = SharedOptions(options)
        self.gate = Gate(path: path, file: gateFile)
        self.doorbell = Doorbell(path: path, file: gateFile)
        self.lockFile = lockFile
        self.registration = registration
    }

    deinit {
        guard !isInherited else { return }
        writerThread.stop()
        Calls.environmentClose(raw)
        lockFile?.close()
        if let registration { EnvironmentRegistry.shared.remove(registration) }
    }

    /// Whether this process is a fork's child and the environment its parent's.
    var isInherited: Bool { forkGeneration != firn_fork_generation() }

    func checkUsable() throws {
        guard _fastPath(!isInherited) else {
            throw LMDBError(
                .usedAfterFork, "the database was opened before the process was forked; open it anew in the child",
                path: path)
        }
    }

    // MARK: Beginning

    /// A transaction on the newest version.
    package func beginRead() throws -> ReadTransaction {
        try checkUsable()
        var transaction: OpaquePointer?
        var result = Calls.transactionBegin(raw, parent: nil, UInt32(MDB_RDONLY), &transaction)
        if result == MDB_READERS_FULL {
            checkReaders()
            result = Calls.transactionBegin(raw, parent: nil, UInt32(MDB_RDONLY), &transaction)
        }
        guard result == MDB_SUCCESS, let transaction else { throw readBeginFailure(result) }
        do {
            try touchDatabases(of: transaction)
        } catch {
            Calls.transactionAbort(transaction)
            throw error
        }
        return ReadTransaction(self, transaction)
    }

    /// The number of the newest version that is committed. No lock and no call of the system, unlike a transaction.
    package func newestTransactionID() throws -> UInt64 {
        try checkUsable()
        return UInt64(Calls.environmentInformation(raw).me_last_txnid)
    }

    /// The write transaction, once all writers before have ended. Throws `.writerTimeout` where the request does not
    /// wait so long, and traps where the asking identity is writing.
    package func beginWrite(_ request: WriteRequest) throws -> WriteTransaction {
        try checkUsable()
        guard !isReadOnly else {
            throw LMDBError(
                .readOnly, "the database was opened for reading only; open it without that to write", path: path)
        }
        if request.onWriterThread { try writerThread.start() }
        let turn = try gate.enter(request)
        // SAFETY: the writer thread writes it while this one waits.
        nonisolated(unsafe) var transaction: OpaquePointer?
        let raw = raw
        func begin() -> Int32 { Calls.transactionBegin(raw, parent: nil, 0, &transaction) }
        let result = request.onWriterThread ? writerThread.run(begin) : begin()
        guard result == MDB_SUCCESS, let transaction else {
            turn.end()
            throw writeFailure(result, "beginning a write transaction")
        }
        return WriteTransaction(self, transaction, turn: turn, isOnWriterThread: request.onWriterThread)
    }

    /// Who writes in this process now, or is the next to when another process has ended its write.
    package var currentWriter: WriterDescription? { gate.currentHolder }

    /// Who writes now, as messages name it: another process, or else somebody in this one. A call of the system.
    package var currentWriterText: String? { gate.otherHolder ?? gate.currentHolder?.text }

    /// Stands in line for a turn to write, without a thread.
    package func lineUp() -> WriterPlace { WriterPlace(gate) }

    /// How many writers of this process wait for their turn.
    package var waitingWriterCount: Int { gate.waiterCount }

    /// Loads every database's root into the transaction: from then on its look-ups change nothing in LMDB's
    /// structures, and several threads may make them at once.
    func touchDatabases(of transaction: OpaquePointer) throws {
        var statistics = MDB_stat()
        for database in databases {
            let result = Calls.databaseStatistics(transaction, database.rawValue, &statistics)
            guard result == MDB_SUCCESS else { throw LMDBError.make(result, "reading a database's root", path: path) }
        }
    }

    /// To be called once the turn has ended, with the version that was made; nil where nothing had changed.
    func didCommit(_ version: UInt64?) {
        if let version { doorbell.didCommit(version) }
        let count = commitCount.add(1, ordering: .relaxed).newValue
        if count % Environment.commitsPerReaderCheck == 0 { checkReaders() }
    }

    /// Clears the places of readers whose process has died. Returns how many there were.
    @discardableResult
    package func checkReaders() -> Int {
        var count: Int32 = 0
        _ = Calls.readerCheck(raw, &count)
        return Int(count)
    }
}
