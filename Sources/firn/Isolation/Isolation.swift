import FirnStore
import FirnTool
import Glibc

/// Reads a file in a process of its own, because LMDB ends the process that meets a damaged page.
enum Isolation {
    /// The first argument of the process that reads.
    static let argument = "--isolated"

    /// How the reading of a file ended.
    enum Ending {
        case finished
        /// The process died of the file, at `place`, with `cause`.
        case died(place: String, cause: String)
    }

    // MARK: In the process that talks to the user

    /// Runs this executable with `words`, and gives `body` its reports as they come.
    static func run(_ words: [String], _ body: (Report) -> Void) throws(ToolFailure) -> Ending {
        // A backtrace of a death that is expected tells the user nothing, and takes seconds to make.
        let child = try ChildProcess([argument] + words, environment: ["SWIFT_BACKTRACE": "enable=no"])
        var place = "the file's first pages"
        var pending: [UInt8] = []
        var errors: [UInt8] = []
        while let piece = child.read() {
            switch piece {
            case .nothing: break
            case .errors(let bytes): errors += bytes
            case .output(let bytes):
                pending += bytes
                var start = 0
                defer { pending.removeSubrange(..<start) }
                while let end = pending[start...].firstIndex(of: UInt8(ascii: "\n")) {
                    let line = String(decoding: pending[start..<end], as: UTF8.self)
                    start = end + 1
                    guard let report = Report(line) else { continue }
                    if case .place(let text) = report { place = text }
                    body(report)
                }
            }
        }
        let text = String(decoding: errors, as: UTF8.self)
        switch child.wait() {
        case .exited(0):
            // Warnings that the layers below had to say.
            if !text.isEmpty { StandardError.write(text) }
            return .finished
        case .exited(let code):
            // It ends with 0 by itself: a sanitizer has turned a signal into this.
            return .died(place: place, cause: "exit code \(code)")
        case .signalled(let signal):
            guard ![SIGINT, SIGTERM, SIGHUP, SIGKILL].contains(signal) else {
                throw ToolFailure("reading the file was stopped by signal \(signal)")
            }
            return .died(place: place, cause: cause(of: signal, text))
        }
    }

    private static func cause(of signal: Int32, _ errors: String) -> String {
        for line in errors.split(whereSeparator: \.isNewline) {
            if let range = line.range(of: "LMDB stops: ") { return "LMDB stops: \(line[range.upperBound...])" }
            if let range = line.range(of: "Fatal error: ") { return String(line[range.upperBound...]) }
        }
        switch signal {
        case SIGBUS: return "a page lies beyond the file's end, or the disk cannot read it"
        case SIGSEGV: return "a page leads outside of the file"
        default: return String(cString: strsignal(signal))
        }
    }

    // MARK: In the process that reads

    /// Reads a file as `words` say, and reports on standard output.
    static func runInChild(_ words: [String]) -> Int32 {
        var limit = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        do {
            switch words.first {
            case "info" where words.count == 2: try FileSummary.report(on: words[1])
            case "live" where words.count == 2: try LiveSummary.report(on: words[1])
            case "check" where words.count == 3:
                try FileCheckup.report(on: words[1], problemLimit: Int(words[2]) ?? 100)
            case "query": try FileQuery.report(QueryRequest(Array(words.dropFirst())))
            default: return Tool.ExitCode.failure
            }
        } catch {
            Report.failure(error.message).send()
        }
        return 0
    }

    /// Opens a file to be read, without ever writing to it.
    static func open(_ path: String) throws(StoreError) -> Connection {
        Report.place("the file's first pages").send()
        let store = try Store.open(StoreOptions(path: path, isReadOnly: true))
        Report.place("the schema").send()
        return try Connection(store: store)
    }
}
