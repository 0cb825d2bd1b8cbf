import Foundation

/// What a test may do to the process it runs in; for tests in processes of their own.
package enum Privileges {
    /// Why tests that need a superuser are skipped.
    package static let skipReason = "needs a superuser, to change user or to mount"

    /// Whether this process may become another user and mount.
    package static var areFull: Bool { geteuid() == 0 }

    /// Whether this process may mount in a namespace of its own, which containers often forbid even a superuser.
    package static let canMount: Bool = {
        guard areFull else { return false }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        process.arguments = ["-m", "true"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    /// Makes this process one of a user that owns nothing. For good.
    package static func drop() {
        guard setgid(65534) == 0, setuid(65534) == 0 else {
            fatalError("the user could not be changed: errno \(errno)")
        }
    }

    /// Mounts a memory file system of `byteCount` bytes on `path`, seen by this process alone.
    package static func mountMemory(_ path: String, byteCount: Int) {
        ownNamespace()
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(byteCount)") == 0 else {
            fatalError("nothing could be mounted on \(path): errno \(errno)")
        }
    }

    /// Makes `path` read-only as a file system, for this process alone.
    package static func remountReadOnly(_ path: String) {
        ownNamespace()
        guard mount(path, path, nil, UInt(MS_BIND), nil) == 0,
            mount(nil, path, nil, UInt(MS_BIND | MS_REMOUNT | MS_RDONLY), nil) == 0
        else { fatalError("\(path) could not be remounted: errno \(errno)") }
    }

    /// Limits the address space of this process to `byteCount` more than it has.
    package static func limitAddressSpace(toFurther byteCount: Int) {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ").first
        let used = (pages.flatMap { Int($0) } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
        var limit = rlimit(rlim_cur: rlim_t(used + byteCount), rlim_max: rlim_t(used + byteCount))
        guard setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else {
            fatalError("no limit: errno \(errno)")
        }
    }

    private static func ownNamespace() {
        // CLONE_NEWNS
        guard SystemCall.unshare(0x0002_0000) == 0, mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0 else {
            fatalError("no namespace of its own: errno \(errno)")
        }
    }
}
