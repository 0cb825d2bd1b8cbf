import Foundation

extension Process {
    /// A process of this program, to be given arguments and started.
    static var ofThisProgram: Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return process
    }
}
