import FirnStore
import FirnTool
import Foundation
import LMDB
import TestSupport
import Testing

@Suite struct FirnCommandTests {
    private let directory = TemporaryDirectory()
    private var path: String { directory.path("sample.firn") }

    init() throws {
        try Data(SampleStore.bytes).write(to: URL(fileURLWithPath: path))
    }

    @Test func `info shows the file without its model classes`() throws {
        let run = try ToolRun("info", path)
        #expect(run.ending == .exited(0))
        #expect(run.errors == "")
        #expect(run.lines.first == path)
        for line in [
            "  format          1", "  schema version  3", "  version         5",
            "Country: 4 objects, 4.0 KiB in 1 leaf",
            "  id     int            primary key", "  towns  list of Town   deletes are denied",
            "  names  set of string", "  notes  map of any", "  name     string    primary key",
            "  code     int       indexed",
            "  note     string?", "  country  Country?",
        ] {
            #expect(run.lines.contains(line), "\(line)\nis not in\n\(run.output)")
        }
        #expect(run.lines.contains { $0.hasPrefix("Town: 2,000 objects, ") && $0.hasSuffix(" leaves") })
        #expect(
            run.lines.contains { $0.hasPrefix("  file  ") && $0.hasSuffix(" \(SampleStore.bytes.count.grouped) B") })
        #expect(run.lines.contains { $0.hasPrefix("  blobs") })
        #expect(!run.output.contains("Readers"))
    }

    /// LMDB's statistics of a database leave out the pages of keys with many values; `info` once did too.
    @Test func `info counts every page`() throws {
        let run = try ToolRun("info", path)
        for database in SampleStore.databaseNames {
            let words = try #require(run.lines.first { $0.hasPrefix("  \(database) ") }).split(separator: " ")
            #expect(try #require(SampleStore.pages[database]).count == Int(words[3]), "\(database)")
        }
        // Two more for the meta pages.
        let usedPages = SampleStore.pages.values.reduce(2) { $0 + $1.count }
        #expect(run.lines.contains { $0.hasPrefix("  used ") && $0.hasSuffix(" \((usedPages * 4096).grouped) B") })
    }

    @Test func `info shows who holds snapshots`() throws {
        let reader = try ChildProcess(["hold", path], of: BuiltExecutable.path("recovery-probe"), input: .held)
        #expect(reader.read() == .output(Array("ready\n".utf8)))
        let run = try ToolRun("info", path)
        #expect(run.lines.contains("  process \(reader.processID)  1 snapshot, at the newest version"), "\(run.output)")
        reader.kill()
        reader.wait()
    }

    @Test func `info --live shows who is how far behind, and what that pins`() throws {
        let alone = try ToolRun("info", "--live", path)
        #expect(alone.ending == .exited(0))
        #expect(alone.errors == "")
        #expect(alone.lines.prefix(2) == [path, "  version  5"])
        #expect(alone.lines.suffix(3) == ["Readers", "  none", ""])
        let usedPages = SampleStore.pages.values.reduce(2) { $0 + $1.count }
        #expect(try byteCount("live", alone) == usedPages * 4096)
        #expect(try byteCount("file", alone) == SampleStore.bytes.count)
        #expect(try byteCount("pinned", alone) == 0)

        let reader = try ChildProcess(["hold", path], of: BuiltExecutable.path("recovery-probe"), input: .held)
        #expect(reader.read() == .output(Array("ready\n".utf8)))
        let connection = try Connection(store: Store.open(StoreOptions(path: path, reservation: 1 << 34)))
        let country = try #require(connection.schema["Country"])
        for number in 101...103 {
            try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "the test")))
            try connection.insert(country.id) { writer in
                writer.add(.int(Int64(number)))
                for _ in 1..<country.columns.count { writer.add(.null) }
            }
            try connection.commit()
        }
        let behind = try ToolRun("info", path, "--live")
        // The columns are as wide as the widest number of a process.
        let rows = behind.lines.map { $0.split(separator: " ").joined(separator: " ") }
        #expect(
            rows.contains("process \(reader.processID) 1 snapshot, the oldest 3 commits behind"), "\(behind.output)")
        #expect(try byteCount("pinned", behind) > 0)
        // The process that looks is no reader worth naming; this one is, and at the newest version.
        #expect(rows.contains("process \(getpid()) 1 snapshot, at the newest version"), "\(behind.output)")
        withExtendedLifetime(connection) {}

        reader.kill()
        reader.wait()
        // A killed process leaves its place in LMDB's table behind.
        let after = try ToolRun("info", "--live", path)
        #expect(!after.output.contains("process \(reader.processID)"))
        #expect(try byteCount("pinned", after) == 0)
        #expect(try byteCount("free", after) == byteCount("free", behind) + byteCount("pinned", behind))
    }

    private func byteCount(_ name: String, _ run: ToolRun) throws -> Int {
        let line = try #require(run.lines.first { $0.hasPrefix("  \(name) ") }, "\(run.output)")
        return try #require(Int(line.split(separator: " ").dropLast().last?.replacing(",", with: "") ?? ""))
    }

    @Test func `check finds nothing in a sound file, and leaves it as it was`() throws {
        let run = try ToolRun("check", path)
        #expect(run.ending == .exited(0))
        #expect(run.errors == "")
        #expect(run.output == "no problems found in 2,004 objects\n")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(SampleStore.bytes))
    }

    @Test func `check tells every problem, or as many as it may`() throws {
        var bytes = SampleStore.bytes
        for page in SampleStore.pages["blobs"] ?? [] {
            bytes.replaceSubrange(page * 4096..<(page + 1) * 4096, with: repeatElement(0, count: 4096))
        }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let run = try ToolRun("check", path, "--limit", "1")
        #expect(run.ending == .exited(1))
        try #require(run.lines.count == 3)
        #expect(run.lines[0].hasSuffix(", of blobs: it holds nothing but zeros"))
        #expect(
            run.lines[1]
                == "1 problem found in the pages; what they hold was not checked (there may be more: see --limit)")
    }

    @Test func `help and versions are printed, and nothing else is asked for`() throws {
        for words in ["help", "--help"] {
            let run = try ToolRun(words)
            #expect(run.ending == .exited(0))
            #expect(run.output.hasPrefix("Usage: firn "))
        }
        let version = try ToolRun("--version")
        #expect(version.ending == .exited(0))
        #expect(version.output.wholeMatch(of: /firn \d+\.\d+\.\d+ \(reads formats up to 1, LMDB 0\.9\.\d+\)\n/) != nil)
    }

    @Test(arguments: [
        ([], "a command was not given"), (["chek", "x"], "unknown command 'chek'"),
        (["check"], "the file to check was not given"), (["info"], "the file to show was not given"),
        (["check", "a", "b"], "'b' is one word too many"), (["check", "--fast", "a"], "unknown option '--fast'"),
        (["info", "--limit", "3", "a"], "unknown option '--limit'"),
        (["check", "--live", "a"], "unknown option '--live'"),
        (["query", "--live", "a", "B"], "unknown option '--live'"),
        (["check", "--limit", "0", "a"], "--limit takes a whole number from 1 to \(Int.max), not '0'"),
    ])
    func `a wrong command line is explained`(words: [String], message: String) throws {
        let (ending, output, errors) = try ChildProcess(words, of: BuiltExecutable.path("firn")).finish()
        #expect(ending == .exited(2))
        #expect(output == "")
        #expect(errors == "firn: \(message)\nTry 'firn help'.\n")
    }
}
