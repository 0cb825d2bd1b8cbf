import Foundation

/// What the process takes away from itself before it does its work.
struct ProcessLimits {
    var user: uid_t?
    /// How many bytes of address space it may have beyond what it has.
    var addressSpace: UInt?

    func apply() {
        if let user {
            precondition(setgroups(0, nil) == 0 && setgid(user) == 0 && setuid(user) == 0, "only root becomes others")
        }
        guard let addressSpace else { return }
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ").first
        let used = pages.flatMap { UInt($0) }.map { $0 * UInt(sysconf(Int32(_SC_PAGESIZE))) } ?? 0
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
        limit.rlim_cur = rlim_t(used + addressSpace)
        precondition(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, "the limit can be lowered")
    }
}
