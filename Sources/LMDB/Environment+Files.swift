import CLMDB
import Glibc

extension Environment {
    /// Whether there is a file at `path`, of whatever kind.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Whether this process has the file open.
    package static func isOpen(_ path: String) -> Bool {
        FileIdentity(path: path).map { EnvironmentRegistry.shared.openEnvironment($0) != nil } ?? false
    }

    /// The pid of another process that has the file open, 0 where it is of another pid namespace, or nil.
    package static func otherProcess(using path: String) throws -> Int32? {
        try EnvironmentRegistry.shared.alone(at: path) { place in
            guard place.exists else { return nil }
            let identity = FileIdentity(try FileCheck.regularFile(place.path))
            while true {
                let user: Int32?? = try EnvironmentRegistry.shared.whileClosed(identity) {
                    guard case .process(let processID) = try LockFile.use(of: place.path) else { return nil }
                    return processID
                }
                if let user { return user }
                if let environment = EnvironmentRegistry.shared.openEnvironment(identity) {
                    return try environment.otherProcess()
                }
            }
        }
    }

    /// The pid of another process that has the file open, 0 where it is of another pid namespace, or nil.
    package func otherProcess() throws -> Int32? {
        try checkUsable()
        return try lockFile?.holder()?.processID
    }

    /// Deletes the data file with its lock file and gate file. Returns whether there was a data file. Throws
    /// `.alreadyOpen` where this or another process has it open: it would go on writing to a file without a name.
    @discardableResult
    package static func deleteFiles(_ path: String) throws -> Bool {
        try EnvironmentRegistry.shared.alone(at: path) { place in
            let identity: FileIdentity
            do {
                identity = FileIdentity(try FileCheck.regularFile(place.path))
            } catch let error as LMDBError where error.returnCode == ENOENT {
                try deleteClosedFiles(place)
                return false
            }
            let deleted: Void? = try EnvironmentRegistry.shared.whileClosed(identity) { try deleteClosedFiles(place) }
            guard deleted != nil else {
                throw LMDBError(
                    .alreadyOpen, "this process has the database open; release all that uses it first",
                    path: place.path)
            }
            return true
        }
    }

    private static func deleteClosedFiles(_ place: FilePlace) throws {
        func delete() throws {
            for path in [place.path, GateFile.path(of: place.path), LockFile.path(of: place.path)] {
                guard unlink(path) == 0 || errno == ENOENT else {
                    throw LMDBError.make(errno, "deleting", path: path)
                }
            }
        }
        // Only under its lock, so that nobody opens meanwhile what goes.
        let isThere = access(place.path, F_OK) == 0 || access(GateFile.path(of: place.path), F_OK) == 0
        switch try LockFile.whileFree(of: place.path, mode: isThere ? EnvironmentOpening.defaultMode : nil, delete) {
        case .free, .missing: break
        case .thisProcess:
            throw LMDBError(.alreadyOpen, "this process has the database open; release it first", path: place.path)
        case .process(let processID):
            throw LMDBError(
                .alreadyOpen, "process \(processID) has the database open; end it first", path: place.path)
        }
    }

    /// Writes the newest version, without free pages, to a new file of mode 0600 at `path`, which is there only when
    /// all is on disk. Throws `.alreadyExists` where there is one.
    ///
    /// It pins its version for as long as it runs. Not to be called inside a write of the same thread, whose changes
    /// it would not see.
    package func copyCompacted(to path: String) throws {
        try checkUsable()
        let place = try FilePlace(path)
        let exists = LMDBError(.alreadyExists, "there is a file at the copy's path; choose another", path: place.path)
        guard !place.exists else { throw exists }
        let temporaryPath = place.temporaryPath()
        let descriptor = Glibc.open(temporaryPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw LMDBError.make(errno, "creating the copy", path: temporaryPath) }
        defer {
            close(descriptor)
            unlink(temporaryPath)
        }
        var result = Calls.environmentCopyCompacted(raw, to: descriptor)
        if result == MDB_SUCCESS, fsync(descriptor) != 0 { result = errno }
        switch result {
        case MDB_SUCCESS: break
        case ENOSPC, EDQUOT, EIO: throw diskFailure(result, "copying", path: place.directory)
        default: throw LMDBError.make(result, "copying", path: self.path)
        }
        guard try place.publish(temporaryPath, isDurable: true) else { throw exists }
    }
}
