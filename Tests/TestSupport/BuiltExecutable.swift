import Foundation

/// The executables of this package, which are built beside the tests.
package enum BuiltExecutable {
    /// The path of an executable, by the name of its target.
    package static func path(_ name: String) -> String {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent(name).path
    }
}
