import Foundation

/// A named pipe by which two processes wait for each other.
package struct Baton: Codable, Sendable {
    private let path: String

    package init(_ path: String) {
        self.path = path
        guard mkfifo(path, 0o600) == 0 else { fatalError("no pipe at \(path): errno \(errno)") }
    }

    /// Hands `text` over; waits until the other process takes it.
    package func pass(_ text: String = "") {
        let descriptor = open(path, O_WRONLY)
        _ = text.withCString { write(descriptor, $0, strlen($0)) }
        close(descriptor)
    }

    /// Waits until the other process passes something, and returns it.
    package func take() -> String {
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 256)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return text }
            text += String(decoding: buffer[..<count], as: UTF8.self)
        }
    }
}
