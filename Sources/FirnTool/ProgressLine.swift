import Glibc

/// A line of a terminal that is written over and over. Where standard error is no terminal it shows nothing.
package struct ProgressLine {
    private let isShown: Bool
    private var isEmpty = true
    private var next = ContinuousClock.now

    package init() {
        isShown = isatty(STDERR_FILENO) == 1
    }

    /// Shows `text`, unless something was shown less than a tenth of a second ago.
    package mutating func show(_ text: @autoclosure () -> String) {
        guard isShown, ContinuousClock.now >= next else { return }
        next = .now + .milliseconds(100)
        isEmpty = false
        StandardError.write("\r\u{1B}[K" + text())
    }

    /// Clears the line, so that something else can be printed.
    package mutating func clear() {
        guard isShown, !isEmpty else { return }
        isEmpty = true
        StandardError.write("\r\u{1B}[K")
    }
}

/// Where messages go that are not the result.
package enum StandardError {
    /// Writes `text` as it is.
    package static func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
        }
    }
}
