import Foundation

/// A directory of a test's own, removed with everything in it when the last reference goes.
package final class TemporaryDirectory: Sendable {
    /// Its path, without a slash at the end.
    package let path: String

    /// Makes one in `parent`, else in the directory that `TMPDIR` names, else in `/tmp`.
    package init(in parent: String? = nil) {
        let parent = parent ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/firn-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { fatalError("no temporary directory in \(parent): errno \(errno)") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of something in it.
    package func path(_ name: String) -> String {
        path + "/" + name
    }
}
