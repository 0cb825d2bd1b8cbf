import FirnTool
import Glibc
import Testing

@Suite struct ChildProcessTests {
    private func run(_ script: String, environment: [String: String] = [:]) throws -> ChildProcess {
        try ChildProcess(["-c", script], of: "/bin/sh", environment: environment)
    }

    @Test func `both outputs and the exit code arrive`() throws {
        let (ending, output, errors) = try run("echo out; echo err >&2; exit 7").finish()
        #expect(ending == .exited(7))
        #expect(output == "out\n")
        #expect(errors == "err\n")
    }

    @Test func `more output than a pipe holds arrives whole`() throws {
        let (ending, output, _) = try run("head -c 300000 /dev/zero; head -c 100000 /dev/zero >&2").finish()
        #expect(ending == .exited(0))
        #expect(output.utf8.count == 300_000)
    }

    @Test func `a killed process tells its signal`() throws {
        let child = try run("echo ready; exec cat /dev/zero > /dev/null")
        #expect(child.read() == .output(Array("ready\n".utf8)))
        #expect(child.read(until: .now) == .nothing)
        child.kill()
        #expect(child.wait() == .signalled(SIGKILL))
        child.kill()
        #expect(child.wait() == .signalled(SIGKILL))
        #expect(child.read() == nil)
    }

    @Test func `variables are added to the environment`() throws {
        let (_, output, _) = try run("echo $FIRN_A; test -n \"$PATH\" && echo path", environment: ["FIRN_A": "b"])
            .finish()
        #expect(output == "b\npath\n")
    }

    @Test func `what is not there cannot be started`() {
        #expect(throws: ToolFailure.self) { try ChildProcess([], of: "/nowhere/at/all") }
    }
}
