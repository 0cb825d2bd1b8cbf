import CLMDB
import Glibc

/// What went wrong in an environment, a transaction or a cursor.
@usableFromInline
package struct LMDBError: Error, Sendable, CustomStringConvertible {
    /// What kind of thing went wrong. An open set: a `switch` over it needs a `default`.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The kind of failure.
    package var code: Code
    /// What happened and what to do about it.
    package var message: String
    /// The file that it is about, where there is one.
    package var path: String?
    /// What LMDB or the system call returned; 0 where the failure was found before any was asked.
    package var returnCode: Int32

    package init(_ code: Code, _ message: String, path: String? = nil, returnCode: Int32 = 0) {
        self.code = code
        self.message = message
        self.path = path
        self.returnCode = returnCode
    }

    @usableFromInline
    package var description: String {
        var text = message
        if let path { text += " [\(path)]" }
        if returnCode != 0 { text += " (\(LMDBError.explanation(of: returnCode)))" }
        return text
    }

    /// LMDB's own words for a return code, or the system's.
    package static func explanation(of returnCode: Int32) -> String {
        String(cString: Calls.errorText(returnCode)) + ", \(returnCode)"
    }
}

extension LMDBError.Code {
    /// A database or record that must be there is not.
    package static let notFound = Self(rawValue: "notFound")
    /// The file to open does not exist.
    package static let fileNotFound = Self(rawValue: "fileNotFound")
    /// The file is something else, or another program's LMDB file.
    package static let notADatabase = Self(rawValue: "notADatabase")
    /// The file has no bytes at all.
    package static let emptyFile = Self(rawValue: "emptyFile")
    /// The file ends before pages that are in use.
    package static let truncated = Self(rawValue: "truncated")
    /// The file was written in a format that this version does not know.
    package static let newerFormat = Self(rawValue: "newerFormat")
    /// The file system refused access.
    package static let permissionDenied = Self(rawValue: "permissionDenied")
    /// The path names a directory.
    package static let isDirectory = Self(rawValue: "isDirectory")
    /// The file system has no room left.
    package static let diskFull = Self(rawValue: "diskFull")
    /// The store reached the size that its reservation allows.
    package static let storeFull = Self(rawValue: "storeFull")
    /// The process may not reserve enough address space.
    package static let addressSpaceExhausted = Self(rawValue: "addressSpaceExhausted")
    /// All places for readers are taken.
    package static let readersFull = Self(rawValue: "readersFull")
    /// This process has the file open with other options.
    package static let alreadyOpenDifferently = Self(rawValue: "alreadyOpenDifferently")
    /// The file is open, here or in another process, and must not be.
    package static let alreadyOpen = Self(rawValue: "alreadyOpen")
    /// The file was replaced or deleted while it was being opened.
    package static let replaced = Self(rawValue: "replaced")
    /// There is a file where a new one should go.
    package static let alreadyExists = Self(rawValue: "alreadyExists")
    /// The file lies on a network file system.
    package static let networkFileSystem = Self(rawValue: "networkFileSystem")
    /// The environment was opened before this process was forked.
    package static let usedAfterFork = Self(rawValue: "usedAfterFork")
    /// LMDB met a fatal error earlier.
    package static let panic = Self(rawValue: "panic")
    /// A write was asked of what was opened for reading.
    package static let readOnly = Self(rawValue: "readOnly")
    /// The file contradicts itself.
    package static let corrupted = Self(rawValue: "corrupted")
    /// The system failed to read or write.
    package static let ioFailure = Self(rawValue: "ioFailure")
    /// The writer before did not end in time.
    package static let writerTimeout = Self(rawValue: "writerTimeout")
    /// The transaction or environment has ended.
    package static let closed = Self(rawValue: "closed")
    /// Another process, of another pid namespace, has this process's pid.
    package static let pidCollision = Self(rawValue: "pidCollision")
    /// Another process made the file larger than this one's reservation.
    package static let outgrown = Self(rawValue: "outgrown")
    /// The key or value has a size that LMDB does not take.
    package static let badSize = Self(rawValue: "badSize")
    /// The key, or the pair, exists and was not to be overwritten; or an append was out of order.
    package static let keyExists = Self(rawValue: "keyExists")
    /// Something else; see the return code.
    package static let other = Self(rawValue: "other")
}

extension LMDBError {
    /// The error for what LMDB or the system returned where nothing more is known than the place.
    @inline(never)
    @usableFromInline
    package static func make(_ returnCode: Int32, _ action: StaticString, path: String? = nil) -> LMDBError {
        let (code, advice) = meaning(of: returnCode)
        return LMDBError(code, "\(action) failed: \(advice)", path: path, returnCode: returnCode)
    }

    private static func meaning(of returnCode: Int32) -> (Code, String) {
        switch returnCode {
        case MDB_NOTFOUND: (.notFound, "what must be there is missing; the file may be damaged")
        case MDB_KEYEXIST: (.keyExists, "the key exists, or was not in order")
        case MDB_PAGE_NOTFOUND, MDB_CORRUPTED:
            (.corrupted, "the file is damaged; restore it from a copy")
        case MDB_PANIC: (.panic, "a fatal error came earlier; close everything that uses the file and open it again")
        case MDB_VERSION_MISMATCH, MDB_INVALID: (.notADatabase, "the file is not an LMDB file of this format")
        case MDB_MAP_FULL: (.storeFull, "the store has reached the limit of its reservation")
        case MDB_READERS_FULL: (.readersFull, "too many snapshots are open; release some")
        case MDB_MAP_RESIZED:
            (.outgrown, "another process made the file larger than this process reserved; open it with as much")
        case MDB_BAD_TXN:
            (.closed, "the transaction met an error earlier, has a child, or has ended; abort it")
        case MDB_BAD_VALSIZE: (.badSize, "a key must have 1 to 511 bytes, a sorted duplicate up to 511")
        case MDB_INCOMPATIBLE, MDB_BAD_DBI: (.corrupted, "the database is of another kind than expected")
        case ENOSPC, EDQUOT: (.diskFull, "no room is left on the file system; free some and try again")
        case EIO: (.ioFailure, "the system could not read or write the file")
        case ENOMEM: (.addressSpaceExhausted, "no memory or address space is left; raise `ulimit -v`")
        case ENOENT: (.fileNotFound, "the file does not exist")
        case EACCES, EPERM, EROFS: (.permissionDenied, "access is not permitted")
        case EISDIR: (.isDirectory, "the path names a directory")
        default: (.other, "unexpected")
        }
    }
}
