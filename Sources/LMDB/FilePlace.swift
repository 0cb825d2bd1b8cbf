import Glibc

/// Where a data file is, or is to be, with all links resolved.
///
/// The lock file's name is made from the data file's: through a link of another name, two processes would keep two
/// lock files for one data file and destroy it.
struct FilePlace {
    let path: String
    let directory: String
    let name: String
    let exists: Bool

    /// Throws `.fileNotFound` where the directory does not exist.
    ///
    /// Of a link to a file that does not exist the place is where that one would be, as for open(2): a file that was deleted
    /// through a link is made anew where it was. A link that is neither this user's nor root's throws `.permissionDenied`: it could have
    /// been laid to have a file made elsewhere.
    init(_ path: String) throws {
        var path = path
        while true {
            if let resolved = FilePlace.resolve(path) {
                self.init(resolved, exists: true)
                return
            }
            guard errno == ENOENT else { throw LMDBError.make(errno, "finding the file", path: path) }
            let place = try FilePlace(missing: path)
            var status = stat()
            guard lstat(place.path, &status) == 0 else {
                self = place
                return
            }
            // Otherwise a file has appeared since, and is looked at again. A ring of links ends above.
            guard status.st_mode & S_IFMT == S_IFLNK else { continue }
            guard status.st_uid == geteuid() || status.st_uid == 0 else {
                throw LMDBError(
                    .permissionDenied,
                    "the path is another user's link to a file that does not exist; name the file itself",
                    path: place.path)
            }
            guard let target = FilePlace.target(of: place.path) else { continue }
            path = target.hasPrefix("/") ? target : "\(place.directory)/\(target)"
        }
    }

    /// Where a file would be that is not there.
    private init(missing path: String) throws {
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        guard let name = parts.last, !path.hasSuffix("/"), name != ".", name != ".." else {
            throw LMDBError(.isDirectory, "the path names no file", path: path)
        }
        let parent = parts.dropLast().joined(separator: "/")
        let directory = path.hasPrefix("/") ? "/" + parent : parent.isEmpty ? "." : parent
        guard let resolved = FilePlace.resolve(directory) else {
            let code = errno
            guard code == ENOENT else { throw LMDBError.make(code, "finding the file's directory", path: path) }
            throw LMDBError(
                .fileNotFound, "the file's directory does not exist; create it first", path: path, returnCode: code)
        }
        self.init(resolved == "/" ? "/\(name)" : "\(resolved)/\(name)", exists: false)
    }

    private init(_ path: String, exists: Bool) {
        self.path = path
        self.exists = exists
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        name = String(path[path.index(after: slash)...])
        directory = slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func resolve(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// What a link says; nil where there is none any more.
    private static func target(of link: String) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let base = buffer.baseAddress else { return nil }
            let count = readlink(link, base, buffer.count)
            return count < 0 ? nil : String(decoding: UnsafeRawBufferPointer(buffer)[..<count], as: UTF8.self)
        }
    }

    /// A path beside this one for a file that is made there and then put in its place.
    func temporaryPath() -> String {
        "\(directory)/.\(name)-new-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    }

    /// Gives the file at `temporaryPath` this path, unless there is one: then returns false. The temporary path is
    /// gone in both cases.
    func publish(_ temporaryPath: String, isDurable: Bool) throws -> Bool {
        defer { unlink(temporaryPath) }
        if link(temporaryPath, path) != 0 {
            switch errno {
            case EEXIST: return false
            case EPERM, EOPNOTSUPP, ENOSYS, EMLINK:
                // No hard links here. A file that appears in between is lost, which no system call could prevent.
                guard rename(temporaryPath, path) == 0 else {
                    throw LMDBError.make(errno, "putting the new file in its place", path: path)
                }
            default: throw LMDBError.make(errno, "putting the new file in its place", path: path)
            }
        }
        if isDurable { FilePlace.synchronize(directory) }
        return true
    }

    /// Flushes the names in a directory. Not every file system can, and those that cannot need not.
    private static func synchronize(_ directory: String) {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
