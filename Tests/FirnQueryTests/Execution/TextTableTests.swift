import FirnQuery
import FirnStore
import Foundation
import TestSupport
import Testing

/// What comparisons of texts say in many scripts, in one table, held against ICU as Foundation has it.
@Suite struct TextTableTests {
    /// Why an answer is not Foundation's.
    enum Difference: String {
        /// `[c]` compares code points, as comparing without options does; Foundation compares canonical forms.
        case codePoints
        /// A part may begin and end within what Foundation takes for one character.
        case partOfCharacter
        /// Marks are diacritics on Latin, Greek and Cyrillic letters; with others they spell the word.
        case marksOfScript
        /// Unicode's full case folding, which Foundation has for some characters only.
        case fullFolding
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let text: String
        let operation: String
        let pattern: String
        /// The options with which the comparison holds; `-` is none.
        let options: Set<Substring>
        /// The options with which Foundation says otherwise, and why.
        let differences: [String: Difference]

        init(
            _ text: String, _ operation: String, _ pattern: String, _ options: String,
            differs differences: [String: Difference] = [:]
        ) {
            self.text = text
            self.operation = operation
            self.pattern = pattern
            self.options = Set(options.split(separator: " "))
            self.differences = differences
        }

        var testDescription: String { "\(text.debugDescription) \(operation) \(pattern.debugDescription)" }

        /// What Foundation says. Without options texts are their bytes here, so that Foundation is asked for literal equality.
        func foundationHolds(_ option: String) -> Bool {
            var options: String.CompareOptions = option == "-" ? .literal : []
            if option.contains("c") { options.insert(.caseInsensitive) }
            if option.contains("d") { options.insert(.diacriticInsensitive) }
            switch operation {
            case "==": return text.compare(pattern, options: options) == .orderedSame
            case "BEGINSWITH": options.insert(.anchored)
            case "ENDSWITH": options.formUnion([.anchored, .backwards])
            case "LIKE": return foundationIsLike(isCaseIgnored: option.contains("c"))
            default: break
            }
            return text.range(of: pattern, options: options) != nil
        }

        /// What a regular expression of ICU says, in which `.` is a code point.
        private func foundationIsLike(isCaseIgnored: Bool) -> Bool {
            let expression = pattern.map { character in
                switch character {
                case "*": ".*"
                case "?": "."
                default: NSRegularExpression.escapedPattern(for: String(character))
                }
            }.joined()
            let whole = NSRange(location: 0, length: text.utf16.count)
            let match = try? NSRegularExpression(
                pattern: "\\A\(expression)\\z",
                options: isCaseIgnored ? [.dotMatchesLineSeparators, .caseInsensitive] : .dotMatchesLineSeparators
            ).firstMatch(in: text, range: whole)
            return match != nil
        }
    }

    private static let latin = [
        Row("a", "==", "a", "- c d cd"), Row("a", "==", "A", "c cd"), Row("a", "==", "b", ""),
        Row("", "==", "", "- c d cd"), Row("", "==", "a", ""), Row("", "CONTAINS", "", ""),
        Row("a", "BEGINSWITH", "", ""), Row("a", "ENDSWITH", "", ""),
        Row("á", "==", "a", "d cd"), Row("Á", "==", "a", "cd"), Row("à", "==", "a", "d cd"),
        Row("A", "==", "a", "c cd"),
        Row("Ähre", "BEGINSWITH", "ah", "cd"), Row("naïve café", "CONTAINS", "CAFE", "cd"),
        Row("Việt Nam", "CONTAINS", "viet", "cd"), Row("Ångström", "==", "ANGSTROM", "cd"),
        Row("ç", "==", "c", "d cd"), Row("ñ", "==", "n", "d cd"),
        // Letters with strokes and ligatures that are letters of their own.
        Row("Łódź", "==", "lodz", ""), Row("ø", "==", "o", ""), Row("Ø", "==", "ø", "c cd"), Row("đ", "==", "d", ""),
        Row("ħ", "==", "h", ""), Row("Æ", "==", "ae", ""), Row("Æ", "==", "æ", "c cd"), Row("œ", "==", "oe", ""),
        Row("þ", "==", "Þ", "c cd"), Row("Ǆ", "==", "ǆ", "c cd"), Row("ǅ", "==", "Ǆ", "c cd"),
        Row("\u{1d400}", "==", "A", ""), Row("x²", "==", "x2", ""), Row("①", "==", "1", ""),
        Row("Ⅷ", "==", "ⅷ", "c cd"), Row("Ⓐ", "==", "ⓐ", "c cd"), Row("\u{212a}", "==", "k", "c cd"),
        // Ligatures of print.
        Row("ﬁn", "==", "fin", "c cd"), Row("ﬁn", "==", "FIN", "c cd"),
        Row("ﬁn", "BEGINSWITH", "f", "c cd", differs: ["c": .partOfCharacter, "cd": .partOfCharacter]),
        // German.
        Row("Straße", "==", "STRASSE", "c cd"), Row("straße", "==", "strasse", "c cd"), Row("ẞ", "==", "ß", "c cd"),
        Row("ß", "==", "s", ""), Row("Straße", "CONTAINS", "S", "- c d cd"), Row("ſ", "==", "s", "c cd"),
        Row("Straße", "ENDSWITH", "SE", "c cd", differs: ["c": .partOfCharacter, "cd": .partOfCharacter]),
        // Turkish: the dot of the İ is a mark, the ı is no i.
        Row("i", "==", "I", "c cd"), Row("İ", "==", "i", "cd"), Row("İ", "==", "I", "d cd"),
        Row("İ", "==", "i\u{307}", "c cd"), Row("I", "==", "ı", ""), Row("ı", "==", "i", ""),
        Row("İstanbul", "BEGINSWITH", "is", "cd"),
    ]

    private static let combining = [
        Row("é", "==", "e\u{301}", "d cd", differs: ["c": .codePoints]),
        Row("É", "==", "e\u{301}", "cd", differs: ["c": .codePoints]),
        Row("e\u{301}", "==", "e", "d cd"), Row("\u{1f0}", "==", "j\u{30c}", "c d cd"), Row("ŉ", "==", "ʼN", "c cd"),
        Row("e\u{301}", "BEGINSWITH", "e", "- c d cd", differs: ["c": .partOfCharacter]),
        Row("e\u{301}x", "CONTAINS", "e", "- c d cd", differs: ["c": .partOfCharacter]),
        Row("\u{1e69}", "==", "s\u{307}\u{323}", "d cd", differs: ["c": .codePoints]),
        Row("s\u{323}\u{307}", "==", "s\u{307}\u{323}", "d cd", differs: ["c": .codePoints]),
        Row("\u{e5}", "==", "a\u{30a}", "d cd", differs: ["c": .codePoints]), Row("Å", "==", "\u{212b}", "c d cd"),
        Row("\u{f6}", "CONTAINS", "\u{308}", ""), Row("\u{301}", "==", "a", ""), Row("\u{301}a", "BEGINSWITH", "a", ""),
        Row("a\u{200d}b", "==", "ab", ""), Row("a\u{ad}b", "==", "ab", ""), Row("a\0b", "CONTAINS", "b", "- c d cd"),
    ]

    private static let greekAndCyrillic = [
        Row("Москва", "BEGINSWITH", "мос", "c cd"), Row("ПРИВЕТ", "==", "привет", "c cd"), Row("ё", "==", "е", "d cd"),
        Row("Ё", "==", "е", "cd"), Row("й", "==", "и", "d cd"), Row("ї", "==", "і", "d cd"), Row("Ѐ", "==", "е", "cd"),
        Row("ґ", "==", "г", ""), Row("ΣΊΣΥΦΟΣ", "==", "σίσυφος", "c cd"), Row("ς", "==", "σ", "c cd"),
        Row("ό", "==", "ο", "d cd"), Row("Ό", "==", "ο", "cd"), Row("ΰ", "==", "υ", "d cd"),
        Row("ᾳ", "==", "α", "d cd"),
        Row("ᾳ", "==", "ΑΙ", "c", differs: ["c": .fullFolding]),
        Row("\u{3ac}", "==", "\u{1f71}", "d cd", differs: ["c": .codePoints]), Row("µ", "==", "μ", "c cd"),
        Row("Ω", "==", "\u{2126}", "c d cd"),
    ]

    private static let farther = [
        // Japanese: widths and voicing are no case and no diacritics.
        Row("ア", "==", "ｱ", ""), Row("ａ", "==", "a", ""), Row("Ａ", "==", "ａ", "c cd"), Row("あ", "==", "ア", ""),
        Row("が", "==", "か", ""), Row("ガ", "==", "ｶﾞ", ""), Row("ぱ", "==", "は", ""), Row("っ", "==", "つ", ""),
        Row("が", "BEGINSWITH", "か", ""), Row("日本", "BEGINSWITH", "日", "- c d cd"),
        Row("が", "==", "か\u{3099}", "", differs: ["c": .codePoints, "d": .codePoints, "cd": .codePoints]),
        // Hangul: syllables and the letters that they are made of.
        Row(
            "\u{d55c}", "==", "\u{1112}\u{1161}\u{11ab}", "",
            differs: ["c": .codePoints, "d": .codePoints, "cd": .codePoints]),
        Row("한국", "BEGINSWITH", "하", ""),
        Row(
            "\u{1112}\u{1161}\u{11ab}", "BEGINSWITH", "\u{1112}\u{1161}", "- c d cd",
            differs: ["c": .partOfCharacter]),
        // Arabic, Hebrew, Devanagari, Thai.
        Row("مُحَمَّد", "==", "محمد", "", differs: ["d": .marksOfScript, "cd": .marksOfScript]),
        Row("أحمد", "==", "احمد", ""), Row("آ", "==", "ا", ""), Row("ى", "==", "ي", ""),
        Row("שָׁלוֹם", "==", "שלום", "", differs: ["d": .marksOfScript, "cd": .marksOfScript]),
        Row("क\u{93c}", "==", "क", "", differs: ["d": .marksOfScript, "cd": .marksOfScript]),
        Row("कि", "BEGINSWITH", "क", "- c d cd"), Row("กำ", "BEGINSWITH", "ก", "- c d cd"),
        // Cherokee, Armenian, Georgian, Deseret.
        Row("Ꭰ", "==", "ꭰ", "c cd"), Row("ԱԲ", "==", "աբ", "c cd"), Row("և", "==", "ԵՒ", "c cd"),
        Row("ა", "==", "Ა", "c cd"),
        Row("𐐀", "==", "𐐨", "c cd", differs: ["c": .fullFolding, "cd": .fullFolding]),
    ]

    private static let emoji = [
        Row("😀", "==", "😁", ""), Row("👨‍👩‍👧", "==", "👨", ""), Row("👨‍👩‍👧", "BEGINSWITH", "👨", "- c d cd"),
        Row("👍🏽", "==", "👍", "", differs: ["d": .marksOfScript, "cd": .marksOfScript]),
        Row("👍🏽", "BEGINSWITH", "👍", "- c d cd", differs: ["c": .partOfCharacter]),
        Row("🇩🇪", "BEGINSWITH", "🇩", "- c d cd"), Row("🇩🇪🇫🇷", "CONTAINS", "🇪🇫", "- c d cd"),
        Row("❤\u{fe0f}", "==", "❤", "", differs: ["d": .marksOfScript, "cd": .marksOfScript]),
    ]

    @Test(arguments: latin + combining + greekAndCyrillic + farther + emoji)
    func `texts of every script are compared as ICU compares them, but for the differences named`(row: Row) throws {
        for option in ["-", "c", "d", "cd"] {
            let operation = row.operation + (option == "-" ? "" : "[\(option)]")
            let holds = try matches(row.text, operation, row.pattern)
            #expect(holds == row.options.contains(Substring(option)), "\(operation)")
            #expect(
                (holds == row.foundationHolds(option)) == (row.differences[option] == nil),
                "\(operation): Foundation says \(row.foundationHolds(option))")
        }
    }

    @Test(arguments: (latin + combining + greekAndCyrillic + farther + emoji).filter { $0.operation == "==" })
    func `equality goes both ways, != denies it, and what is equal contains, begins and ends the same`(
        row: Row
    ) throws {
        for option in ["-", "c", "d", "cd"] {
            let letters = option == "-" ? "" : "[\(option)]"
            let isEqual = row.options.contains(Substring(option))
            #expect(try matches(row.pattern, "==\(letters)", row.text) == isEqual, "==\(letters)")
            #expect(try matches(row.text, "!=\(letters)", row.pattern) != isEqual, "!=\(letters)")
            guard isEqual, !row.pattern.isEmpty else { continue }
            #expect(try matches("<\(row.text)>", "CONTAINS\(letters)", row.pattern), "CONTAINS\(letters)")
            #expect(try matches("\(row.text)>", "BEGINSWITH\(letters)", row.pattern), "BEGINSWITH\(letters)")
            #expect(try matches("<\(row.text)", "ENDSWITH\(letters)", row.pattern), "ENDSWITH\(letters)")
        }
    }

    // MARK: LIKE

    /// `?` is one code point, whatever options say, and however many its folding has; a mark that `[d]` overlooks may be one.
    private static let likes = [
        Row("a", "LIKE", "?", "- c d cd"), Row("", "LIKE", "?", ""), Row("", "LIKE", "*", "- c d cd"),
        Row("ab", "LIKE", "?", ""), Row("AB", "LIKE", "?b", "c cd"), Row("ä", "LIKE", "?", "- c d cd"),
        // Characters whose folding is several.
        Row("ß", "LIKE", "?", "- c d cd"), Row("ß", "LIKE", "??", ""), Row("ß", "LIKE", "ß", "- c d cd"),
        Row("ß", "LIKE", "ss", "c cd"), Row("ss", "LIKE", "ß", "c cd"), Row("ss", "LIKE", "??", "- c d cd"),
        Row("ss", "LIKE", "?", ""), Row("ß", "LIKE", "s?", ""), Row("ß", "LIKE", "?s", ""),
        Row("ß", "LIKE", "*?", "- c d cd"),
        Row("ß", "LIKE", "?*", "- c d cd"), Row("ß", "LIKE", "*?*", "- c d cd"), Row("ß", "LIKE", "*??", ""),
        Row("Straße", "LIKE", "Stra?e", "- c d cd"), Row("Straße", "LIKE", "STRA?E", "c cd"),
        Row("Straße", "LIKE", "stra??e", ""), Row("Straße", "LIKE", "??????", "- c d cd"),
        Row("Straße", "LIKE", "*?e", "- c d cd"), Row("Straße", "LIKE", "*SSE", "c cd"),
        Row("Straße", "LIKE", "*S?E", ""),
        Row("Straße", "LIKE", "STRASSE", "c cd"), Row("STRASSE", "LIKE", "stra?se", "c cd"),
        Row("Straße", "LIKE", "*SE", "c cd", differs: ["c": .partOfCharacter]),
        Row("Straße", "LIKE", "STRAS*", "c cd", differs: ["c": .partOfCharacter]),
        Row("İ", "LIKE", "?", "- c d cd"), Row("İ", "LIKE", "??", ""), Row("İx", "LIKE", "i\u{307}?", "c cd"),
        Row("İstanbul", "LIKE", "?stanbul", "- c d cd"), Row("İSTANBUL", "LIKE", "?stanbul", "c cd"),
        Row("ﬁ", "LIKE", "?", "- c d cd"), Row("ﬁn", "LIKE", "?n", "- c d cd"), Row("ﬁn", "LIKE", "FIN", "c cd"),
        Row("ﬁn", "LIKE", "??n", ""), Row("ŉ", "LIKE", "?", "- c d cd"), Row("ŉ", "LIKE", "??", ""),
        Row("ǰ", "LIKE", "?", "- c d cd"), Row("ǰ", "LIKE", "??", ""), Row("ﬃ", "LIKE", "?", "- c d cd"),
        Row("ﬃ", "LIKE", "???", ""), Row("\u{390}", "LIKE", "?", "- c d cd"), Row("ᾳ", "LIKE", "?", "- c d cd"),
        Row("և", "LIKE", "?", "- c d cd"), Row("ßßß", "LIKE", "???", "- c d cd"), Row("ßßß", "LIKE", "?SS?", "c cd"),
        Row("aßbßc", "LIKE", "*?B?C", "c cd"), Row("aßbßc", "LIKE", "*?C*", "c cd"),
        // Marks: two code points are two, and one where the mark is overlooked.
        Row("e\u{301}", "LIKE", "??", "- c d cd"), Row("e\u{301}", "LIKE", "?", "d cd"),
        Row("e\u{301}", "LIKE", "e?", "- c d cd"), Row("é", "LIKE", "?", "- c d cd"), Row("é", "LIKE", "??", ""),
        Row("cafe\u{301}s", "LIKE", "CAF?S", "cd"), Row("cafe\u{301}s", "LIKE", "CAF??S", "c cd"),
        Row("cafe\u{301}s", "LIKE", "café*", "d cd"), Row("cafés", "LIKE", "CAFE?", "cd"),
        Row("s\u{323}\u{307}x", "LIKE", "?x", "d cd"), Row("s\u{323}\u{307}x", "LIKE", "???X", "c cd"),
        Row("שָׁלוֹם", "LIKE", "???????", "- c d cd"), Row("שָׁלוֹם", "LIKE", "????", ""),
        Row("\u{301}a", "LIKE", "?a", "- c d cd"), Row("\u{1112}\u{1161}\u{11ab}", "LIKE", "???", "- c d cd"),
        Row("👍🏽", "LIKE", "??", "- c d cd"), Row("👍🏽", "LIKE", "?", ""), Row("日本", "LIKE", "??", "- c d cd"),
    ]

    @Test(arguments: likes)
    func `LIKE says what ICU's regular expressions say, but for the differences named`(row: Row) throws {
        for option in ["-", "c", "d", "cd"] {
            let operation = "LIKE" + (option == "-" ? "" : "[\(option)]")
            let holds = try matches(row.text, operation, row.pattern)
            #expect(holds == row.options.contains(Substring(option)), "\(operation)")
            // These expressions know no diacritics.
            guard !option.contains("d") else { continue }
            #expect(
                (holds == row.foundationHolds(option)) == (row.differences[option] == nil),
                "\(operation): ICU says \(row.foundationHolds(option))")
        }
    }

    /// Options overlook more, and never less.
    @Test func `what is like a pattern is like it with every option`() throws {
        try RandomRuns(1...3).run { seed in
            var random = SeededGenerator(seed: seed)
            let parts = [
                "a", "A", "s", "S", "ß", "ẞ", "İ", "i", "é", "e", "\u{301}", "\u{307}", "ﬁ", "f", "ָ", "ש", "か",
                "\u{3099}",
            ]
            func text(_ parts: [String]) -> String {
                while true {
                    let text = (0..<Int.random(in: 1...6, using: &random))
                        .map { _ in parts.randomElement(using: &random) ?? "" }.joined()
                    // Other orders of marks are put in this one before they are overlooked; a wildcard that stands for one of
                    // them would be left behind.
                    if isInCanonicalOrder(text) { return text }
                }
            }
            var matchCount = 0
            for _ in 0..<300 {
                let text = text(parts)
                var pattern = ""
                for scalar in text.unicodeScalars {
                    // A mark behind a wildcard would stand on it.
                    let isMark = scalar.properties.canonicalCombiningClass != .notReordered
                    let isWildcardLast = pattern.last.map { "?*".contains($0) } ?? true
                    let piece = isMark && isWildcardLast ? "?" : String(scalar)
                    pattern += ["?", "*", piece, piece].randomElement(using: &random) ?? ""
                }
                if Bool.random(using: &random) { pattern.append("*") }
                for option in ["c", "d", "cd"] {
                    let found = try matches(text, "LIKE[\(option)]", pattern)
                    #expect(found, "\(text.debugDescription) LIKE[\(option)] \(pattern.debugDescription)")
                    if found { matchCount += 1 }
                    // Without places that stand for anything it is equality.
                    let other = text.uppercased()
                    #expect(
                        try matches(text, "LIKE[\(option)]", other) == matches(text, "==[\(option)]", other),
                        "\(text.debugDescription) [\(option)] \(other.debugDescription)")
                    #expect(
                        try matches(text, "LIKE[\(option)]", "*s*") == matches(text, "CONTAINS[\(option)]", "s"),
                        "\(text.debugDescription) [\(option)]")
                }
            }
            #expect(matchCount == 900)
        }
    }

    private func isInCanonicalOrder(_ text: String) -> Bool {
        let scalars = text.unicodeScalars.flatMap { String($0).decomposedStringWithCanonicalMapping.unicodeScalars }
        return scalars.elementsEqual(text.decomposedStringWithCanonicalMapping.unicodeScalars)
    }

    // MARK: Asking

    private let fixture: QueryFixture

    init() throws {
        fixture = try QueryFixture(
            TableDefinition(name: "Text", columns: [ColumnDefinition(name: "text", type: .string)]))
        try fixture.begin()
    }

    private func matches(_ text: String, _ operation: String, _ pattern: String) throws -> Bool {
        let key = try fixture.insert([.string(text)])
        let found = try fixture.keys("text \(operation) %@", .string(pattern)) == [key]
        try fixture.connection.delete(fixture.table.id, key)
        return found
    }
}
