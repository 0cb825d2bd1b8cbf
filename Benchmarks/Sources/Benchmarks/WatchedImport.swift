import Foundation

/// An import in a process of its own, whose memory is watched from outside.
struct WatchedImport {
    let side: Side
    let options: Options

    /// The most memory that was resident at once, without the pages of the mapped store, in bytes.
    func peak() throws -> Double {
        let directory = try TemporaryDirectory(in: options.directory)
        defer { directory.remove() }
        let process = Process.ofThisProgram
        process.arguments = [
            "--import-watched", side.rawValue, "--count", String(options.count), "--directory", directory.path,
        ]
        try process.run()
        var peak = 0
        while process.isRunning {
            if let resident = Self.residentBytes(of: process.processIdentifier, without: directory.path) {
                peak = max(peak, resident)
            }
            Thread.sleep(forTimeInterval: 0.01)
        }
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Disagreement(description: "\(side.rawValue): the import whose memory is watched failed")
        }
        return Double(peak)
    }

    /// What the watched process does.
    static func run(_ options: Options, side: Side) throws {
        guard let engine = try side.makeStore(path: options.directory + "/watched", keys: .integer) else { return }
        try engine.insertGroups(Dataset.groupCount)
        try Dataset(importing: options.count).forEachBatch(engine.insert)
    }

    /// Resident bytes of all mappings of a process but those of files under `directory`.
    private static func residentBytes(of process: Int32, without directory: String) -> Int? {
        guard let maps = try? String(contentsOfFile: "/proc/\(process)/smaps", encoding: .utf8) else { return nil }
        var total = 0
        var counts = true
        for line in maps.split(separator: "\n") {
            if line.hasPrefix("Rss:") {
                let kibibytes = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
                if counts { total += kibibytes * 1024 }
            } else if line.first.map({ $0.isHexDigit && !$0.isUppercase }) == true {
                // The head of a mapping: address range, rights, offset, device, inode, path.
                counts = !line.contains(directory)
            }
        }
        return total
    }
}
