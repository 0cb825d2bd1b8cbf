import Glibc

/// What the process that reads a file tells the one that talks to the user: a line each, the kind first.
enum Report: Equatable {
    /// What is read next. The last one names the place where the process ended, if it ends early.
    case place(String)
    /// How many of how many objects have been read.
    case progress(Int, of: Int)
    /// A line of the result.
    case text(String)
    /// A problem that the file has.
    case problem(String)
    /// The file cannot be read.
    case failure(String)
    /// What was asked cannot be answered: why, and after how many characters of the predicate.
    case mistake(String, position: Int?)
    /// All is read: so many objects, or none because the file's pages are damaged.
    case end(objectCount: Int?)

    var line: String {
        switch self {
        case .place(let text): "place \(text)"
        case .progress(let count, let total): "progress \(count) \(total)"
        case .text(let text): "text \(text)"
        case .problem(let text): "problem \(Report.singleLine(text))"
        case .failure(let text): "failure \(Report.singleLine(text))"
        case .mistake(let text, let position): "mistake \(position ?? -1) \(Report.singleLine(text))"
        case .end(let count): "end \(count ?? -1)"
        }
    }

    init?(_ line: some StringProtocol) {
        // Not by characters: a text may begin with a mark that makes one with the space.
        guard let space = line.utf8.firstIndex(of: UInt8(ascii: " ")) else { return nil }
        let rest = String(line[line.utf8.index(after: space)...])
        let numbers = rest.utf8.count < 64 ? rest.split(separator: " ").compactMap { Int($0) } : []
        switch line[..<space] {
        case "place": self = .place(rest)
        case "text": self = .text(rest)
        case "problem": self = .problem(rest)
        case "failure": self = .failure(rest)
        case "progress" where numbers.count == 2: self = .progress(numbers[0], of: numbers[1])
        case "mistake":
            let parts = rest.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let position = Int(parts[0]) else { return nil }
            self = .mistake(String(parts[1]), position: position < 0 ? nil : position)
        case "end" where numbers.count == 1: self = .end(objectCount: numbers[0] < 0 ? nil : numbers[0])
        default: return nil
        }
    }

    /// Sends the report at once: the process may not live to send it later.
    func send() {
        var text = line + "\n"
        text.withUTF8 { bytes in
            var start = 0
            while start < bytes.count {
                let count = write(STDOUT_FILENO, bytes.baseAddress?.advanced(by: start), bytes.count - start)
                guard count > 0 else { return }
                start += count
            }
        }
    }

    private static func singleLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
