/// Predicate text, and errors that point into it.
struct PredicateSource {
    let text: String
    let bytes: [UInt8]
    /// The bytes at which characters begin; nil where each byte is one.
    private let characterStarts: [Int]?

    init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)
        // A carriage return and a line feed are one character.
        guard bytes.contains(where: { $0 >= 0x80 || $0 == 0x0d }) else {
            characterStarts = nil
            return
        }
        var start = 0
        characterStarts = text.map { character in
            defer { start += character.utf8.count }
            return start
        }
    }

    /// The number of characters in front of a byte. O(log text), since each comparison asks.
    func position(_ offset: Int) -> Int {
        guard let characterStarts else { return min(offset, bytes.count) }
        var range = 0..<characterStarts.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = characterStarts[middle] < offset ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
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
