import FirnTool
import Foundation

/// `firn-stress crash`: kills writers and looks at what they leave.
struct CrashCommand {
    let path: String
    let kills: Int
    let seconds: Int?
    let isRelaxed: Bool
    let seed: UInt64

    private struct Summary {
        var kills = 0
        /// The number of the last acknowledged transaction.
        var acknowledged = 0
        /// How often a transaction was there that had not been acknowledged yet.
        var unacknowledged = 0
        var objectCount = 0
    }

    func run() throws {
        try StressFile.mustNotExist(path)
        print("seed \(seed)")
        let start = ContinuousClock.now
        let end = seconds.map { start + .seconds($0) }
        var summary = Summary()
        var line = ProgressLine()
        while summary.kills < kills, end.map({ ContinuousClock.now < $0 }) ?? true {
            line.show(
                "kill \(summary.kills + 1) of \(kills), \(summary.acknowledged.counted("commit")) acknowledged")
            do {
                try runRound(&summary)
            } catch let fault as StressFault {
                line.clear()
                throw StressFault(
                    "after \(summary.kills.counted("kill")) and \(summary.acknowledged.counted("commit")): "
                        + "\(fault.message)\nThe file is kept: \(path)\nThe seed was \(seed).")
            }
        }
        line.clear()
        try StressFile.delete(path)
        let duration = Int(((ContinuousClock.now - start) / .seconds(1)).rounded())
        print(
            "\(summary.kills.counted("kill")), \(summary.acknowledged.counted("commit")) acknowledged, none lost; "
                + "\(summary.unacknowledged) were there before they could be acknowledged; "
                + "\(summary.objectCount.counted("object")) at the end; \(duration.counted("second"))")
    }

    private func runRound(_ summary: inout Summary) throws {
        var generator = SeededGenerator(seed: seed, stream: UInt64(summary.kills) | 1 << 63)
        let before = summary.acknowledged
        var arguments = [CrashWriter.command, path, "--seed", String(seed)]
        if isRelaxed { arguments.append("--relaxed") }
        let writer = try ChildProcess(arguments)
        var acknowledgements = Acknowledgements(last: before)
        // Some die while they open the file or make it, the others after some commits, somewhere in the next one.
        let isEarly = generator.once(in: 6)
        let commits = isEarly ? nil : Int.random(in: 1...40, using: &generator)
        let pause = Duration.microseconds(Int.random(in: 0...(isEarly ? 60_000 : 3000), using: &generator))
        var deadline = isEarly ? ContinuousClock.now + pause : nil
        while let piece = writer.read(until: deadline) {
            if case .nothing = piece { break }
            try acknowledgements.take(piece)
            if deadline == nil, let commits, acknowledgements.last >= before + commits {
                deadline = .now + pause
            }
            // A pause is shorter than what `poll` can measure.
            if !isEarly, let deadline {
                while ContinuousClock.now < deadline {}
                break
            }
        }
        writer.kill()
        while let piece = writer.read() { try acknowledgements.take(piece) }
        let ending = writer.wait()
        guard ending == .signalled(SIGKILL) else {
            throw StressFault("the writer ended by itself: \(ending)\n\(acknowledgements.errors)")
        }
        summary.kills += 1
        summary.acknowledged = acknowledgements.last
        try verify(&summary)
    }

    private func verify(_ summary: inout Summary) throws {
        // Killed before the file had its name: the next writer makes it.
        if summary.acknowledged == 0, !FileManager.default.fileExists(atPath: path) { return }
        let output = try StressFile.runChild([CrashVerifier.command, path, "--seed", String(seed)])
        let numbers = output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        guard numbers.count == 2 else { throw StressFault("the verifier said '\(output)'") }
        let acknowledged = summary.acknowledged
        guard (acknowledged...(acknowledged + 1)).contains(numbers[0]) else {
            throw StressFault("\(acknowledged) commits were acknowledged, and the file has \(numbers[0])")
        }
        if numbers[0] > acknowledged { summary.unacknowledged += 1 }
        summary.acknowledged = numbers[0]
        summary.objectCount = numbers[1]
    }
}

/// What a writer has said.
private struct Acknowledgements {
    private(set) var last: Int
    private(set) var errors = ""
    private var pending: [UInt8] = []

    init(last: Int) {
        self.last = last
    }

    mutating func take(_ piece: ChildProcess.Piece) throws {
        switch piece {
        case .nothing: return
        case .errors(let bytes): errors += String(decoding: bytes, as: UTF8.self)
        case .output(let bytes): pending += bytes
        }
        while pending.count >= 8 {
            let sequence = Int(pending.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) })
            pending.removeFirst(8)
            guard sequence == last || sequence == last + 1 else {
                throw StressFault("commit \(sequence) was acknowledged after \(last)")
            }
            last = sequence
        }
    }
}
