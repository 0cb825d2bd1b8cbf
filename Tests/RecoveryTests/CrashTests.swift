import FirnTool
import Foundation
import TestSupport
import Testing

@Suite struct CrashTests {
    private let directory = TemporaryDirectory()
    private var path: String { directory.path("stress.firn") }

    @Test func `a killed writer loses no acknowledged commit and leaves a sound file`() throws {
        let run = try ToolRun("crash", path, "--kills", "6", "--seed", "11", of: "firn-stress")
        try #require(run.ending == .exited(0), "\(run.errors)")
        #expect(run.lines[0] == "seed 11")
        #expect(run.lines[1].hasPrefix("6 kills, "))
        #expect(run.lines[1].contains(" commits acknowledged, none lost"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
    }

    @Test func `threads that write and read see no version that contradicts itself`() throws {
        let run = try ToolRun("run", path, "--commits", "100", "--threads", "3", "--seed", "12", of: "firn-stress")
        try #require(run.ending == .exited(0), "\(run.errors)")
        #expect(run.lines[1].hasPrefix("3 threads, 300 commits, "))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
    }

    @Test func `a process killed among others that write blocks none and changes no sum`() throws {
        let run = try ToolRun(
            "run", path, "--commits", "60", "--threads", "2", "--processes", "2", "--kills", "5", "--seed", "13",
            of: "firn-stress")
        try #require(run.ending == .exited(0), "\(run.errors)")
        #expect(run.lines[1].hasPrefix("2 threads, 5 kills, 120 commits, "))
    }

    @Test func `the tester sees a file that is not what its seed says`() throws {
        let writer = try ChildProcess(["crash-writer", path, "--seed", "1"], of: BuiltExecutable.path("firn-stress"))
        var acknowledged = 0
        while acknowledged < 20 * 8, case .output(let bytes)? = writer.read() { acknowledged += bytes.count }
        writer.kill()
        writer.wait()
        let right = try ToolRun("crash-verifier", path, "--seed", "1", of: "firn-stress")
        #expect(right.ending == .exited(0), "\(right.errors)")
        let wrong = try ToolRun("crash-verifier", path, "--seed", "2", of: "firn-stress")
        #expect(wrong.ending == .exited(1))
        #expect(wrong.errors.hasPrefix("firn-stress: FAULT: "))
    }

    @Test func `a file that exists is left alone`() throws {
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
        for command in ["crash", "run"] {
            let run = try ToolRun(command, path, of: "firn-stress")
            #expect(run.ending == .exited(2))
            #expect(run.errors.hasPrefix("firn-stress: \(path) exists; "))
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    }
}
