/// Cuts predicate text into tokens.
struct PredicateTokenizer {
    let source: PredicateSource
    private var offset = 0
    private var bytes: [UInt8] { source.bytes }

    init(_ source: PredicateSource) { self.source = source }

    /// The next token; `.end` at the end of the text, however often asked.
    mutating func next() throws(QueryError) -> PredicateToken {
        while offset < bytes.count, Self.isSpace(bytes[offset]) { offset += 1 }
        let start = offset
        let kind = try readKind()
        return PredicateToken(kind: kind, start: start, end: offset)
    }

    private mutating func readKind() throws(QueryError) -> PredicateToken.Kind {
        guard let byte = peek() else { return .end }
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "\""): return .string(try readString(quote: byte))
        case UInt8(ascii: "%"): return .argument(try readArgument())
        case UInt8(ascii: "#"):
            offset += 1
            guard let next = peek(), Self.isWordStart(next) else {
                throw source.error(.malformed, "Expected a property name after #", at: offset - 1)
            }
            return .word(readWord(), isEscaped: true)
        case _ where Self.isWordStart(byte): return .word(readWord(), isEscaped: false)
        case _ where Self.isDigit(byte) || byte == UInt8(ascii: ".") && peek(1).map(Self.isDigit) == true:
            return try readNumber()
        default: return .sign(try readSign())
        }
    }

    private func peek(_ distance: Int = 0) -> UInt8? {
        offset + distance < bytes.count ? bytes[offset + distance] : nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte >= 0x09 && byte <= 0x0d }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    /// Letters, the underscore, and all that is not ASCII: names may be written in any script.
    private static func isWordStart(_ byte: UInt8) -> Bool {
        let lower = byte | 0x20
        return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z") || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    private mutating func readWord() -> String {
        let start = offset
        while let byte = peek(), Self.isWordStart(byte) || Self.isDigit(byte) { offset += 1 }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private mutating func readSign() throws(QueryError) -> PredicateToken.Sign {
        for length in [2, 1] where offset + length <= bytes.count {
            let text = String(decoding: bytes[offset..<offset + length], as: UTF8.self)
            if let sign = PredicateToken.Sign(rawValue: text) {
                offset += length
                return sign
            }
        }
        throw source.error(.malformed, "Unexpected character", at: offset)
    }
}

// MARK: Numbers

extension PredicateTokenizer {
    private mutating func readNumber() throws(QueryError) -> PredicateToken.Kind {
        let start = offset
        if let radix = readRadix() { return .integer(try readInteger(radix: radix, from: start)) }
        var isDouble = false
        skipDigits()
        if peek() == UInt8(ascii: ".") {
            isDouble = true
            offset += 1
            skipDigits()
        }
        if let byte = peek(), byte | 0x20 == UInt8(ascii: "e") {
            isDouble = true
            offset += 1
            if let sign = peek(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { offset += 1 }
            skipDigits()
        }
        if let byte = peek(), Self.isWordStart(byte) || byte == UInt8(ascii: ".") { throw notANumber(from: start) }

        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        if isDouble {
            guard let value = Double(text) else { throw notANumber(from: start) }
            return .double(value)
        }
        return .integer(try integer(text, radix: 10, from: start))
    }

    private mutating func skipDigits() {
        while let byte = peek(), Self.isDigit(byte) { offset += 1 }
    }

    private mutating func readRadix() -> Int? {
        guard peek() == UInt8(ascii: "0"), let mark = peek(1) else { return nil }
        let radix: Int
        switch mark | 0x20 {
        case UInt8(ascii: "x"): radix = 16
        case UInt8(ascii: "o"): radix = 8
        case UInt8(ascii: "b"): radix = 2
        default: return nil
        }
        offset += 2
        return radix
    }

    private mutating func readInteger(radix: Int, from start: Int) throws(QueryError) -> UInt64 {
        let digits = readWord()
        guard !digits.isEmpty else { throw notANumber(from: start) }
        return try integer(digits, radix: radix, from: start)
    }

    private func integer(_ digits: String, radix: Int, from start: Int) throws(QueryError) -> UInt64 {
        if let value = UInt64(digits, radix: radix) { return value }
        guard digits.utf8.allSatisfy(Self.isDigit) else { throw notANumber(from: start) }
        throw source.tooLarge(at: start)
    }

    private func notANumber(from start: Int) -> QueryError {
        source.error(.malformed, "Not a number", at: start)
    }
}

// MARK: Strings

extension PredicateTokenizer {
    private mutating func readString(quote: UInt8) throws(QueryError) -> String {
        let start = offset
        offset += 1
        var content: [UInt8] = []
        while let byte = peek() {
            offset += 1
            if byte == quote { return String(decoding: content, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                content.append(contentsOf: try readEscape())
            } else {
                content.append(byte)
            }
        }
        throw source.error(.malformed, "The string that begins here is not closed", at: start)
    }

    /// What stands for the characters behind a backslash.
    private mutating func readEscape() throws(QueryError) -> [UInt8] {
        let start = offset - 1
        guard let byte = peek() else { throw source.error(.malformed, "Nothing follows the backslash", at: start) }
        offset += 1
        switch byte {
        case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""): return [byte]
        case UInt8(ascii: "n"): return [0x0a]
        case UInt8(ascii: "r"): return [0x0d]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0c]
        case UInt8(ascii: "v"): return [0x0b]
        case UInt8(ascii: "a"): return [0x07]
        case UInt8(ascii: "0"): return [0x00]
        case UInt8(ascii: "x"): return try readScalar(digitCount: 2, from: start)
        case UInt8(ascii: "u"): return try readScalar(digitCount: 4, from: start)
        case UInt8(ascii: "U"): return try readScalar(digitCount: 8, from: start)
        default:
            throw source.error(.malformed, "Unknown escape; a backslash itself is written as two", at: start)
        }
    }

    private mutating func readScalar(digitCount: Int, from start: Int) throws(QueryError) -> [UInt8] {
        guard let value = hexadecimal(digitCount) else {
            throw source.error(.malformed, "Expected \(digitCount) hexadecimal digits", at: start)
        }
        if let scalar = Unicode.Scalar(value) { return Array(String(scalar).utf8) }
        // \uD83D\uDE00: one character written as the two halves of UTF-16.
        if value >> 10 == 0xd800 >> 10, peek() == UInt8(ascii: "\\"), peek(1) == UInt8(ascii: "u") {
            offset += 2
            if let low = hexadecimal(4), low >> 10 == 0xdc00 >> 10,
                let scalar = Unicode.Scalar(0x10000 + (value & 0x3ff) << 10 + low & 0x3ff)
            {
                return Array(String(scalar).utf8)
            }
        }
        throw source.error(.malformed, "No character has this code", at: start)
    }

    private mutating func hexadecimal(_ digitCount: Int) -> UInt32? {
        guard offset + digitCount <= bytes.count else { return nil }
        let digits = bytes[offset..<offset + digitCount]
        guard digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
            let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { return nil }
        offset += digitCount
        return value
    }
}

// MARK: Placeholders

extension PredicateTokenizer {
    private mutating func readArgument() throws(QueryError) -> PredicateToken.ArgumentKind {
        let start = offset
        offset += 1
        if peek() == UInt8(ascii: "@") {
            offset += 1
            return .value
        }
        // Length modifiers mean nothing here: an argument brings its own type along.
        while let byte = peek(), "hlqztjL".utf8.contains(byte) { offset += 1 }
        guard let byte = peek() else {
            throw source.error(.malformed, "Expected @, K, d, f or the like after %", at: start)
        }
        offset += 1
        switch byte {
        case UInt8(ascii: "K") where offset == start + 2: return .property
        case _ where "dDiuUxXoO".utf8.contains(byte): return .integer
        case _ where "fFeEgGaA".utf8.contains(byte): return .double
        case _ where "sScCp".utf8.contains(byte):
            throw source.error(
                .notSupported, "%\(Character(Unicode.Scalar(byte))) is not supported; pass a value as %@", at: start
            )
        case UInt8(ascii: "%"):
            throw source.error(.notSupported, "The remainder is not supported in text", at: start)
        default:
            throw source.error(.malformed, "Expected @, K, d, f or the like after %", at: start)
        }
    }
}
