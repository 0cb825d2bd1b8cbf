import CLMDB
import CProcessState
import Glibc

extension Environment {
    /// Opens the file of `options`, creating it unless it is to be read only; or joins the environment that this
    /// process has for it, if it was opened with the same options, else throws `.alreadyOpenDifferently`.
    ///
    /// Throws a typed error, having changed nothing, for a file that is none of ours.
    package static func open(_ options: EnvironmentOptions) throws -> Environment {
        let forks = firn_watch_forks()
        guard forks == 0 else { throw LMDBError.make(forks, "watching for forks") }
        let path = options.path
        var status = stat()
        if stat(path, &status) != 0 {
            let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else { throw LMDBError.make(errno, "creating", path: path) }
            fstat(descriptor, &status)
            close(descriptor)
        }
        let identity = FileIdentity(status)
        let environment = try EnvironmentRegistry.shared.environment(identity) {
            var raw: OpaquePointer?
            var result = Calls.environmentCreate(&raw)
            guard result == MDB_SUCCESS, let raw else { throw LMDBError.make(result, "creating", path: path) }
            let environment = Environment(
                raw: raw, path: path, options: options, reservation: options.reservation,
                gateFile: try GateFile(path: path + "-gate", mode: 0o644), registration: nil)
            _ = Calls.environmentSetMapSize(raw, options.reservation)
            _ = Calls.environmentSetMaximumDatabases(raw, UInt32(options.databases.count))
            _ = Calls.environmentSetMaximumReaders(raw, options.maximumReaders)
            var flags = UInt32(MDB_NOTLS | MDB_NOSUBDIR)
            if options.durability == .none { flags |= UInt32(MDB_NOSYNC) }
            if options.durability == .relaxed { flags |= UInt32(MDB_NOMETASYNC) }
            result = Calls.environmentOpen(raw, path, flags, 0o644)
            guard result == MDB_SUCCESS else { throw LMDBError.make(result, "opening", path: path) }
            var transaction: OpaquePointer?
            result = Calls.transactionBegin(raw, parent: nil, 0, &transaction)
            guard result == MDB_SUCCESS, let transaction else { throw LMDBError.make(result, "opening", path: path) }
            let write = WriteTransaction(environment, transaction, turn: nil, isOnWriterThread: false)
            let isNew = write.id <= 1
            environment.databases = try options.databases.map { definition in
                var database: UInt32 = 0
                let flags = definition.hasSortedDuplicates ? UInt32(MDB_DUPSORT | MDB_DUPFIXED) : 0
                let result = Calls.databaseOpen(transaction, definition.name, flags | UInt32(MDB_CREATE), &database)
                guard result == MDB_SUCCESS else { throw LMDBError.make(result, "opening a database", path: path) }
                return Database(rawValue: database, hasSortedDuplicates: definition.hasSortedDuplicates)
            }
            if isNew { try options.initialize(write, environment.databases) }
            try write.commit()
            let read = try environment.beginRead()
            try options.validate(read, environment.databases)
            return environment
        }
        try environment.requested.check(SharedOptions(options), path: path)
        return environment
    }
}
