import Foundation

/// What is wrong with the text or the number that a ``Decimal128`` or an ``ObjectId`` was to be made from.
public struct ValueError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
    /// The kinds of faults; an open set, later versions may add some.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name of the fault.
        public let rawValue: String

        /// A fault of the given name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The text is no decimal number.
        public static let invalidDecimal = Code(rawValue: "invalidDecimal")
        /// The text is not 24 hexadecimal digits.
        public static let invalidObjectId = Code(rawValue: "invalidObjectId")
        /// A value of this type has no counterpart in the wanted one.
        public static let inconvertible = Code(rawValue: "inconvertible")
    }

    /// The kind of fault.
    public let code: Code

    /// What was given and what would have been right.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// ``message``.
    public var description: String { message }

    /// ``message``.
    public var errorDescription: String? { message }

    /// Text quoted for a message, shortened where it is long.
    static func quoted(_ text: String) -> String {
        let limit = 60
        guard text.utf8.count > limit else { return "“\(text)”" }
        return "“\(text.prefix(limit))…” (\(text.utf8.count) bytes)"
    }
}
