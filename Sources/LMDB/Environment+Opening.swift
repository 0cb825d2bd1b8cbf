import CFirnSystem
import CLMDB
import Glibc

extension Environment {
    /// Opens the file of `options`, creating it unless it is to be read only; or joins the environment that this
    /// process has for it, if it was opened with the same options, else throws `.alreadyOpenDifferently`.
    ///
    /// Throws a typed error, having changed nothing, for a file that is none of ours. An LMDB file without our first
    /// database is never adopted, not even an empty one: a new file appears under its path only when it is complete,
    /// so one without it is another program's.
    ///
    /// Read only is a matter of this class where the file may be written. Where it may not, readers still register in
    /// the lock file, which must be writable, else `.permissionDenied`; on a read-only file system they do not, and
    /// nobody may change the file by another way meanwhile.
    ///
    /// Other processes may create, delete and replace the file meanwhile: it is looked for again then.
    package static func open(_ options: EnvironmentOptions) throws -> Environment {
        let result = firn_watch_forks()
        guard result == 0 else { throw LMDBError.make(result, "watching for forks") }
        return try unlessReplaced { try EnvironmentRegistry.shared.alone(at: options.path) { try open($0, options) } }
    }

    /// Runs `body` again where the file was replaced or deleted under it, but not for ever.
    private static func unlessReplaced<Value>(_ body: () throws -> Value) throws -> Value {
        for _ in 0..<100 {
            do {
                return try body()
            } catch let error as LMDBError where error.code == .replaced {
                // Who deletes and who opens do not meet again at the same instant.
                pause(nanoseconds: .random(in: 0...2_000_000))
            }
        }
        return try body()
    }

    private static func open(_ place: FilePlace, _ options: EnvironmentOptions) throws -> Environment {
        let opening = EnvironmentOpening(place, options)
        var lockFile: LockFile?
        if !place.exists {
            guard !options.isReadOnly else {
                throw LMDBError(
                    .fileNotFound, "the file does not exist, and is to be opened for reading only; create it first",
                    path: place.path)
            }
            guard !options.takesWhatIsThere else {
                throw LMDBError(
                    .fileNotFound, "the file does not exist; open it for writing to create it", path: place.path)
            }
            lockFile = try opening.create()
        }
        let environment: Environment
        do {
            let identity = FileIdentity(try FileCheck.regularFile(place.path))
            environment = try EnvironmentRegistry.shared.environment(identity) { try opening.open(identity, lockFile) }
        } catch let error as LMDBError where error.returnCode == ENOENT {
            throw opening.replaced()
        }
        if !options.takesWhatIsThere { try environment.requested.check(SharedOptions(options), path: place.path) }
        return environment
    }
}

/// One opening of one file that this process does not have open.
struct EnvironmentOpening {
    static let defaultMode: mode_t = 0o644

    private let place: FilePlace
    private let options: EnvironmentOptions

    init(_ place: FilePlace, _ options: EnvironmentOptions) {
        self.place = place
        self.options = options
    }

    private var path: String { place.path }

    private var flags: UInt32 {
        let flags = UInt32(MDB_NOTLS | MDB_NOSUBDIR)
        switch options.durability {
        case .full: return flags
        case .relaxed: return flags | UInt32(MDB_NOMETASYNC)
        case .none: return flags | UInt32(MDB_NOSYNC)
        }
    }

    // MARK: A new file

    /// Makes the file, unless another process was faster. Returns the lock file, by which nobody else can delete it until it is open.
    func create() throws -> LockFile {
        try FileSystemKind.check(place.directory)
        // Whoever still has a deleted file would share its lock with a new one that it does not know.
        try checkOldFileIsClosed("the file was deleted while this process has it open; release it first")
        let lockFile: LockFile
        do {
            lockFile = try LockFile.beginOpening(
                of: path, mode: EnvironmentOpening.defaultMode, maximumReaders: options.maximumReaders)
        } catch let error as LMDBError where error.code == .permissionDenied && !hasLockFile {
            throw LMDBError(
                .permissionDenied, "no file can be created here by this user; choose another directory", path: path,
                returnCode: error.returnCode)
        }
        guard access(path, F_OK) != 0 else { return lockFile }
        do {
            if let holder = try lockFile.holder() {
                throw LMDBError(
                    .alreadyOpen,
                    "the file was deleted while process \(holder.processID) has it open; end that first", path: path)
            }
            try make()
        } catch {
            lockFile.removeIfNew()
            throw error
        }
        return lockFile
    }

    private var hasLockFile: Bool { access(LockFile.path(of: path), F_OK) == 0 }

    /// Makes the file under a temporary path and, when all is in it, gives it its own. A crash so leaves at most a hidden
    /// file that nothing ever looks at.
    private func make() throws {
        let temporaryPath = place.temporaryPath()
        defer {
            unlink(temporaryPath)
            unlink(LockFile.path(of: temporaryPath))
        }
        // The path is the process's own, so it needs no more readers than this one.
        let maximumReaders: UInt32 = 4
        try LockFile.beginOpening(
            of: temporaryPath, mode: EnvironmentOpening.defaultMode, maximumReaders: maximumReaders
        ).close()
        if EmptyStore.isNeeded { try EmptyStore.write(to: temporaryPath, mode: EnvironmentOpening.defaultMode) }
        try initialize(temporaryPath, maximumReaders)
        _ = try place.publish(temporaryPath, isDurable: options.durability == .full)
    }

    private func initialize(_ temporaryPath: String, _ maximumReaders: UInt32) throws {
        let handle = try EnvironmentHandle(
            path: temporaryPath, reservation: options.reservation, maximumReaders: maximumReaders,
            databaseCount: options.databases.count, flags: flags, mode: EnvironmentOpening.defaultMode)
        let environment = Environment(
            handle, path: temporaryPath, options: options, gateFile: nil, lockFile: nil, registration: nil)
        var transaction: OpaquePointer?
        let result = Calls.transactionBegin(handle.raw, parent: nil, 0, &transaction)
        guard result == MDB_SUCCESS, let transaction else {
            throw environment.writeFailure(result, "beginning the first transaction")
        }
        let write = WriteTransaction(environment, transaction, turn: nil, isOnWriterThread: false)
        environment.databases = try openDatabases(in: transaction, isCreating: true)
        try options.initialize(write, environment.databases)
        try write.commit()
    }

    // MARK: A file that exists

    /// Opens the file that the path named when its identity was taken. The lock file is given where it is open already.
    func open(_ identity: FileIdentity, _ openLockFile: LockFile?) throws -> Environment {
        try FileSystemKind.check(path)
        let check = try FileCheck.check(path)
        guard FileIdentity(check.status) == identity else { throw replaced() }
        // Of a file that was put in the place of one that is open, the lock is still the other one's.
        try checkOldFileIsClosed("another file was here, which this process still has open; release that first")
        let mode = check.status.st_mode & 0o666
        var flags = flags
        var isLocked = true
        if faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0 {
            let code = errno
            guard code != ENOENT else { throw replaced() }
            guard options.isReadOnly else { throw writeRefusal(code) }
            flags |= UInt32(MDB_RDONLY)
            // LMDB goes without a lock there by itself.
            isLocked = code != EROFS
        }
        var lockFile = openLockFile
        if isLocked, lockFile == nil {
            lockFile = try LockFile.beginOpening(of: path, mode: mode, maximumReaders: options.maximumReaders)
        }
        // LMDB would make a file that is not there.
        guard FileIdentity(path: path) == identity else { throw replaced() }
        try lockFile?.noteDataFile(identity, path)
        let gateFile = options.isReadOnly ? nil : try GateFile(path: GateFile.path(of: path), mode: mode)
        let handle = try EnvironmentHandle(
            path: path, reservation: reservation(for: check), maximumReaders: options.maximumReaders,
            databaseCount: options.databases.count, flags: flags, mode: mode)
        let environment = Environment(
            handle, path: path, options: options, gateFile: gateFile, lockFile: lockFile, registration: identity)
        try checkIdentity(of: handle, identity, lockFile)
        try lockFile?.noteSelf(in: Calls.environmentDescriptor(handle.raw), path)
        lockFile?.endOpening()
        try validate(environment)
        if !options.isReadOnly {
            lengthen(check)
            try addDatabases(environment)
            environment.checkReaders()
        }
        return environment
    }

    private func writeRefusal(_ code: Int32) -> LMDBError {
        code == EROFS
            ? LMDBError(
                .permissionDenied, "the file lies in a read-only place; open it for reading only", path: path,
                returnCode: code)
            : LMDBError(
                .permissionDenied,
                "the file may not be written by this user; change its permissions, or open it for reading only",
                path: path, returnCode: code)
    }

    /// A file that already fills the reservation would only ever answer that it is full.
    private func reservation(for check: FileCheck) -> Int {
        let used = check.fullByteCount
        return used < options.reservation ? options.reservation : used + max(used / 10, 1 << 20)
    }

    /// LMDB opens the file twice. Only programs of another kind can have replaced it meanwhile.
    private func checkIdentity(
        of handle: EnvironmentHandle, _ identity: FileIdentity, _ lockFile: LockFile?
    ) throws {
        let opened = FileIdentity(descriptor: Calls.environmentDescriptor(handle.raw))
        let named = FileIdentity(path: path)
        // Who deletes files without our lock may have taken the lock file while LMDB waited for it.
        let isLockNamed = lockFile.map { FileIdentity(path: LockFile.path(of: path)) == $0.identity } ?? true
        guard opened == identity, named == identity, isLockNamed else {
            // LMDB made a file that was not there: two meta pages, and nothing in it.
            let isEmpty = Calls.environmentInformation(handle.raw).me_last_pgno == 1
            if opened == named, isEmpty, try lockFile?.holder() == nil { unlink(path) }
            throw replaced()
        }
    }

    func replaced() -> LMDBError {
        LMDBError(.replaced, "the file was replaced or deleted while it was being opened; try again", path: path)
    }

    private func checkOldFileIsClosed(_ message: String) throws {
        guard let lockFile = FileIdentity(path: LockFile.path(of: path)),
            EnvironmentRegistry.shared.usesLockFile(lockFile)
        else { return }
        throw LMDBError(.alreadyOpen, message, path: path)
    }

    private func validate(_ environment: Environment) throws {
        var transaction: OpaquePointer?
        let result = Calls.transactionBegin(environment.raw, parent: nil, UInt32(MDB_RDONLY), &transaction)
        guard result == MDB_SUCCESS, let transaction else { throw environment.readBeginFailure(result) }
        let read = ReadTransaction(environment, transaction)
        let databases = try openDatabases(in: transaction, isCreating: false)
        if let first = databases.first, first.isAbsent {
            throw LMDBError(
                .notADatabase, "the file is an LMDB file of another program; choose another path", path: path)
        }
        try options.validate(read, databases)
        if options.isReadOnly, let index = databases.firstIndex(where: \.isAbsent) {
            throw LMDBError(
                .notFound,
                "the file lacks the database \(options.databases[index].name); open it for writing once", path: path)
        }
        // Handles are lost with the transaction that opened them unless it commits.
        try read.commit()
        environment.databases = databases
    }

    private func addDatabases(_ environment: Environment) throws {
        guard environment.databases.contains(where: \.isAbsent) else { return }
        environment.databases = []
        let write = try environment.beginWrite(
            WriteRequest(holder: WriterDescription(text: "the opening of the database")))
        let databases = try openDatabases(in: write.open(), isCreating: true)
        try write.commit()
        environment.databases = databases
    }

    private func openDatabases(in transaction: OpaquePointer, isCreating: Bool) throws -> [Database] {
        try options.databases.map { definition in
            let flags = definition.hasSortedDuplicates ? UInt32(MDB_DUPSORT | MDB_DUPFIXED) : 0
            var database: UInt32 = 0
            var foundFlags: UInt32 = 0
            var result = Calls.databaseOpen(
                transaction, definition.name, isCreating ? flags | UInt32(MDB_CREATE) : flags, &database)
            if result == MDB_NOTFOUND, !isCreating {
                return Database.absent(hasSortedDuplicates: definition.hasSortedDuplicates)
            }
            if result == MDB_SUCCESS {
                result = Calls.databaseFlags(transaction, database, &foundFlags)
            }
            guard result == MDB_SUCCESS || result == MDB_INCOMPATIBLE else {
                throw result == MDB_MAP_FULL
                    ? LMDBError(
                        .storeFull, "the reservation is too small for an empty store; make it larger", path: path,
                        returnCode: result) : LMDBError.make(result, "opening a database", path: path)
            }
            // LMDB opens a database whatever the flags that it was created with.
            guard result == MDB_SUCCESS, foundFlags == flags else {
                throw LMDBError(
                    .notADatabase, "the file's database \(definition.name) is of another kind; choose another path",
                    path: path, returnCode: result)
            }
            return Database(rawValue: database, hasSortedDuplicates: definition.hasSortedDuplicates)
        }
    }

    /// Gives a file that ends before its last page those pages, so that no read of the map can meet its end.
    ///
    /// They are free, so LMDB does not read them; a file system that cannot lengthen without ever shortening (another
    /// process may be writing) or has no room does no harm.
    private func lengthen(_ check: FileCheck) {
        let byteCount = Int(check.status.st_size)
        guard byteCount < check.fullByteCount else { return }
        let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = firn_lengthen(descriptor, Int64(byteCount), Int64(check.fullByteCount))
        close(descriptor)
    }
}
