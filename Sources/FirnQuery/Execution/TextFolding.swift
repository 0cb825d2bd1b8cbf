import Foundation

/// Takes from text what a comparison overlooks, so that comparing bytes is enough.
///
/// `[c]` is Unicode's full case folding, scalar by scalar, whatever the language: ß is ss, the two small sigmas are one, the
/// Turkish dotless i is no i. `[d]` is Foundation's: marks go from Latin, Greek and Cyrillic letters.
struct TextFolding: Sendable {
    let options: ComparisonOptions

    /// Nil where nothing is overlooked.
    init?(_ options: ComparisonOptions) {
        guard !options.isEmpty else { return nil }
        self.options = options
    }

    /// The UTF-8 of a text, folded. ASCII bytes give ASCII bytes.
    func fold(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        var string = String(decoding: text, as: UTF8.self)
        if options.contains(.diacriticInsensitive), !text.isASCII {
            string = string.withoutDiacritics
        }
        guard options.contains(.caseInsensitive) else { return Array(string.utf8) }
        var folded: [UInt8] = []
        folded.reserveCapacity(string.utf8.count)
        for scalar in string.unicodeScalars { appendCase(of: scalar, to: &folded) }
        return folded
    }

    /// The UTF-8 of a text, folded, and where in it the folding of each scalar ends; that of a mark may be empty.
    func foldScalars(_ text: UnsafeRawBufferPointer) -> (bytes: [UInt8], ends: [Int]) {
        let string = String(decoding: text, as: UTF8.self)
        var bytes: [UInt8] = []
        var ends: [Int] = []
        bytes.reserveCapacity(text.count)
        ends.reserveCapacity(text.count)
        func append(_ scalars: some Sequence<Unicode.Scalar>) {
            for scalar in scalars { appendCase(of: scalar, to: &bytes) }
            ends.append(bytes.count)
        }
        guard options.contains(.diacriticInsensitive) else {
            for scalar in string.unicodeScalars { append(CollectionOfOne(scalar)) }
            return (bytes, ends)
        }
        // Whether a mark goes depends on the letter that it stands on.
        for character in string {
            var rest = Substring(String(character).withoutDiacritics).unicodeScalars
            let scalars = character.unicodeScalars
            for scalar in scalars.dropLast() {
                let own = String(scalar).withoutDiacritics.unicodeScalars
                let isThere = rest.starts(with: own)
                append(isThere ? rest.prefix(own.count) : rest.prefix(0))
                if isThere { rest.removeFirst(own.count) }
            }
            append(rest)
        }
        return (bytes, ends)
    }

    private func appendCase(of scalar: Unicode.Scalar, to folded: inout [UInt8]) {
        guard options.contains(.caseInsensitive) else {
            return folded.append(contentsOf: UTF8.encode(scalar) ?? .init())
        }
        if scalar.isASCII {
            folded.append(UInt8(truncatingIfNeeded: scalar.value).lowercasedASCII)
        } else {
            folded.append(contentsOf: CaseFolding.fold(scalar).utf8)
        }
    }
}

extension String {
    fileprivate var withoutDiacritics: String {
        utf8.count == 1 ? self : folding(options: .diacriticInsensitive, locale: nil)
    }
}

/// Unicode's full case folding of one scalar, as strings that are equal exactly where the standard's foldings are.
enum CaseFolding {
    /// Lower, then upper, then lower case again: what differs only by case meets there, also where one of the three has no
    /// counterpart of its own (ẞ, ς, ſ). The dotless i, which would meet the i, is its own folding.
    static func fold(_ scalar: Unicode.Scalar) -> String {
        let value = Int(scalar.value)
        return value < table.count ? table[value] : computeFold(scalar)
    }

    private static func computeFold(_ scalar: Unicode.Scalar) -> String {
        let dotlessI: Unicode.Scalar = "\u{131}"
        guard scalar != dotlessI else { return String(scalar) }
        let lower = scalar.properties.lowercaseMapping
        let upper = map(lower) { $0.uppercaseMapping }
        return map(upper) { $0.lowercaseMapping }
    }

    private static func map(_ text: String, _ mapping: (Unicode.Scalar.Properties) -> String) -> String {
        var mapped = ""
        for scalar in text.unicodeScalars { mapped += mapping(scalar.properties) }
        return mapped
    }

    /// The foldings of the scripts that know case and are written most: Latin, Greek, Cyrillic, Armenian.
    private static let table: [String] = (0..<0x590).map { value in
        Unicode.Scalar(UInt32(value)).map(computeFold) ?? ""
    }
}

// MARK: ASCII

extension UInt8 {
    /// The small letter of a capital one, anything else as it is.
    @inline(__always)
    var lowercasedASCII: UInt8 {
        self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self
    }
}

extension UnsafeRawBufferPointer {
    /// Whether all bytes are below 128.
    var isASCII: Bool {
        var union: UInt64 = 0
        var offset = 0
        while offset &+ 8 <= count {
            // SAFETY: eight bytes are left.
            union |= loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            offset &+= 8
        }
        while offset < count {
            union |= UInt64(self[offset])
            offset &+= 1
        }
        return union & 0x8080_8080_8080_8080 == 0
    }

    /// Whether the small letters of a pattern stand at an offset, in either case; with `isWhole` nothing else may.
    func hasFoldedASCII(_ pattern: UnsafeRawBufferPointer, at start: Int, isWhole: Bool = false) -> Bool {
        guard start >= 0, isWhole ? count == pattern.count : start + pattern.count <= count else { return false }
        for offset in 0..<pattern.count where self[start + offset].lowercasedASCII != pattern[offset] { return false }
        return true
    }

    /// Whether the small letters of a pattern stand anywhere, in either case.
    func containsFoldedASCII(_ pattern: UnsafeRawBufferPointer) -> Bool {
        guard pattern.count <= count else { return false }
        for start in 0...(count - pattern.count) where hasFoldedASCII(pattern, at: start) { return true }
        return false
    }
}
