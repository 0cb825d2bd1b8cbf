/// What a commit waits for.
package enum Durability: Hashable, Sendable {
    /// Data and meta page are flushed: a commit that returned survives a power cut.
    case full
    /// The meta page is not flushed (`MDB_NOMETASYNC`): always consistent, but a power cut may undo the last commit.
    case relaxed
    /// Nothing is flushed (`MDB_NOSYNC`): a power cut may destroy the file. Only for what is thrown away.
    case none
}

/// How an environment is opened.
package struct EnvironmentOptions {
    /// The data file. Its lock file and gate file stand beside it.
    package var path: String
    /// All databases of the file. The first is the one without which a file is not ours.
    package var databases: [DatabaseDefinition]
    /// Whether writes are refused, and a missing file is an error.
    package var isReadOnly = false
    /// Whether a missing file is an error, and one that this process has open is taken however it was opened: for a look at
    /// what is there.
    package var takesWhatIsThere = false
    /// What a commit waits for.
    package var durability = Durability.full
    /// The address space to reserve, in bytes, which is also the most that the file can grow to. Halved down to 1 GiB
    /// where the process may not have as much.
    package var reservation: Int
    /// How many read transactions all processes together may have open.
    package var maximumReaders: UInt32 = 4096
    /// Runs in the first transaction of a new file. The file appears under its path only once this has returned and
    /// all is on disk.
    package var initialize: (WriteTransaction, [Database]) throws -> Void = { _, _ in }
    /// Looks at the file at each first open in a process, before anything is written.
    package var validate: (ReadTransaction, [Database]) throws -> Void = { _, _ in }

    package init(path: String, databases: [DatabaseDefinition]) {
        self.path = path
        self.databases = databases
        reservation = EnvironmentOptions.defaultReservation
    }

    /// 1 TiB, or the number of bytes in the environment variable `FIRN_RESERVATION`, which sanitizers need: they leave
    /// too little address space.
    package static let defaultReservation: Int = {
        guard let text = processEnvironmentValue("FIRN_RESERVATION"), let byteCount = Int(text), byteCount > 0 else {
            return 1 << 40
        }
        return byteCount
    }()
}
