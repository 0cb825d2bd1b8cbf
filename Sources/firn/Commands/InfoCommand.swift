import FirnTool

/// `firn info`: prints what a file is and holds, or who reads it and what its bytes are used for.
struct InfoCommand {
    let path: String
    let isLive: Bool

    func run() throws(ToolFailure) -> Int32 {
        var lines: [String] = []
        var failure: String?
        let ending = try Isolation.run([isLive ? "live" : "info", path]) { report in
            switch report {
            case .text(let line): lines.append(line)
            case .failure(let message): failure = message
            case .place, .progress, .problem, .mistake, .end: break
            }
        }
        if let failure { throw ToolFailure("cannot read \(path): \(failure)") }
        if case .died(let place, let cause) = ending {
            throw ToolFailure("\(path) is damaged: \(place) cannot be read (\(cause)); run 'firn check'")
        }
        for line in lines { print(line) }
        return Tool.ExitCode.success
    }
}
