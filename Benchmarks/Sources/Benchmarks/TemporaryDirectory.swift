import Foundation

/// A new directory for a round's files.
struct TemporaryDirectory {
    let path: String

    init(in parent: String) throws {
        path = parent + "/firn-benchmarks-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
