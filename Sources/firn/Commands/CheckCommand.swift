import FirnTool

/// `firn check`: reads the whole file and prints what is wrong with it.
struct CheckCommand {
    let path: String
    let problemLimit: Int

    func run() throws(ToolFailure) -> Int32 {
        var line = ProgressLine()
        var place = ""
        var problemCount = 0
        var failure: String?
        var isAtEnd = false
        var objectCount: Int?
        let ending = try Isolation.run(["check", path, String(problemLimit)]) { report in
            switch report {
            case .place(let text):
                place = text
                line.show("checking \(path): \(place)")
            case .progress(let count, let total):
                line.show("checking \(path): \(count.grouped) of \(total.counted("object")), \(place)")
            case .problem(let text):
                line.clear()
                problemCount += 1
                print(text)
            case .failure(let message): failure = message
            case .end(let count):
                isAtEnd = true
                objectCount = count
            case .text, .mistake: break
            }
        }
        line.clear()
        if let failure { throw ToolFailure("cannot check \(path): \(failure)") }
        if case .died(let place, let cause) = ending {
            print("the file is damaged: \(place) cannot be read (\(cause))")
            print("\((problemCount + 1).counted("problem")) found; what lies behind this one was not checked")
            return Tool.ExitCode.problems
        }
        guard isAtEnd else { throw ToolFailure("cannot check \(path): its reading ended early") }
        let scope = objectCount.map { "in \($0.counted("object"))" } ?? "in the pages; what they hold was not checked"
        guard problemCount > 0 else {
            print("no problems found \(scope)")
            return Tool.ExitCode.success
        }
        let limit = problemCount >= problemLimit ? " (there may be more: see --limit)" : ""
        print("\(problemCount.counted("problem")) found \(scope)\(limit)")
        return Tool.ExitCode.problems
    }
}
