import Firn
import FirnTool
import Foundation
import LMDB
import TestSupport
import Testing

/// Files that are not as they must be: a message and an exit code, or a typed error, and never a signal.
@Suite struct DamageTests {
    private let file = RecoveryFile()

    private func expectUnreadable(
        _ message: String, _ code: Realm.Error.Code = .invalidDatabase,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for command in ["check", "info"] {
            let run = try ToolRun(command, file.path)
            #expect(run.ending == .exited(2), sourceLocation: sourceLocation)
            #expect(run.output == "", sourceLocation: sourceLocation)
            #expect(run.errors.contains(message), "\(run.errors)", sourceLocation: sourceLocation)
        }
        expectError(code, message, sourceLocation: sourceLocation) {
            _ = try Realm(configuration: file.configuration())
        }
        expectError(code, message, sourceLocation: sourceLocation) {
            _ = try Realm(configuration: file.configuration(readOnly: true))
        }
    }

    // MARK: What cannot be opened

    @Test func `an empty file is refused and stays empty`() throws {
        try file.write([])
        try expectUnreadable("the file is empty")
        #expect(try file.bytes().isEmpty)
    }

    @Test func `a directory is refused`() throws {
        try FileManager.default.createDirectory(atPath: file.path, withIntermediateDirectories: false)
        try expectUnreadable("names a directory", .fileAccess)
    }

    @Test func `a file of something else is refused and stays as it was`() throws {
        try file.write(repeatElement(UInt8(ascii: "x"), count: 20_000))
        try expectUnreadable("not a database")
        #expect(try file.bytes() == Data(repeating: UInt8(ascii: "x"), count: 20_000))
    }

    @Test func `another program's LMDB file is refused and stays as it was`() throws {
        try autoreleasepool {
            var options = EnvironmentOptions(
                path: file.path, databases: [DatabaseDefinition(name: "theirs", hasSortedDuplicates: false)])
            options.reservation = 1 << 30
            _ = try Environment.open(options)
        }
        let before = try file.bytes()
        try expectUnreadable("another program")
        #expect(try file.bytes() == before)
    }

    @Test(arguments: [100, 4096, 8191, 8192, 40_960, SampleStore.bytes.count - 4096])
    func `a file that is cut off is refused`(byteCount: Int) throws {
        try file.write(SampleStore.bytes.prefix(byteCount))
        try expectUnreadable("cut off")
    }

    @Test func `a file of a newer format is refused and stays as it was`() throws {
        // The record of the format begins with the magic, then its version.
        let magic = Array("FIRN".utf8) + [1, 0, 0, 0]
        var bytes = SampleStore.bytes
        for index in bytes.indices.dropLast(8) where Array(bytes[index..<(index + 8)]) == magic { bytes[index + 4] = 2 }
        try file.write(bytes)
        try expectUnreadable("written in format 2, and this build reads up to 1", .unsupportedFileFormatVersion)
        #expect(try file.bytes() == Data(bytes))
    }

    @Test func `a file that is not there is not made by looking for it`() throws {
        for command in ["check", "info"] {
            let run = try ToolRun(command, file.path)
            #expect(run.ending == .exited(2))
            #expect(run.errors.contains("does not exist"))
        }
        expectError(.fileNotFound, "does not exist") {
            _ = try Realm(configuration: file.configuration(readOnly: true))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: file.directory.path).isEmpty)
    }

    // MARK: What is damaged inside

    /// Three pages of a database: its first, its last, one between.
    private func somePages(of database: String) throws -> [Int] {
        let pages = try #require(SampleStore.pages[database])
        return Set([pages[0], pages[pages.count / 2], pages[pages.count - 1]]).sorted()
    }

    @Test(arguments: SampleStore.databaseNames)
    func `a page of zeros is named`(database: String) throws {
        for page in try somePages(of: database) {
            var bytes = SampleStore.bytes
            bytes.replaceSubrange(page * 4096..<(page + 1) * 4096, with: repeatElement(0, count: 4096))
            try file.write(bytes)
            let run = try ToolRun("check", file.path)
            try #require(run.ending == .exited(1), "\(run.errors)")
            #expect(run.lines[0] == "page \(page), of \(database): it holds nothing but zeros")
            #expect(run.lines[1] == "1 problem found in the pages; what they hold was not checked")
        }
    }

    @Test(arguments: SampleStore.databaseNames)
    func `a page with another's bytes is named`(database: String) throws {
        let pages = try somePages(of: database)
        let other = try #require(SampleStore.pages.values.joined().first { !pages.contains($0) })
        for page in pages {
            var bytes = SampleStore.bytes
            bytes.replaceSubrange(page * 4096..<(page + 1) * 4096, with: bytes[other * 4096..<(other + 1) * 4096])
            try file.write(bytes)
            let run = try ToolRun("check", file.path)
            try #require(run.ending == .exited(1), "\(run.errors)")
            #expect(run.lines[0] == "page \(page), of \(database): it says that it is page \(other)")
        }
    }

    @Test(arguments: SampleStore.databaseNames)
    func `whatever bits are flipped, both commands end with an answer`(database: String) throws {
        try RandomRuns(1...2).run { seed in
            var generator = SeededGenerator(seed: seed)
            for page in try somePages(of: database) {
                var bytes = SampleStore.bytes
                // Most of what LMDB goes by stands at a page's beginning.
                for _ in 0..<4 {
                    bytes[page * 4096 + Int.random(in: 0..<64, using: &generator)] ^=
                        1 << UInt8.random(in: 0..<8, using: &generator)
                    bytes[page * 4096 + Int.random(in: 0..<4096, using: &generator)] ^=
                        1 << UInt8.random(in: 0..<8, using: &generator)
                }
                try file.write(bytes)
                let check = try ToolRun("check", file.path)
                try #require([.exited(0), .exited(1), .exited(2)].contains(check.ending), "\(check)")
                try #require(check.output.isEmpty != check.errors.isEmpty, "\(check)")
                let info = try ToolRun("info", file.path)
                try #require([.exited(0), .exited(2)].contains(info.ending), "\(info)")
            }
        }
    }

    @Test func `what LMDB dies of is a message with the place, not a signal`() throws {
        var bytes = SampleStore.bytes
        for page in SampleStore.pages["objects"] ?? [] {
            bytes.replaceSubrange(page * 4096..<(page + 1) * 4096, with: repeatElement(0, count: 4096))
        }
        try file.write(bytes)
        let run = try ToolRun("info", file.path)
        #expect(run.ending == .exited(2))
        #expect(run.output == "")
        #expect(run.errors.hasPrefix("firn: \(file.path) is damaged: the objects of Country cannot be read ("))
        #expect(run.errors.hasSuffix("; run 'firn check'\n"))
    }

    @Test func `a page that is free and in use is a problem`() throws {
        // The list of free pages comes from the commits that made the sample.
        let free = try #require(SampleStore.pages["the list of free pages"]?.first)
        var bytes = SampleStore.bytes
        let used = try #require(SampleStore.pages["objects"]?.last)
        // The last value of the page's list is the page's last node's last eight bytes: its first free page.
        let page = bytes[free * 4096..<(free + 1) * 4096]
        let end = page.startIndex + 4096
        withUnsafeBytes(of: UInt64(used)) { bytes.replaceSubrange((end - 8)..<end, with: $0) }
        try file.write(bytes)
        let run = try ToolRun("check", file.path)
        try #require(run.ending == .exited(1), "\(run.errors)")
        #expect(run.lines[0].contains("it says that page \(used) is free, which is in use"), "\(run.output)")
    }
}
