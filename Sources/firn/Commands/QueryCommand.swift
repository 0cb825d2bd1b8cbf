import FirnTool

/// `firn query`: prints objects of any file, without its model classes.
struct QueryCommand {
    let request: QueryRequest

    func run() throws(ToolFailure) -> Int32 {
        var failure: String?
        var mistake: (text: String, position: Int?)?
        let ending = try Isolation.run(["query"] + request.words) { report in
            switch report {
            case .text(let line): print(line)
            case .failure(let message): failure = message
            case .mistake(let text, let position): mistake = (text, position)
            case .place, .progress, .problem, .end: break
            }
        }
        if let failure { throw ToolFailure("cannot query \(request.path): \(failure)") }
        if let mistake { throw ToolFailure(mistake.text + marked(mistake.position)) }
        if case .died(let place, let cause) = ending {
            throw ToolFailure("\(request.path) is damaged: \(place) cannot be read (\(cause)); run 'firn check'")
        }
        return Tool.ExitCode.success
    }

    /// The predicate with a caret under a place of it.
    private func marked(_ position: Int?) -> String {
        guard let position else { return "" }
        // Control characters would move what stands behind them.
        let text = request.predicate.map { $0.isNewline || $0 == "\t" ? " " : String($0) }.joined()
        return "\n  \(text)\n  \(String(repeating: " ", count: position))^"
    }
}
