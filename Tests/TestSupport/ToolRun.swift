import FirnTool

/// What an executable of this package printed, and how it ended.
package struct ToolRun {
    /// How it ended.
    package let ending: ChildProcess.Ending
    /// What it printed on standard output.
    package let output: String
    /// What it printed on standard error.
    package let errors: String

    /// Runs `firn`, or another of the package's executables.
    package init(_ arguments: String..., of name: String = "firn") throws {
        try self.init(arguments: arguments, of: name)
    }

    /// Runs an executable with arguments that are counted only now.
    package init(arguments: [String], of name: String = "firn") throws {
        (ending, output, errors) = try ChildProcess(arguments, of: BuiltExecutable.path(name)).finish()
    }

    /// What it printed on standard output, line by line.
    package var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
}
