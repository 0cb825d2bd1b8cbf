import LMDB
import Synchronization

/// How a store is opened.
package struct StoreOptions: Sendable {
    /// The data file; its lock and its gate lie beside it.
    package var path: String
    package var isReadOnly: Bool
    package var durability: Durability
    /// The address space to reserve, which is also the largest size of the file, in bytes; nil for the default.
    package var reservation: Int?
    /// Whether a missing file is an error, and one that this process has open is taken however it was opened.
    package var takesWhatIsThere = false

    package init(path: String, isReadOnly: Bool = false, durability: Durability = .full, reservation: Int? = nil) {
        self.path = path
        self.isReadOnly = isReadOnly
        self.durability = durability
        self.reservation = reservation
    }
}

/// An open file: its environment, its databases and the newest snapshot that anybody holds.
///
/// Shared by all threads. Every store of one file in a process is the same environment.
package final class Store: Sendable {
    package let environment: Environment
    package let databases: Databases
    /// What the file says of its own format.
    package let header: FormatHeader
    private let newest = Mutex(WeakSnapshot())

    /// Opens or creates the file; throws without touching it where it is not a file of this format.
    package static func open(_ options: StoreOptions) throws(StoreError) -> Store {
        do {
            return try Store(options)
        } catch {
            throw StoreError(wrapping: error)
        }
    }

    private init(_ options: StoreOptions) throws {
        var environmentOptions = EnvironmentOptions(
            path: options.path, databases: Databases.definitions)
        environmentOptions.isReadOnly = options.isReadOnly
        environmentOptions.durability = options.durability
        environmentOptions.takesWhatIsThere = options.takesWhatIsThere
        if let reservation = options.reservation { environmentOptions.reservation = reservation }
        environmentOptions.initialize = { transaction, databases in
            try Store.initialize(transaction, Databases(databases))
        }
        environmentOptions.validate = { transaction, databases in
            _ = try Store.readHeader(transaction, Databases(databases))
        }
        environment = try Environment.open(environmentOptions)
        databases = Databases(environment.databases)
        let transaction = try environment.beginRead()
        header = try Store.readHeader(transaction, databases)
    }

    private static func initialize(_ transaction: WriteTransaction, _ databases: Databases) throws {
        try FormatHeader().encoded().withUnsafeBytes { try transaction.put(databases.meta, MetaKey.format, $0, []) }
        try StoreState().withBytes { try transaction.put(databases.meta, MetaKey.state, $0, []) }
    }

    private static func readHeader(_ transaction: Transaction, _ databases: Databases) throws -> FormatHeader {
        guard let bytes = try transaction.get(databases.meta, MetaKey.format) else {
            throw StoreError(
                .notADatabase,
                "the file is an LMDB database but not one of Firn's; open another file or delete this one")
        }
        return try FormatHeader(bytes)
    }

    /// The newest version, shared with whoever looks at it already. About 0.3 µs.
    package func newestSnapshot() throws(StoreError) -> Snapshot {
        do {
            return try share(environment.beginRead())
        } catch {
            throw StoreError(wrapping: error)
        }
    }

    /// The same with a transaction that nobody else has, which needs no place of its own among the readers any more.
    func newestSnapshot(renewing transaction: ReadTransaction) throws(StoreError) -> Snapshot {
        do {
            try transaction.renew()
            return try share(transaction)
        } catch {
            throw StoreError(wrapping: error)
        }
    }

    private func share(_ transaction: ReadTransaction) throws -> Snapshot {
        let snapshot = try Snapshot(store: self, transaction: transaction)
        return newest.withLock { newest in
            if let shared = newest.snapshot, shared.version == snapshot.version { return shared }
            newest.snapshot = snapshot
            return snapshot
        }
    }
}

/// What the lock of a store protects.
private struct WeakSnapshot {
    weak var snapshot: Snapshot?
}
