/// Why a tool cannot do what it was asked.
package struct ToolFailure: Error, Equatable, CustomStringConvertible {
    /// What happened and what to do, for the user.
    package let message: String
    /// Whether the command line was wrong, so that a look at its form helps.
    package let isUsage: Bool

    package init(_ message: String, isUsage: Bool = false) {
        self.message = message
        self.isUsage = isUsage
    }

    package var description: String { message }
}
