import Foundation

/// A line on the terminal that says what is going on, and is gone when it is done.
enum Progress {
    static func show(_ text: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
    }

    static func clear() {
        show("")
    }
}
