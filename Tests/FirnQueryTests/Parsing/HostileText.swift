import TestSupport

/// Predicate texts, well-formed and not, from a seed: made by the grammar, broken by mutation, nested without end.
struct HostileText {
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func next() -> String {
        switch below(10) {
        case 0, 1, 2: return predicate(4)
        case 3: return soup()
        case 4 where below(4) == 0: return nested()
        default: return mutated()
        }
    }

    private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

    private mutating func pick<T>(_ values: [T]) -> T { values[below(values.count)] }

    // MARK: By the grammar

    private mutating func predicate(_ depth: Int) -> String {
        guard depth > 0 else { return comparison(0) }
        switch below(9) {
        case 0, 1: return list(depth, pick([" AND ", " && ", " and "]))
        case 2, 3: return list(depth, pick([" OR ", "||"]))
        case 4: return pick(["NOT ", "!", "NOT NOT "]) + "(\(predicate(depth - 1)))"
        case 5: return "(\(predicate(depth - 1)))"
        case 6: return pick(["TRUEPREDICATE", "falsepredicate"])
        default: return comparison(depth - 1)
        }
    }

    private mutating func list(_ depth: Int, _ separator: String) -> String {
        (0...below(3)).map { _ in predicate(depth - 1) }.joined(separator: separator)
    }

    private mutating func comparison(_ depth: Int) -> String {
        let quantifier = pick(["", "", "", "ANY ", "ALL ", "NONE ", "SOME "])
        let operation = pick([
            "==", "=", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>", "IN", "BETWEEN", "CONTAINS", "BEGINSWITH",
            "ENDSWITH", "LIKE", "geoWithin",
        ])
        let options = pick(["", "", "", "[c]", "[d]", "[cd]"])
        return "\(quantifier)\(operand(depth)) \(operation)\(options) \(operand(depth))"
    }

    private mutating func operand(_ depth: Int) -> String {
        switch below(depth > 0 ? 12 : 8) {
        case 0, 1, 2: return path()
        case 3: return number()
        case 4: return string()
        case 5: return pick(["nil", "NULL", "TRUE", "no", "SELF"])
        case 6: return pick(["%@", "%K", "%d", "%f", "%K.@count", "map[%@]", "list[%d]"])
        case 7: return value()
        case 8: return "{" + (0..<below(4)).map { _ in operand(depth - 1) }.joined(separator: ", ") + "}"
        case 9: return "(\(operand(depth - 1)) \(pick(["+", "-", "*", "/"])) \(operand(depth - 1)))"
        case 10: return pick(["-", "+", "- -"]) + operand(depth - 1)
        default: return "SUBQUERY(\(path()), $x, \(predicate(depth - 1))).@count"
        }
    }

    private mutating func path() -> String {
        let start = pick(["", "", "", "", "SELF.", "$x.", "#"])
        let steps = (0...below(3)).map { _ in
            pick(["int", "string", "double", "date", "any", "link", "links", "list", "map", "名", "#and", "nıl"])
                + pick(["", "", "", "", "", "[0]", "['k']", "[*]", "[LAST]", "[FIRST]"])
        }
        let end = pick([
            "", "", "", ".@count", ".@max", ".@sum.int", ".@type", ".@allKeys", ".@links.Row.link", ".@links",
        ])
        return start + steps.joined(separator: ".") + end
    }

    private mutating func number() -> String {
        let digits = (0...below(25)).map { _ in String(below(10)) }.joined()
        return pick([
            "0", "1", "-1", "2.5", digits, "-" + digits, digits + "." + digits, "1e" + digits, "1E-" + digits,
            "0x" + digits,
            "9223372036854775807", "-9223372036854775808", "9223372036854775808", "0b101", "0o777", ".5", "1.",
        ])
    }

    private mutating func string() -> String {
        let content = (0..<below(5)).map { _ in
            pick([
                "a", "é", "e\u{301}", "日", "🙂", "\\n", "\\'", "\\u00e9", "\\ud83d\\ude00", "\\\\", " ", "%@", "\0", "*",
            ])
        }
        return pick(["'\(content.joined())'", "\"\(content.joined())\""])
    }

    private mutating func value() -> String {
        let fraction = pick(["", ".5", ".123456789", ".000000001", ".1234567890123"])
        let year = pick(["1969", "2020", "0001", "9999", "1582", "0000"])
        return pick([
            "uuid('8E0A2C0D-1B0B-4B0B-8B0B-0B0B0B0B0B0B')", "oid('0123456789abcdef01234567')", "data('AQI=')",
            "date('\(year)-12-31T23:59:59\(fraction)Z')", "date('\(year)-02-28')", "geoBox({1, -2}, {3.5, 4})",
            "date('\(year)-12-31T23:59:59\(fraction)+14:00')", "geoCircle({1, 2}, \(number()))",
            "geoPolygon({{0, 0}, {1, 0}, {1, 1}, {0, 0}})", "uuid('x')", "date('\(number())-01-01')",
        ])
    }

    // MARK: Against it

    private mutating func soup() -> String {
        let pieces = [
            "int", "==", "<", "!", "&&", "(", ")", "[", "]", "{", "}", "'", "\"", "\\", "%@", "%K", "%", "%d", "1", "-",
            ".",
            "0x", "e", "AND", "NOT", "nil", "#", ",", "$", "$x", "@", "@count", "é", "日", "\0", " ", "[cd]", "🙂", ":",
            "\r\n",
            "SUBQUERY", "ANY", "\u{301}", "ı", "date(", "\u{200d}",
        ]
        let separator = pick(["", " "])
        return (0...below(12)).map { _ in pick(pieces) }.joined(separator: separator)
    }

    private mutating func nested() -> String {
        let (open, close) = pick([
            ("(", ")"), ("{", "}"), ("NOT (", ")"), ("!", ""), ("-", ""), ("(-", ")"),
            ("SUBQUERY(links, $x, ", ").@count > 0"),
            ("(int + ", ")"), ("(1 * (", " - 1))"), ("(int == 1 OR int == 2 AND NOT ", ")"), ("int == 1 + ", ""),
            ("ANY ", ""), ("link.", ""), ("list[", "]"), ("(int == 1) AND (", ")"), ("geoBox(", ")"),
        ])
        let depth = pick([3, 30, 49, 50, 99, 100, 101, 400])
        let inner = pick(["int == 1", "1", "int", "", "int IN {1}"])
        return pick(["", "int == ", "int == 1 AND "]) + String(repeating: open, count: depth) + inner
            + String(repeating: close, count: depth - below(2)) + pick(["", " == 1", " > 0"])
    }

    private mutating func mutated() -> String {
        var bytes = Array(predicate(3).utf8)
        for _ in 0...below(3) {
            let place = below(bytes.count + 1)
            switch below(6) {
            case 0: bytes.removeSubrange(place..<min(place + 1 + below(4), bytes.count))
            case 1: bytes.insert(UInt8(below(256)), at: place)
            case 2: bytes.insert(contentsOf: pick(["(", "'", "\\", "%", "]", ".", "@", "-", " AND "]).utf8, at: place)
            case 3 where place < bytes.count: bytes[place] ^= 1 << UInt8(below(8))
            case 4: bytes.insert(contentsOf: bytes[place..<min(place + 20, bytes.count)], at: below(bytes.count + 1))
            default: bytes.removeSubrange(place...)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
