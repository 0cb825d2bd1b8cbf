import Firn
import FirnTool
import Foundation
import TestSupport
import Testing

/// What the system can refuse: each case in a process that first gives up what it must not have.
@Suite struct WorldTests {
    private static let isRoot = geteuid() == 0
    /// Whether this machine lets tests mount something in a namespace of their own.
    private static let canMount: Bool = {
        let script = "mount -t tmpfs -o size=1m tmpfs /tmp"
        return (try? ChildProcess(unshare + ["sh", "-c", script], of: "/usr/bin/env").finish().ending) == .exited(0)
    }()
    private static let unshare = isRoot ? ["unshare", "-m"] : ["unshare", "-rm"]

    private let file = RecoveryFile()

    init() throws {
        // Another user must be able to enter it.
        chmod(file.directory.path, 0o755)
    }

    /// Opens the file in a process of its own and gives what it printed, a line each.
    private func open(asOther: Bool = true, _ options: [String] = []) throws -> [String] {
        // Permissions mean nothing to root. Another user is already bound by them.
        let user = asOther && WorldTests.isRoot ? ["--user", "65534"] : []
        let (ending, output, errors) = try ChildProcess(
            ["open", file.path] + user + options, of: BuiltExecutable.path("recovery-probe")
        ).finish()
        #expect(ending == .exited(0), "\(errors)")
        return output.split(separator: "\n").map(String.init)
    }

    private func expectSound(count: Int) throws {
        let run = try ToolRun("check", file.path)
        #expect(run.output == "no problems found in \(count) objects\n", "\(run.output)\(run.errors)")
    }

    // MARK: Permissions

    @Test func `a place where nothing may be written is refused, and nothing is left there`() throws {
        chmod(file.directory.path, 0o555)
        let lines = try open()
        #expect(
            lines == [
                "open: filePermissionDenied: no file can be created here by this user; choose another directory "
                    + "(\(file.path))"
            ])
        #expect(try FileManager.default.contentsOfDirectory(atPath: file.directory.path).isEmpty)
        chmod(file.directory.path, 0o755)
    }

    @Test func `a file that may not be read is refused`() throws {
        try file.make(count: 50)
        chmod(file.path, 0)
        for options in [[], ["--read-only"]] {
            let lines = try open(options)
            #expect(lines.first?.hasPrefix("open: filePermissionDenied: the file may not be read by this user") == true)
        }
        chmod(file.path, 0o644)
        try expectSound(count: 50)
    }

    @Test func `a file that may only be read is opened for reading only`() throws {
        try file.make(count: 50)
        chmod(file.path, 0o444)
        chmod(file.path + "-lock", 0o666)
        let writing = try open()
        try #require(writing.count == 1)
        #expect(writing[0].hasPrefix("open: filePermissionDenied: the file may not be written by this user"))
        #expect(writing[0].hasSuffix("or open it for reading only (\(file.path))"))
        #expect(try open(["--read-only"]) == ["objects: 50", "open: ok"])
        try expectSound(count: 50)
    }

    @Test func `a lock file that may not be written is named, and what to do`() throws {
        try file.make(count: 50)
        chmod(file.path + "-lock", 0o444)
        let lines = try open(["--read-only"])
        try #require(lines.count == 1)
        #expect(lines[0].hasPrefix("open: filePermissionDenied: the lock file may not be written by this user"))
        #expect(lines[0].contains("give write permission on it"))
        try expectSound(count: 50)
    }

    @Test func `a directory where no lock file can be made is named, and what to do`() throws {
        try file.make(count: 50)
        chmod(file.path, 0o666)
        unlink(file.path + "-lock")
        chmod(file.directory.path, 0o555)
        for options in [[], ["--read-only"]] {
            let lines = try open(options)
            try #require(lines.count == 1)
            #expect(lines[0].hasPrefix("open: filePermissionDenied: the lock file may not be written by this user"))
        }
        chmod(file.directory.path, 0o755)
        try expectSound(count: 50)
    }

    @Test func `a gate file that may not be written is named, and what to do`() throws {
        try file.make(count: 50)
        chmod(file.path, 0o666)
        chmod(file.path + "-lock", 0o666)
        chmod(file.path + "-gate", 0o444)
        let lines = try open()
        try #require(lines.count == 1)
        #expect(lines[0].hasPrefix("open: filePermissionDenied: "))
        #expect(lines[0].contains("give write permission"), "\(lines[0])")
        #expect(try open(["--read-only"]) == ["objects: 50", "open: ok"])
        try expectSound(count: 50)
    }

    // MARK: Limits of the process

    @Test func `with little address space a file is opened with less, and with too little refused`() throws {
        try file.make(count: 50)
        let enough = try open(asOther: false, ["--address-space", "2147483648"])
        #expect(enough == ["objects: 50", "wrote: 51", "open: ok"])
        let lines = try open(asOther: false, ["--address-space", "536870912"])
        try #require(lines.count == 1)
        #expect(lines[0].hasPrefix("open: addressSpaceExhausted: "))
        #expect(lines[0].contains("ulimit -v"))
        #expect(try open(asOther: false) == ["objects: 51", "wrote: 52", "open: ok"])
        try expectSound(count: 52)
    }

    // MARK: The disk

    @Test(.enabled(if: canMount, "this machine mounts nothing for tests"))
    func `a full disk loses nothing, and takes more once there is room`() throws {
        let script = "mount -t tmpfs -o size=8m tmpfs \"$1\" && exec \"$0\" fill-disk \"$1\""
        let (ending, output, errors) = try ChildProcess(
            WorldTests.unshare + [
                "sh", "-c", script, BuiltExecutable.path("recovery-probe"), file.directory.path,
            ], of: "/usr/bin/env"
        ).finish()
        #expect(ending == .exited(0), "\(errors)")
        let full =
            "outOfDiskSpace: committing failed: the file system has 0 bytes free; make room and try again "
            + "(\(file.path))"
        let sound = "0 too many, whole: true, problems: []"
        #expect(
            output.split(separator: "\n").map(String.init) == [
                "fill: \(full)",
                "after: \(sound)",
                "write on a full disk: \(full)",
                "after that: \(sound)",
                "make another: outOfDiskSpace: creating the lock file failed: no room is left on the file system; free "
                    + "some and try again (\(file.directory.path)/other.firn)",
                "delete half: ok",
                "half: \(sound)",
                "delete one more: ok",
                "write into what became free: ok",
                "write when there is room again: ok",
                "end: \(sound)",
                "make another: ok",
                "files: last other.firn other.firn-gate other.firn-lock store.firn store.firn-gate store.firn-lock",
            ])
    }
}
