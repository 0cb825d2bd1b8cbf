import CLMDB
import Glibc

/// Opens LMDB's environment on a file that has been checked.
struct EnvironmentHandle {
    let raw: OpaquePointer
    /// The address space that could be had.
    let reservation: Int

    /// The least that is tried where the process may not reserve what was asked for.
    private static let leastReservation = 1 << 30
    private static let openingAttempts = 5

    /// Opens with `reservation` bytes of address space, or half, a quarter … of it.
    init(
        path: String, reservation requested: Int, maximumReaders: UInt32, databaseCount: Int, flags: UInt32,
        mode: mode_t
    ) throws {
        let pageSize = FileCheck.pageSize
        var reservation = max(requested + pageSize - 1, pageSize) / pageSize * pageSize
        let least = min(reservation, EnvironmentHandle.leastReservation)
        while true {
            let result = EnvironmentHandle.open(path, reservation, maximumReaders, databaseCount, flags, mode)
            switch result {
            case .success(let raw):
                self.raw = raw
                // LMDB leaves the data file to the programs that the process starts.
                _ = fcntl(Calls.environmentDescriptor(raw), F_SETFD, FD_CLOEXEC)
                // LMDB raises it to what the file already uses.
                self.reservation = Int(Calls.environmentInformation(raw).me_mapsize)
                return
            case .failure(let error) where error.returnCode == ENOMEM:
                guard reservation > least else {
                    throw LMDBError(
                        .addressSpaceExhausted,
                        """
                        not even \(reservation) bytes of address space could be reserved; raise the limit \
                        (`ulimit -v unlimited`) or open with a smaller reservation
                        """, path: path, returnCode: ENOMEM)
                }
                reservation = max(reservation / 2 / pageSize * pageSize, least)
            case .failure(let error):
                throw error
            }
        }
    }

    private static func open(
        _ path: String, _ reservation: Int, _ maximumReaders: UInt32, _ databaseCount: Int, _ flags: UInt32,
        _ mode: mode_t
    ) -> Result<OpaquePointer, LMDBError> {
        var attempt = 1
        while true {
            let result = openOnce(path, reservation, maximumReaders, databaseCount, flags, mode)
            guard case .failure(let error) = result, attempt < openingAttempts else { return result }
            // Two processes that open or close at one instant can get into each other's way.
            guard [EAGAIN, EBUSY, ENOENT].contains(error.returnCode) else { return result }
            attempt += 1
            pause(nanoseconds: .random(in: 1_000_000...10_000_000))
        }
    }

    private static func openOnce(
        _ path: String, _ reservation: Int, _ maximumReaders: UInt32, _ databaseCount: Int, _ flags: UInt32,
        _ mode: mode_t
    ) -> Result<OpaquePointer, LMDBError> {
        var environment: OpaquePointer?
        var result = Calls.environmentCreate(&environment)
        guard result == MDB_SUCCESS, let raw = environment else {
            return .failure(LMDBError.make(result, "creating an environment", path: path))
        }
        func attempt(_ call: () -> Int32) {
            if result == MDB_SUCCESS { result = call() }
        }
        attempt { Calls.environmentSetMapSize(raw, reservation) }
        attempt { Calls.environmentSetMaximumReaders(raw, maximumReaders) }
        attempt { Calls.environmentSetMaximumDatabases(raw, UInt32(databaseCount)) }
        attempt { Calls.environmentSetAssertionHandler(raw, reportAssertion) }
        attempt { Calls.environmentOpen(raw, path, flags, mode) }
        guard result == MDB_SUCCESS else {
            // An environment that failed to open must be closed all the same.
            Calls.environmentClose(raw)
            return .failure(failure(result, path))
        }
        return .success(raw)
    }

    private static func failure(_ returnCode: Int32, _ path: String) -> LMDBError {
        switch returnCode {
        case ENOSPC, EDQUOT: diskFailure(returnCode, "opening", path: path)
        case MDB_VERSION_MISMATCH:
            LMDBError(
                .alreadyOpen, "a process with another version of LMDB has the file open; end it first", path: path,
                returnCode: returnCode)
        default: LMDBError.make(returnCode, "opening", path: path)
        }
    }
}

/// LMDB aborts after this: its file contradicts itself.
private func reportAssertion(_ environment: OpaquePointer?, _ message: UnsafePointer<CChar>?) {
    let path = environment.flatMap { Calls.environmentPath($0) } ?? "?"
    let text = "firn: the database \(path) is damaged, LMDB stops: \(message.map { String(cString: $0) } ?? "")\n"
    _ = text.utf8CString.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count - 1) }
}
