import FirnTool
import Glibc

/// The `firn-stress` command line tool.
enum StressTool {
    static let usage = """
        Usage: firn-stress crash FILE [--kills N] [--seconds N] [--seed N] [--relaxed]
               firn-stress run FILE [--seconds N] [--commits N] [--threads N]
                               [--processes N] [--kills N] [--seed N]

        Tries to make Firn lose or garble data. Makes FILE, which must not exist, and deletes it if all is well.

        crash   lets a process write and kills it (SIGKILL) at random moments, again and again. After each kill the
                file's invariants must hold, every acknowledged commit must be there, and at most one other.
                  --kills N     ends after N kills (50)
                  --seconds N   or after N seconds
                  --relaxed     commits without waiting for the last flush
        run     lets several threads write and read. Sums that every transaction keeps must hold in every version that
                a thread sees, and the file's invariants at the end.
                  --seconds N   for N seconds (10)
                  --commits N   or until every thread has made N commits
                  --threads N   with N threads (4)
                  --processes N and with N processes (0), one of which is killed again and again
                  --kills N     until N were killed (without it, until the time is over; with --commits 20)

          --seed N      repeats the random choices of an earlier run, which prints its seed
          --help        shows this

        Exit codes: 0 all is well; 1 a fault was found, and FILE is kept; 2 the command line is wrong or FILE exists.
        """

    /// Runs a command line and gives its exit code.
    static func run(_ words: [String]) -> Int32 {
        do {
            return try dispatch(words)
        } catch let fault as StressFault {
            StandardError.write("firn-stress: FAULT: \(fault.message)\n")
            return 1
        } catch let failure as ToolFailure {
            StandardError.write("firn-stress: \(failure.message)\n")
            if failure.isUsage { StandardError.write("Try 'firn-stress --help'.\n") }
            return 2
        } catch {
            StandardError.write("firn-stress: FAULT: \(error)\n")
            return 1
        }
    }

    private static func dispatch(_ words: [String]) throws -> Int32 {
        var arguments = ArgumentList(words)
        if arguments.flag("help") || words.first == "help" {
            print(usage)
            return 0
        }
        let seed: UInt64? = try arguments.integer("seed", in: 0 ... .max)
        let seconds: Int? = try arguments.integer("seconds", in: 1...1_000_000)
        let kills: Int? = try arguments.integer("kills", in: 1...1_000_000)
        let commits: Int? = try arguments.integer("commits", in: 1...1_000_000_000)
        let threads: Int? = try arguments.integer("threads", in: 1...256)
        let processes: Int? = try arguments.integer("processes", in: 0...64)
        let clerk: Int? = try arguments.integer("clerk", in: 0...1_000_000)
        let isRelaxed = arguments.flag("relaxed")
        let command = try arguments.operand("a command")
        let path = try arguments.operand("the file to make")
        switch command {
        case "crash":
            try arguments.finish()
            guard commits == nil, threads == nil, processes == nil else {
                throw ToolFailure("crash takes neither --commits, --threads nor --processes", isUsage: true)
            }
            try CrashCommand(
                path: path, kills: kills ?? 50, seconds: seconds, isRelaxed: isRelaxed, seed: seed ?? randomSeed()
            ).run()
        case "run":
            try arguments.finish()
            guard !isRelaxed else { throw ToolFailure("run does not take --relaxed", isUsage: true) }
            try RunCommand(
                path: path, seconds: seconds ?? (commits == nil ? 10 : nil), commits: commits, threads: threads ?? 4,
                processes: processes ?? 0, kills: kills ?? (seconds == nil && commits != nil ? 20 : nil),
                seed: seed ?? randomSeed()
            ).run()
        case CrashWriter.command:
            try CrashWriter(path: path, seed: seed ?? 0, isRelaxed: isRelaxed).run()
        case CrashVerifier.command:
            try CrashVerifier(path: path, seed: seed ?? 0).run()
        case ClerkProcess.command:
            try ClerkProcess.run(path, id: clerk ?? 0, seed: seed ?? 0)
        case StressFile.checkCommand:
            try StressFile.check(path)
        default:
            throw ToolFailure("unknown command '\(command)'", isUsage: true)
        }
        return 0
    }

    private static func randomSeed() -> UInt64 {
        .random(in: 1...999_999_999)
    }
}

/// What the tester was looking for: Firn did something that it must not.
struct StressFault: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}
