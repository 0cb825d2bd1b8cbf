import CFirnSystem
import Glibc

/// The last stage of the gate: a byte-range lock of an open file description on a small file beside the data file, with
/// the holder's pid and pid namespace in it.
///
///     0        4        8                 16
///     | magic  | pid    | pid namespace   |      all little-endian
///
/// LMDB's own writer mutex knows neither a try nor a deadline nor who holds it. The kernel drops this lock when its
/// process dies, so a killed writer blocks nobody; a stopped one is named.
///
/// The same file is the bell by which processes tell each other of commits. Who wants to hear of them *marks* the file, with
/// a shared lock of its second byte, and watches the file's times; who has committed sets those where anybody else has marked
/// it. So a commit that nobody listens to costs one call of the system, and the mark of a killed listener is gone with it.
final class GateFile: Sendable {
    private static let magic: UInt32 = 0x4654_4147
    private static let listenersByte: Int64 = 1
    let path: String
    private let descriptor: Int32
    private let ownRecord: Record
    private let forkGeneration = firn_fork_generation()

    private struct Record: Equatable {
        var magic: UInt32
        var processID: UInt32
        var processNamespace: UInt64
    }

    static func path(of dataPath: String) -> String { dataPath + "-gate" }

    /// Opens the file, creating it with `mode`.
    init(path: String, mode: mode_t) throws {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, mode)
        guard descriptor >= 0 else {
            let code = errno
            guard code == EACCES || code == EPERM else {
                throw LMDBError.make(code, "opening the gate file", path: path)
            }
            throw LMDBError(
                .permissionDenied,
                """
                the gate file may not be written by this user; writers queue there, so give write permission on it, or \
                on the directory where it does not exist yet, or open the database for reading only
                """, path: path, returnCode: code)
        }
        ownRecord = Record(
            magic: GateFile.magic, processID: UInt32(getpid()), processNamespace: GateFile.processNamespace())
        // Without that a fork's child would keep the lock of a parent that is killed while it holds it.
        _ = firn_close_in_fork_children(descriptor)
    }

    /// Opens the file of a database that is only read, for its bell; nil where there is none, or it may not be read.
    init?(listeningAt path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        self.path = path
        self.descriptor = descriptor
        ownRecord = Record(magic: 0, processID: 0, processNamespace: 0)
        _ = firn_close_in_fork_children(descriptor)
    }

    deinit {
        // In a fork's child the descriptor is closed, and its number may be another file's.
        guard forkGeneration == firn_fork_generation() else { return }
        firn_forget_descriptor(descriptor)
        Glibc.close(descriptor)
    }

    /// Takes the lock, or throws `.writerTimeout`.
    func lock(triesOnly: Bool, deadline: ContinuousClock.Instant?) throws {
        var delay = 100_000
        while true {
            let result = apply(F_WRLCK, waits: !triesOnly && deadline == nil)
            switch result {
            case 0:
                record()
                return
            case EAGAIN, EACCES:
                if let deadline, !triesOnly, ContinuousClock.now < deadline {
                    // No lock of the kernel has a deadline without a signal, and signals are the program's.
                    pause(nanoseconds: delay)
                    delay = min(delay * 2, 5_000_000)
                    continue
                }
                throw timeout()
            case EINTR:
                continue
            default:
                throw LMDBError.make(result, "locking the gate file", path: path)
            }
        }
    }

    func unlock() {
        guard forkGeneration == firn_fork_generation() else { return }
        _ = apply(F_UNLCK, waits: false)
    }

    /// The other process that has the lock now, as messages name it; nil where none has.
    var otherHolder: String? { firn_other_description_is_locked(descriptor) ? recordedHolder : nil }

    // MARK: Bell

    /// Says that this process listens, until `unmark()`. Returns whether that was possible.
    func mark() -> Bool { firn_lock_description_byte(descriptor, F_RDLCK, GateFile.listenersByte) == 0 }

    /// Says that this process listens no more.
    func unmark() {
        guard forkGeneration == firn_fork_generation() else { return }
        _ = firn_lock_description_byte(descriptor, F_UNLCK, GateFile.listenersByte)
    }

    /// Rings in all processes that have marked the file, if another one has.
    func ring() {
        guard firn_other_description_has_locked(descriptor, GateFile.listenersByte, 1) else { return }
        // Its times change, and nothing else that a watch would have to tell from the names of holders.
        _ = futimens(descriptor, nil)
    }

    /// Whether the file has no name any more, as with a store in memory: no other process will ever open it.
    var isUnlinked: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink == 0
    }

    private func apply(_ kind: Int32, waits: Bool) -> Int32 {
        firn_lock_description(descriptor, kind, waits)
    }

    /// Names this process as the holder. Looks first: most often the last holder was this process too, and a read
    /// leaves no dirty page behind.
    private func record() {
        guard recorded() != ownRecord else { return }
        // SAFETY: the record is three integers without padding.
        _ = withUnsafeBytes(of: ownRecord) { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    private func recorded() -> Record? {
        var record = Record(magic: 0, processID: 0, processNamespace: 0)
        // SAFETY: any bytes make a record.
        let count = withUnsafeMutableBytes(of: &record) { pread(descriptor, $0.baseAddress, $0.count, 0) }
        return count == MemoryLayout<Record>.size && record.magic == GateFile.magic ? record : nil
    }

    private var recordedHolder: String {
        guard let record = recorded() else { return "another process" }
        let isNear = record.processNamespace == ownRecord.processNamespace
        return "process \(record.processID)" + (isNear ? "" : " of another pid namespace")
    }

    private func timeout() -> LMDBError {
        LMDBError(
            .writerTimeout,
            "\(recordedHolder) has been writing for longer than this write may wait; see whether it is stopped, or wait longer",
            path: path)
    }

    private static func processNamespace() -> UInt64 {
        var status = stat()
        guard stat("/proc/self/ns/pid", &status) == 0 else { return 0 }
        return UInt64(status.st_ino)
    }
}
