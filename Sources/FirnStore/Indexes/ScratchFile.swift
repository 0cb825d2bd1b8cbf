import Glibc
import LMDB

/// A file without a name, for what memory need not hold: it goes with this object, and with the process however that ends.
final class ScratchFile {
    private let descriptor: Int32
    private(set) var byteCount = 0

    /// Makes the file in a directory, or, where none can be made there, in the system's for temporary files.
    init(in directory: String) throws(LMDBError) {
        var path = Array("\(directory)/.firn-scratch-XXXXXX".utf8CString)
        var descriptor = mkstemp(&path)
        if descriptor < 0 {
            path = Array("/tmp/.firn-scratch-XXXXXX".utf8CString)
            descriptor = mkstemp(&path)
        }
        guard descriptor >= 0 else { throw LMDBError.make(errno, "making a scratch file") }
        unlink(path)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Writes bytes behind the others.
    func append(_ bytes: UnsafeRawBufferPointer) throws(LMDBError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(byteCount))
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                throw LMDBError.make(count < 0 ? errno : ENOSPC, "writing a scratch file")
            }
            byteCount += count
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// Fills the room with the bytes from an offset on; answers how many there were.
    func read(at offset: Int, into room: UnsafeMutableRawBufferPointer) throws(LMDBError) -> Int {
        while true {
            let count = pread(descriptor, room.baseAddress, room.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else { throw LMDBError.make(errno, "reading a scratch file") }
        }
    }
}
