import FirnTool
import Foundation
import Synchronization

/// `firn-stress run`: several threads at work on one file.
struct RunCommand {
    let path: String
    let seconds: Int?
    let commits: Int?
    let threads: Int
    let seed: UInt64

    private struct Outcome {
        var tallies: [Clerk.Tally] = []
        var fault: String?
    }

    func run() throws {
        try StressFile.mustNotExist(path)
        print("seed \(seed)")
        try Bank.found(path, clerks: threads)
        let start = ContinuousClock.now
        let end = seconds.map { start + .seconds($0) }
        let outcome = Mutex(Outcome())
        let group = DispatchGroup()
        for id in 0..<threads {
            group.enter()
            let clerk = Clerk(id: id, path: path, seed: seed, commits: commits, end: end)
            Thread {
                do {
                    let tally = try clerk.work { outcome.withLock { $0.fault != nil } }
                    outcome.withLock { $0.tallies.append(tally) }
                } catch {
                    let message = (error as? StressFault)?.message ?? "\(error)"
                    outcome.withLock { if $0.fault == nil { $0.fault = "thread \(id): \(message)" } }
                }
                group.leave()
            }.start()
        }
        group.wait()
        let (tallies, fault) = outcome.withLock { ($0.tallies, $0.fault) }
        do {
            if let fault { throw StressFault(fault) }
            let realm = try Bank.open(path)
            for id in 0..<threads { try Bank.audit(realm, clerk: id) }
            _ = try StressFile.runChild([StressFile.checkCommand, path])
        } catch let fault as StressFault {
            throw StressFault("\(fault.message)\nThe file is kept: \(path)\nThe seed was \(seed).")
        }
        try StressFile.delete(path)
        let duration = Int(((ContinuousClock.now - start) / .seconds(1)).rounded())
        print(
            "\(threads.counted("thread")), \(tallies.reduce(0) { $0 + $1.commits }.counted("commit")), "
                + "\(tallies.reduce(0) { $0 + $1.rollbacks }.counted("rollback")), "
                + "\(tallies.reduce(0) { $0 + $1.audits }.counted("audit")), no fault; \(duration.counted("second"))")
    }
}
