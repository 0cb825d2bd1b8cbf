import FirnQuery
import Foundation
import Testing

@Suite struct PredicateParsingTests {
    /// The constants that these tests pass as arguments.
    private static func constant(_ argument: Any?) throws -> Constant {
        switch argument {
        case nil, is NSNull: return .null
        case let value as Constant: return value
        case let value as Bool: return .bool(value)
        case let value as Int: return .int(Int64(value))
        case let value as Double: return .double(value)
        case let value as String: return .string(value)
        default: throw Unconvertible()
        }
    }

    private struct Unconvertible: Error, CustomStringConvertible {
        var description: String { "no constant can be made of it" }
    }

    private func parse(_ text: String, _ arguments: Any?...) throws -> QueryExpression {
        try PredicateTemplate(text).expression(arguments: arguments) { .constant(try Self.constant($0)) }
    }

    /// The one comparison that a text consists of.
    private func comparison(_ text: String, _ arguments: Any?...) throws -> Comparison {
        let expression = try PredicateTemplate(text).expression(arguments: arguments) {
            .constant(try Self.constant($0))
        }
        guard case .comparison(let comparison) = expression else {
            Issue.record("\(text) is no single comparison")
            return Comparison("", .equal, .null)
        }
        return comparison
    }

    // MARK: Comparisons

    @Test(
        arguments: [
            ("==", .equal), ("=", .equal), ("!=", .notEqual), ("<>", .notEqual), ("<", .less), (">", .greater),
            ("<=", .lessOrEqual), ("=<", .lessOrEqual), (">=", .greaterOrEqual), ("=>", .greaterOrEqual),
        ] as [(String, ComparisonOperator)])
    func `each operator is read, with spaces around it and without`(sign: String, operation: ComparisonOperator) throws
    {
        for text in ["age \(sign) 3", "age\(sign)3", " age\t\(sign)\n3 "] {
            let found = try comparison(text)
            #expect(found.property == "age" && found.operation == operation && found.constant == .int(3), "\(text)")
        }
    }

    @Test(
        arguments: [
            ("a CONTAINS 'x'", .contains, []), ("a contains[c] 'x'", .contains, .caseInsensitive),
            ("a BEGINSWITH[d] 'x'", .beginsWith, .diacriticInsensitive),
            ("a endsWith [ dc ] 'x'", .endsWith, [.caseInsensitive, .diacriticInsensitive]),
            ("a ==[CD] 'x'", .equal, [.caseInsensitive, .diacriticInsensitive]),
            ("'x' =[c] a", .equal, .caseInsensitive),
        ] as [(String, ComparisonOperator, ComparisonOptions)])
    func `operators of texts are keywords of any case, with options in brackets`(
        text: String, operation: ComparisonOperator, options: ComparisonOptions
    ) throws {
        let found = try comparison(text)
        #expect(found.operation == operation && found.options == options && found.constant == .string("x"))
    }

    // MARK: Literals

    @Test(
        arguments: [
            ("7", .int(7)), ("-7", .int(-7)), ("+7", .int(7)), ("- 7", .int(-7)), ("007", .int(7)), ("0x1F", .int(31)),
            ("0b101", .int(5)), ("0o17", .int(15)), ("9223372036854775807", .int(.max)),
            ("-9223372036854775808", .int(.min)), ("1.5", .double(1.5)), ("-1.5", .double(-1.5)), (".5", .double(0.5)),
            ("1.", .double(1)), ("1e3", .double(1000)), ("1E-3", .double(0.001)), ("2.5e+2", .double(250)),
            ("1e400", .double(.infinity)), ("TRUE", .bool(true)), ("yes", .bool(true)), ("False", .bool(false)),
            ("NO", .bool(false)), ("nil", .null), ("NULL", .null), ("NIL", .null), ("null", .null),
        ] as [(String, Constant)])
    func `numbers, truth values and nil are read`(literal: String, constant: Constant) throws {
        #expect(try comparison("a == \(literal)").constant == constant)
        #expect(try comparison("\(literal) == a").constant == constant)
    }

    @Test(arguments: [
        (#"'say "hi"'"#, #"say "hi""#), (#""it's""#, "it's"), (#"'it\'s'"#, "it's"), (#"'a\\b'"#, #"a\b"#),
        (#"'\n\r\t'"#, "\n\r\t"), (#"'\u00e9\x41'"#, "éA"), (#"'\ud83d\ude00'"#, "😀"), (#"'\U0001F600'"#, "😀"),
        ("'日本'", "日本"), ("''", ""), ("'%@ %K'", "%@ %K"), ("'a AND b'", "a AND b"),
        (#"'\a\b\f\v\0'"#, "\u{7}\u{8}\u{c}\u{b}\0"),
    ])
    func `strings are read in both quotes, with escapes`(literal: String, text: String) throws {
        #expect(try comparison("a == \(literal)").constant == .string(text))
    }

    // MARK: Names

    @Test(arguments: [
        ("名前", "名前"), ("größe", "größe"), ("_a1", "_a1"), ("#and", "and"), ("#SELF", "SELF"), ("android", "android"),
        ("nothing", "nothing"),
    ])
    func `names may be of any script, and with # in front also keywords`(written: String, name: String) throws {
        #expect(try comparison("\(written) == 1").property == name)
    }

    // MARK: Compounds

    @Test func `AND joins, parentheses group, and the parts come in one list`() throws {
        let parsed = try parse("a == 1 AND b == 2 && (c == 3 and TRUEPREDICATE)")
        guard case .all(let parts) = parsed else {
            Issue.record("\(parsed)")
            return
        }
        #expect(parts.count == 4)
        #expect(parts.first == .comparison(Comparison("a", .equal, .int(1), position: 0)))
        #expect(parts.last == .always(true))
        #expect(try parse("((a == 1))") == .comparison(Comparison("a", .equal, .int(1), position: 2)))
        #expect(try parse("TRUEPREDICATE") == .always(true))
        #expect(try parse("falsepredicate") == .always(false))
    }

    @Test func `parentheses nest a hundred deep, and no deeper`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "(", count: depth) + "a == 1" + String(repeating: ")", count: depth)
        }
        _ = try parse(nested(100))
        // No list, subscript or chain of signs is a way around that.
        for (open, close) in [("{", "}"), ("NOT (", ")"), ("(-", ")"), ("SUBQUERY(a, $x, ", ").@count > 0")] {
            let text =
                "a == 1 AND a IN " + String(repeating: open, count: 100_000) + "1"
                + String(repeating: close, count: 100_000)
            #expect(throws: QueryError.self) { try parse(text) }
        }
        #expect(throws: QueryError.self) { try parse("a == 1" + String(repeating: " + 1", count: 100_000)) }
        #expect(throws: QueryError.self) { try parse("a" + String(repeating: ".a", count: 100_000) + " == 1") }
        #expect(try parse(String(repeating: "NOT ", count: 100_001) + "a == 1").description == "NOT a == 1")
        #expect(try parse("a == " + String(repeating: "-", count: 100_001) + "1").description == "a == -1")
        let error = #expect(throws: QueryError.self) { try parse(nested(100_000)) }
        #expect(error?.code == .malformed && error?.position == 100)
    }

    // One property behind @links, and an operator: printed, the two properties were a class and its property.
    @Test(arguments: ["@links.a.@sum.b == 1", "@links.a == 1", "@links.@sum.a == 1", "SELF.@links.%K == 1"])
    func `nothing but a count, or a class and a property, stands behind @links`(text: String) {
        let error = #expect(throws: QueryError.self) { try parse(text, "a") }
        #expect(error?.message.contains("behind @links") == true && error?.code == .malformed)
    }

    @Test func `a very long conjunction is read`() throws {
        let text = Array(repeating: "a != 1", count: 5_000).joined(separator: " AND ")
        guard case .all(let parts) = try parse(text) else {
            Issue.record("not a conjunction")
            return
        }
        #expect(parts.count == 5_000)
    }

    // MARK: Arguments

    @Test func `placeholders take the arguments in their order`() throws {
        #expect(try comparison("%K == %@", "name", "x") == Comparison("name", .equal, .string("x"), position: 0))
        #expect(
            try comparison("%@ < %K", 5, "age")
                == Comparison(.constant(.int(5)), .less, .path(QueryPath(property: "age")), position: 0))
        #expect(try comparison("a == %@", nil).constant == .null)
        #expect(try comparison("a == %@", NSNull()).constant == .null)
        #expect(try comparison("a == %@", Constant.link(table: 1, key: 2)).constant == .link(table: 1, key: 2))
    }

    @Test(arguments: ["%d", "%i", "%D", "%hd", "%ld", "%lld", "%qi", "%zd", "%u", "%lu", "%llu", "%x", "%lX"])
    func `placeholders of integers take integers and truth values alone`(placeholder: String) throws {
        #expect(try comparison("a == \(placeholder)", 5).constant == .int(5))
        #expect(try comparison("a == \(placeholder)", true).constant == .bool(true))
        for argument in [1.5, "5", nil] as [Any?] {
            let error = #expect(throws: QueryError.self) { try parse("a == \(placeholder)", argument) }
            #expect(error?.code == .invalidArgument && error?.message.contains("must be an integer") == true)
        }
    }

    @Test(arguments: ["%f", "%lf", "%g", "%e", "%Lf", "%F", "%G"])
    func `placeholders of floating-point numbers take numbers alone`(placeholder: String) throws {
        #expect(try comparison("a == \(placeholder)", 1.5).constant == .double(1.5))
        #expect(try comparison("a == \(placeholder)", 5).constant == .int(5))
        #expect(throws: QueryError.self) { try parse("a == \(placeholder)", "5") }
    }

    @Test func `too few and too many arguments are errors that count them`() {
        let few = #expect(throws: QueryError.self) { try parse("a == %@ AND b == %@", 1) }
        #expect(few?.code == .invalidArgument)
        #expect(few?.message == "“a == %@ AND b == %@” takes 2 arguments, but 1 was given")
        let many = #expect(throws: QueryError.self) { try parse("a == 1", 1, 2) }
        #expect(many?.message == "“a == 1” takes 0 arguments, but 2 were given")
    }

    @Test func `an argument that no constant can be made of is an error with its number and cause`() {
        let error = #expect(throws: QueryError.self) { try parse("a == 1 AND b == %@", Date.self) }
        #expect(error?.code == .invalidArgument && error?.position == 11)
        #expect(error?.message.contains("Argument 1 of") == true)
        #expect(error?.cause is Unconvertible)
    }

    @Test func `a name that is given must be text; a dotted one is a key path`() throws {
        for argument in [5, "", nil, "a..b", "a.", "a b.c", "1.a", "$x.a"] as [Any?] {
            #expect(throws: QueryError.self) { try parse("%K == 1", argument) }
        }
        #expect(try parse("%K == 1", "owner.name") == parse("owner.name == 1"))
        #expect(try parse("%K > 1", "dogs.@count") == parse("dogs.@count > 1"))
        #expect(try parse("%K.name == 1", "owner") == parse("owner.name == 1"))
        #expect(try parse("ANY %K.%K == 1", "dogs", "name") == parse("ANY dogs.name == 1"))
        let subscripts = try parse("map['%@'] == 1 AND list[%d] == 2", "k", 3)
        #expect(subscripts.description == "map[\"k\"] == 1 AND list[3] == 2")
        #expect(try comparison("%K == 1", "a name").property == "a name")
    }

    // MARK: The whole language

    /// Each text, and what it says when it is printed: parentheses show what binds to what.
    @Test(arguments: [
        ("a == 1 OR b == 2 AND c == 3", "a == 1 OR (b == 2 AND c == 3)"),
        ("(a == 1 || b == 2) && c == 3", "(a == 1 OR b == 2) AND c == 3"),
        ("a == 1 OR (b == 2 OR c == 3)", "a == 1 OR b == 2 OR c == 3"),
        ("NOT a == 1 AND b == 2", "(NOT a == 1) AND b == 2"), ("!(a == 1)", "NOT a == 1"),
        ("NOT NOT a == 1", "a == 1"), ("!!!a == 1", "NOT a == 1"),
        ("a IN {1, 2}", "a IN {1, 2}"), ("a IN {}", "a IN {}"), ("'x' IN a", "\"x\" IN a"),
        ("a BETWEEN {1, 2.5}", "a BETWEEN {1, 2.5}"), ("a LIKE[c] 'x*'", "a LIKE[c] \"x*\""),
        ("ANY a.b == 1", "ANY a.b == 1"), ("some a == 1", "ANY a == 1"), ("ALL a == 1", "ALL a == 1"),
        ("NONE a == 1", "NOT ANY a == 1"), ("NOT NONE a == 1", "NOT (NOT ANY a == 1)"),
        ("a.@count > 1", "a.@count > 1"), ("a.b.@max.c == 1", "a.b.c.@max == 1"), ("a.@average.b < 2", "a.b.@avg < 2"),
        ("SUBQUERY(a, $x, $x.b == 1 OR $x == nil).@count > 0", "SUBQUERY(a, $x, $x.b == 1 OR $x == nil).@count > 0"),
        (
            "SUBQUERY(a, $x, SUBQUERY($x.b, $y, $y.c == $x.c).@count == 2).@count == 1",
            "SUBQUERY(a, $x, SUBQUERY($x.b, $y, $y.c == $x.c).@count == 2).@count == 1"
        ),
        ("SELF == nil", "SELF == nil"), ("self.a == 1", "a == 1"), ("a[0] == 1", "a[0] == 1"),
        ("a[FIRST] == 1 AND a[last] == 2", "a[0] == 1 AND a[LAST] == 2"), ("a['k'] == 1", "a[\"k\"] == 1"),
        ("ANY a[*]['k'] == 1", "ANY a[*][\"k\"] == 1"), ("a.@type == 'int'", "a.@type == \"int\""),
        ("ANY a.@allKeys == 'k' AND ANY a.@allValues == 1", "ANY a.@allKeys == \"k\" AND ANY a.@allValues == 1"),
        ("ANY @links.Dog.owner.name == 'x'", "ANY @links.Dog.owner.name == \"x\""),
        ("@links.@count == 0", "@links.@count == 0"),
        ("a.@case == 'named'", "a.@case == \"named\""), ("a + 1 == 2", "(a + 1) == 2"),
        ("a == 1 + 2 * b", "a == (1 + (2 * b))"), ("(1 + 2) * b == -c", "((1 + 2) * b) == (0 - c)"),
        ("a == b", "a == b"), ("1 == 1", "1 == 1"), ("(a) == 1", "a == 1"), ("a == (1)", "a == 1"),
        ("((a == 1))", "a == 1"), ("#and.#in == #a", "#and.#in == a"),
        ("a == codable('AQI=')", "a == codable('AQI=')"),
        ("a == uuid('8E0A2C0D-1B0B-4B0B-8B0B-0B0B0B0B0B0B')", "a == uuid('8E0A2C0D-1B0B-4B0B-8B0B-0B0B0B0B0B0B')"),
        ("a == oid('0123456789abcdef01234567')", "a == oid('0123456789abcdef01234567')"),
        ("a > date('2020-02-29T12:00:00Z')", "a > date('2020-02-29T12:00:00Z')"),
        ("a == data('AQI=')", "a == data('AQI=')"),
        ("a geoWithin geoBox({1, 2}, {3, 4})", "a geoWithin geoBox({1.0, 2.0}, {3.0, 4.0})"),
        ("a GEOWITHIN geoCircle({1, -2}, 0.5)", "a geoWithin geoCircle({1.0, -2.0}, 0.5)"),
    ])
    func `each construct is read, and printed as text that says the same`(text: String, printed: String) throws {
        let expression = try parse(text)
        #expect(expression.description == printed)
        #expect(try parse(expression.description).description == printed)
    }

    @Test func `printed strings are read as they were`() throws {
        for string in ["it's", "say \"hi\"", "back\\slash", "two\nlines\r\t\0", "日本🙂", "%@"] {
            let expression = QueryExpression.comparison(Comparison("a", .equal, .string(string), position: 0))
            #expect(try parse(expression.description) == expression)
        }
    }

    // MARK: Refusals

    @Test(arguments: [
        ("a MATCHES 'x'", 2), ("a ==[n] 'x'", 5), ("a == %s", 5), ("a == 5 %% 2", 7), ("a.@unknown == 1", 3),
        ("a[SIZE] == 1", 2),
    ])
    func `what is not supported says so, and where`(text: String, position: Int) {
        let error = #expect(throws: QueryError.self) { try PredicateTemplate(text) }
        #expect(error?.code == .notSupported, "\(error?.message ?? "")")
        #expect(error?.message.contains("not supported") == true)
        #expect(error?.message.contains("(at character \(position + 1))") == true)
        #expect(error?.position == position)
    }

    @Test(arguments: [
        ("", 0), ("   ", 3), ("a", 1), ("a ==", 4), ("== 1", 0), ("a 1", 2), ("a == 1 b == 2", 7), ("a == 1 AND", 10),
        ("AND a == 1", 0), ("(a == 1", 7), ("a == 1)", 6), ("()", 1), ("a == 'x", 5), (#"a == "x'"#, 5),
        (#"a == 'x\q'"#, 7), (#"a == 'x\"#, 7), (#"a == '\u12'"#, 6), (#"a == '\ud800'"#, 6), ("a == 'it''", 9),
        ("a == 1.2.3", 5), ("a == 12x", 5), ("a == 0xZZ", 5), ("a == 0x", 5), ("a == 9223372036854775808", 5),
        ("a == -9223372036854775809", 6), ("a == 99999999999999999999", 5), ("a == 1e", 5), ("a ==[x] 'x'", 5),
        ("a ==[] 'x'", 5), ("a ==[c 'x'", 7), ("a === 1", 4), ("a == ;", 5), ("a == 1 ; b", 7), ("a & b", 2),
        ("a == %", 5), ("a == %y", 5), ("a == %lK", 5), ("# == 1", 0), ("1 < a < 5", 6), ("a == AND", 5),
        ("TRUEPREDICATE a", 14), ("éé ==", 5), ("a == \u{7f}", 5), ("a = = 1", 4),
        ("a := 5", 2), ("$x == 1", 0), ("$ == 1", 2), ("a. == 1", 3), ("a.b. == 1", 5), ("a[ == 1", 3), ("a[] == 1", 2),
        ("a['k' == 1", 6), ("a IN {1, 2", 10), ("a IN {1 2}", 8), ("a IN {,}", 6), ("(a == 1) + 1 == 2", 0),
        ("NOT a", 5), ("a == 1 OR", 9), ("ANY == 1", 4), ("uppercase(a) == 'X'", 0), ("uuid('x') == a", 0),
        ("oid('+123456789abcdef01234567') == a", 0), ("date('yesterday') == a", 0), ("geoBox({1}, {2}) == a", 0),
        ("geoPolygon({{1, 1}, {2, 2}, {1, 1}}) == a", 0), ("SUBQUERY(a, $x, $x.b == 1) > 0", 27),
        ("SUBQUERY(a, $x, $x.b).@count > 0", 20), ("SUBQUERY(a, x, x == 1).@count > 0", 12),
        ("SUBQUERY(1, $x, $x == 1).@count > 0", 9), ("SUBQUERY(a, $x, $y == 1).@count > 0", 16),
        ("SUBQUERY(a, $x, $x == 1).@min > 0", 26), ("a.@count.b == 1", 9), ("a.@min.@max == 1", 8),
        ("日本 == 1 OR 日本 ==", 16),
    ])
    func `text that is no predicate is a typed error that says where`(text: String, position: Int) {
        let error = #expect(throws: QueryError.self) { try PredicateTemplate(text) }
        #expect(error?.code == .malformed, "\(error?.message ?? "")")
        #expect(error?.position == position, "\(error?.message ?? "")")
    }

    @Test func `random text gives a predicate or a typed error, never a trap`() {
        let pieces = [
            "a", "b1", "==", "=", "<", ">", "!", "&&", "||", "(", ")", "[", "]", "c", "'x'", "'", "\"", "\\", "%@",
            "%K",
            "%", "%d", "1", "-", ".", "1.5", "0x", "e", "AND", "OR", "NOT", "nil", "TRUEPREDICATE", "#", "{", "}", ",",
            "$", "@", "é", "日", "\0", " ", "CONTAINS", "[cd]", "🙂", ":",
        ]
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<5000 {
            let text = (0..<Int.random(in: 1...9, using: &generator)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &generator)]
            }.joined(separator: Bool.random(using: &generator) ? " " : "")
            if case .failure(let error) = Result(catching: { try PredicateTemplate(text) }) {
                #expect(error is QueryError, "\(text)")
            }
        }
    }

    @Test func `a cached text gives the same template, and errors come every time`() throws {
        let first = try PredicateTemplate.cached("a == %@ AND b == 1")
        let second = try PredicateTemplate.cached("a == %@ AND b == 1")
        #expect(first.text == second.text && first.argumentCount == 1)
        let expressions = try [first, second].map { template in
            try template.expression(arguments: [5]) { .constant(try Self.constant($0)) }
        }
        #expect(expressions[0] == expressions[1])
        for _ in 0..<2 {
            #expect(throws: QueryError.self) { try PredicateTemplate.cached("a ==") }
        }
        for index in 0..<1000 { _ = try PredicateTemplate.cached("a == \(index)") }
        #expect(try PredicateTemplate.cached("a == 3").text == "a == 3")
    }
}

extension Comparison {
    /// The name of the property on the left.
    fileprivate var property: String? {
        if case .path(let path) = left { path.ownProperty } else { nil }
    }

    /// The constant on either side.
    fileprivate var constant: Constant? {
        if case .constant(let constant) = right { return constant }
        if case .constant(let constant) = left { return constant }
        return nil
    }
}
