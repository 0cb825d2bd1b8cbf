import CFirnSystem
import Glibc
import Synchronization

/// The file beside the data file in which LMDB keeps the writer's mutex and the table of readers, open besides LMDB from before LMDB
/// opens it until after it closes it: closing any descriptor of the file drops the locks that LMDB has on it.
///
/// LMDB locks the first byte, which every environment shares, and those whose numbers are the pids of readers. Two kinds of locks
/// are ours, of the open file description, far behind the file's end:
///
///     2^62 - 1        whoever opens or deletes the data file has it alone meanwhile
///     2^62 + inode    shared by all who have the data file of that inode open (its lower 62 bits)
///
/// The first is why nobody can delete a file while it is being opened: LMDB would make an empty one in its place, or map a
/// lock file that has no name any more. The second tells a file that was put in the place of one that is open: LMDB would share
/// that one's table and mutex between the two, and lose commits. The data file has the same of the lock file's inode: through a
/// hard link of another name it would have another lock file. The kernel drops all when their process dies.
final class LockFile: Sendable {
    private static let openingByte: Int64 = 1 << 62 - 1
    private static let firstFileByte: Int64 = 1 << 62
    /// A millisecond lies between them on average.
    private static let lockingAttempts = 10_000

    static func path(of dataPath: String) -> String { dataPath + "-lock" }

    let identity: FileIdentity
    private let path: String
    private let descriptor: Int32
    private let isNew: Bool
    private let isClosed = Atomic(false)
    private let forkGeneration = firn_fork_generation()

    /// Opens the file at `path`, and creates it unless it exists where there is a mode. Nil where there is none then. Only for a
    /// file that this process does not have open.
    private init?(path: String, mode: mode_t?) throws {
        var descriptor: Int32 = -1
        if let mode {
            descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
            guard descriptor >= 0 || errno == EEXIST else { throw LockFile.openFailure(errno, path) }
        }
        isNew = descriptor >= 0
        if !isNew { descriptor = open(path, O_RDWR | O_CLOEXEC) }
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw LockFile.openFailure(errno, path)
        }
        guard let identity = FileIdentity(descriptor: descriptor) else {
            let code = errno
            Glibc.close(descriptor)
            throw LMDBError.make(code, "looking at the lock file", path: path)
        }
        self.path = path
        self.descriptor = descriptor
        self.identity = identity
        // A fork's child would keep the locks of a parent that has closed the file.
        _ = firn_close_in_fork_children(descriptor)
    }

    deinit {
        close()
    }

    /// Closes the file, and drops all locks that this process has on it. Does nothing the second time, nor in a fork's child, where
    /// the descriptor is closed, and its number may be another file's.
    func close() {
        guard forkGeneration == firn_fork_generation(), !isClosed.exchange(true, ordering: .relaxed) else { return }
        // A program that another thread is just starting has the descriptor too until it runs, and so would keep the locks.
        firn_unlock_description(descriptor)
        firn_forget_descriptor(descriptor)
        Glibc.close(descriptor)
    }

    private static func openFailure(_ code: Int32, _ path: String) -> LMDBError {
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

    // MARK: Opening the data file

    /// Opens the lock file for LMDB to do so too, creating it with `mode` for `maximumReaders` unless it exists. Until `endOpening()`
    /// nobody else opens or deletes the data file. Only for a file that this process does not have open.
    static func beginOpening(of dataPath: String, mode: mode_t, maximumReaders: UInt32) throws -> LockFile {
        let path = path(of: dataPath)
        for _ in 0..<lockingAttempts {
            if let file = try LockFile(path: path, mode: mode), try file.lockForOpening() {
                try file.allocate(maximumReaders: maximumReaders, dataPath)
                return file
            }
            pause(nanoseconds: .random(in: 0...2_000_000))
        }
        throw tooBusy(dataPath)
    }

    /// Takes the file away again if this process made it and nobody has begun to use it. Before `endOpening()`.
    func removeIfNew() {
        if isNew, (try? isTakenAlone()) == true { unlink(path) }
    }

    /// To be called once LMDB has the file open.
    func endOpening() {
        _ = firn_lock_description_byte(descriptor, F_UNLCK, LockFile.openingByte)
    }

    /// Notes that this process has the data file of `identity` open, until it closes the lock file. Throws `.alreadyOpen` where
    /// somebody has opened another data file with this lock file.
    func noteDataFile(_ identity: FileIdentity, _ dataPath: String) throws {
        guard try LockFile.isMarkedForAnother(descriptor, marking: identity, path) else { return }
        let holder = try holder().map { "process \($0.processID)" } ?? "another process"
        throw LMDBError(
            .alreadyOpen, "another file was here, which \(holder) still has open; end that first", path: dataPath)
    }

    /// Notes in the data file, which LMDB has open under `dataDescriptor`, that this is its lock file. Throws `.alreadyOpen` where
    /// somebody has opened the data file with another one.
    func noteSelf(in dataDescriptor: Int32, _ dataPath: String) throws {
        guard try LockFile.isMarkedForAnother(dataDescriptor, marking: identity, dataPath) else { return }
        throw LMDBError(
            .alreadyOpen,
            "another process has the file open under another name; open it under one name everywhere", path: dataPath)
    }

    /// Marks an open file for one that belongs to it, until it is closed, and returns whether somebody has marked it for another one.
    private static func isMarkedForAnother(
        _ descriptor: Int32, marking identity: FileIdentity, _ path: String
    ) throws -> Bool {
        // The device says nothing: both are on the same.
        let byte = firstFileByte | Int64(identity.inode & UInt64(firstFileByte - 1))
        let result = firn_lock_description_byte(descriptor, F_RDLCK, byte)
        guard result == 0 else { throw LMDBError.make(result, "locking the file", path: path) }
        return byte > firstFileByte
            && firn_other_description_has_locked(descriptor, firstFileByte, byte - firstFileByte)
            || byte < .max && firn_other_description_has_locked(descriptor, byte + 1, 0)
    }

    private static func tooBusy(_ dataPath: String) -> LMDBError {
        LMDBError(.alreadyOpen, "other processes open or delete the file all the time; try again", path: dataPath)
    }

    /// Whether nobody else opens or deletes the data file from now on. False as well where somebody has deleted the lock file.
    private func lockForOpening() throws -> Bool {
        let result = firn_lock_description_byte(descriptor, F_WRLCK, LockFile.openingByte)
        if result == EAGAIN || result == EACCES { return false }
        guard result == 0 else { throw LMDBError.make(result, "locking the lock file", path: path) }
        return FileIdentity(path: path) == identity
    }

    /// Sees to it that the whole file has its blocks: LMDB maps it and writes to the map, and on a full file system a
    /// missing block is a bus error instead of an error.
    private func allocate(maximumReaders: UInt32, _ dataPath: String) throws {
        var status = stat()
        fstat(descriptor, &status)
        var byteCount = Int(status.st_size)
        // A file that is in use keeps its size: it says how many readers there may be to all who have it mapped.
        if try byteCount == 0 || holder() == nil { byteCount = max(byteCount, 256 + 64 * Int(maximumReaders)) }
        let result = posix_fallocate(descriptor, 0, byteCount)
        // A file system that cannot allocate ahead cannot promise anything either.
        guard result != 0, result != EOPNOTSUPP, result != EINVAL else { return }
        removeIfNew()
        throw result == ENOSPC || result == EDQUOT
            ? diskFailure(result, "creating the lock file", path: dataPath)
            : LMDBError.make(result, "creating the lock file", path: path)
    }

    // MARK: Users

    /// Whether anybody has a lock file's environment open.
    enum Use: Equatable {
        case missing
        case free
        case thisProcess
        /// 0 where the process is of another pid namespace.
        case process(Int32)
    }

    /// Who uses the lock file of `dataPath`. To be called while no other thread opens that.
    static func use(of dataPath: String) throws -> Use {
        try look(at: dataPath, mode: nil) { try $0.holder().map { .process($0.processID) } ?? .free } ?? .free
    }

    /// Runs `body`, which may delete the files of `dataPath`, if nobody uses the lock file; other processes that open or delete
    /// them meanwhile wait. Creates the lock file with `mode`, if that is given, unless it exists. Returns who uses it, `.free` when
    /// `body` has run. To be called while no other thread opens `dataPath`.
    static func whileFree(of dataPath: String, mode: mode_t? = nil, _ body: () throws -> Void) throws -> Use {
        for _ in 0..<lockingAttempts {
            let use: Use? = try look(at: dataPath, mode: mode) { file in
                guard try file.lockForOpening() else { return nil }
                guard try file.isTakenAlone() else {
                    // Users share the lock. Who has it alone is a program of another kind that opens the file.
                    guard let holder = try file.holder(), !holder.isAlone else { return nil }
                    return .process(holder.processID)
                }
                try body()
                return .free
            }
            if let use { return use }
            pause(nanoseconds: .random(in: 0...2_000_000))
        }
        throw tooBusy(dataPath)
    }

    /// What `body` finds out from the lock file, which it is not given where there is none, or where an environment of
    /// this process has it: closing it would drop that one's locks.
    private static func look(
        at dataPath: String, mode: mode_t?, _ body: (LockFile) throws -> Use?
    ) throws -> Use? {
        let path = path(of: dataPath)
        if let identity = FileIdentity(path: path) {
            if EnvironmentRegistry.shared.usesLockFile(identity) { return .thisProcess }
        } else if errno != ENOENT {
            throw LMDBError.make(errno, "looking at the lock file", path: path)
        }
        guard let file = try LockFile(path: path, mode: mode) else { return mode == nil ? .missing : nil }
        defer { file.close() }
        return try body(file)
    }

    /// Another process that has the lock file's environment open, or opens it.
    struct Holder {
        /// 0 where the process is of another pid namespace.
        let processID: Int32
        /// Whether nobody else can have the lock.
        let isAlone: Bool
    }

    func holder() throws -> Holder? {
        var range = LockFile.firstByte
        guard fcntl(descriptor, F_GETLK, &range) == 0 else {
            throw LMDBError.make(errno, "looking at the lock file", path: path)
        }
        guard range.l_type != Int16(F_UNLCK) else { return nil }
        return Holder(processID: range.l_pid, isAlone: range.l_type == Int16(F_WRLCK))
    }

    /// Takes the lock that every environment shares, if nobody does, so that no program's can begin to. Returns whether it could.
    private func isTakenAlone() throws -> Bool {
        var range = LockFile.firstByte
        if fcntl(descriptor, F_SETLK, &range) == 0 { return true }
        guard errno == EAGAIN || errno == EACCES else {
            throw LMDBError.make(errno, "locking the lock file", path: path)
        }
        return false
    }

    /// Every environment keeps a shared lock on the first byte, and has it alone while it initializes the file.
    private static var firstByte: Glibc.flock {
        var range = Glibc.flock()
        range.l_type = Int16(F_WRLCK)
        range.l_whence = Int16(SEEK_SET)
        range.l_start = 0
        range.l_len = 1
        return range
    }
}
