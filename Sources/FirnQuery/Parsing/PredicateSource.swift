/// Predicate text, and errors that point into it.
struct PredicateSource {
    let text: String
    let bytes: [UInt8]

    init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    /// The number of characters in front of a byte.
    func position(_ offset: Int) -> Int {
        String(decoding: bytes[..<min(offset, bytes.count)], as: UTF8.self).count
    }

    /// An error at a byte of the text, with that text.
    @inline(never)
    func error(_ code: QueryError.Code, _ message: String, at offset: Int, cause: (any Error)? = nil) -> QueryError {
        QueryError(code, "\(message), in \(Self.quoted(text))", position: position(offset), cause: cause)
    }

    /// The error of an integer that no Int64 holds.
    func tooLarge(at offset: Int) -> QueryError {
        error(
            .malformed, "The integer does not fit 64 bits; write it with a point or an exponent, or pass it as %@",
            at: offset)
    }

    /// Text quoted for a message, shortened where it is long.
    static func quoted(_ text: String) -> String {
        let limit = 300
        return text.utf8.count > limit ? "“\(text.prefix(limit))…”" : "“\(text)”"
    }
}
