/// What is wrong with a predicate: its text, its arguments, or what it asks of a class.
package struct QueryError: Error, Sendable, CustomStringConvertible {
    /// The kinds of faults; an open set.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// The name of the fault.
        package let rawValue: String

        /// A fault of the given name.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The text is no predicate.
        package static let malformed = Code(rawValue: "malformed")
        /// The text is a predicate, of a kind that is not supported.
        package static let notSupported = Code(rawValue: "notSupported")
        /// An argument is missing, left over, or of a kind that its place does not take.
        package static let invalidArgument = Code(rawValue: "invalidArgument")
        /// The class has no such property.
        package static let unknownProperty = Code(rawValue: "unknownProperty")
        /// The property cannot be compared like this, or not with this constant.
        package static let invalidComparison = Code(rawValue: "invalidComparison")
    }

    /// The kind of fault.
    package let code: Code

    /// What is wrong and what would be right, with the position where there is one.
    package let message: String

    /// Where in the text: the number of characters in front of it. Nil where a predicate was not made from text.
    package let position: Int?

    /// What an argument's conversion threw.
    package let cause: (any Error)?

    /// A fault; `position` becomes part of the message.
    package init(_ code: Code, _ message: String, position: Int? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.message = position.map { "\(message) (at character \($0 + 1))" } ?? message
        self.position = position
        self.cause = cause
    }

    /// ``message``.
    package var description: String { message }
}
