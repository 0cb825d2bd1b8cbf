import FirnQuery
import FirnStore
import Foundation
import Testing

@Suite struct TextMatchingTests {
    private static let definition = TableDefinition(
        name: "Text", columns: [ColumnDefinition(name: "text", type: .string)])

    private let fixture: QueryFixture

    init() throws {
        fixture = try QueryFixture(Self.definition)
        try fixture.begin()
    }

    private func matches(_ text: String, _ operation: String, _ pattern: String) throws -> Bool {
        let key = try fixture.insert([.string(text)])
        let found = try fixture.keys("text \(operation) %@", .string(pattern)) == [key]
        try fixture.connection.delete(fixture.table.id, key)
        return found
    }

    @Test(arguments: [
        ("Straße", "STRASSE"), ("ΣΊΣΥΦΟΣ", "σίσυφος"), ("ПРИВЕТ", "привет"), ("Ǆ", "ǆ"), ("ﬁn", "FIN"), ("K", "k"),
        ("ẞ", "ß"), ("ſ", "S"), ("Ꭰ", "ꭰ"), ("𐐀", "𐐨"), ("ՀԱՅ", "հայ"), ("abc", "ABC"), ("Æ", "æ"), ("µ", "Μ"),
        ("\u{390}", "\u{399}\u{308}\u{301}"), ("ᾳ", "ΑΙ"), ("Ⅷ", "ⅷ"), ("Ⓐ", "ⓐ"),
    ])
    func `upper and lower case are alike with c, in every script`(left: String, right: String) throws {
        for (text, pattern) in [(left, right), (right, left)] {
            for operation in ["==[c]", "CONTAINS[c]", "BEGINSWITH[c]", "ENDSWITH[c]"] {
                #expect(try matches(text, operation, pattern), "\(text) \(operation) \(pattern)")
                #expect(try matches("<\(text)>", operation, pattern) == (operation == "CONTAINS[c]"))
            }
            #expect(try !matches(text, "!=[c]", pattern))
            #expect(try !matches(text, "==", pattern))
        }
    }

    @Test func `case folding makes no one of what differs by more`() throws {
        #expect(try !matches("ı", "==[c]", "i"))
        #expect(try !matches("e", "==[c]", "é"))
        #expect(try !matches("é", "==[c]", "e"))
        #expect(try !matches("@", "==[c]", "`"))
        #expect(try !matches("[", "==[c]", "{"))
    }

    @Test(arguments: [
        ("Ångström", "Angstrom"), ("Việt", "Viet"), ("e\u{301}", "é"), ("ё", "е"), ("ό", "ο"), ("naïve", "naive"),
    ])
    func `letters with and without diacritics are alike with d`(left: String, right: String) throws {
        for (text, pattern) in [(left, right), (right, left)] {
            for operation in ["==[d]", "CONTAINS[d]", "BEGINSWITH[d]", "ENDSWITH[d]", "==[cd]"] {
                #expect(try matches(text, operation, pattern), "\(text) \(operation) \(pattern)")
            }
            #expect(try matches(text.uppercased(), "==[cd]", pattern))
            #expect(try !matches(text.uppercased(), "==[d]", pattern))
        }
    }

    @Test(arguments: ["CONTAINS", "BEGINSWITH", "ENDSWITH", "CONTAINS[c]", "BEGINSWITH[cd]", "ENDSWITH[d]"])
    func `an empty text is in nothing, not even in itself`(operation: String) throws {
        #expect(try !matches("", operation, ""))
        #expect(try !matches("abc", operation, ""))
        #expect(try !matches("", operation, "abc"))
        #expect(try !matches("äöü", operation, ""))
    }

    @Test func `without options texts are their bytes`() throws {
        #expect(try !matches("é", "==", "e\u{301}"))
        #expect(try matches("z", "<", "é"))
        #expect(try matches("ab", "<", "abc"))
        #expect(try matches("", "<", "a"))
        #expect(try matches("", "==", ""))
        #expect(try matches("a\0b", "CONTAINS", "\0b"))
        #expect(try !matches("a", "==", "a\0"))
    }

    @Test func `a part is found wherever it stands`() throws {
        let text = String(repeating: "ab", count: 50) + "abc"
        for operation in ["CONTAINS", "CONTAINS[c]", "CONTAINS[d]"] {
            #expect(try matches(text, operation, "abc"))
            #expect(try matches(text, operation, "ab"))
            #expect(try matches(text, operation, text))
            #expect(try !matches(text, operation, text + "a"))
            #expect(try !matches(text, operation, "abcd"))
            #expect(try !matches(text, operation, "bb"))
        }
    }

    @Test func `a text that is too long for its record is matched as any other`() throws {
        let long = String(repeating: "x", count: 5000) + "ÄNDE"
        #expect(try matches(long, "==", long))
        #expect(try !matches(long, "==", long + "x"))
        #expect(try matches(long, "!=", String(long.dropLast()) + "F"))
        #expect(try matches(long, "ENDSWITH[c]", "ände"))
        #expect(try matches(long, "ENDSWITH[cd]", "ande"))
        #expect(try matches(long, "CONTAINS", "xÄ"))
        #expect(try matches(long, ">", String(repeating: "x", count: 5000)))
    }
}
