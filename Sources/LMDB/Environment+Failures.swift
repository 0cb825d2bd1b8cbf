import CLMDB
import Glibc

extension Environment {
    @inline(never)
    func readBeginFailure(_ returnCode: Int32) -> LMDBError {
        switch returnCode {
        case MDB_READERS_FULL:
            LMDBError(
                .readersFull,
                "all \(requested.maximumReaders) places for readers are taken (\(readerSummary())); release snapshots",
                path: path, returnCode: returnCode)
        case EAGAIN:
            LMDBError(
                .pidCollision,
                """
                a process of another pid namespace with this process's pid \(getpid()) has the database open; run one \
                container for each database, or let them share a pid namespace
                """, path: path, returnCode: returnCode)
        default: LMDBError.make(returnCode, "beginning to read", path: path)
        }
    }

    @inline(never)
    func writeFailure(_ returnCode: Int32, _ action: StaticString) -> LMDBError {
        switch returnCode {
        case MDB_MAP_FULL: storeFull()
        case ENOSPC, EDQUOT, EIO: diskFailure(returnCode, action, path: path)
        default: LMDBError.make(returnCode, action, path: path)
        }
    }

    func storeFull() -> LMDBError {
        LMDBError(
            .storeFull,
            """
            the store has reached the \(reservation) bytes that it may grow to; delete something, release old \
            snapshots, or open it with a larger reservation
            """, path: path, returnCode: MDB_MAP_FULL)
    }
}

/// The error for a write that the system refused: a full disk, told apart from a broken one by the room that is left.
func diskFailure(_ returnCode: Int32, _ action: StaticString, path: String) -> LMDBError {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return LMDBError.make(returnCode, action, path: path) }
    let freeByteCount = Int(status.f_bavail) * Int(status.f_frsize)
    guard returnCode != EIO || freeByteCount < 1 << 20 else { return LMDBError.make(returnCode, action, path: path) }
    return LMDBError(
        .diskFull,
        "\(action) failed: the file system has \(freeByteCount) bytes free; make room and try again",
        path: path, returnCode: returnCode)
}

extension Environment {
    /// The first page that only a shrinking write may be the first to use.
    ///
    /// Deleting needs pages too, so a store that is full to the last one can never be emptied again.
    var softLimitInPages: UInt64 {
        let room = min(max(64 << 20, reservation / 10), reservation / 4)
        return UInt64((reservation - room) / FileCheck.pageSize)
    }
}
