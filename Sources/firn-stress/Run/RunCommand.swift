import FirnTool
import Foundation
import Synchronization

/// `firn-stress run`: several threads, and processes that are killed, at work on one file.
struct RunCommand {
    let path: String
    let seconds: Int?
    let commits: Int?
    let threads: Int
    let processes: Int
    /// How many processes are killed; nil for as many as the time allows.
    let kills: Int?
    let seed: UInt64

    private struct Outcome {
        var tallies: [Clerk.Tally] = []
        var fault: String?
    }

    func run() throws {
        try StressFile.mustNotExist(path)
        print("seed \(seed)")
        try Bank.found(path, clerks: threads + processes)
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
        let killCount: Int
        do {
            killCount = try killProcesses(until: end) { outcome.withLock { $0.fault != nil } }
        } catch {
            outcome.withLock { if $0.fault == nil { $0.fault = (error as? StressFault)?.message ?? "\(error)" } }
            killCount = 0
        }
        group.wait()
        let (tallies, fault) = outcome.withLock { ($0.tallies, $0.fault) }
        do {
            if let fault { throw StressFault(fault) }
            let realm = try Bank.open(path)
            for id in 0..<(threads + processes) { try Bank.audit(realm, clerk: id) }
            _ = try StressFile.runChild([StressFile.checkCommand, path])
        } catch let fault as StressFault {
            throw StressFault("\(fault.message)\nThe file is kept: \(path)\nThe seed was \(seed).")
        }
        try StressFile.delete(path)
        let duration = Int(((ContinuousClock.now - start) / .seconds(1)).rounded())
        print(
            "\(threads.counted("thread")), \(processes == 0 ? "" : "\(killCount.counted("kill")), ")\(tallies.reduce(0) { $0 + $1.commits }.counted("commit")), "
                + "\(tallies.reduce(0) { $0 + $1.rollbacks }.counted("rollback")), "
                + "\(tallies.reduce(0) { $0 + $1.audits }.counted("audit")), no fault; \(duration.counted("second"))")
    }

    /// Starts the processes and kills them until enough are or the time is over. Gives the number of the killed.
    private func killProcesses(until end: ContinuousClock.Instant?, isStopped: () -> Bool) throws -> Int {
        guard processes > 0 else { return 0 }
        var clerks = try ClerkProcesses(path, ids: threads..<(threads + processes), seed: seed)
        while !isStopped(), kills.map({ clerks.killCount < $0 }) ?? true, end.map({ ContinuousClock.now < $0 }) ?? true
        {
            try clerks.killOne()
        }
        try clerks.stop()
        return clerks.killCount
    }
}
