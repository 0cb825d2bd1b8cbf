import Glibc

/// The file beside the data file in which LMDB keeps the writer's mutex and the table of readers.
enum LockFile {
    /// Five milliseconds lie between them.
    private static let lockingAttempts = 200

    /// Whether anybody has a lock file's environment open.
    enum Use: Equatable {
        case missing
        case free
        case thisProcess
        /// 0 where the process is of another pid namespace.
        case process(Int32)
    }

    static func path(of dataPath: String) -> String { dataPath + "-lock" }

    /// Sees to it that the whole file has its blocks: LMDB maps it and writes to the map, and on a full file system a
    /// missing block is a bus error instead of an error. Creates the file with `mode` for `maximumReaders` unless it
    /// exists. Only for a file that this process does not have open: closing a descriptor drops LMDB's locks on it.
    static func prepare(of dataPath: String, mode: mode_t, maximumReaders: UInt32) throws {
        let path = path(of: dataPath)
        var descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        let isNew = descriptor >= 0
        if !isNew, errno == EEXIST { descriptor = open(path, O_RDWR | O_CLOEXEC) }
        guard descriptor >= 0 else { throw openFailure(errno, path) }
        defer { close(descriptor) }
        var status = stat()
        fstat(descriptor, &status)
        // A file that exists keeps its size: it says how many readers there may be to all who have it mapped.
        let byteCount = isNew ? 256 + 64 * Int(maximumReaders) : Int(status.st_size)
        guard byteCount > 0 else { return }
        let result = posix_fallocate(descriptor, 0, byteCount)
        // A file system that cannot allocate ahead cannot promise anything either.
        guard result != 0, result != EOPNOTSUPP, result != EINVAL else { return }
        if isNew { unlink(path) }
        throw result == ENOSPC || result == EDQUOT
            ? diskFailure(result, "creating the lock file", path: dataPath)
            : LMDBError.make(result, "creating the lock file", path: path)
    }

    static func openFailure(_ code: Int32, _ path: String) -> LMDBError {
        switch code {
        case EACCES, EPERM:
            LMDBError(
                .permissionDenied,
                """
                the lock file may not be written by this user; readers and writers register there, so give write \
                permission on it, or on the directory where it does not exist yet
                """, path: path, returnCode: code)
        case EROFS:
            LMDBError(
                .permissionDenied, "the file lies in a read-only place; open it for reading only", path: path,
                returnCode: code)
        case ENOSPC, EDQUOT: diskFailure(code, "creating the lock file", path: path)
        default: LMDBError.make(code, "opening the lock file", path: path)
        }
    }

    /// Who uses the lock file of `dataPath`. To be called while no other thread opens that.
    static func use(of dataPath: String) throws -> Use {
        try look(at: dataPath) { descriptor, path in
            try holder(descriptor, path).map { .process($0.processID) }
        } ?? .free
    }

    /// Runs `body`, which may delete the lock file of `dataPath`, if that is there and nobody uses it; other processes
    /// that open or delete it meanwhile wait. Returns who uses it, `.free` when `body` has run. To be called while no
    /// other thread opens `dataPath`.
    static func whileFree(of dataPath: String, _ body: () throws -> Void) throws -> Use {
        for _ in 0..<lockingAttempts {
            let use: Use? = try look(at: dataPath) { descriptor, path in
                var range = firstByte(F_WRLCK)
                guard fcntl(descriptor, F_SETLK, &range) == 0 else {
                    guard errno == EAGAIN || errno == EACCES else {
                        throw LMDBError.make(errno, "locking the lock file", path: path)
                    }
                    // Users share the lock. Who has it alone is just opening or deleting the file.
                    guard let holder = try holder(descriptor, path), !holder.isAlone else { return nil }
                    return .process(holder.processID)
                }
                // Whoever had it alone may have deleted it.
                guard let identity = FileIdentity(path: path), identity == FileIdentity(descriptor: descriptor) else {
                    return nil
                }
                try body()
                return .free
            }
            if let use { return use }
            pause(nanoseconds: 5_000_000)
        }
        throw LMDBError(
            .alreadyOpen, "other processes open or delete the file all the time; try again", path: dataPath)
    }

    /// What `body` finds out from the lock file, which it is not given where there is none, or where an environment of
    /// this process has it: closing it would drop that one's locks.
    private static func look(
        at dataPath: String, _ body: (_ descriptor: Int32, _ path: String) throws -> Use?
    ) throws -> Use? {
        let path = path(of: dataPath)
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT else { throw LMDBError.make(errno, "looking at the lock file", path: path) }
            return .missing
        }
        if EnvironmentRegistry.shared.usesLockFile(FileIdentity(status)) { return .thisProcess }
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw openFailure(errno, path) }
            return .missing
        }
        defer { close(descriptor) }
        return try body(descriptor, path)
    }

    /// Another process that has the lock file's environment open, or opens it, or deletes it.
    struct Holder {
        /// 0 where the process is of another pid namespace.
        let processID: Int32
        /// Whether nobody else can have the lock.
        let isAlone: Bool
    }

    static func holder(_ descriptor: Int32, _ path: String) throws -> Holder? {
        var range = firstByte(F_WRLCK)
        guard fcntl(descriptor, F_GETLK, &range) == 0 else {
            throw LMDBError.make(errno, "looking at the lock file", path: path)
        }
        guard range.l_type != Int16(F_UNLCK) else { return nil }
        return Holder(processID: range.l_pid, isAlone: range.l_type == Int16(F_WRLCK))
    }

    /// Every environment keeps a shared lock on the first byte, and has it alone while it initializes the file.
    private static func firstByte(_ kind: Int32) -> Glibc.flock {
        var range = Glibc.flock()
        range.l_type = Int16(kind)
        range.l_whence = Int16(SEEK_SET)
        range.l_start = 0
        range.l_len = 1
        return range
    }
}
