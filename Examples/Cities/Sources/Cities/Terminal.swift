import Foundation

/// What the demo prints with.
enum Terminal {
    /// Says what comes next.
    static func heading(_ text: String) {
        print("\n\(text)")
    }

    /// Runs one step and prints how long it took.
    @discardableResult
    static func step<Result>(_ name: String, _ work: () throws -> Result) rethrows -> Result {
        let start = ContinuousClock.now
        let result = try work()
        let spent = ContinuousClock.now - start
        let milliseconds = Double(spent.components.seconds) * 1e3 + Double(spent.components.attoseconds) * 1e-15
        if isATerminal { erase() }
        print("  " + name.padding(toLength: 58, withPad: " ", startingAt: 0) + String(format: "%9.2f ms", milliseconds))
        return result
    }

    /// Says how far a step is: in a line that stands until the step is done, or in a few lines where no person looks on.
    static func progress(_ done: Int, of total: Int, _ things: String) {
        let text = "  \(done) of \(total) \(things) (\(done * 100 / total) %)"
        if isATerminal {
            erase()
            FileHandle.standardError.write(Data(text.utf8))
        } else if done % 10_000 == 0 || done == total {
            print(text)
        }
    }

    private static let isATerminal = isatty(STDERR_FILENO) == 1 && isatty(STDOUT_FILENO) == 1

    private static func erase() {
        FileHandle.standardError.write(Data("\r\u{1B}[K".utf8))
    }

    static func line(_ text: String) {
        print("    " + text)
    }
}
