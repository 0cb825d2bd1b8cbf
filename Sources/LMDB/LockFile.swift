import Glibc

/// The file beside the data file in which LMDB keeps the writer's mutex and the table of readers.
enum LockFile {
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

    /// Who uses the lock file of `dataPath`.
    static func use(of dataPath: String) throws -> Use {
        let path = path(of: dataPath)
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT else { throw LMDBError.make(errno, "looking at the lock file", path: path) }
            return .missing
        }
        // Looking would drop this process's own locks.
        if EnvironmentRegistry.shared.usesLockFile(FileIdentity(status)) { return .thisProcess }
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw openFailure(errno, path) }
        defer { close(descriptor) }
        guard let holder = try holder(descriptor, path) else { return .free }
        return .process(holder)
    }

    /// The pid of another process that has the lock file's environment open, 0 where it is of another pid namespace.
    static func holder(_ descriptor: Int32, _ path: String) throws -> Int32? {
        // Every environment keeps a shared lock on the first byte.
        var range = Glibc.flock()
        range.l_type = Int16(F_WRLCK)
        range.l_whence = Int16(SEEK_SET)
        range.l_start = 0
        range.l_len = 1
        guard fcntl(descriptor, F_GETLK, &range) == 0 else {
            throw LMDBError.make(errno, "looking at the lock file", path: path)
        }
        return range.l_type == Int16(F_UNLCK) ? nil : range.l_pid
    }
}
